import type { OwnPlace } from "../../server/domain/settings/own_places.ts";
import type { TimeFormat } from "../../server/domain/text/time_format.ts";
import type { SpeedUnit } from "../../server/domain/viewer/distance_text.ts";
import type { PlateCamera } from "../parts/plate.tsx";

/** One of several cameras. */
export interface MapCamera extends PlateCamera {
  readonly id: string;
}

export interface MapProps {
  /** Empty where there is one camera. */
  readonly cameras: readonly MapCamera[];
  readonly speedUnit: SpeedUnit;
  /** Format of times and dates. */
  readonly format: TimeFormat;
  readonly thisYear: number;
  readonly today: string;
  /** The query of the page's address. */
  readonly query: string;
  /** The own place that the map leads home to; null without one. */
  readonly home: Pick<OwnPlace, "name" | "lat" | "lon"> | null;
  /** The host that pictures of streets come from; null where they are not wanted. */
  readonly streets: string | null;
  /** Address of the worker that draws streets from the own map file; null where there is none. */
  readonly ownMap: string | null;
}
