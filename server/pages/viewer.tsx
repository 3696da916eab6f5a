/** @jsxImportSource preact */

import { LAYOUT_COOKIE, layoutOf } from "../../islands/viewer/player/stage_layout.ts";
import type { ViewerProps } from "../../islands/viewer/viewer_props.ts";
import Viewer from "../../islands/viewer.tsx";
import type { App } from "../app.ts";
import { isDay } from "../domain/recordings/camera_clock.ts";
import { amountsTogether } from "../domain/retention/deletion.ts";
import { ALL_CAMERAS, inTime, keyIn, MAIN_CAMERA, splitKey } from "../domain/settings/camera_key.ts";
import { cameraRewriteOf } from "../domain/settings/keys_in_answers.ts";
import { byReason, whyNoClips } from "../domain/status/no_clips.ts";
import { openingOfDay } from "../domain/viewer/day_opening.ts";
import {
  daysTogether,
  type ListedDay,
  newestFirst,
  recordingsTogether,
  summed,
  tripsTogether,
} from "../domain/viewer/days_of_cameras.ts";
import { landingOf } from "../domain/viewer/event_moment.ts";
import { PLACE_COOKIE, placeOf } from "../domain/viewer/last_place.ts";
import { filterOf, isEverything, type ListFilter, NO_FILTER, type Only } from "../domain/viewer/list_filter.ts";
import { tileHost } from "../domain/viewer/map_tile.ts";
import {
  dayOfKey,
  firstToSee,
  keyOf,
  listWayOf,
  type Neighbours,
  playsOf,
  type Shown,
  type Wanted,
  wantedOf,
} from "../domain/viewer/viewer_address.ts";
import {
  TRIP_SUMMARY,
  type TripSummary,
  VIEWER_RECORDING,
  type ViewerDay,
  type ViewerRecording,
} from "../domain/viewer/viewer_schema.ts";
import { refusedCameraState } from "../engine/status/camera_state.ts";
import { overviewFacts } from "../engine/status/overview.ts";
import { isFolderUnknown } from "../engine/viewer/last_known.ts";
import { openingClip } from "../engine/viewer/opening.ts";
import { readClockOffset } from "../engine/viewer/clock_offset.ts";
import { dayTrips } from "../engine/viewer/trip_summaries.ts";
import { viewerEntries } from "../engine/viewer/viewer_entries.ts";
import { keptCount, listDay, listDays } from "../engine/viewer/viewer_lists.ts";
import { assetPath } from "../http/assets/assets.ts";
import { inFormatOf } from "../http/request/app_in_format.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import type { Segment } from "../store/library/recording_files.ts";
import { Document, PageFoot, page } from "./document.tsx";
import { Island } from "./island.tsx";
import type { PageKeys } from "./key_list.tsx";

const KEYS: PageKeys = [
  {
    title: "Play",
    keys: [
      ["Space K", "Play, pause"],
      ["← →", "5 s back, on"],
      ["J L", "10 s back, on"],
      ["Shift ← →", "30 s back, on"],
      [", .", "One frame back, on"],
      ["< >", "Slower, faster"],
      ["R", "Repeat the range"],
      ["M", "Sound on, off"],
    ],
    changed: "Changed: K was normal speed. J and L were slower and faster.",
  },
  {
    title: "Move",
    keys: [
      ["0–9", "That tenth of the trip"],
      ["Home End", "Start, end of the trip"],
      ["P N", "Previous, next clip"],
      ["E", "Next moment of the trip, or event"],
      ["Shift E", "Moment or event before"],
      ["[ ]", "Trip before, after"],
      ["C", "Calendar"],
      ["/", "Find a time, a place, a kind or a note"],
    ],
  },
  {
    title: "See",
    keys: [
      ["Shift 1–4", "That camera large"],
      ["V", "Next layout"],
      ["F", "Full screen"],
      ["W", "Map follows the car"],
      ["+ −", "Zoom the time line"],
    ],
    changed: "Changed: cameras were 1 to 4 without Shift.",
  },
  {
    title: "Keep and save",
    keys: [
      ["B", "Keep, or let go"],
      ["T", "Keep with a note"],
      ["I O", "Mark begin, end of the part"],
      ["S", "Save a part: films, pack, originals"],
      ["X", "Picture of this frame"],
      ["Delete", "Move to the trash"],
    ],
  },
];

/** `GET /viewer?key=&t=&play=&date=&only=`: a recording's cameras in step, and the days to choose from. */
export async function viewer(context: RequestContext, app: App): Promise<Response> {
  const { searchParams: query } = context.url;
  const asked = wantedOf(query);
  const filter = filterOf(query);
  const { all } = app.cameras;
  const isOfAll = all.length > 1 && (context.camera === null || context.camera === ALL_CAMERAS);
  const shelves = (isOfAll ? all : [app]).map((one) => shelfOf(inFormatOf(context, one), filter, isOfAll));
  const wanted = asked.kind === "newest" && isEverything(filter) ? await openingOf(shelves, context) : asked;
  const drawn = await viewerProps(app, shelves, wanted, filter);
  const layout = layoutOf(context.cookies(LAYOUT_COOKIE)[0]);
  const props: ViewerProps = { ...drawn, layout, plays: playsOf(query), way: listWayOf(query) };
  const isThere = props.shown.kind === "recording" || props.shown.kind === "nothing";
  const hasList = props.day !== null || !isEverything(props.filter);
  // Lanes of the time line that its trip has nothing for. The page keeps room for the others before they have come.
  const { shown } = props;
  const clips = shown.kind === "recording" ? [shown.recording, ...ofTrip(props.day, keyOf(shown.recording))] : [];
  const ofList = shown.kind === "recording" ? tripOf(props.day, keyOf(shown.recording)) : undefined;
  const hasTrack = clips.some(({ has_gps: has }) => has) && ofList?.fixes !== 0;
  const hasForce = clips.some(({ has_3gf: has }) => has) && !(ofList?.is_complete && ofList.strongest_g === null);
  const lacking = [hasTrack, hasForce].filter((has) => !has && clips.length > 0);
  const classes = [
    "vw force-dark",
    ...(hasList ? [] : ["vw-bare"]),
    ...(shown.kind === "recording" ? [] : ["vw-empty"]),
    ...(isParkedAt(props.day, shown) ? ["vw-reel"] : []),
    ...(lacking.length > 0 ? [`vw-lacks-${lacking.length}`] : []),
    ...(hasForce ? ["vw-felt"] : []),
  ];
  return html(
    page(
      <Document
        context={context}
        app={app}
        title="Viewer"
        path="/viewer"
        isAboutAll={isOfAll}
        class="viewer"
        islands={["viewer"]}
        keys={KEYS}
      >
        {hasList && (
          <a class="skip" href="#recordings">
            Skip to clips
          </a>
        )}
        <Island name="viewer" of={Viewer} props={props} class={classes.join(" ")} />
        <div class="vw-foot force-dark">
          <PageFoot app={app}>
            <span>Times of clips are those of the camera’s own clock</span>
          </PageFoot>
        </div>
      </Document>,
    ),
    { status: isThere ? 200 : 404 },
  );
}

/** Recordings of one camera, with keys and addresses as the page has them. */
interface Shelf {
  readonly app: App;
  readonly filter: ListFilter;
  readonly days: () => Promise<readonly ViewerDay[]>;
  /** Segments of a day, newest first; of the newest one without a date. */
  readonly day: (date: string | null) => ReturnType<typeof listDay>;
  readonly entries: (segments: readonly Segment[]) => Promise<ViewerRecording[]>;
  readonly trips: (date: string) => Promise<TripSummary[]>;
  /** A bare key as the page has it. */
  readonly keyed: (key: string) => string;
  /** True for the key of one of its recordings. */
  readonly has: (key: string) => boolean;
}

/** @param isOneOfAll its recordings stand beside those of other cameras */
function shelfOf(app: App, filter: ListFilter, isOneOfAll: boolean): Shelf {
  const { id } = app.camera;
  const isPlain = id === MAIN_CAMERA && !isOneOfAll;
  const entry = isPlain ? null : cameraRewriteOf(VIEWER_RECORDING);
  const trip = isPlain ? null : cameraRewriteOf(TRIP_SUMMARY);
  return {
    app,
    filter,
    days: () => listDays(app, filter),
    day: (date) => listDay(app, filter, date),
    async entries(segments) {
      const found = await viewerEntries(app, segments);
      return entry === null ? found : found.map((one) => entry(one, id) as ViewerRecording);
    },
    async trips(date) {
      const { trip_gap_minutes: gapMinutes } = app.settings.current.viewer;
      const found = await dayTrips(app, date, NO_FILTER, gapMinutes);
      const all = found ? [...found.trips, ...(found.before ? [found.before] : [])] : [];
      return trip === null ? all : all.map((one) => trip(one, id) as TripSummary);
    },
    keyed: (key) => keyIn(id, key),
    has: (key) => (splitKey(key).camera ?? MAIN_CAMERA) === id,
  };
}

/** Returns what the viewer shows when nothing was asked for: of several cameras what was recorded last. */
async function openingOf(shelves: readonly Shelf[], context: RequestContext): Promise<Wanted> {
  const place = placeOf(context.cookies(PLACE_COOKIE)[0]);
  const newest = await newestOf(shelves);
  const left = place && shelves.find(({ has }) => has(place.key));
  // Where another car has driven since, that is what people want to see.
  const isPassed = place !== null && newest !== null && inTime(newest.key, place.newest) > 0 && newest.shelf !== left;
  const shelf = isPassed || !left ? newest?.shelf : left;
  if (shelf === undefined) return { kind: "newest" };
  const { viewed, settings } = shelf.app;
  const bare =
    place && shelf === left ? { ...place, key: splitKey(place.key).bare, newest: splitKey(place.newest).bare } : null;
  const found = await openingClip(viewed, settings.current.viewer.trip_gap_minutes, bare);
  return found === null ? { kind: "newest" } : { kind: "recording", key: shelf.keyed(found.key), start: found.start };
}

/** The newest recording of all; null without one. */
async function newestOf(shelves: readonly Shelf[]): Promise<{ readonly key: string; readonly shelf: Shelf } | null> {
  const found = await Promise.all(
    shelves.map(async (shelf) => {
      const key = (await shelf.app.viewed.day(null))?.segments[0]?.key;
      return key === undefined ? [] : [{ key: shelf.keyed(key), shelf }];
    }),
  );
  return found.flat().sort((one, other) => inTime(other.key, one.key))[0] ?? null;
}

/** Returns the viewer's contents for an address: one day's recordings, and for other days only that they are there. */
async function viewerProps(
  app: App,
  shelves: readonly Shelf[],
  wanted: Wanted,
  filter: ListFilter,
): Promise<Omit<ViewerProps, "layout" | "plays" | "way">> {
  const { clock, settings } = app;
  const { retention, viewer, schedule } = settings.current;
  const figures = await Promise.all(shelves.map((shelf) => shelf.app.viewed.figures()));
  const days = daysTogether(newestFirst((await Promise.all(shelves.map(daysOf))).flat()));
  const day = await dayFor(shelves, wanted, days);
  const shown = await shownOf(shelves, wanted, filter, day);
  const kept = await Promise.all(shelves.map((shelf) => keptCount(shelf.app)));
  const [only] = shelves;
  return {
    days,
    day,
    shown,
    neighbours: await neighboursOf(shelves, shown),
    clockOffset: await clockOffsetOf(shelves, shown, day),
    newest: (await newestOf(shelves))?.key ?? "",
    filter,
    ...(await standing(shelves, filter.only)),
    totals: {
      types: summed(figures.map(({ types }) => types)),
      cameras: summed(figures.map(({ cameras }) => cameras)),
      kept: kept.reduce((sum, count) => sum + count, 0),
    },
    isContinuous: viewer.continuous_play,
    journeyMode: viewer.journey_mode,
    eventContext: retention.event_context,
    trashDays: retention.trash_days,
    timeZone: schedule.timezone,
    map: {
      tiles: viewer.map_tiles,
      host: tileHost(viewer.tile_url),
      mode: viewer.journey_mode,
      ...(viewer.map_file !== null && { ownMap: assetPath("map_worker.js") }),
    },
    format: app.zone.format,
    thisYear: app.zone.wall(clock.now()).year,
    today: app.zone.isoDay(clock.now()),
    speedUnit: viewer.speed_unit,
    momentsSheet: assetPath("moments.css"),
    videoScript: assetPath("video_worker.js"),
    ...(days.length === 0 && isEverything(filter) ? whyNothing(app, shelves) : { nothing: "" }),
    ...(app.cameras.all.length > 1 && { whose: await whoseOf(app, shelves.length > 1 ? null : only) }),
  };
}

/** The days of one camera, as part of several. */
async function daysOf({ app, days }: Shelf): Promise<ViewerDay[]> {
  const found = await days();
  return app.cameras.all.length < 2 ? [...found] : found.map((day) => ({ ...day, camera: app.camera.id }));
}

async function whoseOf(app: App, only: Shelf | null | undefined): Promise<ViewerProps["whose"]> {
  const cameras = app.cameras.all.map(async ({ camera, viewed, settings }, place) => {
    const { days } = await viewed.figures();
    const { trash_days: trashDays, event_context: eventContext } = settings.current.retention;
    const clips = days.reduce((sum, day) => sum + day.clips, 0);
    return { ...camera, place, clips, trashDays, eventContext };
  });
  return { cameras: await Promise.all(cameras), only: only?.app.camera.id ?? null };
}

/** The trip of a recording, as the list has it. */
function tripOf(day: ViewerProps["day"], key: string): TripSummary | undefined {
  return day?.trips?.find(({ clips }) => clips.includes(key));
}

/** By how much the camera's clock was ahead in the trip of what is shown: as the list has it, else from the files. */
async function clockOffsetOf(shelves: readonly Shelf[], shown: Shown, day: ViewerProps["day"]): Promise<number | null> {
  if (shown.kind !== "recording") return null;
  const key = keyOf(shown.recording);
  const listed = tripOf(day, key);
  if (listed?.is_complete) return listed.clock_offset_seconds;
  const app = shelves.find(({ has }) => has(key))?.app;
  const found = await app?.viewed.trip(splitKey(key).bare, app.settings.current.viewer.trip_gap_minutes);
  return app && found ? await readClockOffset(found.trip.clips, app) : null;
}

/** True when the list knows that the shown recording is of the parked car: its time line is lower. */
function isParkedAt(day: ViewerProps["day"], shown: Shown): boolean {
  return shown.kind === "recording" && tripOf(day, keyOf(shown.recording))?.kind === "parked";
}

/** Returns the recordings on the list that belong to the trip of this one. */
function ofTrip(day: ViewerProps["day"], key: string): readonly ViewerRecording[] {
  const keys = new Set(tripOf(day, key)?.clips);
  return day?.recordings.filter((one) => keys.has(keyOf(one))) ?? [];
}

type Standing = Pick<ViewerProps, "onlyAmount" | "held" | "heldOf">;

/** Returns the amount on the list, and the deletion among it that waits for an answer. */
async function standing(shelves: readonly Shelf[], only: Only | null): Promise<Standing> {
  const found = await Promise.all(shelves.map(({ app }) => standingOf(app, only)));
  const [first] = found;
  if (first === undefined || found.length === 1) return first ?? { onlyAmount: null, held: null };
  const onlyAmount = only === null ? null : amountsTogether(found.map((one) => one.onlyAmount));
  // Questions that wait for an answer are asked one camera at a time.
  const heldOf = shelves.flatMap(({ app }, at) => (found[at]?.held ? [app.camera.id] : []));
  return { onlyAmount, held: null, heldOf };
}

async function standingOf({ deletions }: App, only: Only | null): Promise<Standing> {
  if (only === null) return { onlyAmount: null, held: null };
  if (only === "kept") return { onlyAmount: await deletions.amountOf(await deletions.kept()), held: null };
  const held = await deletions.held();
  const due = held === null ? await deletions.due(deletions.rules) : null;
  return { onlyAmount: held ?? (due && (await deletions.amountOf([...due.age, ...due.room]))), held };
}

/** The day that is open: the one asked for, else the newest. */
async function dayFor(
  shelves: readonly Shelf[],
  wanted: Wanted,
  days: readonly ListedDay[],
): Promise<ViewerProps["day"]> {
  const asked = wanted.kind === "day" ? wanted.date : wanted.kind === "recording" ? dayOfKey(wanted.key) : null;
  const isKnown = asked !== null && isDay(asked) && days.some(({ date }) => date === asked);
  const date = isKnown ? asked : days[0]?.date;
  if (date === undefined) return null;
  const found = await Promise.all(shelves.map(async (shelf) => dayOfShelf(shelf, date)));
  const there = found.filter((one) => one !== null);
  if (there.length === 0) return null;
  const trips = there.map((one) => ({ date, before: null, trips: one.trips ?? [] }));
  return {
    date,
    recordings: recordingsTogether(there),
    trips: there.some((one) => one.trips === null) ? null : tripsTogether(trips),
  };
}

async function dayOfShelf(shelf: Shelf, date: string) {
  const day = await shelf.day(date);
  if (day === null) return null;
  const trips = isEverything(shelf.filter) ? await shelf.trips(day.date) : null;
  return { date: day.date, recordings: await shelf.entries(day.segments), trips };
}

async function shownOf(
  shelves: readonly Shelf[],
  wanted: Wanted,
  filter: ListFilter,
  day: ViewerProps["day"],
): Promise<Shown> {
  if (wanted.kind === "recording") {
    const listed = day?.recordings.find((one) => keyOf(one) === wanted.key);
    const shelf = shelves.find(({ has }) => has(wanted.key));
    // The shown recording may be missing in a list that does not hold everything.
    const isLooked = listed === undefined && shelf !== undefined && !isEverything(filter);
    const found = isLooked ? await shelf.app.viewed.find(splitKey(wanted.key).bare) : null;
    const recording = listed ?? (found && (await shelf?.entries([found]))?.[0]);
    return recording
      ? { kind: "recording", recording, start: wanted.start ?? landingOf(recording) }
      : { kind: "gone", key: wanted.key };
  }
  if (wanted.kind === "day" && wanted.date !== day?.date && isEverything(filter))
    return { kind: "empty_day", date: wanted.date };
  // A list that is empty because of its types or cameras is no reason to show nothing.
  const newest = day || filter.only !== null ? null : await newestOf(shelves);
  const any = newest && (await newest.shelf.app.viewed.day(null));
  const first =
    day === null
      ? firstToSee((await newest?.shelf.entries(any?.segments.slice(0, 1) ?? [])) ?? [])
      : openingOfDay(day.recordings, wanted.kind === "day" ? day.trips : null);
  const isUnknown = shelves.every(({ app }) => isFolderUnknown(app));
  return first ? { kind: "recording", recording: first, start: 0 } : { kind: "nothing", only: filter.only, isUnknown };
}

/**
 * Finds the recordings of the same car before and after, for links that work without script; at the ends of a day, on
 * the next one.
 */
async function neighboursOf(shelves: readonly Shelf[], shown: Shown): Promise<Neighbours> {
  const shelf = shown.kind === "recording" && shelves.find(({ has }) => has(keyOf(shown.recording)));
  if (shown.kind !== "recording" || !shelf) return { earlier: null, later: null };
  const key = splitKey(keyOf(shown.recording)).bare;
  const date = dayOfKey(key) ?? "";
  const days = await shelf.days();
  const keys = ((await shelf.day(date))?.segments ?? []).map((segment) => segment.key);
  const older = days.find((day) => day.date < date);
  const newer = days.findLast((day) => day.date > date);
  const newest = async (other: ViewerDay) => (await shelf.day(other.date))?.segments[0]?.key ?? null;
  const oldest = async (other: ViewerDay) => (await shelf.day(other.date))?.segments.at(-1)?.key ?? null;
  const earlier = keys.find((one) => one < key) ?? (older ? await newest(older) : null);
  const later = keys.findLast((one) => one > key) ?? (newer ? await oldest(newer) : null);
  return { earlier: earlier && shelf.keyed(earlier), later: later && shelf.keyed(later) };
}

/** Tells why there is nothing to see, and what comes next: of several cameras for each. */
function whyNothing({ cameras }: App, shelves: readonly Shelf[]): Pick<ViewerProps, "nothing" | "nothingOf"> {
  const isOfSeveral = shelves.length > 1 || (cameras.all.length === 1 && cameras.refused.length > 0);
  const reasons = shelves.map(({ app }, place) => ({
    camera: { ...app.camera, place },
    sentence: whyNoClips(overviewFacts(app), isFolderUnknown(app), isOfSeveral),
  }));
  if (!isOfSeveral) return { nothing: reasons[0]?.sentence ?? "" };
  const refused = cameras.refused.map(({ configured, problem }, at) => ({
    camera: { ...configured, place: cameras.all.length + at },
    sentence: refusedCameraState(configured, problem).sentence,
  }));
  return { nothing: "There are no clips of these cameras yet.", nothingOf: byReason([...reasons, ...refused]) };
}
