import type { Amount, HeldDeletion } from "../../server/domain/retention/deletion.ts";
import type { CamerasWithoutClips } from "../../server/domain/status/no_clips.ts";
import type { TimeFormat } from "../../server/domain/text/time_format.ts";
import type { ListedDay } from "../../server/domain/viewer/days_of_cameras.ts";
import type { SpeedUnit } from "../../server/domain/viewer/distance_text.ts";
import type { ListFilter } from "../../server/domain/viewer/list_filter.ts";
import type { ListWay, Neighbours, Shown } from "../../server/domain/viewer/viewer_address.ts";
import type { Calendar, TripSummary, ViewerRecording } from "../../server/domain/viewer/viewer_schema.ts";
import type { PlateCamera } from "../parts/plate.tsx";

/** Clips of all days. */
export type Totals = Pick<Calendar, "types" | "cameras" | "kept">;

/** Contents of a day of the list. */
export interface DayContent {
  /** Newest first. */
  readonly recordings: readonly ViewerRecording[];
  /**
   * The trips that it has clips of, newest first; null where the list holds only some clips, and shows them one by one.
   */
  readonly trips: readonly TripSummary[] | null;
}

import type { Layout } from "./player/stage_layout.ts";

/** Props as the server drew them; the island goes on with them. */
export interface ViewerProps {
  /** Days with recordings, newest first; with `only`, days with such recordings. */
  readonly days: readonly ListedDay[];
  /** The day that is open, and what it holds; null when there is none. */
  readonly day: ({ readonly date: string } & DayContent) | null;
  readonly shown: Shown;
  /** Layout of the cameras that was chosen in this browser. */
  readonly layout: Layout;
  /** The clip on show begins to play by itself. */
  readonly plays: boolean;
  readonly neighbours: Neighbours;
  /** The key of the newest clip; empty without one. */
  readonly newest: string;
  readonly filter: ListFilter;
  /** Contents of the list. */
  readonly way: ListWay;
  /** Amount of the recordings that `only` selects, as far as it is known, and those of them that wait for approval. */
  readonly onlyAmount: Amount | null;
  readonly held: HeldDeletion | null;
  /** The ids of the cameras on a page of all of which something waits for approval, each for itself. */
  readonly heldOf?: readonly string[] | undefined;
  /** Clips of all days, by type and camera, and how many are kept. */
  readonly totals: Totals;
  /** `viewer.continuous_play`: the next trip follows by itself. */
  readonly isContinuous: boolean;
  /** Seconds by which the camera's clock was ahead of the satellites in the trip on show; null while unknown. */
  readonly clockOffset: number | null;
  /** `viewer.journey_mode`: the track and the curves grow as the trip plays, or are all there at once. */
  readonly journeyMode: "progressive" | "full";
  /** `retention.event_context`: so many recordings before and after a kept event are kept with it. */
  readonly eventContext: number;
  /** `retention.trash_days`: 0 when what is deleted is gone at once. */
  readonly trashDays: number;
  /** `schedule.timezone`, in which the days of the trash are counted. */
  readonly timeZone: string;
  /** Days of other years are named with their year. */
  readonly thisYear: number;
  /** Format of times and dates. */
  readonly format: TimeFormat;
  /** `YYYY-MM-DD`, in the zone of the schedule. */
  readonly today: string;
  /** `viewer.speed_unit`; distances follow it. */
  readonly speedUnit: SpeedUnit;
  readonly map: MapProps;
  /** Address of the style sheet of the list of moments. */
  readonly momentsSheet: string;
  /** Address of the worker that makes videos of several cameras. */
  readonly videoScript: string;
  /** Sentence for an empty viewer: why it is empty, and what comes next. */
  readonly nothing: string;
  /** The reason of each, where there are several cameras. */
  readonly nothingOf?: readonly CamerasWithoutClips[] | undefined;
  /** The cameras whose recordings there are, where there are several. */
  readonly whose?: WhoseProps | undefined;
}

/** The cameras of a service with several, and those of them on the list. */
export interface WhoseProps {
  readonly cameras: readonly WhoseCamera[];
  /** The only camera on the list; null for all. */
  readonly only: string | null;
}

/** One of several cameras. */
export interface WhoseCamera extends PlateCamera {
  readonly id: string;
  /** Clips that it has of all days. */
  readonly clips: number;
  /** Its own `retention.trash_days` and `retention.event_context`. */
  readonly trashDays: number;
  readonly eventContext: number;
}

/** Settings of the map. */
export interface MapProps {
  /** `viewer.map_tiles` */
  readonly tiles: boolean;
  /** Address of the worker that draws streets from `viewer.map_file`; left out where that is not set. */
  readonly ownMap?: string;
  /** The host of `viewer.tile_url`, which is all of it that is for a page: an address may hold a key. */
  readonly host: string;
  /** `viewer.journey_mode`: the track grows while the trip plays, or is there at once. */
  readonly mode: "progressive" | "full";
}
