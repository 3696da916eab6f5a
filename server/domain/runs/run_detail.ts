import type { StatusLevel } from "../status/status_level.ts";
import type { FailureCause } from "./failure_cause.ts";
import type { FailureWords } from "./failure_text.ts";
import type { FileCounts } from "./file_counts.ts";
import type { FailureReason, LeftOut } from "./run.ts";

/** How many failed files of a run are kept, with all that is told of each; they are counted beyond. */
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
export const FILE_STANDINGS = ["home", "deleted", "trying", "waiting", "next-run", "passed"] as const;
export type FileStanding = (typeof FILE_STANDINGS)[number];

/** A file that failed, as it stands at this moment. */
export interface FailedFileNow {
  readonly name: string;
  readonly reason: FailureReason;
  /** Why, in one short sentence, and what else there is to say; empty when that is all. */
  readonly sentence: string;
  readonly more: string;
  readonly standing: FileStanding;
  /** Epoch milliseconds at which it is tried again; null when no time is known. */
  readonly retry_at: number | null;
}

/** The first of them, and how many there are. */
export interface FailedList {
  readonly total: number;
  readonly files: FailedFileNow[];
}

/** Listed on the camera and not brought home, by the rule that did it. */
export interface NotBrought {
  readonly rule: keyof LeftOut | Exclude<keyof FileCounts, "videos">;
  readonly of: "recordings" | "files";
  readonly count: number;
  readonly words: string;
}

/** All that is known of a run. */
export interface RunDetail {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly started_at: number;
  readonly ended_at: number;
  readonly duration_seconds: number;
  readonly mood: StatusLevel;
  /** How it ended, in a word. */
  readonly outcome: string;
  readonly dry_run: boolean;
  /** Of the camera; null for runs of older programs. */
  readonly address: string | null;
  /** What went wrong, as sentences, and what solves it; null when nothing did. */
  readonly failure: FailureWords | null;
  /** Recordings that came home; null for runs of older programs. */
  readonly recordings: number | null;
  readonly files: number;
  readonly bytes: number;
  /** Recordings on the camera, and how many of them were to come home. */
  readonly listed: number;
  readonly chosen: number;
  readonly not_brought: NotBrought[];
  readonly deleted: { readonly recordings: number; readonly bytes: number } | null;
  readonly failed: FailedList;
  /** Of the latest run: files that failed before it and still wait to be tried again. */
  readonly waiting: FailedList;
}
