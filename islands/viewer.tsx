/** @jsxImportSource preact */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { isHere } from "../server/domain/viewer/coming_text.ts";
import { isEverything } from "../server/domain/viewer/list_filter.ts";
import { camerasOf, headlineOf, keyOf, playsOf, type Shown } from "../server/domain/viewer/viewer_address.ts";
import { askBeforeDownloads } from "./browser/download.ts";
import { LONG_WAIT_MS, refreshWhileVisible } from "./browser/refresh_while_visible.ts";
import { BesideTabs } from "./viewer/beside.tsx";
import { DeleteDialog } from "./viewer/delete_dialog.tsx";
import { SaveSlot } from "./viewer/export/save_slot.tsx";
import { Head } from "./viewer/head.tsx";
import { listenToKeys } from "./viewer/keys.ts";
import { followLibrary } from "./viewer/library_changes.ts";
import { Days } from "./viewer/list/days.tsx";
import { MapPanel } from "./viewer/map/map_panel.tsx";
import { openStores } from "./viewer/open_stores.ts";
import { keepPlace } from "./viewer/place_keeping.ts";
import { followMediaKeys } from "./viewer/player/media_keys.ts";
import { NextUp, SkippedNote } from "./viewer/player/next_up.tsx";
import { ReelList } from "./viewer/player/reel_list.tsx";
import { SideCameras, Stage } from "./viewer/player/stage.tsx";
import { Transport } from "./viewer/player/transport.tsx";
import type { Playback } from "./viewer/stores.ts";
import { TimeLine } from "./viewer/timeline/time_line.tsx";
import type { ViewerProps } from "./viewer/viewer_props.ts";

const REFRESH_MS = 30_000;
/** Sizes and lengths the server was still reading are there a moment later. */
const SOON_MS = 3000;

/** The players' part of a change of what is on show. */
function changePlayers({ players, films }: Pick<Playback, "players" | "films">, before: Shown, next: Shown): void {
  const start = next.kind === "recording" ? next.start : 0;
  players.isStill = next.kind === "recording" && !isHere(next.recording);
  const isSame =
    before.kind === "recording" && next.kind === "recording" && keyOf(before.recording) === keyOf(next.recording);
  if (isSame) {
    if (start !== before.start) players.seek(start);
    return;
  }
  const recording = next.kind === "recording" ? next.recording : null;
  const key = recording && keyOf(recording);
  const goesOn = films.enter(key);
  if (goesOn && recording && key) {
    const cameras = camerasOf(recording);
    players.moveOn(start, (order) => {
      const camera = cameras[order];
      return camera === undefined ? null : (films.sourceOf(key, camera)?.part ?? null);
    });
  } else players.change(start);
}

/** The cameras of a moment in one clock, and the days and recordings to choose from. */
export default function Viewer(props: ViewerProps) {
  const { thisYear, format, today, speedUnit, eventContext, momentsSheet, videoScript, nothing, nothingOf } = props;
  const player = useRef<HTMLElement>(null);
  const listPlace = useRef<HTMLElement>(null);
  const made = useMemo(() => openStores(props, { list: () => listPlace.current, player: () => player.current }), []);
  const { browsing, playback, actions, refresh } = made;
  const { recordings, pendingDeletions } = made.list;
  const { players } = playback;
  const { key } = browsing;
  const filter = recordings.filter.value;
  const deletesForGood = (props.whose?.cameras ?? [props]).some(({ trashDays }) => trashDays === 0);
  const isNothing = browsing.shown.value.kind === "nothing";
  // Until there was a first clip: when the last one goes the player stays, and the focus with it.
  const isFirst = useRef(isNothing);
  if (!isNothing) isFirst.current = false;
  const headline = headlineOf(browsing.shown.value, thisYear, format);

  useEffect(() => {
    browsing.onChange = (next) => changePlayers(playback, browsing.shown.value, next);
    players.isStill = props.shown.kind === "recording" && !isHere(props.shown.recording);
    players.onEnd = () => void playback.goingOn.goOn();
    if (props.plays) players.play();
    // The amount may take longer to find out than a page may take to come.
    if (filter.only !== null) void pendingDeletions.refresh().catch(() => {});
    const refresher = refreshWhileVisible({
      page: document,
      everyMs: REFRESH_MS,
      firstMs: recordings.isIncomplete() ? SOON_MS : REFRESH_MS,
      waitMs: LONG_WAIT_MS,
      ask: () => refresh(),
    });
    const ends = [
      browsing.address.onMove(() => {
        players.pause();
        const before = recordings.filter.value;
        void browsing.follow(location).then(() => {
          if (recordings.filter.value !== before) pendingDeletions.refresh().catch(() => {});
        });
      }),
      made.trip.follow(),
      made.moments.follow(document),
      playback.standby.follow(),
      playback.goingOn.follow(),
      playback.keepingUp.follow(),
      made.marks.coming.follow(),
      playback.repeat.follow(),
      followMediaKeys({ players, actions, title: () => headlineOf(browsing.shown.value, thisYear, format) }),
      listenToKeys(document, made),
      refresher.stop,
      followLibrary(document, () => void refresher.refresh()),
      askBeforeDownloads(document),
      keepPlace(document, { browsing, players, newest: props.newest }),
      playback.fullScreen.follow(document, players),
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

  const parts = { ...made, thisYear, format, today, speedUnit, eventContext, momentsSheet, videoScript };
  return (
    <>
      {/* With the first clip all of the page is another one: nothing of the empty one is moved. */}
      <section key={isFirst.current ? "empty" : "player"} class="vw-mid" aria-label="Player" tabindex={-1} ref={player}>
        <Head {...parts} />
        <Stage {...parts} nothing={nothing} nothingOf={nothingOf} />
        <SkippedNote {...parts} />
        <NextUp {...parts} />
        {key !== null && <Transport {...parts} />}
      </section>
      {key !== null && (
        <aside class="side" aria-label={made.trip.movements.value === null ? "Map" : "Movements and map"}>
          <SaveSlot {...parts} />
          <SideCameras {...parts} />
          <ReelList {...parts} />
          <MapPanel {...parts} />
        </aside>
      )}
      {key !== null && <BesideTabs {...parts} />}
      {key !== null && <TimeLine {...parts} />}
      {/* Days are known a moment sooner than the first clip: it comes with them. */}
      {((recordings.days.value.length > 0 && !isNothing) || !isEverything(filter)) && (
        <Days {...parts} listRef={listPlace} />
      )}
      {deletesForGood && <DeleteDialog {...parts} />}
    </>
  );
}
