import type * as v from "valibot";
import type { ShownTrash } from "../retention/deletion.ts";
import type { KeepSettings } from "../retention/keep_times.ts";
import type { Run } from "../runs/run.ts";
import type { Phase } from "../sync/job_progress.ts";
import type { CardTime } from "../text/zone_time.ts";
import type { LastKnown } from "./last_known.ts";
import type { DASHCAM_HEALTH, STORAGE_HEALTH } from "./status_schema.ts";

/** The destination's disk, as `/api/health/storage` answers. */
export type StorageHealth = v.InferOutput<typeof STORAGE_HEALTH>;

/** Answer of `/api/health/dashcam` about the camera. */
export type DashcamHealth = v.InferOutput<typeof DASHCAM_HEALTH>;

/** The disk with its forecast. */
export interface StorageForecast extends CardTime {
  health: StorageHealth;
  /** Nothing more is downloaded at this level. */
  stops_at_percent: number;
  /** That what waits on the camera does not fit, as sentences; empty when it does, or while that is unknown. */
  too_much: string;
  /** Epoch milliseconds at which nothing more can come as things go; null when it will not be, or is unknown. */
  full_at: number | null;
  /** Days with runs to go by; with too few a page does not show `full_at` yet. */
  days_with_runs: number;
  /** Keep times of recordings. */
  keep: KeepSettings;
  /** Counted apart from the recordings. */
  trash: ShownTrash;
  /** Last known facts about the folder, while it is not available. */
  last_known: LastKnown | null;
}

/** Known facts about the camera from probes, from runs and from the running sync. */
export interface CameraFacts {
  /** Null while it was never asked. */
  health: DashcamHealth | null;
  /** Epoch milliseconds at which it was asked; null when it never was. */
  asked_at: number | null;
  /** The run that ended last, with whatever camera. */
  last_run: Run | null;
  /** Phase of the sync that runs with this camera; null while none does. */
  phase: Phase | null;
}

/** The camera as its card shows it. */
export interface ShownCamera extends CardTime, CameraFacts {
  /** Version that it gave when its settings were read last; null when it never did. */
  version: string | null;
  /** Epoch milliseconds; null when it was never seen. */
  last_seen_at: number | null;
  /** Number of hints about it on the page. */
  hints: number;
}
