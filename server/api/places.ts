import * as v from "valibot";
import type { App } from "../app.ts";
import { type ListPosition, nextAfter, pageOf, readNext } from "../domain/places/list_page.ts";
import { readMapBox, WHOLE_EARTH } from "../domain/places/map_box.ts";
import { MOMENT_KINDS, type MomentKind } from "../domain/places/moments.ts";
import {
  MAP_DRIVES,
  MAP_NAMES,
  MAP_PASSES,
  MOMENTS,
  type MomentCounts,
  type Pass,
  type ToldMoment,
} from "../domain/places/places_schema.ts";
import { KEEP_CLASSES } from "../domain/retention/keep_times.ts";
import { MOST_ZOOM } from "../domain/places/zoom_levels.ts";
import type { PlaceNames } from "../engine/places/place_names.ts";
import { type PlacedMoment, type PlacedPass, positionOfMoment, positionOfPass } from "../engine/places/places.ts";
import type { Indexing } from "../engine/places/places_filler.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { asksForAll } from "./cameras_asked.ts";
import { endpoint, limit } from "./endpoint.ts";
import { day } from "./list_parameters.ts";

const USUAL_ZOOM = 14;

const NO_BOX = "The box must be west, south, east, north in degrees";
const boxText = v.pipe(
  v.string(NO_BOX),
  v.transform(readMapBox),
  v.check((box) => box !== null, NO_BOX),
  v.transform((box) => box ?? WHOLE_EARTH),
);
const NO_KIND = "There is no such kind";
const BOX_WORDS = "`west,south,east,north` in degrees; west above east means over 180";
const SPAN = {
  from: day("The first day, `YYYY-MM-DD` by the camera’s clock"),
  to: day("The last day"),
};
const zoomText = v.pipe(
  v.string(),
  v.regex(/^[0-9]{1,2}$/, `The zoom must be a whole number from 0 to ${MOST_ZOOM}`),
  v.transform(Number),
  v.pipe(v.number(), v.integer(), v.maxValue(MOST_ZOOM, `The zoom must be a whole number from 0 to ${MOST_ZOOM}`)),
);
const TRIP_KINDS = {
  kind: v.pipe(
    v.nullable(
      v.pipe(
        v.string(),
        v.transform((text) => text.split(",")),
        v.array(v.picklist(KEEP_CLASSES, NO_KIND)),
      ),
    ),
    v.description(`Only trips with a recording of these kinds, with commas between them: ${KEEP_CLASSES.join(", ")}`),
    refusedAs("INVALID_KIND", "kind"),
  ),
};
const NO_MIN = "The least strength must be a number from 0 on";
const kindsText = v.pipe(
  v.string(),
  v.transform((text) => text.split(",")),
  v.array(v.picklist(MOMENT_KINDS, NO_KIND)),
);
const minText = v.pipe(v.string(), v.regex(/^[0-9]{1,6}(\.[0-9]{1,9})?$/, NO_MIN), v.transform(Number), v.number());
/** Nonsense leads to an empty page. */
const NEXT = v.pipe(v.nullable(v.string()), v.description("From the answer before; nonsense leads to an empty page"));
const LISTED = { limit: limit(500, 1000), next: NEXT };

type Parts = Pick<App, "camera" | "cameras" | "places">;

export const drives = endpoint({
  summary: "The drives in a part of the map, as lines",
  description: `Whole trips whose line touches the box, newest first. A line misses no fix by more than three pixels of the zoom. With more than 5,000 points all lines are coarser; when that is not enough, the oldest are left out.`,
  query: v.object({
    bbox: v.pipe(
      v.nullable(boxText),
      v.description(`${BOX_WORDS}; the whole earth when it is left out`),
      refusedAs("INVALID_BBOX", "bbox"),
    ),
    zoom: v.pipe(
      v.nullable(zoomText),
      v.description(`From 0 to ${MOST_ZOOM}; ${USUAL_ZOOM} when it is left out`),
      refusedAs("INVALID_ZOOM", "zoom"),
    ),
    ...SPAN,
    ...TRIP_KINDS,
  }),
  shape: MAP_DRIVES,
  returns: "Newest first",
  async answer({ query, context }, app: Parts) {
    const { places } = await app.places();
    const indexing = await places.indexing();
    // One answer of all cameras is no larger than that of one.
    const share = asksForAll(context) ? app.cameras.all.length : 1;
    const asked = { from: query.from, to: query.to, kinds: query.kind };
    return { ...(await places.drives(query.bbox ?? WHOLE_EARTH, query.zoom ?? USUAL_ZOOM, asked, share)), indexing };
  },
  all: (answers) => ({
    ...newestDrives(answers.flatMap(({ answer }) => answer.drives)),
    cut: answers.some(({ answer }) => answer.cut),
    indexing: together(answers.map(({ answer }) => answer.indexing)),
  }),
});

export const passes = endpoint({
  summary: "When the car came through a part of the map",
  description: "Each time that the line of a trip comes into the box. Less than ten seconds outside do not count.",
  query: v.object({
    bbox: v.pipe(boxText, v.description(BOX_WORDS), refusedAs("INVALID_BBOX", "bbox")),
    ...SPAN,
    ...TRIP_KINDS,
    ...LISTED,
  }),
  shape: MAP_PASSES,
  returns: "Newest first",
  async answer({ query }, app: Parts & Pick<App, "placeNames">) {
    const { places } = await app.places();
    const indexing = await places.indexing();
    const after = afterOf(query.next);
    if (after === "nothing") return { passes: [], next: null, indexing };
    const asked = { from: query.from, to: query.to, kinds: query.kind };
    const found = await places.passes(query.bbox, asked, after, query.limit);
    const { items, next } = pageOf(found, query.limit, (pass) => positionOfPass(pass, app.camera.id));
    return { passes: await ofNamedTrips(items, await app.placeNames()), next, indexing };
  },
  all(answers, { query }) {
    const found = answers.flatMap(({ answer }) => answer.passes);
    const page = pageOf(found, query.limit, (pass) => positionOfPass(pass, pass.camera));
    return {
      passes: page.items,
      ...rest(
        answers.map(({ answer }) => answer),
        page,
        (pass) => positionOfPass(pass, pass.camera),
      ),
    };
  },
});

/** More names than these cover each other on any map. */
const MOST_NAMES = 60;

export const names = endpoint({
  summary: "Names for a part of the map",
  description: "Places of your own, then the largest towns of a table that comes with the program. Nobody is asked.",
  query: v.object({ bbox: v.pipe(boxText, v.description(BOX_WORDS), refusedAs("INVALID_BBOX", "bbox")) }),
  shape: MAP_NAMES,
  returns: "At most 60: own places, then towns, largest first",
  async answer({ query }, app: Pick<App, "placeNames">) {
    return { names: await (await app.placeNames()).inBox(query.bbox, MOST_NAMES) };
  },
});

export const moments = endpoint({
  summary: "What happened: braking, turning, bumps, knocks while parked",
  description:
    "From all clips, by the forces of the section `moments`. Gravity and the way the camera is mounted are taken off.",
  query: v.object({
    ...SPAN,
    kind: v.pipe(
      v.nullable(kindsText),
      v.description(`Only these, with commas between them: ${MOMENT_KINDS.join(", ")}`),
      refusedAs("INVALID_KIND", "kind"),
    ),
    min: v.pipe(v.nullable(minText), v.description("Only those of so many g or more"), refusedAs("INVALID_MIN", "min")),
    order: v.pipe(
      v.fallback(v.picklist(["time", "strength"]), "time"),
      v.description("`strength` for the strongest first; `time`, the newest first, when it is left out"),
    ),
    ...LISTED,
  }),
  shape: MOMENTS,
  returns: "The newest or the strongest first",
  async answer({ query }, app: Parts & Pick<App, "placeNames">) {
    const { places } = await app.places();
    const indexing = await places.indexing();
    const after = afterOf(query.next);
    const min = query.min ?? 0;
    const counts = places.momentCounts({ ...query, min });
    if (after === "nothing") return { moments: [], counts, next: null, indexing };
    const found = await places.moments({ ...query, kinds: query.kind ?? MOMENT_KINDS, min, after });
    const { items, next } = pageOf(found, query.limit, (one) => positionOfMoment(one, query.order, app.camera.id));
    return { moments: await named(items, await app.placeNames()), counts, next, indexing };
  },
  all(answers, { query }) {
    const at = (one: ToldMoment) => positionOfMoment(one, query.order, one.camera);
    const page = pageOf(
      answers.flatMap(({ answer }) => answer.moments),
      query.limit,
      at,
    );
    return {
      moments: page.items,
      counts: countsTogether(answers.map(({ answer }) => answer.counts)),
      ...rest(
        answers.map(({ answer }) => answer),
        page,
        at,
      ),
    };
  },
});

/** Moments with the names of their places; those of one street are named at once. */
async function named(moments: readonly PlacedMoment[], names: Pick<PlaceNames, "at">): Promise<ToldMoment[]> {
  const known = new Map<string, Promise<string | null>>();
  const nameOf = ({ lat, lon }: PlacedMoment) => {
    if (lat === null || lon === null) return null;
    const street = `${lat.toFixed(4)} ${lon.toFixed(4)}`;
    const name = known.get(street) ?? names.at({ lat, lon });
    known.set(street, name);
    return name;
  };
  return Promise.all(moments.map(async (one) => ({ ...one, place: await nameOf(one) })));
}

/** Passes with the names of their trips. */
async function ofNamedTrips(
  passes: readonly (PlacedPass & Pick<Pass, "thumb">)[],
  names: Pick<PlaceNames, "ofTrip">,
): Promise<Pass[]> {
  const known = new Map<string, Promise<string | null>>();
  return Promise.all(
    passes.map(async ({ ends, ...pass }) => {
      const name = known.get(pass.trip) ?? names.ofTrip(ends);
      known.set(pass.trip, name);
      return { ...pass, name: await name };
    }),
  );
}

function countsTogether(all: readonly MomentCounts[]): MomentCounts {
  const of = (kind: MomentKind) => all.reduce((sum, counts) => sum + counts[kind], 0);
  return {
    brake: of("brake"),
    accelerate: of("accelerate"),
    turn: of("turn"),
    bump: of("bump"),
    impact: of("impact"),
    parked_bump: of("parked_bump"),
  };
}

function afterOf(next: string | null): ListPosition | null | "nothing" {
  return next === null || next === "" ? null : (readNext(next) ?? "nothing");
}

interface OneAnswer {
  readonly next: string | null;
  readonly indexing: Indexing | null;
}

/** The rest of an answer of all cameras: one whose own page went on goes on. */
function rest<T>(
  answers: readonly OneAnswer[],
  { items, next }: { readonly items: readonly T[]; readonly next: string | null },
  positionOf: (item: T) => ListPosition,
): OneAnswer {
  const last = items.at(-1);
  const goesOn = answers.some((answer) => answer.next !== null) && last !== undefined;
  return {
    next: next ?? (goesOn ? nextAfter(positionOf(last)) : null),
    indexing: together(answers.map(({ indexing }) => indexing)),
  };
}

function together(all: readonly (Indexing | null)[]): Indexing | null {
  const open = all.filter((one) => one !== null);
  if (open.length === 0) return null;
  return open.reduce((sum, one) => {
    const isStopped = sum.stopped ?? one.stopped ?? false;
    return { done: sum.done + one.done, total: sum.total + one.total, ...(isStopped && { stopped: true }) };
  });
}

function newestDrives<D extends { readonly trip: string }>(found: readonly D[]): { drives: D[] } {
  const timeOf = ({ trip }: D) => trip.slice(trip.indexOf("~") + 1);
  return {
    drives: found.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : timeOf(one) > timeOf(other) ? -1 : 0)),
  };
}
