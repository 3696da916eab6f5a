import type { RunEnding } from "../runs/run_ending.ts";
import type { ZoneTime } from "../text/zone_time.ts";

/** An event that came home. */
export interface EventRef {
  /** `YYYYMMDD_HHMMSS_T` */
  readonly key: string;
  /** The strongest force in it; left out where that is not known. */
  readonly g?: number;
  /** Name of the place; left out where none is known, and where messages are to tell none. */
  readonly place?: string;
}

/** A run that has ended. */
export interface EndedRun {
  readonly ending: RunEnding;
  /** Cause of its failure, as a sentence. */
  readonly sentence: string;
  readonly path: string;
  /** It was ended because the disk is full. */
  readonly isDiskFull: boolean;
  /** Videos that it brought home. */
  readonly recordings: number;
  /** Events that it brought home, each moment once, the oldest first. */
  readonly events: readonly EventRef[];
  /** No run before it is known. */
  readonly isFirst: boolean;
  readonly isDry: boolean;
}

/** Facts about a camera when it is looked at; undefined where it is not known just now. */
export interface CameraFacts {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly camera: string;
  /** As messages name it; null where there is only one that was never named. */
  readonly name: string | null;
  readonly zone: ZoneTime;
  /** The run that has just ended; null when none has. */
  readonly run: EndedRun | null;
  /** Recordings that the plan gives up, with its sentence. */
  readonly overwritten?: { readonly recordings: number; readonly sentence: string };
  /** Epoch milliseconds of the last contact. */
  readonly lastContact?: number;
  readonly disk?: { readonly usedPercent: number; readonly stopsAt: number };
  /** Recordings whose deletion waits for approval. */
  readonly held?: number;
  readonly damaged?: number;
  /** Why nothing is sent off-site, and since when, epoch milliseconds; null while that works, or is off. */
  readonly offsite?: { readonly since: number; readonly sentence: string } | null;
  readonly waiting?: number;
  /** Beginning of the visit that goes on, epoch milliseconds. */
  readonly visit?: number;
  /** The newest visit at which its settings had changed, and how many had. */
  readonly settings?: { readonly visit: number; readonly changes: number };
}
