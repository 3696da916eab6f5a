import type { TimeFormat } from "../../server/domain/text/time_format.ts";
import type { SpeedUnit } from "../../server/domain/viewer/distance_text.ts";
import type { Actions } from "./actions.ts";
import type { Browsing } from "./browsing.ts";
import type { ComingClips } from "./coming/coming_clips.ts";
import type { Deleting } from "./deleting.ts";
import type { FullScreen } from "./full_screen.ts";
import type { Keeping } from "./keeping.ts";
import type { Choosing } from "./list/choosing.ts";
import type { Finding } from "./list/finding.ts";
import type { LibraryTotals } from "./list/library_totals.ts";
import type { MapState } from "./map/map_state.ts";
import type { PendingDeletionNotice } from "./outlook.ts";
import type { GoingOn } from "./player/going_on.ts";
import type { KeepingUp } from "./player/keeping_up.ts";
import type { Repeat } from "./player/repeat.ts";
import type { StageLayout } from "./player/stage_layout.ts";
import type { SyncedPlayers } from "./player/synced_players.ts";
import type { TripState } from "./trip_state.ts";
import type { MapProps } from "./viewer_props.ts";

/** State that all parts of the viewer share. */
export interface ViewerContext {
  readonly browsing: Browsing;
  readonly players: SyncedPlayers;
  readonly fullScreen: FullScreen;
  readonly layout: StageLayout;
  readonly goingOn: GoingOn;
  readonly keepingUp: KeepingUp;
  readonly repeat: Repeat;
  /** The one clock of the page. */
  readonly trip: TripState;
  readonly map: MapState;
  readonly mapProps: MapProps;
  readonly actions: Actions;
  readonly keeping: Keeping;
  readonly deleting: Deleting;
  readonly coming: ComingClips;
  readonly choosing: Choosing;
  readonly outlook: PendingDeletionNotice;
  readonly totals: LibraryTotals;
  readonly finding: Finding;
  readonly thisYear: number;
  /** Format of times and dates. */
  readonly format: TimeFormat;
  /** `YYYY-MM-DD`, in the zone of the schedule. */
  readonly today: string;
  /** `viewer.speed_unit`; distances follow it. */
  readonly speedUnit: SpeedUnit;
  /** `retention.event_context` */
  readonly eventContext: number;
}
