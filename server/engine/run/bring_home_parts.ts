import type { ListedFile } from "../../domain/recordings/camera_listing.ts";
import type { PlannedFile } from "../../domain/sync/download_plan.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import type { DiskBudget } from "../transfer/disk_budget.ts";
import type { SyncCounts } from "../transfer/sync_counts.ts";
import type { FetchParts, Outcome } from "../transfer/transfer_outcome.ts";
import type { SyncRules } from "./sync_rules.ts";

/** Bytes of a file that came in this run, and in how many seconds. */
export interface FileTime {
  readonly bytes: number;
  readonly seconds: number;
}

/** The parts that bringing the files of one run home needs. */
export interface BringHomeParts extends FetchParts {
  rules: SyncRules;
  retention: RetentionParts;
  /** Files that the camera lists. */
  listed: readonly ListedFile[];
  /** Files to fetch. */
  planned: readonly PlannedFile[];
  signal: AbortSignal;
  budget: DiskBudget;
  counts: SyncCounts;
  /** Frees so many bytes out of the trash and by retention, ahead of its time; false when these have not as many. */
  makeRoom(bytes: number): Promise<boolean>;
  noteMissing(file: PlannedFile, outcome: Outcome["kind"]): void;
  /** Called with every file and what became of it, the bytes that came, and how long it took. */
  noteOutcome?(file: PlannedFile, outcome: Outcome, took: FileTime): void;
  /** True when a user has deleted this recording since the run was planned. */
  isDeleted(name: string): boolean;
  /** True when a user has said since then that it is not needed. */
  isUnwanted(name: string): boolean;
}
