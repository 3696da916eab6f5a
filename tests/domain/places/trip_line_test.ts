import { expect, test } from "bun:test";
import { hasTwoPlaces, stretchesOf, type TripLine, tripLineSteps } from "../../../server/domain/places/trip_line.ts";
import { trackOf } from "../../../server/domain/viewer/track.ts";

interface Given {
  readonly begin: number;
  /** Seconds, latitude, longitude. */
  readonly fixes: readonly (readonly [number, number, number])[] | null;
}

function lineOf(clips: readonly Given[]): TripLine {
  const steps = tripLineSteps(
    clips.map(({ begin, fixes }) => ({
      begin,
      track: fixes && trackOf(fixes.map(([t, lat, lon]) => ({ t, lat, lon, speed: 20 }))),
    })),
  );
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

const row = (from: number, to: number, lat = 48, lon = 11): (readonly [number, number, number])[] =>
  Array.from({ length: to - from + 1 }, (_, at) => [from + at, lat + (from + at) * 1e-4, lon] as const);
const secondsOf = ({ t }: TripLine) => [...t].map((ms) => ms / 1000);

test("clips are one line on the clock of the trip; a gap of more than ten seconds ends a stretch", () => {
  const line = lineOf([
    { begin: 0, fixes: row(0, 59) },
    { begin: 60, fixes: null },
    { begin: 65, fixes: row(0, 20, 48.0065) },
    { begin: 120, fixes: row(0, 5, 48.012) },
  ]);
  expect(stretchesOf(line).map(([from, to]) => [secondsOf(line)[from], secondsOf(line)[to]])).toEqual([
    [0, 85],
    [120, 125],
  ]);
  expect([line.clip[0], line.clip[60], line.clip.at(-1)]).toEqual([0, 2, 3]);
});

test("a time that two clips recorded counts once", () => {
  const line = lineOf([
    { begin: 0, fixes: row(0, 59) },
    { begin: 30, fixes: row(0, 59, 48.003) },
  ]);
  expect(secondsOf(line)).toEqual(Array.from({ length: 90 }, (_, at) => at));
});

test("a place that is reached and left faster than any car drives is left out", () => {
  const fixes = row(0, 30).map(([t, lat, lon]) => (t === 10 ? ([t, lat + 1, lon] as const) : ([t, lat, lon] as const)));
  const line = lineOf([{ begin: 0, fixes }]);
  expect(secondsOf(line)).not.toContain(10);
  expect(stretchesOf(line)).toHaveLength(1);
});

test("no line leads over a jump that stays, as of a car on a train", () => {
  const line = lineOf([{ begin: 0, fixes: [...row(0, 20), ...row(21, 40, 52)] }]);
  expect(stretchesOf(line)).toEqual([
    [0, 20],
    [21, 40],
  ]);
});

test("longitudes go on over the date line in both directions, and come back", () => {
  const fixes = [179.9998, 179.9999, -180, -179.9999, 180, 179.9999].map((lon, t) => [t, -17, lon] as const);
  const { lon } = lineOf([{ begin: 0, fixes }]);
  expect([...lon].map((steps) => steps / 1e7)).toEqual([179.9998, 179.9999, 180, 180.0001, 180, 179.9999]);
});

test("a line needs two places", () => {
  expect(hasTwoPlaces(lineOf([{ begin: 0, fixes: [[0, 48, 11]] }]))).toBe(false);
  expect(hasTwoPlaces(lineOf([{ begin: 0, fixes: [0, 1, 2].map((t) => [t, 48, 11] as const) }]))).toBe(false);
  expect(hasTwoPlaces(lineOf([{ begin: 0, fixes: row(0, 1) }]))).toBe(true);
  expect(hasTwoPlaces(lineOf([]))).toBe(false);
});
