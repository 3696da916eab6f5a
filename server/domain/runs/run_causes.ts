import { cameraDay, clipName, clockSpan, isDay } from "../recordings/camera_clock.ts";
import { dateOf, parseArtifact } from "../recordings/recording_name.ts";
import { counted, formatCount } from "../text/format.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import type { LeftOut, Run } from "./run.ts";
import type { ErrorSpan, FailedFile, FailedFileNow, FailedList, RunCause, RunNames } from "./run_detail.ts";
import { runEnding } from "./run_ending.ts";

/**
 * Results for the recordings that were new on the camera; null for runs of older programs, and those without a list.
 */
export interface RunWork {
  readonly planned: number;
  readonly downloaded: number;
  readonly failed: number;
  readonly waiting: number;
  readonly missing: number;
  readonly left_out: number;
}

/** Recordings by what became of them: what a run's bar is drawn from. */
export function workOfRun({ counts, leftOut }: Pick<Run, "counts" | "leftOut">): RunWork | null {
  if (counts === undefined || counts.planned === 0) return null;
  const { planned, failed, videos, empty, vanished } = counts;
  const missing = empty + vanished;
  return {
    planned,
    downloaded: videos,
    failed,
    missing,
    waiting: Math.max(0, planned - videos - failed - missing),
    left_out: leftOut === undefined ? 0 : leftOut.retention + leftOut.selection,
  };
}

/** Says in a sentence or two what ended a run, and how many of the new recordings came. */
export function sentenceOfRun(run: Run, failure: string | null): string {
  const work = workOfRun(run);
  const ending = runEnding(run);
  const came = work && (work.downloaded === work.planned ? all(work) : part(work));
  const first = ENDED[run.cause === "shutdown" ? "shutdown" : ending];
  if (run.dryRun && ending === "completed") return "A dry run: nothing was downloaded.";
  if (first !== null) {
    // The reason for a failure says more than the failure.
    const isOwn = ending === "stopped" || ending === "interrupted" || failure === null;
    return `${isOwn ? first : failure} ${came ?? ""}`.trim();
  }
  if (work === null) return run.files === 0 ? "Nothing new." : `${counted(run.files, "file")} downloaded.`;
  const failed = work.failed === 0 ? "" : ` ${formatCount(work.failed)} failed.`;
  return `${came}${failed}`;
}

const ENDED = {
  completed: null,
  away: "The camera was not reached to the end.",
  stopped: "The run was stopped.",
  shutdown: "Dashdock restarted.",
  interrupted: "The run was interrupted.",
  failed: "The run failed.",
} as const;

function all({ planned }: RunWork): string {
  return planned === 1 ? "The one recording was downloaded." : `All ${counted(planned, "recording")} downloaded.`;
}

function part({ downloaded, planned }: RunWork): string {
  return `${formatCount(downloaded)} of ${counted(planned, "recording")} downloaded.`;
}

/**
 * Counts the failed files by cause, the most first.
 * @param errors when files of each cause failed, as far as that is kept
 */
export function failedByCause(
  files: readonly (Pick<FailedFileNow, "name" | "sentence"> & Partial<Pick<FailedFile, "cause">>)[],
  errors: readonly ErrorSpan[] = [],
): FailedList["by_cause"] {
  const found = new Map<string, FailedList["by_cause"][number]>();
  for (const { name, sentence, cause: finer } of files) {
    const none = { recordings: 0, files: 0, first_at: null, last_at: null };
    const cause = found.get(sentence) ?? { sentence, ...none, from: name, to: name };
    const span = errors.find((one) => one.cause === finer);
    if (span && (cause.first_at === null || span.first.at < cause.first_at)) cause.first_at = span.first.at;
    if (span && (cause.last_at === null || span.last.at > cause.last_at)) cause.last_at = span.last.at;
    cause.files++;
    if (name < cause.from) cause.from = name;
    if (name > cause.to) cause.to = name;
    if (parseArtifact(name)?.kind === "mp4") cause.recordings++;
    found.set(sentence, cause);
  }
  return [...found.values()].sort((one, other) => other.files - one.files);
}

/** `48 recordings`, `2 recordings and 3 small files`, `3 small files`. */
export function filesAsRecordings({ recordings: videos, files }: { recordings: number; files: number }): string {
  const small = files - videos;
  if (small === 0) return counted(videos, "recording");
  return videos === 0
    ? counted(small, "small file")
    : `${counted(videos, "recording")} and ${counted(small, "small file")}`;
}

/** `2 recordings to be tried again now.`, in the unit of the button that was pressed. */
export function retriedInWords({ recordings, retried }: { recordings: number; retried: number }, when: string): string {
  return `${filesAsRecordings({ recordings, files: retried })} to be tried again ${when}.`;
}

/** Lists why recordings did not come that did not fail, each cause once. */
export function causesOf(run: Run, names: RunNames | null): RunCause[] {
  const { counts, leftOut } = run;
  const causes: RunCause[] = [];
  const add = (cause: RunCause["cause"], recordings: number, words: Words) => {
    if (recordings > 0)
      causes.push({ cause, recordings, names: [...(namesOf(cause, names) ?? [])], ...words(recordings) });
  };
  if (counts) {
    const work = workOfRun(run);
    add("waiting", work ? work.waiting - counts.growing : 0, (count) => waiting(count, run));
    add("vanished", counts.vanished, (count) => ({
      title: `${are(count, "is", "are")} missing on the camera`,
      sentence: `The camera overwrote ${count === 1 ? "it" : "them"} between its list and ${count === 1 ? "its" : "their"} turn. ${count === 1 ? "It" : "They"} cannot be restored.`,
    }));
    add("empty", counts.empty, (count) => ({
      title: `${are(count, "is", "are")} empty on the camera`,
      sentence: "The camera sends no bytes. The next run asks again.",
    }));
    add("growing", counts.growing, (count) => ({
      title: `${are(count, "is", "are")} still being recorded`,
      sentence: "The next run downloads what is finished by then.",
    }));
  }
  for (const rule of Object.keys(LEFT_OUT_WORDS) as (keyof LeftOut)[])
    add(rule, leftOut?.[rule] ?? 0, LEFT_OUT_WORDS[rule]);
  return causes;
}

type Words = (count: number) => Pick<RunCause, "title" | "sentence">;

function namesOf(cause: RunCause["cause"], names: RunNames | null): readonly string[] | undefined {
  return names?.[cause as keyof RunNames];
}

function are(count: number, one: string, more: string): string {
  return `${counted(count, "recording")} ${count === 1 ? one : more}`;
}

function waiting(count: number, run: Run): Pick<RunCause, "title" | "sentence"> {
  const turn = count === 1 ? "its turn" : "their turn";
  return {
    title: `${are(count, "is", "are")} waiting`,
    sentence: `${beforeTheirTurn(run, turn)} The next run tries again.`,
  };
}

function beforeTheirTurn(run: Run, turn: string): string {
  if (run.cause === "shutdown") return `The restart came before ${turn}.`;
  if (run.cause === "disk-full" || run.cause === "disk-limit" || run.cause === "quota" || run.cause === "no-room")
    return `The disk had no room before ${turn}.`;
  switch (runEnding(run)) {
    case "stopped":
      return `The run was stopped before ${turn}.`;
    case "away":
      return `The camera left before ${turn}.`;
    case "completed":
      return "They were left for later.";
    default:
      return `The run ended before ${turn}.`;
  }
}

const LEFT_OUT_WORDS: Readonly<Record<keyof LeftOut, Words>> = {
  retention: (count) => ({
    title: `${are(count, "is", "are")} older than you keep`,
    sentence: "Older recordings stay on the camera until it overwrites them.",
  }),
  selection: (count) => ({
    title: `${are(count, "is", "are")} left out by your settings`,
    sentence: "Their kind or camera is not downloaded. They stay on the camera until it overwrites them.",
  }),
  deleted: (count) => ({
    title: `${are(count, "was", "were")} deleted here`,
    sentence: "Deleted recordings are not downloaded again.",
  }),
  unreadable: (count) => ({
    title: `${are(count, "is", "are")} in a folder that cannot be read`,
    sentence: "It is not known whether they are here. Check the disk and the permissions.",
  }),
  unknown: (count) => ({
    title: `${are(count, "has", "have")} a name Dashdock does not know`,
    sentence: "Such files are left on the camera.",
  }),
};

/**
 * Says the time of recordings by their names: `Fri 20 Nov, 20:12 to 20:59`; empty for names that are none of
 * recordings.
 */
export function spanOfNames(from: string, to: string, thisYear: number, format: TimeFormat = USUAL_FORMAT): string {
  if (checkRecordingBase(from) === null || checkRecordingBase(to) === null) return "";
  const first = clipName(from, thisYear, format);
  const last = clipName(to, thisYear, format);
  if (first === last) return first;
  if (dateOf(from) !== dateOf(to)) return `${first} to ${last}`;
  return `${cameraDay(dateOf(from), thisYear, format)}, ${clockSpan(from, to, format)}`;
}

function checkRecordingBase(name: string): string | null {
  return /^[0-9]{8}_[0-9]{6}/.test(name) && isDay(dateOf(name)) ? name : null;
}
