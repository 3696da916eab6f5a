import type { Moment } from "./activity.ts";
import { agoInWords, asSentence, counted, dayInWords, formatClock, formatCount, formatDay } from "./format.ts";
import type { OverviewFacts, Summary } from "./overview.ts";
import { FAILURE_REASONS, type FailureReason, isInterrupted, isOffline, type Run } from "./run.ts";
import { failedFiles, leftOutOf } from "./run_words.ts";

const HALF_DAY_MS = 43_200_000;

const REASONS: Readonly<Record<FailureReason, string>> = {
  disk: "the disk is full or cannot be read",
  http: "the camera answered with an error",
  network: "the connection broke",
  timeout: "the camera stopped answering",
  unknown: "the log has the cause",
};

/** How the last sync stands, and what that means for what is on the camera. */
export function standingOf(facts: OverviewFacts): Summary {
  const { address, last_run: last, waiting_files: waiting } = facts;
  if (address === "") {
    return {
      mood: "waiting",
      sentence: "No camera yet. Tell Dashdock where it is.",
      detail: "The camera must be on the same Wi-Fi as this machine. Nothing on the camera is changed.",
    };
  }
  if (last === null) {
    return { mood: "waiting", sentence: "No sync has run yet.", detail: nextLook(facts) };
  }
  if (last.address !== undefined && last.address !== address) {
    const sentence = "No sync has run with the camera at this address yet.";
    return { mood: "waiting", sentence, detail: nextLook(facts) };
  }
  if (isOffline(last)) return away(facts);
  if (!last.success) return failed(facts, last);
  if (last.dryRun) {
    const sentence = "The last sync was a dry run: nothing was brought home.";
    return { mood: "attention", sentence, detail: "Turn it off in Settings under Disk." };
  }
  if (waiting > 0 || failedFiles(last) > 0) {
    const left = Math.max(waiting, failedFiles(last));
    const sentence = `${counted(left, "file")} could not be brought home yet.`;
    return { mood: "attention", sentence, detail: `${reasonsOf(last)} ${leftOut(last)}${seen(facts)}`.trim() };
  }
  return settled(facts, last);
}

/** The last run that reached the camera went through: what it chose is here. */
function settled(facts: OverviewFacts, run: Run): Summary {
  const { recordingsSeen: all, recordingsSelected: chosen, leftOut: by } = run;
  if (all > 0 && chosen === 0 && by !== undefined && by.retention > 0) {
    const which = by.selection > 0 ? "Every recording that your settings choose" : "Every recording on the camera";
    const detail = `${which} is older than you keep; is its clock set right? ${seen(facts)}`;
    return { mood: "attention", sentence: safe(run), detail: detail.trim() };
  }
  return { mood: "fine", sentence: safe(run), detail: `${leftOut(run)}${seen(facts)}` };
}

/** The camera is gone: fine while nothing is missing, waiting while something is. */
function away(facts: OverviewFacts): Summary {
  const { last_reached: reached, waiting_files: waiting } = facts;
  if (waiting > 0) {
    const are = waiting === 1 ? "is" : "are";
    const since = facts.last_seen_at === null ? "" : ` Last seen ${when(facts.last_seen_at, facts)};`;
    const rest = `${counted(waiting, "file")} ${are} waiting.`;
    const sentence = since === "" ? `The camera is away; ${rest}` : `The camera is away.${since} ${rest}`;
    return { mood: "waiting", sentence, detail: `They come home with the next run that finds it. ${nextLook(facts)}` };
  }
  if (reached === null) {
    return {
      mood: "waiting",
      sentence: "The camera has not been reached yet.",
      detail: `${why(facts.last_run)}Check its address in Settings, and that it is on and in Wi-Fi range. ${nextLook(facts)}`,
    };
  }
  if (!reached.success || failedFiles(reached) > 0 || reached.dryRun) {
    const sentence = "The camera is away, and the last sync with it did not finish.";
    return { mood: "waiting", sentence, detail: `${lastSeen(facts)} ${nextLook(facts)}`.trim() };
  }
  return settled(facts, reached);
}

function failed(facts: OverviewFacts, last: Run): Summary {
  const { waiting_files: waiting } = facts;
  const left =
    waiting > 0 ? `${counted(waiting, "file")} ${waiting === 1 ? "is" : "are"} still only on the camera.` : "";
  if (last.stopped) {
    const detail = `${left} What was begun is kept and goes on at the next run.`.trim();
    return { mood: "attention", sentence: "The sync was stopped.", detail };
  }
  if (isInterrupted(last)) {
    const detail = "The service or its machine stopped in the middle of it. What was begun is kept and goes on.";
    return {
      mood: "failed",
      sentence: "The last sync was interrupted.",
      detail: `${detail} ${nextLook(facts)}`.trim(),
    };
  }
  // What a failure says is its cause and, behind a semicolon, what to do.
  const [cause = "", ...remedies] = (last.message ?? unexplained(last)).split("; ");
  const words = [...remedies.map(asSentence), left, asSentence(leftOutOf(last)), nextLook(facts)];
  return { mood: "failed", sentence: `Sync failed: ${cause}.`, detail: words.filter(Boolean).join(" ") };
}

/** Of a run that an older program recorded, only the reason is known. */
function unexplained(run: Run): string {
  return run.failures.disk > 0 ? "the disk is full; free space or lower retention" : firstReason(run);
}

/** Why a run failed, as a sentence before others; empty where nothing was kept with it. */
function why(run: Run | null): string {
  const text = asSentence(run?.message ?? "");
  return text === "" ? "" : `${text} `;
}

function safe({ recordingsSeen: all, recordingsSelected: chosen }: Run): string {
  if (all === 0) return "The camera has no recordings.";
  if (chosen === 0) return "Nothing on the camera is chosen to come home.";
  if (chosen === 1) return "The one recording on the camera is safe here.";
  return chosen === all
    ? `All ${formatCount(all)} recordings on the camera are safe here.`
    : `All ${formatCount(chosen)} chosen recordings on the camera are safe here.`;
}

function leftOut(run: Run): string {
  const { recordingsSeen: all, recordingsSelected: chosen } = run;
  if (run.leftOut !== undefined) return `${asSentence(leftOutOf(run))} `.trimStart();
  if (chosen >= all) return "";
  return `${formatCount(all - chosen)} more on it are left out by your settings. `;
}

function seen(facts: OverviewFacts): string {
  if (facts.reachable === true) return "The camera is at home.";
  return `${facts.reachable === false ? "The camera is away. " : ""}${lastSeen(facts)}`.trim();
}

function lastSeen(facts: OverviewFacts): string {
  return facts.last_seen_at === null ? "" : `Last seen ${when(facts.last_seen_at, facts)}.`;
}

/** A time that has passed, in words that fit into a sentence. */
function when(at: number, { now, time_zone }: Moment): string {
  const clock = formatClock(at, time_zone);
  if (now - at < HALF_DAY_MS) return `${clock}, ${agoInWords((now - at) / 1000)}`;
  const isYesterday = dayInWords(at, time_zone, now).startsWith("Yesterday");
  return isYesterday ? `yesterday ${clock}` : `${formatDay(at, time_zone, now)}, ${clock}`;
}

/** When the camera is looked for again; empty when no run is planned. */
export function nextLook({ paused, next_at: at, now, time_zone }: OverviewFacts): string {
  if (paused || at === null) return "";
  const day = dayInWords(at, time_zone, now);
  const clock = formatClock(at, time_zone);
  if (day.startsWith("Today")) return `The next run looks again at ${clock}.`;
  return `The next run looks again ${day.startsWith("Tomorrow") ? "tomorrow" : `on ${day}`} at ${clock}.`;
}

function firstReason({ failures }: Run): string {
  return REASONS[FAILURE_REASONS.find((reason) => failures[reason] > 0) ?? "unknown"];
}

function reasonsOf(run: Run): string {
  if (failedFiles(run) === 0) return "";
  return asSentence(`${firstReason(run)}; they are tried again`);
}
