/** @jsxImportSource preact */

import { LAYOUT_COOKIE, layoutOf } from "../../islands/viewer/player/stage_layout.ts";
import type { ViewerProps } from "../../islands/viewer/viewer_props.ts";
import Viewer from "../../islands/viewer.tsx";
import type { App } from "../app.ts";
import { isDay } from "../domain/recordings/camera_clock.ts";
import { wasThere } from "../domain/status/last_known.ts";
import type { OverviewFacts } from "../domain/status/overview.ts";
import { aheadInWords } from "../domain/text/format.ts";
import { openingOfDay } from "../domain/viewer/day_opening.ts";
import { landingOf } from "../domain/viewer/event_moment.ts";
import { PLACE_COOKIE, placeOf } from "../domain/viewer/last_place.ts";
import { filterOf, isEverything, type ListFilter, NO_FILTER, type Only } from "../domain/viewer/list_filter.ts";
import { tileHost } from "../domain/viewer/map_tile.ts";
import {
  dayOfKey,
  distinct,
  firstToSee,
  keyOf,
  type Neighbours,
  playsOf,
  type Shown,
  type Wanted,
  wantedOf,
} from "../domain/viewer/viewer_address.ts";
import type { TripSummary, ViewerDay, ViewerRecording } from "../domain/viewer/viewer_schema.ts";
import { overviewFacts } from "../engine/status/overview.ts";
import { isFolderUnknown } from "../engine/viewer/last_known.ts";
import { openingClip } from "../engine/viewer/opening.ts";
import { dayTrips } from "../engine/viewer/trip_summaries.ts";
import { viewerEntries } from "../engine/viewer/viewer_entries.ts";
import { keptCount, listDay, listDays } from "../engine/viewer/viewer_lists.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
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
      ["E", "Next event"],
      ["Shift E", "Event before"],
      ["[ ]", "Trip before, after"],
      ["C", "Calendar"],
      ["/", "Find a time, a day or a note"],
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
      ["I O", "Mark begin, end"],
      ["S", "Save this"],
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
  const wanted = asked.kind === "newest" && isEverything(filter) ? await openingOf(app, context) : asked;
  const drawn = await viewerProps(app, wanted, filter);
  const layout = layoutOf(context.cookies(LAYOUT_COOKIE)[0]);
  const props: ViewerProps = { ...drawn, layout, plays: playsOf(query) };
  const isThere = props.shown.kind === "recording" || props.shown.kind === "nothing";
  const hasList = props.day !== null || !isEverything(props.filter);
  // Lanes of the time line that its trip has nothing for. The page keeps room for the others before they have come.
  const { shown } = props;
  const clips = shown.kind === "recording" ? [shown.recording, ...ofTrip(props.day, keyOf(shown.recording))] : [];
  const ofList = shown.kind === "recording" ? tripOf(props.day, keyOf(shown.recording)) : undefined;
  const lacking =
    clips.length > 0
      ? [
          clips.some(({ has_gps: has }) => has) && ofList?.fixes !== 0,
          clips.some(({ has_3gf: has }) => has) && !(ofList?.is_complete && ofList.strongest_g === null),
        ].filter((has) => !has)
      : [];
  const classes = [
    "vw force-dark",
    ...(hasList ? [] : ["vw-bare"]),
    ...(shown.kind === "recording" ? [] : ["vw-empty"]),
    ...(isParkedAt(props.day, shown) ? ["vw-reel"] : []),
    ...(lacking.length > 0 ? [`vw-lacks-${lacking.length}`] : []),
  ];
  return html(
    page(
      <Document
        context={context}
        app={app}
        title="Viewer"
        path="/viewer"
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

/** Returns what the viewer shows when nothing was asked for. */
async function openingOf({ viewed, settings }: App, context: RequestContext): Promise<Wanted> {
  const place = placeOf(context.cookies(PLACE_COOKIE)[0]);
  const found = await openingClip(viewed, settings.current.viewer.trip_gap_minutes, place);
  return found === null ? { kind: "newest" } : { kind: "recording", ...found };
}

/** Returns the viewer's contents for an address: one day's recordings, and for other days only that they are there. */
async function viewerProps(
  app: App,
  wanted: Wanted,
  filter: ListFilter,
): Promise<Omit<ViewerProps, "layout" | "plays">> {
  const { clock, settings } = app;
  const { retention, viewer, schedule } = settings.current;
  const { types, cameras } = await app.viewed.figures();
  const lists = listsOf(app, filter);
  const days = await lists.days();
  const day = await dayFor(app, lists, wanted, days);
  const shown = await shownOf(app, wanted, filter, day);
  return {
    days,
    day,
    shown,
    neighbours: await neighboursOf(lists, shown, days),
    newest: (await app.viewed.day(null))?.segments[0]?.key ?? "",
    filter,
    ...(await standing(app, filter.only)),
    totals: { types, cameras, kept: await keptCount(app) },
    isContinuous: viewer.continuous_play,
    journeyMode: viewer.journey_mode,
    eventContext: retention.event_context,
    trashDays: retention.trash_days,
    timeZone: schedule.timezone,
    map: { tiles: viewer.map_tiles, host: tileHost(viewer.tile_url), mode: viewer.journey_mode },
    format: app.zone.format,
    thisYear: app.zone.wall(clock.now()).year,
    today: app.zone.isoDay(clock.now()),
    speedUnit: viewer.speed_unit,
    nothing: days.length === 0 && isEverything(filter) ? whyNothing(overviewFacts(app), isFolderUnknown(app)) : "",
  };
}

/** The trip of a recording, as the list has it. */
function tripOf(day: ViewerProps["day"], key: string): TripSummary | undefined {
  return day?.trips?.find(({ clips }) => clips.includes(key));
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

/** Days and recordings: all, or only those that are kept or due. */
interface Lists {
  readonly filter: ListFilter;
  readonly days: () => Promise<readonly ViewerDay[]>;
  readonly day: (date: string | null) => ReturnType<typeof listDay>;
}

function listsOf(app: App, filter: ListFilter): Lists {
  return { filter, days: () => listDays(app, filter), day: (date) => listDay(app, filter, date) };
}

/** Returns the amount on the list, and the deletion among it that waits for an answer. */
async function standing({ deletions }: App, only: Only | null): Promise<Pick<ViewerProps, "onlyAmount" | "held">> {
  if (only === null) return { onlyAmount: null, held: null };
  if (only === "kept") return { onlyAmount: await deletions.amountOf(await deletions.kept()), held: null };
  const held = await deletions.held();
  const due = held === null ? await deletions.due(deletions.rules) : null;
  return { onlyAmount: held ?? (due && (await deletions.amountOf([...due.age, ...due.room]))), held };
}

/** The day that is open: the one asked for, else the newest. */
async function dayFor(app: App, lists: Lists, wanted: Wanted, days: readonly ViewerDay[]): Promise<ViewerProps["day"]> {
  const asked = wanted.kind === "day" ? wanted.date : wanted.kind === "recording" ? dayOfKey(wanted.key) : null;
  const isKnown = asked !== null && isDay(asked) && days.some(({ date }) => date === asked);
  const day = await lists.day(isKnown ? asked : null);
  if (day === null) return null;
  const { trip_gap_minutes: gapMinutes } = app.settings.current.viewer;
  const trips = isEverything(lists.filter) ? await dayTrips(app, day.date, NO_FILTER, gapMinutes) : null;
  return {
    date: day.date,
    recordings: distinct(await viewerEntries(app, day.segments)),
    trips: trips && [...trips.trips, ...(trips.before ? [trips.before] : [])],
  };
}

async function shownOf(app: App, wanted: Wanted, filter: ListFilter, day: ViewerProps["day"]): Promise<Shown> {
  if (wanted.kind === "recording") {
    const listed = day?.recordings.find((one) => keyOf(one) === wanted.key);
    // The shown recording may be missing in a list that does not hold everything.
    const found = listed || isEverything(filter) ? null : await app.viewed.find(wanted.key);
    const recording = listed ?? (found && (await viewerEntries(app, [found]))[0]);
    return recording
      ? { kind: "recording", recording, start: wanted.start ?? landingOf(recording) }
      : { kind: "gone", key: wanted.key };
  }
  if (wanted.kind === "day" && wanted.date !== day?.date && isEverything(filter))
    return { kind: "empty_day", date: wanted.date };
  // A list that is empty because of its types or cameras is no reason to show nothing.
  const any = day || filter.only !== null ? null : await app.viewed.day(null);
  const first =
    day === null
      ? firstToSee(await viewerEntries(app, any?.segments.slice(0, 1) ?? []))
      : openingOfDay(day.recordings, wanted.kind === "day" ? day.trips : null);
  return first
    ? { kind: "recording", recording: first, start: 0 }
    : { kind: "nothing", only: filter.only, isUnknown: isFolderUnknown(app) };
}

/** Finds the recordings before and after, for links that work without script; at the ends of a day, on the next one. */
async function neighboursOf(lists: Lists, shown: Shown, days: readonly ViewerDay[]): Promise<Neighbours> {
  if (shown.kind !== "recording") return { earlier: null, later: null };
  const key = keyOf(shown.recording);
  const date = dayOfKey(key) ?? "";
  const keys = ((await lists.day(date))?.segments ?? []).map((segment) => segment.key);
  const older = days.find((day) => day.date < date);
  const newer = days.findLast((day) => day.date > date);
  const newestOf = async (other: ViewerDay) => (await lists.day(other.date))?.segments[0]?.key ?? null;
  const oldestOf = async (other: ViewerDay) => (await lists.day(other.date))?.segments.at(-1)?.key ?? null;
  return {
    earlier: keys.find((one) => one < key) ?? (older ? await newestOf(older) : null),
    later: keys.findLast((one) => one > key) ?? (newer ? await oldestOf(newer) : null),
  };
}

/** Tells why there is nothing to see, and what comes next. */
function whyNothing(facts: OverviewFacts, isUnknown: boolean): string {
  const { address, paused, next_at: next, now, zone, last_known: known } = facts;
  if (isUnknown) {
    const before = known === null ? "" : ` There were ${wasThere(known, facts)}.`;
    return `The recordings folder is not available, so its clips are not known.${before} They appear here when the folder is back.`;
  }
  if (address === "") return "Dashdock does not know your camera yet. Give it the camera's address on the dashboard.";
  if (paused || next === null)
    return "The schedule is paused. Start a sync on the dashboard, and the first clips appear here.";
  const at = `${zone.clock(next)} ${zone.name(next)}, ${aheadInWords((next - now) / 1000)}`;
  return `The next sync comes at ${at}. As soon as the first clips are home they appear here.`;
}
