import type * as v from "valibot";
import type { OtherCamera } from "../camera/other_camera.ts";
import type { OverviewPlan } from "../plan/plan_schema.ts";
import type { RetentionState } from "../retention/deletion.ts";
import type { KeepSettings } from "../retention/keep_times.ts";
import type { Run } from "../runs/run.ts";
import type { Settings } from "../settings/settings.ts";
import type { Drive } from "../sync/drive_text.ts";
import type { RecordingCounts } from "../sync/recording_counts.ts";
import type { CardTime } from "../text/zone_time.ts";
import type { DestinationState } from "./destination_state.ts";
import type { LastKnown } from "./last_known.ts";
import type { LOOKS, OVERVIEW, SETTINGS_NOTE } from "./status_schema.ts";

/** Known facts beside the job. Times in epoch milliseconds. */
export interface OverviewFacts extends CardTime {
  /** Address of the camera; empty when none is set. */
  readonly address: string;
  /** Another camera that answers at that address than the known one; null while none does. */
  readonly other_camera: OtherCamera | null;
  readonly paused: boolean;
  /** Null while no run is planned: the schedule is paused or never fires, or no camera is set. */
  readonly next_at: number | null;
  /** Looks for the camera between runs; null while there are none. */
  readonly looks: Looks | null;
  readonly last_run: Run | null;
  /** The last run that got as far as the camera. */
  readonly last_reached: Run | null;
  /** Counts of the camera's last good list; null while unknown. */
  readonly counts: RecordingCounts | null;
  /** Will it be safe in time? Null while no plan was made. */
  readonly plan: OverviewPlan | null;
  /** The latest drive on the camera; null when there is none, or while that is unknown. */
  readonly drive: Drive | null;
  readonly last_seen_at: number | null;
  /** True when the camera answered when it was last asked; null when it was never asked. */
  readonly reachable: boolean | null;
  /** The recordings folder; it is made by the first sync. */
  readonly folder: "there" | "missing" | "unreadable";
  /** Relation to the folder that was used before. */
  readonly destination: DestinationState;
  /** Path of the recordings folder. */
  readonly root: string;
  /** Folders in it that cannot be read. */
  readonly unreadable: readonly string[];
  readonly unusable_settings: readonly UnusableSetting[];
  /** Reason why runs and settings cannot be saved just now: the disk is full, or refuses; null while they can. */
  readonly unsaved: "full" | "refused" | null;
  /** Trouble with the ledger of what became of recordings, as a sentence; null when it is as it should be. */
  readonly ledger: string | null;
  /** Files at home that are known to be damaged. */
  readonly damaged_files: number;
  /** Trouble with the checksums themselves, as a sentence; null for none. */
  readonly checksums: string | null;
  /** Recordings here. */
  readonly recordings: number;
  /** Facts known before, while the recordings folder is not available. */
  readonly last_known: LastKnown | null;
  readonly retention: RetentionState;
  /** Used share of the disk at the last reading, 0..1; null while unknown. */
  readonly disk_used: number | null;
  /** Settings by which recordings are deleted. */
  readonly keep: KeepRules;
}

export type Looks = v.InferOutput<typeof LOOKS>;

/** The settings by which recordings are deleted. */
export type KeepRules = KeepSettings & Pick<Settings["retention"], "max_gb" | "max_percent" | "max_used_disk_percent">;

/** A value in the settings file that cannot be used, in a sentence, and the settings section where it is set. */
export type UnusableSetting = v.InferOutput<typeof SETTINGS_NOTE>;

/** The state of everything in one sentence, and a second one with the cause. */
export type Summary = Pick<Overview, "mood" | "sentence" | "detail"> & Partial<Pick<Overview, "more" | "action">>;

/** Meaning of the facts, with the readings that stand beside the sentence. */
export type Overview = v.InferOutput<typeof OVERVIEW>;
