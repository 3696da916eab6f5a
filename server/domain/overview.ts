import type { Moment } from "./activity.ts";
import type { RetentionState } from "./deletion.ts";
import type { Standing } from "./destination.ts";
import { agoInWords, counted, dayInWords, formatClock, formatCount, formatDay } from "./format.ts";
import type { Mood } from "./mood.ts";
import { FAILURE_REASONS, type FailureReason, isInterrupted, isOffline, type Run } from "./run.ts";
import { failedFiles, leftOutOf } from "./run_words.ts";

/** What is known while no sync runs. Times in epoch milliseconds. */
export interface OverviewFacts extends Moment {
  /** Of the camera; empty when none is set. */
  readonly address: string;
  readonly paused: boolean;
  readonly next_at: number | null;
  readonly last_run: Run | null;
  /** The last run that got as far as the camera. */
  readonly last_reached: Run | null;
  /** Files the last run left on the camera. */
  readonly waiting_files: number;
  readonly last_seen_at: number | null;
  /** Whether the camera answered when it was last asked; null when nobody asked. */
  readonly reachable: boolean | null;
  /** The recordings folder; it is made by the first sync. */
  readonly folder: "there" | "missing" | "unreadable";
  /** Whether it is the one that was used before. */
  readonly destination: Standing;
  /** Folders in it that cannot be read. */
  readonly unreadable: readonly string[];
  readonly unusable_settings: readonly UnusableSetting[];
  /** Why runs and settings cannot be saved just now: the disk is full, or refuses; null while they can. */
  readonly unsaved: "full" | "refused" | null;
}

/** What the settings file says and cannot be used, in a sentence, and the settings section where it is set. */
export interface UnusableSetting {
  section: string;
  sentence: string;
}

/** The state of everything in one sentence, and a second one that says why. */
export interface Summary {
  mood: Mood;
  /** Ends with a full stop. */
  sentence: string;
  detail: string;
}

/** What the facts mean, with what the readings beside the sentence show. */
export interface Overview extends Moment, Summary {
  address: string;
  paused: boolean;
  next_at: number | null;
  destination: Standing;
  /** Recordings the camera had when it was last asked, and how many of them are to come home; null before that. */
  on_camera: number | null;
  chosen: number | null;
  waiting_files: number;
  last_seen_at: number | null;
  /** `YYYYMMDD_HHMMSS` of the newest recording here; null when there is none. */
  newest: string | null;
  recordings: number;
  /** Bytes that may still come before the disk is as full as allowed; null when the disk cannot be read. */
  room_bytes: number | null;
  max_used_percent: number;
  /** What waits for consent, what was deleted, what lies in the trash. */
  retention: RetentionState;
  unusable_settings: UnusableSetting[];
}

const HALF_DAY_MS = 43_200_000;

const REASONS: Readonly<Record<FailureReason, string>> = {
  disk: "the disk is full or cannot be read",
  http: "the camera answered with an error",
  network: "the connection broke",
  timeout: "the camera stopped answering",
  unknown: "the log has the cause",
};

/** Says what the facts mean for somebody who wants to know whether everything is safe. */
export function summaryOf(facts: OverviewFacts): Summary {
  const state = withUnsaved(facts, troubleAtHome(facts) ?? withUnreadable(facts, stateOf(facts)));
  const isUnusable = facts.unusable_settings.length > 0 && state.mood !== "failed";
  const found: Summary = isUnusable ? { ...state, mood: "attention" } : state;
  if (!facts.paused || facts.address === "" || found.mood === "failed") return found;
  return { ...found, mood: "attention", detail: `The schedule is paused. ${found.detail}` };
}

const UNSAVED = {
  full: "The config folder's disk is full: runs and settings cannot be saved.",
  refused: "Runs cannot be saved in the config folder; the log has the cause.",
} as const;

/** What the service forgets at its next start must be known before, whatever else is said. */
function withUnsaved({ unsaved }: OverviewFacts, found: Summary): Summary {
  if (unsaved === null) return found;
  const mood = found.mood === "failed" ? "failed" : "attention";
  return { ...found, mood, detail: `${UNSAVED[unsaved]} ${found.detail}`.trim() };
}

function stateOf(facts: OverviewFacts): Summary {
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

/** Whether something has ever come home: before that no folder is missing. */
function wasHome({ last_reached: reached }: OverviewFacts): boolean {
  return reached !== null && reached.recordingsSelected > 0 && !reached.dryRun;
}

/** The sentences that nothing may hide: what was brought home cannot be seen. Null when it can. */
function troubleAtHome(facts: OverviewFacts): Summary | null {
  const { folder, destination } = facts;
  if (destination === "unmarked" || destination === "other") {
    const sign = destination === "other" ? "It carries the mark of another one" : "It lacks the mark left in that one";
    return {
      mood: "attention",
      sentence: "The recordings folder is not the one used before.",
      detail: `${sign}: see whether the right disk is mounted. Nothing is written until it is, or until you choose to use this folder.`,
    };
  }
  if (destination === "accepted") {
    const detail = `The next run brings home what is not in it. ${nextLook(facts)}`.trim();
    return { mood: "waiting", sentence: "The recordings folder is a new one.", detail };
  }
  if (folder === "unreadable") {
    const detail = "Check its disk and its permissions. Until then nothing can be said about what is safe.";
    return { mood: "failed", sentence: "The recordings folder cannot be read.", detail };
  }
  if (destination !== "gone" && (folder === "there" || !wasHome(facts))) return null;
  return {
    mood: "failed",
    sentence: "The recordings folder is not there.",
    detail: "See whether its disk is mounted. Until then nothing can be said about what is safe.",
  };
}

/** With folders that cannot be read, what else there is to say is not the whole truth; only a failure is worse. */
function withUnreadable({ unreadable }: OverviewFacts, found: Summary): Summary {
  const [first, ...others] = unreadable;
  if (first === undefined) return found;
  const more = others.length === 0 ? "" : ` and ${counted(others.length, "more folder")}`;
  const sentence = `The folder ${first}${more} cannot be read.`;
  if (found.mood === "failed") return { ...found, detail: `${sentence} ${found.detail}` };
  const detail =
    "Check the disk and the permissions. Until then it is unknown what is in it, and nothing of those days is fetched.";
  return { mood: "attention", sentence, detail };
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

function asSentence(words: string): string {
  return words && `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?!]$/.test(words) ? "" : "."}`;
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

function nextLook({ paused, next_at: at, now, time_zone }: OverviewFacts): string {
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
