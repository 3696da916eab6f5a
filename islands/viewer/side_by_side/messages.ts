import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import type { SpeedUnit } from "../../../server/domain/viewer/distance_text.ts";
import type { SideFilm } from "../../../server/domain/viewer/side_plan.ts";
import type { SideProgress } from "../../../server/domain/viewer/side_text.ts";
import type { Telemetry } from "../../../server/domain/viewer/viewer_schema.ts";

/** Film of one camera, and where it is. */
export interface OrderedFilm extends SideFilm {
  /** `Front` */
  readonly name: string;
  readonly address: string;
  readonly bytes: number;
}

/** Video that a page asks its worker for. */
export interface Order {
  /** The most important one first. */
  readonly films: readonly OrderedFilm[];
  /** Telemetry of the trip, which also tells when each recording began. */
  readonly telemetry: Telemetry;
  readonly unit: SpeedUnit;
  readonly format: TimeFormat;
  readonly hasSpeed: boolean;
  readonly hasMap: boolean;
  readonly hasSound: boolean;
  /** File that the user chose; null to keep the video in memory. */
  readonly file: FileSystemFileHandle | null;
}

/** The page's words to the worker. */
export type ToWorker = { readonly kind: "make"; readonly order: Order } | { readonly kind: "cancel" };

/** The worker's words to the page. */
export type FromWorker =
  | ({ readonly kind: "progress" } & SideProgress)
  | {
      readonly kind: "made";
      readonly bytes: number;
      /** Null when it is in the file that was chosen. */
      readonly video: Blob | null;
      /** Remarks for the user, as sentences. */
      readonly notes: readonly string[];
    }
  | { readonly kind: "failed"; readonly sentence: string }
  | { readonly kind: "cancelled" };
