import { describe, expect, test } from "bun:test";
import { type LifeEvent, SimulatedLife } from "../../../server/dashcam/simulator/simulated_life.ts";
import { LIFE_NAMES, type LifeName } from "../../../server/dashcam/simulator/simulated_life_patterns.ts";
import type { Moment } from "../../../server/dashcam/simulator/simulated_moments.ts";
import { parseRecording } from "../../../server/domain/recordings/recording_name.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A Monday. */
const BEGIN = Date.UTC(2026, 10, 2);

function lived(name: LifeName, weeks: number, seed = "one", from = BEGIN): LifeEvent[] {
  const events: LifeEvent[] = [];
  for (const event of new SimulatedLife(name, seed).events(from)) {
    if (event.at >= BEGIN + weeks * 7 * DAY) return events;
    events.push(event);
  }
  return events;
}

const momentsOf = (events: readonly LifeEvent[]): Moment[] =>
  events.flatMap((event) => (event.kind === "recorded" ? [event.moment] : []));

describe.each(LIFE_NAMES)("the life %s", (name) => {
  test("is the same for the same seed, from whichever day it is looked at, and another for another seed", () => {
    const events = lived(name, 2);
    expect(lived(name, 2)).toEqual(events);
    const later = BEGIN + 6.4 * DAY;
    expect(lived(name, 2, "one", later)).toEqual(events.filter(({ at }) => at >= later));
    expect(lived(name, 2, "two")).not.toEqual(events);
  });

  test("has one recording at a time, and names that a camera writes", () => {
    const moments = momentsOf(lived(name, 4));
    const isOdd = ({ base, at, type, flag, minute, minutes }: Moment, index: number) =>
      at - (moments[index - 1]?.at ?? 0) < MINUTE ||
      minute >= Math.max(1, minutes) ||
      parseRecording(`${base}_${type}F${flag}.mp4`) === null;
    expect(moments.filter(isOdd)).toEqual([]);
    expect(new Set(moments.map(({ type }) => type))).toEqual(new Set(["N", "E", "M", "P", "I"]));
  });

  test("comes and goes in turn, and the car is never both at home and on the road", () => {
    const life = new SimulatedLife(name, "one");
    const visits = lived(name, 8).filter(({ kind }) => kind !== "recorded");
    expect(visits.length).toBeGreaterThan(8);
    let isHere = life.isHere(BEGIN);
    for (const { at, kind } of visits) {
      expect(kind).toBe(isHere ? "leaves" : "arrives");
      isHere = !isHere;
      expect([life.isHere(at - 1), life.isHere(at)]).toEqual([!isHere, isHere]);
    }
    const driven = momentsOf(lived(name, 2)).filter(({ minutes }) => minutes > 0);
    expect(driven.filter(({ at }) => life.isHere(at))).toEqual([]);
  });

  test("gives each drive a number of its own, in the order of time", () => {
    const drives = new Map<number, number>();
    const driven = momentsOf(lived(name, 4)).filter(({ minutes }) => minutes > 0);
    for (const { drive, at, minute } of driven) if (minute === 0) drives.set(drive, at);
    expect(driven.filter(({ drive, at, minute }) => at !== (drives.get(drive) ?? 0) + minute * MINUTE)).toEqual([]);
    const numbers = [...drives.keys()];
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect(numbers.length).toBeGreaterThan(4);
  });
});

/** Hours of four weeks in which the car was driven, and those for which it could be reached, by day of the week. */
function weekOf(name: LifeName): { driven: number[]; visits: number; longest: number } {
  const driven = Array.from({ length: 7 }, () => 0);
  let visits = 0;
  let longest = 0;
  let arrived = BEGIN;
  for (const event of lived(name, 4)) {
    if (event.kind === "arrives") [visits, arrived] = [visits + 1, event.at];
    else if (event.kind === "leaves") longest = Math.max(longest, (event.at - arrived) / (60 * MINUTE));
    else if (event.moment.minutes > 0) {
      const weekday = new Date(event.moment.at).getUTCDay();
      driven[weekday] = (driven[weekday] ?? 0) + 1 / 60;
    }
  }
  return { driven, visits, longest };
}

test("A commuter drives on workdays, and is at home for less than two hours each", () => {
  const { driven, visits, longest } = weekOf("weekday");
  expect(Math.min(...driven.slice(1, 6))).toBeGreaterThan(2);
  expect(visits).toBeGreaterThan(20);
  expect(longest).toBeLessThan(2);
});

test("A weekend car does not drive on Mondays, Tuesdays and Thursdays, and comes home about once a week", () => {
  const { driven, visits } = weekOf("weekend");
  expect([driven[1], driven[2], driven[4]]).toEqual([0, 0, 0]);
  expect(visits).toBeLessThan(9);
});

test("A car of the night shift stands at home for many hours", () => {
  expect(weekOf("nights").longest).toBeGreaterThan(10);
});

test("A taxi drives more than four hours a day but on Sundays, and comes home twice", () => {
  const { driven, visits } = weekOf("taxi");
  expect(driven[0]).toBe(0);
  expect(Math.min(...driven.slice(1))).toBeGreaterThan(16);
  expect(visits).toBeGreaterThan(36);
});
