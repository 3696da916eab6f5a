import type { Amount, HeldDeletion } from "../../server/domain/retention/deletion.ts";
import type { TimeFormat } from "../../server/domain/text/time_format.ts";
import type { SpeedUnit } from "../../server/domain/viewer/distance_text.ts";
import type { ListFilter } from "../../server/domain/viewer/list_filter.ts";
import type { Neighbours, Shown } from "../../server/domain/viewer/viewer_address.ts";
import type { Calendar, TripSummary, ViewerDay, ViewerRecording } from "../../server/domain/viewer/viewer_schema.ts";

/** Clips of all days. */
export type Totals = Pick<Calendar, "types" | "cameras" | "kept">;

/** What a day of the list holds. */
export interface DayContent {
  /** Newest first. */
  readonly recordings: readonly ViewerRecording[];
  /** The trips that it has clips of, newest first; null where the list holds only some clips, and shows them one by one. */
  readonly trips: readonly TripSummary[] | null;
}

import type { Layout } from "./player/stage_layout.ts";

/** What the server drew, and what the island goes on with. */
export interface ViewerProps {
  /** Days with recordings, newest first; with `only`, days with such recordings. */
  readonly days: readonly ViewerDay[];
  /** The day that is open, and what it holds; null when there is none. */
  readonly day: ({ readonly date: string } & DayContent) | null;
  readonly shown: Shown;
  /** How the cameras are laid out, as it was chosen in this browser. */
  readonly layout: Layout;
  /** What is on show begins to play by itself. */
  readonly plays: boolean;
  readonly neighbours: Neighbours;
  /** The key of the newest clip; empty without one. */
  readonly newest: string;
  readonly filter: ListFilter;
  /** How much `only` stands for, as far as it is known, and what of it waits for the user to say so. */
  readonly onlyAmount: Amount | null;
  readonly held: HeldDeletion | null;
  /** Clips of all days, by type and camera, and how many are kept. */
  readonly totals: Totals;
  /** `viewer.continuous_play`: the next trip follows by itself. */
  readonly isContinuous: boolean;
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
  /** In which times and dates are written. */
  readonly format: TimeFormat;
  /** `YYYY-MM-DD`, in the zone of the schedule. */
  readonly today: string;
  /** `viewer.speed_unit`; distances follow it. */
  readonly speedUnit: SpeedUnit;
  readonly map: MapProps;
  /** When there is nothing to see: why, and what comes next. */
  readonly nothing: string;
}

/** What the settings say of the map. */
export interface MapProps {
  /** `viewer.map_tiles` */
  readonly tiles: boolean;
  /** The host of `viewer.tile_url`, which is all of it that is for a page: an address may hold a key. */
  readonly host: string;
  /** `viewer.journey_mode`: the track grows while the trip plays, or is there at once. */
  readonly mode: "progressive" | "full";
}
