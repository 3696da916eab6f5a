import { expect, test } from "bun:test";
import {
  momentAt,
  momentHeadline,
  momentPlace,
  momentSpeeds,
  type TimedMoment,
  timeBeside,
} from "../../../server/domain/places/moment_text.ts";
import type { MomentKind } from "../../../server/domain/places/moments.ts";
import type { ToldMoment } from "../../../server/domain/places/places_schema.ts";

function moment(kind: MomentKind, changes: Partial<ToldMoment> = {}): ToldMoment {
  return {
    key: "20261120_082300_E",
    seconds: 69,
    kind,
    strength: 0.62,
    speed: 20,
    speed_before: 31.3,
    speed_after: 0,
    lat: 1,
    lon: 2,
    place: "Weir",
    place_inferred: false,
    thumb: null,
    camera: "main",
    ...changes,
  };
}

test("a moment is told in one line, with its speeds in the unit of the reader", () => {
  const braked = moment("brake");
  expect(momentHeadline(braked, "kmh")).toBe("Braked hard, 0.62\u00a0g · 58 to 0\u00a0km/h · Weir");
  expect(momentHeadline(braked, "mph")).toBe("Braked hard, 0.62\u00a0g · 36 to 0\u00a0mph · Weir");
  const unknown = { speed: null, speed_before: null, speed_after: null, place: null };
  expect(momentHeadline(moment("impact", unknown), "kmh")).toBe("Impact, 0.62\u00a0g");
});

test.each<[MomentKind, Partial<ToldMoment>, string]>([
  ["brake", {}, "58 to 0\u00a0km/h"],
  ["accelerate", { speed_before: 0, speed_after: 31.3 }, "0 to 58\u00a0km/h"],
  ["brake", { speed_before: 20.1, speed_after: 20 }, "37\u00a0km/h"],
  ["brake", { speed_before: null }, "37\u00a0km/h"],
  ["turn", {}, "37\u00a0km/h"],
  ["bump", { speed: null }, "58\u00a0km/h"],
  ["bump", { speed: null, speed_before: null, speed_after: null }, ""],
  ["parked_bump", { speed: 0 }, ""],
])("the speeds of %s with %j are %j", (kind, changes, words) => {
  expect(momentSpeeds(moment(kind, changes), "kmh")).toBe(words);
});

test("a place that is that of the last fix before is only near", () => {
  expect(momentPlace(moment("parked_bump", { place_inferred: true }))).toBe("near Weir");
  expect(momentPlace(moment("parked_bump", { place: null, place_inferred: true }))).toBe("");
});

test("steps lead to the next and the last time, also right after one, and end", () => {
  const times = [10, 40, 41, 90];
  const steps = [
    timeBeside(times, 0, 1),
    timeBeside(times, 10, 1),
    timeBeside(times, 9.8, 1),
    timeBeside(times, 40, 1),
    timeBeside(times, 90, 1),
    timeBeside(times, 95, -1),
    timeBeside(times, 91, -1),
    timeBeside(times, 11, -1),
    timeBeside([], 11, 1),
  ];
  expect(steps).toEqual([10, 40, 40, 41, undefined, 90, 41, undefined, undefined]);
});

test("the moment that is seen is the nearest of those around", () => {
  const at = (time: number): TimedMoment => ({ time, moment: moment("brake", { seconds: time }) });
  const all = [at(10), at(13), at(60)];
  const seen = [6, 7, 11, 12, 17, 18, 59].map((time) => momentAt(all, time)?.time ?? null);
  expect(seen).toEqual([null, 10, 10, 13, 13, null, 60]);
});
