import { describe, expect, test } from "bun:test";
import { gainOfSmart, lostUnder, type OrderFacts } from "../../../server/domain/plan/order_losses.ts";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { secondsOf } from "../../../server/domain/recordings/recording_name.ts";
import { isoDay } from "../../../server/domain/text/zone_time.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const NOW = secondsOf("20261110_180000");
/** A recording that takes a second to come. */
const SIZE = 1_000_000;
const NEVER = Number.NEGATIVE_INFINITY;

function moment(seconds: number, letter: string): number {
  const iso = new Date(seconds * 1000).toISOString();
  return momentNumber(
    `${isoDay(seconds * 1000).replaceAll("-", "")}_${iso.slice(11, 19).replaceAll(":", "")}_${letter}`,
  );
}

/** So many recordings of a minute each, from a time on. */
const minutes = (from: number, count: number, letter: string) =>
  Array.from({ length: count }, (_, at) => moment(from + at * 60, letter));

/**
 * A card that overwrites an hour of its oldest in every hour.
 * @param keeps seconds that a recording lasts, by part
 */
function facts(waiting: readonly number[], given: Partial<OrderFacts> & { keeps?: number; keepsParking?: number }) {
  const { keeps = 5 * DAY, keepsParking = keeps, ...more } = given;
  return {
    now: NOW,
    eachWaiting: (take) => {
      for (const one of waiting) take(one, SIZE);
    },
    rate: SIZE,
    turnover: {
      gained: () => ({ driving: 0, parking: 0, events: 0 }),
      boundaryAt: (at) => ({ driving: at - keeps, parking: at - keepsParking, events: at - keeps }),
    },
    visits: [1, 2, 3, 4].map((day) => ({ from: NOW + day * DAY, to: NOW + day * DAY + 60 })),
    ...more,
  } satisfies OrderFacts;
}

describe("what an order loses of what waits", () => {
  test("newest first loses the oldest when visits are too short; what is at risk first loses none", () => {
    // A visit brings an hour's sixty recordings, and the oldest last until the first visit, but not until the second.
    const waiting = [...minutes(NOW - 4 * DAY + HOUR, 60, "N"), ...minutes(NOW - DAY, 120, "N")];
    const given = facts(waiting, {});
    expect(lostUnder("date", given)).toBe(0);
    expect(lostUnder("smart", given)).toBe(0);
    expect(lostUnder("rdate", given)).toBeCloseTo(60, 5);
    expect(gainOfSmart("rdate", given)).toBe(60);
    expect(gainOfSmart("date", given)).toBe(0);
    expect(gainOfSmart("smart", given)).toBe(0);
  });

  test("oldest first loses drives where old parking recordings have a share of the card of their own", () => {
    const parking = minutes(NOW - 20 * DAY, 60, "P");
    const driving = minutes(NOW - 4 * DAY + HOUR, 60, "N");
    const given = facts([...parking, ...driving], { keepsParking: NOW });
    expect(gainOfSmart("date", given)).toBe(60);
    expect(lostUnder("smart", given)).toBe(0);
  });

  test("by kind loses drives that wait behind what is recorded meanwhile", () => {
    const waiting = [...minutes(NOW - 4 * DAY + HOUR, 60, "N"), ...minutes(NOW - HOUR, 30, "E")];
    const gained = (from: number, to: number) => ({ driving: 0, parking: 0, events: (10 * (to - from)) / HOUR });
    const { boundaryAt } = facts([], {}).turnover;
    const given = facts(waiting, { turnover: { gained, boundaryAt } });
    expect(lostUnder("type", given)).toBeCloseTo(60, 5);
    expect(lostUnder("smart", given)).toBe(0);
  });

  test("half an hour is half of the hour, once", () => {
    const waiting = minutes(NOW - 5 * DAY, 60, "N");
    const visits = [0.5, 0.75, 0.75].map((hours) => ({ from: NOW + hours * HOUR, to: NOW + hours * HOUR }));
    expect(lostUnder("date", facts(waiting, { visits: visits.slice(0, 1) }))).toBeCloseTo(30, 5);
    expect(lostUnder("date", facts(waiting, { visits }))).toBeCloseTo(45, 5);
  });

  test("what cannot come in time in any order is no gain, nor is anything without visits or with nothing waiting", () => {
    const gone = facts(minutes(NOW - 6 * DAY, 60, "N"), {});
    expect(lostUnder("rdate", gone)).toBe(60);
    expect(gainOfSmart("rdate", gone)).toBe(0);
    expect(gainOfSmart("rdate", facts(minutes(NOW - 6 * DAY, 60, "N"), { visits: [] }))).toBe(0);
    expect(gainOfSmart("rdate", facts([], {}))).toBe(0);
  });

  test("nothing is lost of a card that overwrites nothing", () => {
    const boundaryAt = () => ({ driving: NEVER, parking: NEVER, events: NEVER });
    const { gained } = facts([], {}).turnover;
    const given = facts(minutes(NOW - 90 * DAY, 60, "P"), { turnover: { gained, boundaryAt } });
    for (const priority of ["date", "rdate", "type", "smart"] as const) expect(lostUnder(priority, given)).toBe(0);
  });
});
