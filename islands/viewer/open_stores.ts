import { keyOf } from "../../server/domain/viewer/viewer_address.ts";
import { actionsOf } from "./actions.ts";
import { Browsing } from "./browsing.ts";
import { ComingClips } from "./coming/coming_clips.ts";
import { Deleting } from "./deleting.ts";
import { Saving } from "./export/saving.ts";
import { FullScreen } from "./full_screen.ts";
import { Keeping } from "./keeping.ts";
import { Choosing } from "./list/choosing.ts";
import { Finding } from "./list/finding.ts";
import { LibraryTotals } from "./list/library_totals.ts";
import { RowsInPlace } from "./list/list_scroll.ts";
import { RecordingList } from "./list/recording_list.ts";
import { MapState } from "./map/map_state.ts";
import { TripMoments } from "./moments/trip_moments.ts";
import { PendingDeletionNotice } from "./pending_deletion_notice.ts";
import { FilmRuns } from "./player/film_runs.ts";
import { GoingOn } from "./player/going_on.ts";
import { KeepingUp } from "./player/keeping_up.ts";
import { Repeat } from "./player/repeat.ts";
import { StageLayout } from "./player/stage_layout.ts";
import { Standby } from "./player/standby.ts";
import { SyncedPlayers } from "./player/synced_players.ts";
import { KeptStills } from "./stills/kept_stills.ts";
import type { Marks, Stores } from "./stores.ts";
import { TripState } from "./trip_state.ts";
import type { ViewerProps } from "./viewer_props.ts";
import { whoseOf } from "./whose.ts";

/** Places of the page that stores act on. */
interface Places {
  readonly list: () => HTMLElement | null;
  readonly player: () => HTMLElement | null;
}

/** Stores of a page that was opened with these props, and the actions on them. */
export function openStores(props: ViewerProps, page: Places) {
  const recordings = new RecordingList(props);
  const browsing = new Browsing(props, recordings);
  const players = new SyncedPlayers(props.shown.kind === "recording" ? props.shown.start : 0);
  const rows = new RowsInPlace(page.list);
  const read = (dates: readonly (string | null)[] = []) =>
    browsing.refresh(
      () => rows.hold(),
      () => !players.isPlaying.value,
      dates,
    );
  const totals = new LibraryTotals(props, () => rows.hold());
  const pendingDeletions = new PendingDeletionNotice(props, {
    list: recordings,
    totals,
    refresh: read,
    changed: () => rows.hold(),
  });
  const trip = new TripState({ ...props, mode: props.journeyMode, browsing, players });
  let last: Promise<void> = Promise.resolve();
  // One after the other: an answer to an older question must not come after that to a newer one.
  const refresh = (dates: readonly (string | null)[] = []) => {
    const readAll = async () => {
      await read(dates);
      await pendingDeletions.refresh();
      await trip.refresh();
    };
    last = last.then(readAll, readAll);
    return last;
  };
  const hasTrash = (key: string) => (whoseOf(props.whose, key)?.trashDays ?? props.trashDays) > 0;
  const tripKeys = () => trip.trip.peek()?.segments.map(keyOf) ?? [];
  const marks: Marks = {
    keeping: new Keeping({ ...props, browsing, refresh }),
    deleting: new Deleting({ ...props, browsing, players, tripKeys, refresh, hasTrash }),
    coming: new ComingClips({ ...props, browsing, refresh }),
    stills: new KeptStills({ ...props, browsing }),
  };
  const repeat = new Repeat({ browsing, players, trip });
  const goingOn = new GoingOn({ ...props, browsing, players, trip, repeat, keeping: marks.keeping });
  const films = new FilmRuns();
  const fullScreen = new FullScreen(() => page.player()?.closest<HTMLElement>(".vw") ?? null);
  const stores: Stores = {
    list: {
      recordings,
      choosing: new Choosing(recordings),
      finding: new Finding({ ...props, browsing, players, trip, totals }),
      totals,
      pendingDeletions,
      whose: props.whose ?? null,
    },
    browsing,
    playback: {
      players,
      layout: new StageLayout(props.layout),
      fullScreen,
      films,
      goingOn,
      keepingUp: new KeepingUp({ players, trip }),
      repeat,
      standby: new Standby({ browsing, players, goingOn, trip, films }),
    },
    trip,
    map: new MapState({ ...props, trip }),
    moments: new TripMoments(trip),
    marks,
    saving: new Saving(fullScreen),
  };
  return { ...stores, actions: actionsOf(stores), refresh };
}
