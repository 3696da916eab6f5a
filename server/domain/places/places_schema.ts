import * as v from "valibot";
import { addressText, type CameraPart, keyText, number, orNull, text, whole } from "../answers/answer_fields.ts";
import { MOMENT_KINDS } from "./moments.ts";

const camera = v.pipe(
  v.string(),
  v.description("The camera that it is of"),
  v.metadata({ camera: "camera" satisfies CameraPart }),
);
const trip = keyText("The key of the first recording of the trip");
const INDEXING = v.object({
  done: whole("Clips that are looked through"),
  total: whole("All clips"),
  stopped: v.exactOptional(
    v.pipe(
      v.literal(true),
      v.description("True while nothing goes on: `places.db` cannot be written, or the recordings are away"),
    ),
  ),
});
export type Indexing = v.InferOutput<typeof INDEXING>;
const indexing = orNull(INDEXING, "Null when all clips are looked through: until then something may be missing");
const next = orNull(v.string(), "For the parameter `next` of the next page; null when nothing follows");
const knots = (description: string) => orNull(v.number(), `Knots${description}; null when unknown`);

export const MAP_DRIVES = v.object({
  drives: v.array(
    v.object({
      trip,
      camera,
      date: text("`YYYY-MM-DD`, of the beginning of the trip, by the camera’s clock"),
      types: v.exactOptional(text("Type letters of its recordings, such as `EN`; left out when all are normal")),
      points: v.pipe(
        v.array(v.tuple([number("Latitude"), number("Longitude"), knots("")])),
        v.description(
          "A line of at least two places; a trip with a gap of more than ten seconds has a line before it and one after it",
        ),
      ),
    }),
  ),
  cut: v.pipe(v.boolean(), v.description("True when older trips are left out")),
  indexing,
});
export type MapDrives = v.InferOutput<typeof MAP_DRIVES>;

const PASS = v.object({
  trip,
  key: keyText("The recording in which the car comes into the box"),
  seconds: number("Seconds into it"),
  at: orNull(v.string(), "ISO 8601 UTC, by the satellites; null when they did not tell, or told a time days away"),
  speed: knots(" at that second"),
  heading: orNull(v.number(), "0 to 360, clockwise from north; null when the car stands"),
  thumb: orNull(addressText, "Address of the recording’s thumbnail, where it has one of its own"),
  name: orNull(v.string(), "Of the trip, by where it begins and ends; null far from all places with a name"),
  camera,
});
export type Pass = v.InferOutput<typeof PASS>;
export const MAP_PASSES = v.object({ passes: v.array(PASS), next, indexing });
export type MapPasses = v.InferOutput<typeof MAP_PASSES>;

const MAP_NAME = v.object({
  name: text("Of a town, or as the owner calls the place"),
  lat: number("Decimal degrees"),
  lon: number("Decimal degrees"),
  own: v.pipe(v.boolean(), v.description("True for a place of `places.list`")),
});
export type MapName = v.InferOutput<typeof MAP_NAME>;
export const MAP_NAMES = v.object({ names: v.array(MAP_NAME) });
export type MapNames = v.InferOutput<typeof MAP_NAMES>;

const MOMENT = v.object({
  key: keyText("The recording in which it happened"),
  seconds: number("Seconds into it"),
  kind: v.picklist(MOMENT_KINDS),
  strength: number("In g, without gravity"),
  speed: knots(" at that second"),
  speed_before: knots(" in the seconds before, the fastest; of `accelerate` the slowest"),
  speed_after: knots(" in the seconds after, the slowest; of `accelerate` the fastest"),
  lat: orNull(v.number(), "Null when the place is not known"),
  lon: v.nullable(v.number()),
  place_inferred: v.pipe(
    v.boolean(),
    v.description("True when the place is that of the last fix before: the car was parked and saw no satellites"),
  ),
  place: orNull(v.string(), "Name of the place, one’s own or the nearest town; null where none is near"),
  thumb: orNull(addressText, "Address of the recording’s thumbnail, where it has one of its own"),
  camera,
});
export type ToldMoment = v.InferOutput<typeof MOMENT>;
const COUNTS = v.object(v.entriesFromList(MOMENT_KINDS, whole("Moments of this kind")));
export type MomentCounts = v.InferOutput<typeof COUNTS>;
export const MOMENTS = v.object({
  moments: v.array(MOMENT),
  counts: v.pipe(
    COUNTS,
    v.description("All moments of the days with that strength, by kind, also of kinds not asked for"),
  ),
  next,
  indexing,
});
export type Moments = v.InferOutput<typeof MOMENTS>;
