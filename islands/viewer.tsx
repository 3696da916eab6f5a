/** @jsxImportSource preact */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { isHere } from "../server/domain/viewer/coming_text.ts";
import { isEverything } from "../server/domain/viewer/list_filter.ts";
import { headlineOf, keyOf, playsOf, type Shown } from "../server/domain/viewer/viewer_address.ts";
import { askBeforeDownloads } from "./browser/download.ts";
import { LONG_WAIT_MS, refreshWhileVisible } from "./browser/refresh_while_visible.ts";
import { actionsOf } from "./viewer/actions.ts";
import { BesideTabs } from "./viewer/beside.tsx";
import { Browsing } from "./viewer/browsing.ts";
import { ComingClips } from "./viewer/coming/coming_clips.ts";
import { DeleteDialog } from "./viewer/delete_dialog.tsx";
import { Deleting } from "./viewer/deleting.ts";
import { FullScreen } from "./viewer/full_screen.ts";
import { Head } from "./viewer/head.tsx";
import { Keeping } from "./viewer/keeping.ts";
import { listenToKeys } from "./viewer/keys.ts";
import { followLibrary } from "./viewer/library_changes.ts";
import { Choosing } from "./viewer/list/choosing.ts";
import { Days } from "./viewer/list/days.tsx";
import { Finding } from "./viewer/list/finding.ts";
import { LibraryTotals } from "./viewer/list/library_totals.ts";
import { RowsInPlace } from "./viewer/list/list_scroll.ts";
import { MapPanel } from "./viewer/map/map_panel.tsx";
import { MapState } from "./viewer/map/map_state.ts";
import { PendingDeletionNotice } from "./viewer/outlook.ts";
import { keepPlace } from "./viewer/place_keeping.ts";
import { GoingOn } from "./viewer/player/going_on.ts";
import { KeepingUp } from "./viewer/player/keeping_up.ts";
import { followMediaKeys } from "./viewer/player/media_keys.ts";
import { NextUp, SkippedNote } from "./viewer/player/next_up.tsx";
import { ReelList } from "./viewer/player/reel_list.tsx";
import { Repeat } from "./viewer/player/repeat.ts";
import { SideCameras, Stage } from "./viewer/player/stage.tsx";
import { StageLayout } from "./viewer/player/stage_layout.ts";
import { Standby } from "./viewer/player/standby.ts";
import { SyncedPlayers } from "./viewer/player/synced_players.ts";
import { Transport } from "./viewer/player/transport.tsx";
import { TimeLine } from "./viewer/timeline/time_line.tsx";
import { TripState } from "./viewer/trip_state.ts";
import type { ViewerProps } from "./viewer/viewer_props.ts";

const REFRESH_MS = 30_000;
/** Sizes and lengths the server was still reading are there a moment later. */
const SOON_MS = 3000;

/** The players' part of a change of what is on show. */
function changePlayers(players: SyncedPlayers, before: Shown, next: Shown): void {
  const start = next.kind === "recording" ? next.start : 0;
  players.isStill = next.kind === "recording" && !isHere(next.recording);
  const isSame =
    before.kind === "recording" && next.kind === "recording" && keyOf(before.recording) === keyOf(next.recording);
  if (!isSame) players.change(start);
  else if (start !== before.start) players.seek(start);
}

/** The cameras of a moment in one clock, and the days and recordings to choose from. */
export default function Viewer(props: ViewerProps) {
  const { thisYear, format, today, speedUnit, eventContext, nothing } = props;
  const player = useRef<HTMLElement>(null);
  const list = useRef<HTMLElement>(null);
  const made = useMemo(() => {
    const browsing = new Browsing(props);
    const rows = new RowsInPlace(() => list.current);
    const players = new SyncedPlayers(props.shown.kind === "recording" ? props.shown.start : 0);
    const read = (dates: readonly (string | null)[] = []) =>
      browsing.refresh(
        () => rows.hold(),
        () => !players.isPlaying.value,
        dates,
      );
    const totals = new LibraryTotals(props, () => rows.hold());
    const outlook = new PendingDeletionNotice(props, {
      list: browsing.list,
      totals,
      refresh: read,
      changed: () => rows.hold(),
    });
    let last: Promise<void> = Promise.resolve();
    // One after the other: an answer to an older question must not come after that to a newer one.
    const refresh = (dates: readonly (string | null)[] = []) => {
      const readAll = async () => {
        await read(dates);
        await outlook.refresh();
        await trip.refresh();
      };
      last = last.then(readAll, readAll);
      return last;
    };
    const keeping = new Keeping({ browsing, thisYear, format, refresh });
    const coming = new ComingClips({ browsing, format, refresh });
    const choosing = new Choosing(browsing.list);
    const trip = new TripState({ mode: props.journeyMode, browsing, players });
    const tripKeys = () => trip.trip.peek()?.segments.map(keyOf) ?? [];
    const deleting = new Deleting({ ...props, browsing, players, tripKeys, refresh });
    const map = new MapState({ ...props, trip });
    const finding = new Finding({ browsing, players, trip, totals, today, thisYear, format });
    const layout = new StageLayout(props.layout);
    const repeat = new Repeat({ browsing, players, trip });
    const goingOn = new GoingOn({ browsing, players, trip, repeat, keeping, isContinuous: props.isContinuous });
    const keepingUp = new KeepingUp({ players, trip });
    const standby = new Standby({ browsing, players, goingOn });
    const fullScreen = new FullScreen(() => player.current?.closest<HTMLElement>(".vw") ?? null);
    const tools = {
      browsing,
      fullScreen,
      players,
      layout,
      goingOn,
      keepingUp,
      repeat,
      trip,
      map,
      keeping,
      deleting,
      coming,
      choosing,
      outlook,
      totals,
      finding,
    };
    return { ...tools, standby, refresh, actions: actionsOf(tools) };
  }, []);
  const { browsing, players, actions, outlook, refresh } = made;
  const { key } = browsing;
  const filter = browsing.list.filter.value;
  const isNothing = browsing.shown.value.kind === "nothing";
  // Until there was a first clip: when the last one goes the player stays, and the focus with it.
  const isFirst = useRef(isNothing);
  if (!isNothing) isFirst.current = false;
  const headline = headlineOf(browsing.shown.value, thisYear, format);

  useEffect(() => {
    browsing.onChange = (next) => changePlayers(players, browsing.shown.value, next);
    players.isStill = props.shown.kind === "recording" && !isHere(props.shown.recording);
    players.onEnd = () => void made.goingOn.goOn();
    if (props.plays) players.play();
    // The amount may take longer to find out than a page may take to come.
    if (filter.only !== null) void outlook.refresh().catch(() => {});
    const refresher = refreshWhileVisible({
      page: document,
      everyMs: REFRESH_MS,
      firstMs: browsing.list.isIncomplete() ? SOON_MS : REFRESH_MS,
      waitMs: LONG_WAIT_MS,
      ask: () => refresh(),
    });
    const ends = [
      browsing.address.onMove(() => {
        players.pause();
        const before = browsing.list.filter.value;
        void browsing.follow(location).then(() => {
          if (browsing.list.filter.value !== before) outlook.refresh().catch(() => {});
        });
      }),
      made.trip.follow(),
      made.standby.follow(),
      made.goingOn.follow(),
      made.keepingUp.follow(),
      made.coming.follow(),
      made.repeat.follow(),
      followMediaKeys({ players, actions, title: () => headlineOf(browsing.shown.value, thisYear, format) }),
      listenToKeys(document, made),
      refresher.stop,
      followLibrary(document, () => void refresher.refresh()),
      askBeforeDownloads(document),
      keepPlace(document, { browsing, players, newest: props.newest }),
      made.fullScreen.follow(document, players),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  useEffect(() => {
    if (key === null) return;
    // Also when the newest is shown because nothing was asked for: the address says what is on show.
    const query = new URLSearchParams(location.search);
    // Playing was asked for this visit only: going back, a reload and a copied address show the clip without it.
    const { value } = browsing.shown;
    const start = value.kind === "recording" ? value.start : 0;
    if (playsOf(query) || query.get("key") !== key || (start > 0 && !query.has("t")))
      browsing.address.write(browsing.pathOf(key, start), "replace");
  }, [key]);
  useEffect(() => {
    document.title = `${headline} · Viewer · Dashdock`;
  }, [headline]);

  const parts = { ...made, thisYear, format, today, speedUnit, eventContext, mapProps: props.map };
  return (
    <>
      {/* With the first clip all of the page is another one: nothing of the empty one is moved. */}
      <section key={isFirst.current ? "empty" : "player"} class="vw-mid" aria-label="Player" tabindex={-1} ref={player}>
        <Head {...parts} />
        <Stage {...parts} nothing={nothing} />
        <SkippedNote {...parts} />
        <NextUp {...parts} />
        {key !== null && <Transport {...parts} />}
      </section>
      {key !== null && (
        <aside class="side" aria-label={made.trip.movements.value === null ? "Map" : "Movements and map"}>
          <SideCameras {...parts} />
          <ReelList {...parts} />
          <MapPanel {...parts} />
        </aside>
      )}
      {key !== null && <BesideTabs {...parts} />}
      {key !== null && <TimeLine {...parts} />}
      {/* Days are known a moment sooner than the first clip: it comes with them. */}
      {((browsing.list.days.value.length > 0 && !isNothing) || !isEverything(filter)) && (
        <Days {...parts} listRef={list} />
      )}
      {props.trashDays === 0 && <DeleteDialog {...parts} />}
    </>
  );
}
