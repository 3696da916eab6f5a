import type { Browsing } from "./browsing.ts";
import type { ComingClips } from "./coming/coming_clips.ts";
import type { Deleting } from "./deleting.ts";
import type { Saving } from "./export/saving.ts";
import type { FullScreen } from "./full_screen.ts";
import type { Keeping } from "./keeping.ts";
import type { Choosing } from "./list/choosing.ts";
import type { Finding } from "./list/finding.ts";
import type { LibraryTotals } from "./list/library_totals.ts";
import type { RecordingList } from "./list/recording_list.ts";
import type { MapState } from "./map/map_state.ts";
import type { TripMoments } from "./moments/trip_moments.ts";
import type { PendingDeletionNotice } from "./pending_deletion_notice.ts";
import type { FilmRuns } from "./player/film_runs.ts";
import type { GoingOn } from "./player/going_on.ts";
import type { KeepingUp } from "./player/keeping_up.ts";
import type { Repeat } from "./player/repeat.ts";
import type { StageLayout } from "./player/stage_layout.ts";
import type { Standby } from "./player/standby.ts";
import type { SyncedPlayers } from "./player/synced_players.ts";
import type { KeptStills } from "./stills/kept_stills.ts";
import type { TripState } from "./trip_state.ts";
import type { WhoseProps } from "./viewer_props.ts";

/** The list of recordings, the ways through it, and its figures. */
export interface List {
  readonly recordings: RecordingList;
  readonly choosing: Choosing;
  readonly finding: Finding;
  readonly totals: LibraryTotals;
  readonly pendingDeletions: PendingDeletionNotice;
  /** The cameras, where there are several; null for one. */
  readonly whose: WhoseProps | null;
}

/** Players of the clip on show, and the clips that follow it. */
export interface Playback {
  readonly players: SyncedPlayers;
  readonly layout: StageLayout;
  readonly fullScreen: FullScreen;
  readonly films: FilmRuns;
  readonly goingOn: GoingOn;
  readonly keepingUp: KeepingUp;
  readonly repeat: Repeat;
  readonly standby: Standby;
}

/** Decisions about recordings: kept, deleted, brought home. */
export interface Marks {
  readonly keeping: Keeping;
  readonly deleting: Deleting;
  readonly coming: ComingClips;
  /** Pictures that are kept with recordings. */
  readonly stills: KeptStills;
}

/** State of the viewer, by noun. */
export interface Stores {
  readonly list: List;
  /** The clip on show. */
  readonly browsing: Browsing;
  readonly playback: Playback;
  /** The one clock of the page. */
  readonly trip: TripState;
  readonly map: MapState;
  /** Moments of the trip. */
  readonly moments: TripMoments;
  readonly marks: Marks;
  /** The panel that saves a part of the trip. */
  readonly saving: Saving;
}
