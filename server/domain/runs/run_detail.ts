import type * as v from "valibot";
import type { FAILED_FILE_NOW, FAILED_LIST, NOT_BROUGHT, RUN_CAUSE, RUN_DETAIL } from "../api/run_schema.ts";
import type { FailureCause } from "./failure_cause.ts";
import type { FailureReason } from "./run.ts";

/** How many failed files of a run are kept; those beyond are only counted. */
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
 * How a file that failed stands now: it has come home since; it is deleted here and wanted no more; the running sync
 * tries it; it waits until a time; the next sync tries it; later runs passed it over, as when the camera has it no more.
 */
export type FileStanding = FailedFileNow["standing"];

export type FailedFileNow = v.InferOutput<typeof FAILED_FILE_NOW>;

/** The first of them, and how many there are. */
export type FailedList = v.InferOutput<typeof FAILED_LIST>;

/** Why recordings did not come, without having failed. */
export type RunCause = v.InferOutput<typeof RUN_CAUSE>;

export type NotBrought = v.InferOutput<typeof NOT_BROUGHT>;

export type RunDetail = v.InferOutput<typeof RUN_DETAIL>;

/** How many names are kept of each kind of recordings that a run did not bring. */
export const MOST_NAMES = 500;

/** Why a recording did not come, and has not failed. */
export const NAMED_CAUSES = [
  ...(["waiting", "empty", "vanished", "growing"] as const),
  ...(["retention", "selection", "deleted"] as const),
] as const;

/**
 * Names of videos by what became of them: not tried, empty on the card, overwritten there, still being recorded, left out
 * by a rule.
 */
export type RunNames = Readonly<Record<(typeof NAMED_CAUSES)[number], readonly string[]>>;
