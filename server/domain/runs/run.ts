import type { FailureCause } from "./failure_cause.ts";
import { type Failures, noFailures } from "./failure_reason.ts";

/** Starters of a run; `first` is the run that the first start with a camera's address begins. */
export const RUN_TRIGGERS = ["schedule", "arrival", "first", "hand", "retry", "command"] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** One sync as history keeps it. */
export interface Run {
  /** Epoch seconds at the end of the run. */
  ts: number;
  success: boolean;
  exitCode: number;
  durationSeconds: number;
  /** Files downloaded, and bytes transferred, in this run. */
  files: number;
  bytes: number;
  recordingsSeen: number;
  recordingsSelected: number;
  /** 0..1, null when the disk was never measured. */
  diskUsedRatio: number | null;
  /** The part of it that is the trash, 0..1 of the whole disk; null when unknown, left out by older programs. */
  trashRatio?: number | null;
  /** Marker files below the destination at the end. */
  failedMarkers: number;
  /** The run's own reason counted once, plus one per failed file. */
  failures: Failures;
  dryRun: boolean;
  /** A user asked it to stop. Left out means no. */
  stopped?: true;
  /** Address of its camera; left out by older programs. */
  address?: string;
  /** Reason for its failure: a sentence without a full stop. Left out when it went through, and by older programs. */
  message?: string;
  /** Recordings that retention deleted here, and their bytes; left out when it deleted none. */
  deleted?: { readonly recordings: number; readonly bytes: number };
  /** Listed recordings that no rule let through; left out when there was no list. */
  leftOut?: LeftOut;
  /** Cause of its failure, finer than its reason; left out when it went through, and by older programs. */
  cause?: FailureCause;
  /** Left out when there was no list, and in what older programs wrote. */
  counts?: FileCounts;
  /** Left out in what older programs wrote, and of runs that were cut off. */
  trigger?: RunTrigger;
}

/** Listed recordings that were left out before anything was fetched, by the rule that did it. */
export interface LeftOut {
  /** Older than recordings are kept. */
  retention: number;
  /** Not chosen by `sync.include` and `sync.exclude`. */
  selection: number;
  /** Deleted here, by hand or to make room. */
  deleted: number;
  /** Their folder at home cannot be read: it is unknown whether they are there. */
  unreadable: number;
  /** Names that the grammar of recordings does not know. */
  unknown: number;
}

/**
 * Counts of the things that a run found on the camera, beside those it brought and those that failed. They are files,
 * except `videos`.
 */
export interface FileCounts {
  /** Recordings that were to come, of them those that failed, and those whose video came home. */
  planned: number;
  failed: number;
  videos: number;
  /** Files at home already. */
  present: number;
  /** Left alone after an earlier failure. */
  blocked: number;
  /** Companions: that the camera does not have; left for later, since their video may still be being recorded. */
  absent: number;
  held: number;
  /** Videos: empty on the card, overwritten there meanwhile, still being recorded. */
  empty: number;
  vanished: number;
  growing: number;
}

/** State of a run that has not ended yet; `ts` is when it was last known to be alive. */
export type RunningRun = Readonly<Pick<Run, "ts" | "durationSeconds" | "files" | "bytes" | "dryRun" | "address">>;

/** Message and cause of a run whose process was killed or lost its power. */
export const INTERRUPTED = { message: "interrupted", cause: "interrupted" } as const;

/** Returns the history's entry for a run that did not come to its end, as far as it was known. */
export function brokenOff(run: RunningRun, of: Pick<Run, "message" | "cause"> = INTERRUPTED, exitCode = 1): Run {
  return {
    ...run,
    success: false,
    exitCode,
    recordingsSeen: 0,
    recordingsSelected: 0,
    diskUsedRatio: null,
    failedMarkers: 0,
    failures: { ...noFailures(), unknown: 1 },
    ...of,
  };
}

export function nothingLeftOut(): LeftOut {
  return { retention: 0, selection: 0, deleted: 0, unreadable: 0, unknown: 0 };
}

/**
 * Returns the used share of the disk without the trash, which makes room when it is needed: 0..1, null when not
 * measured. A run that does not know of a trash had none.
 */
export function usedWithoutTrash({ diskUsedRatio, trashRatio }: Pick<Run, "diskUsedRatio" | "trashRatio">) {
  return diskUsedRatio === null ? null : Math.max(0, diskUsedRatio - (trashRatio ?? 0));
}

/** Fields of a run that the statistics need. */
export type RunSample = Readonly<
  Pick<
    Run,
    | "ts"
    | "success"
    | "durationSeconds"
    | "files"
    | "bytes"
    | "diskUsedRatio"
    | "trashRatio"
    | "failures"
    | "dryRun"
    | "stopped"
  >
>;

/** Seconds that a statistic goes back; null is all there is. */
export const RANGES = { "24h": 86_400, "7d": 604_800, "30d": 2_592_000, all: null } as const;
export type Range = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as Range[];

/** Usual unless there is nothing in it. */
const USUAL_RANGE: Range = "7d";

/**
 * The shortest range from a week on that reaches back to a moment; a week when there is none.
 * @param moment of the latest run that there is something to show of, in epoch seconds
 */
export function rangeBackTo(moment: number | null, now: number): Range {
  if (moment === null) return USUAL_RANGE;
  const reaches = (range: Range) => now - (RANGES[range] ?? Number.POSITIVE_INFINITY) <= moment;
  return ([USUAL_RANGE, "30d"] as const).find(reaches) ?? "all";
}

/** True for the name of a range. */
export function isRange(text: string): text is Range {
  return Object.hasOwn(RANGES, text);
}
