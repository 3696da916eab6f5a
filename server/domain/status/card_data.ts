import type { ShownPlan, ShownVisit } from "../plan/plan_schema.ts";
import type { Run } from "../runs/run.ts";
import type { Priority } from "../settings/sections/sync.ts";
import type { Settings } from "../settings/settings.ts";
import type { Snapshot } from "../sync/job_progress.ts";
import type { QueueHead } from "../sync/queue_groups.ts";
import type { CardTime } from "../text/zone_time.ts";

/** The job while it runs and shortly after, else what history knows of the latest run. */
export type LastRun =
  | (CardTime & {
      kind: "live";
      snapshot: Snapshot;
      /** Its row in the history, once it has ended. */
      run?: Run;
    })
  | (CardTime & {
      kind: "stored";
      run: Run;
      started_at: number;
      /** Last run that reached the camera, when the last one did not; null without one. */
      before: Run | null;
    })
  | { kind: "none" };

/** Next time of the schedule, and the schedule in words. */
export interface NextScheduled extends CardTime {
  /** Epoch milliseconds; null when the schedule never fires. */
  at: number | null;
  paused: boolean;
  /** A run starts as soon as the camera comes. */
  on_arrival: boolean;
  cron_expression: string;
  /** The zone the expression is written in. */
  timezone: string;
  /** The expression as an English phrase. */
  words: string;
}

/** A clip that is at home: a moment with its cameras, and what a page shows of it. */
export interface RecentClip {
  /** `YYYYMMDD_HHMMSS_T` */
  key: string;
  /** Epoch seconds at which the last of its files came; null for one that came long ago. */
  mtime: number | null;
  /** Letters of its cameras, in the order in which they are shown. */
  cameras: string[];
  /** Paths of its videos, from the recordings folder. */
  paths: string[];
  /** Address of its picture; null without one. */
  thumb: string | null;
  duration_seconds: number | null;
  /** The camera that it is of, where clips of several are shown. */
  whose?: { readonly name: string; readonly letter: string; readonly place: number };
}

export interface RecentActivity extends CardTime {
  /** Newest recordings first. */
  clips: RecentClip[];
  /** All clips there are. */
  total: number;
  /** The folder is not available: they are those that were shown last, at this time in epoch milliseconds; null otherwise. */
  as_of: number | null;
  /** It is not known which clips there are, and none was shown before. */
  is_unknown: boolean;
}

/** Will it be safe in time? The plan, and the settings that decide about it. */
export interface PlanCardFacts extends CardTime {
  readonly plan: ShownPlan;
  readonly sync: Pick<Settings["sync"], "priority" | "include" | "exclude">;
  /** The recordings folder is not available: it is not known what waits. */
  readonly is_unknown: boolean;
  /** No camera is set. */
  readonly is_without_camera: boolean;
  /** Null while the camera is away. */
  readonly here: VisitFacts | null;
}

/** The visit of a camera that is here, and what comes next in it. */
export interface VisitFacts {
  readonly visit: ShownVisit;
  /** The camera did not answer the last look. It may have left. */
  readonly is_missing: boolean;
  /** The last one that has ended; null when none is known. */
  readonly before: ShownVisit | null;
  readonly queue: QueueHead;
  /** Percent of the recording that comes now; null while none does. */
  readonly current: number | null;
  /** Order of the run that goes on, else of the next one. */
  readonly priority: Priority;
}
