import type * as v from "valibot";
import type { FailureCause } from "./failure_cause.ts";
import type { FailureReason } from "./failure_reason.ts";
import type { FAILED_FILE_NOW, FAILED_LIST, NOT_BROUGHT, RUN_CAUSE, RUN_DETAIL, RUN_MOMENT } from "./run_schema.ts";

/** Number of failed files that are kept for a run; those beyond are only counted. */
export const MOST_FAILED_FILES = 1000;

/** A file that did not come home in a run, and why. */
export interface FailedFile {
  readonly name: string;
  readonly reason: FailureReason;
  readonly cause: FailureCause;
  /** The engine's own sentence, without a full stop. */
  readonly message: string;
}

/**
 * Present state of a file that failed: it has come home since; it is deleted here and wanted no more; the running sync
 * tries it; it waits until a time; the next sync tries it. Or later runs passed it over, for instance because the
 * camera has it no more.
 */
export type FileState = FailedFileNow["standing"];

export type FailedFileNow = v.InferOutput<typeof FAILED_FILE_NOW>;

/** The first of them, and how many there are. */
export type FailedList = v.InferOutput<typeof FAILED_LIST>;

/** Reason why recordings did not come, without having failed. */
export type RunCause = v.InferOutput<typeof RUN_CAUSE>;

/** Something that happened in a run, and when. */
export type RunMoment = v.InferOutput<typeof RUN_MOMENT>;

export type NotBrought = v.InferOutput<typeof NOT_BROUGHT>;

export type RunDetail = v.InferOutput<typeof RUN_DETAIL>;

/** Number of names that are kept for each kind of recordings that a run did not bring. */
export const MOST_NAMES = 500;

/** Reason why a recording did not come, and has not failed. */
type NamedCause = "waiting" | "empty" | "vanished" | "growing" | "retention" | "selection" | "deleted";

/**
 * Names of videos by what became of them: not tried, empty on the card, overwritten there, still being recorded, left out
 * by a rule.
 */
export type RunNames = Readonly<Record<NamedCause, readonly string[]>>;

/** A file that failed: when, and how many recordings had come by then. */
export interface ErrorAt {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly name: string;
  readonly after: number;
}

/** All files of a run that failed of one cause: how many, the first and the last. */
export interface ErrorSpan {
  readonly cause: FailureCause;
  readonly count: number;
  readonly first: ErrorAt;
  readonly last: ErrorAt;
}

/** Notes that are kept of a run beside its row. */
export interface RunNotes extends RunNames {
  /** The first of the videos that came home. */
  readonly brought: readonly string[];
  /** Number of videos that came home, by the letter of their type. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Time at which the camera's list was there, in epoch milliseconds; null where there was none. */
  readonly listed_at: number | null;
  readonly errors: readonly ErrorSpan[];
}

/** A run of which nothing more is kept than its row. */
export const NO_NOTES: RunNotes = {
  waiting: [],
  empty: [],
  vanished: [],
  growing: [],
  retention: [],
  selection: [],
  deleted: [],
  brought: [],
  kinds: {},
  listed_at: null,
  errors: [],
};
