import { otherCameraInWords } from "../camera/other_camera.ts";
import { dateOf } from "../recordings/recording_name.ts";
import { mainReason } from "../runs/failure_slots.ts";
import { CHECK_CAMERA, CHOOSE_CAMERA, type FailureWords, failureWords } from "../runs/failure_text.ts";
import type { Run } from "../runs/run.ts";
import { runEnding } from "../runs/run_ending.ts";
import { runFailure, showFiles } from "../runs/run_failure.ts";
import { failedFiles, leftOutOf } from "../runs/run_text.ts";
import { driveInWords } from "../sync/drive_text.ts";
import type { RecordingCounts } from "../sync/recording_counts.ts";
import { agoInWords, asSentence, counted, formatCount } from "../text/format.ts";
import type { CardTime } from "../text/zone_time.ts";
import { overInWords } from "./failure_over.ts";
import { isAwaited, looksSentence } from "./looks_text.ts";
import { whileAway } from "./plan_summary.ts";
import type { OverviewFacts, Summary } from "./overview.ts";

const HALF_DAY_MS = 43_200_000;

/** Says how the last sync stands, and what that means for the recordings on the camera. */
export function syncSummary(facts: OverviewFacts): Summary {
  const { address, counts } = facts;
  if (address === "") {
    return {
      mood: "waiting",
      sentence: "No camera yet. Tell Dashdock where it is.",
      detail: "The camera must be on the same Wi-Fi as this machine. Nothing on the camera is changed.",
    };
  }
  if (facts.other_camera !== null) {
    const { sentence, detail } = otherCameraInWords(address, facts.other_camera);
    const until = "Nothing is fetched or deleted until you decide.";
    return { mood: "attention", sentence, detail: `${detail} ${until}`, action: CHOOSE_CAMERA };
  }
  const { last_run: latest } = facts;
  // A run with another camera proves nothing about this one, whose list may be known from before.
  const isOther = latest?.address !== undefined && latest.address !== address;
  const last = isOther ? null : latest;
  if (last === null) {
    if (counts !== null) return byCounts(facts, counts, null);
    const sentence = isOther ? "No sync has run with the camera at this address yet." : "No sync has run yet.";
    return { mood: "waiting", sentence, detail: nextRunSentence(facts) };
  }
  if (runEnding(last) === "away") return away(facts);
  if (!last.success) return failed(facts, last);
  if (last.dryRun) {
    const sentence = "The last sync was a dry run: nothing was brought home.";
    return { mood: "attention", sentence, detail: "Turn it off in Settings under Storage." };
  }
  return counts === null ? uncounted(facts, last) : byCounts(facts, counts, last);
}

/** The last run went through, but what it had listed is not known any more: an older program ran it, or a file is gone. */
function uncounted(facts: OverviewFacts, last: Run): Summary {
  const failed = failedFiles(last);
  if (failed > 0) {
    const sentence = `${counted(failed, "file")} could not be brought home yet.`;
    return { mood: "attention", sentence, detail: reasonsOf(last), more: since(facts), action: showFiles(last) };
  }
  const detail = `How much of the camera is safe here is counted with the next one. ${seen(facts)}`.trim();
  return { mood: "fine", sentence: "The last sync went through.", detail };
}

/**
 * Nothing went wrong with the run as a whole: the recordings of the last good list that are at home decide.
 * @param run the last one with this camera; null when none is known
 */
function byCounts(facts: OverviewFacts, counts: RecordingCounts, run: Run | null): Summary {
  const { waiting, waiting_files: files } = counts;
  const rest = `${leftOut(counts)}${seen(facts)}`;
  if (waiting + files === 0) return settled(facts, counts);
  const what = whatWaits(counts);
  const isOne = (waiting > 0 ? waiting : files) === 1;
  // A marker keeps what failed from being tried in every run.
  if (run !== null && failedFiles(run) + run.failedMarkers > 0) {
    const again = `${isOne ? "It is" : "They are"} tried again.`;
    const sentence = `${what} could not be brought home yet.`;
    const more = `${leftOut(counts)}${since(facts)}`.trim();
    // Files that wait since an earlier run are listed with the latest one.
    const action = showFiles(failedFiles(run) > 0 ? run : (facts.last_run ?? run));
    return { mood: "attention", sentence, detail: reasonsOf(run) || again, more, action };
  }
  const detail = `${isOne ? "It comes" : "They come"} home with the next run. ${rest}`.trim();
  return { mood: "waiting", sentence: `${what} ${isOne ? "is" : "are"} waiting.`, detail };
}

/** Everything that was chosen and is finished is here. */
function settled(facts: OverviewFacts, counts: RecordingCounts): Summary {
  const { on_camera: all, chosen, left_out: by } = counts;
  if (all > 0 && chosen === 0 && by.retention > 0) {
    const which = by.selection > 0 ? "Every recording that your settings choose" : "Every recording on the camera";
    const detail = `${which} is older than you keep; is its clock set right? ${seen(facts)}`;
    return { mood: "attention", sentence: safe(counts), detail: detail.trim() };
  }
  return { mood: "fine", sentence: safe(counts), detail: `${driveOfToday(facts)}${leftOut(counts)}${seen(facts)}` };
}

/** Counts what is still on the camera: recordings, or the small files beside them when no recording is. */
function whatWaits({ waiting, waiting_files: files }: RecordingCounts): string {
  return waiting > 0 ? counted(waiting, "recording") : counted(files, "small file");
}

/** The camera is gone: fine while nothing is missing, waiting while something is. */
function away(facts: OverviewFacts): Summary {
  const { last_reached: reached, counts } = facts;
  const isWaiting = counts !== null && counts.waiting_files > 0;
  // It has answered since that run.
  const isBack = facts.reachable === true;
  if (isWaiting) {
    const planned = isBack || facts.plan === null ? null : whileAway(facts.plan, whatWaits(counts), facts);
    if (planned !== null)
      return { ...planned, detail: `${lastSeen(facts)} ${planned.detail}`.trim(), more: nextRunSentence(facts) };
    const are = (counts.waiting || counts.waiting_files) === 1 ? "is" : "are";
    const last = facts.last_seen_at === null ? "" : ` Last seen ${when(facts.last_seen_at, facts)};`;
    const rest = `${whatWaits(counts)} ${are} waiting.`;
    const gone = last === "" ? `The camera is away; ${rest}` : `The camera is away.${last} ${rest}`;
    const sentence = isBack ? `The camera is back; ${rest}` : gone;
    return {
      mood: "waiting",
      sentence,
      detail: `${are === "is" ? "It comes" : "They come"} home ${isBack ? "with the next run" : "when the camera is back"}. ${nextRunSentence(facts)}`,
    };
  }
  // A run that ended before it had the list may have left more than is known of.
  const isListed = reached === null || reached.success || reached.recordingsSeen > 0;
  if (counts !== null && isListed) return settled(facts, counts);
  if (reached === null) {
    if (isBack)
      return {
        mood: "waiting",
        sentence: "The camera answers now.",
        detail: `No run has reached it yet. ${nextRunSentence(facts)}`.trim(),
      };
    const words = why(facts.last_run);
    const hint = words?.hint || "Check its address in Settings, and that it is on and in Wi-Fi range.";
    const [detail = "", ...rest] = [asSentence(words?.sentence ?? ""), hint, nextRunSentence(facts)].filter(Boolean);
    const sentence = "The camera has not been reached yet.";
    return { mood: "waiting", sentence, detail, more: rest.join(" "), action: CHECK_CAMERA };
  }
  if (!reached.success || failedFiles(reached) > 0 || reached.dryRun) {
    const where = isBack ? "The camera is back" : "The camera is away";
    const sentence = `${where}, and the last sync with it did not finish.`;
    return { mood: "waiting", sentence, detail: `${isBack ? "" : lastSeen(facts)} ${nextRunSentence(facts)}`.trim() };
  }
  const detail = `How much of it is safe here is counted when it is back. ${lastSeen(facts)} ${nextRunSentence(facts)}`;
  return { mood: "waiting", sentence: "The camera is away.", detail: detail.replace("  ", " ").trim() };
}

function failed(facts: OverviewFacts, last: Run): Summary {
  const { counts } = facts;
  const isOne = (counts?.waiting || counts?.waiting_files) === 1;
  const left = counts?.waiting_files ? `${whatWaits(counts)} ${isOne ? "is" : "are"} still only on the camera.` : "";
  const words = runFailure(last, { inTrash: facts.retention.trash.recordings });
  if (runEnding(last) === "stopped") {
    const detail = `${left} ${words?.hint}`.trim();
    const isRestart = last.cause === "shutdown";
    const sentence = isRestart ? "Dashdock restarted during the last sync." : "The sync was stopped.";
    return { mood: isRestart ? "waiting" : "attention", sentence, detail };
  }
  if (runEnding(last) === "interrupted") {
    const detail = `${words?.hint} ${nextRunSentence(facts)}`.trim();
    return { mood: "failed", sentence: "The last sync was interrupted.", detail };
  }
  const over = overInWords(last, facts);
  if (over !== null) {
    const goesOn = "The sync before failed; the next one goes on.";
    const detail = [goesOn, left, nextRunSentence(facts)].filter(Boolean).join(" ");
    return { mood: "waiting", sentence: over, detail };
  }
  // The reason in one sentence, what it means for the recordings in another; the rest is for who wants to know.
  const [detail = "", ...rest] = [
    words?.hint ?? "",
    words?.more ?? "",
    left,
    asSentence(leftOutOf(facts.counts ? { leftOut: facts.counts.left_out } : last)),
    nextRunSentence(facts),
  ].filter(Boolean);
  const sentence = `Sync failed: ${words?.sentence}.`;
  return { mood: "failed", sentence, detail, more: rest.join(" "), action: words?.action ?? null };
}

/** Says why a run did not get to the camera; null where nothing was kept with it. */
function why(run: Run | null): FailureWords | null {
  if (run === null || (run.message ?? run.cause) === undefined) return null;
  return failureWords({ ...run, reason: mainReason(run.failures) }, { inTrash: null });
}

function safe({ on_camera: all, chosen, home, growing }: RecordingCounts): string {
  if (all === 0) return "The camera has no recordings.";
  if (chosen === 0) return "Nothing on the camera is chosen to come home.";
  if (home < chosen) {
    const are = growing === 1 ? "is" : "are";
    const rest = growing > 0 ? `; ${formatCount(growing)} ${are} still being recorded` : "";
    return `${formatCount(home)} of ${counted(chosen, "recording")} on the camera are safe here${rest}.`;
  }
  if (chosen === 1) return "The one recording on the camera is safe here.";
  return chosen === all
    ? `All ${formatCount(all)} recordings on the camera are safe here.`
    : `All ${formatCount(chosen)} chosen recordings on the camera are safe here.`;
}

/** That the drive which the car has just come from is at home; empty when it was on another day. */
function driveOfToday({ drive, now, zone }: OverviewFacts): string {
  const isToday = drive !== null && dateOf(drive.key) === zone.isoDay(now);
  return isToday && drive.home === drive.chosen ? `${driveInWords(drive, zone.format)} ` : "";
}

function leftOut({ left_out: by }: RecordingCounts): string {
  return `${asSentence(leftOutOf({ leftOut: by }))} `.trimStart();
}

function seen(facts: OverviewFacts): string {
  if (facts.reachable === true) return "The camera is at home.";
  return `${facts.reachable === false ? "The camera is away. " : ""}${lastSeen(facts)}`.trim();
}

/** Says the same as `seen`, beside a failure that the camera was there for. */
function since(facts: OverviewFacts): string {
  return facts.reachable === false ? `The camera has left since. ${lastSeen(facts)}`.trim() : seen(facts);
}

function lastSeen(facts: OverviewFacts): string {
  return facts.last_seen_at === null ? "" : `Last seen ${when(facts.last_seen_at, facts)}.`;
}

/** A time that has passed, in words that fit into a sentence. */
function when(at: number, { now, zone }: CardTime): string {
  const clock = zone.clock(at);
  if (now - at < HALF_DAY_MS) return `${clock}, ${agoInWords((now - at) / 1000)}`;
  const isYesterday = zone.dayInWords(at, now).startsWith("Yesterday");
  return isYesterday ? `yesterday ${clock}` : `${zone.day(at, now)}, ${clock}`;
}

/** Says in a sentence when the next run comes, or how the camera is looked for; empty when no run is to come. */
export function nextRunSentence({ paused, next_at: at, looks, now, zone }: OverviewFacts): string {
  if (isAwaited(looks)) return looksSentence(looks);
  if (paused || at === null) return "";
  const day = zone.dayInWords(at, now);
  const clock = zone.clock(at);
  if (day.startsWith("Today")) return `The next run looks again at ${clock}.`;
  return `The next run looks again ${day.startsWith("Tomorrow") ? "tomorrow" : `on ${day}`} at ${clock}.`;
}

function reasonsOf(run: Run): string {
  if (failedFiles(run) === 0) return "";
  const { sentence } = failureWords({ reason: mainReason(run.failures) }, { inTrash: 0 });
  return asSentence(`${sentence}; they are tried again`);
}
