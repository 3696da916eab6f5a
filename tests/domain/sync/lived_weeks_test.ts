import { describe, expect, test } from "bun:test";
import { LIFE_NAMES, type LifeName } from "../../../server/dashcam/simulator/simulated_life_patterns.ts";
import { planSync } from "../../../server/domain/sync/download_plan.ts";
import { type LivedWeeksOptions, liveWeeks, lostOf, type Video } from "../../support/camera/lived_weeks.ts";
import { PlanningService } from "../../support/camera/planned_weeks.ts";
import { EVERYTHING } from "../../support/camera/plans.ts";

const ROOM: Readonly<Record<LifeName, number>> = { weekday: 64e9, weekend: 64e9, nights: 32e9, taxi: 256e9 };

/** Cards on which visits are enough for most, but not for all. */
const CARD = { weekday: 64e9, weekend: 128e9 } as const;

const known = new Map<string, readonly Video[]>();

/** As `lived`, which takes some tenths of a second, for those that look at the same two weeks. */
function twoWeeks(life: LifeName, priority: "date" | "rdate" | "type", more: Partial<LivedWeeksOptions> = {}) {
  const key = JSON.stringify([life, priority, { generation: "legacy", band: "2.4", ...more }]);
  const videos = known.get(key) ?? lived(life, priority, more);
  known.set(key, videos);
  return videos;
}

/** Two weeks under one of the orders. */
function lived(life: LifeName, priority: "date" | "rdate" | "type", more: Partial<LivedWeeksOptions> = {}) {
  const rules = { ...EVERYTHING, priority };
  const options: LivedWeeksOptions = {
    life,
    seed: "one",
    weeks: 2,
    generation: "legacy",
    band: "2.4",
    overwriting: "oldest",
    capacity: ROOM[life],
    ...more,
  };
  return liveWeeks(options, { order: (_at, listed, home) => planSync(listed, home, rules).files });
}

const fates = (videos: readonly Video[]) => videos.map(({ name, home, goneAt }) => `${name} ${home} ${goneAt}`);

describe.each(LIFE_NAMES)("two simulated weeks of %s", (life) => {
  test("are the same each time, and end with each recording at home, on the card, or lost", () => {
    const videos = twoWeeks(life, "date");
    expect(fates(lived(life, "date"))).toEqual(fates(videos));
    expect(new Set(videos.map(({ name }) => name)).size).toBe(videos.length);
    const onCard = videos.filter(({ goneAt }) => goneAt === null);
    const room = onCard.reduce((sum, { size }) => sum + size, 0);
    expect(room).toBeLessThanOrEqual(ROOM[life]);
    expect(room).toBeGreaterThan(ROOM[life] * 0.95);
    // The oldest goes first, so that everything on the card is newer than all that has gone.
    const gone = videos.filter(({ goneAt }) => goneAt !== null);
    expect(Math.max(...gone.map(({ recordedAt }) => recordedAt))).toBeLessThanOrEqual(
      Math.min(...onCard.map(({ recordedAt }) => recordedAt)),
    );
    expect(videos.filter((video) => video.home && !video.listed)).toEqual([]);
  });

  test("lose no more by the oldest first than by the newest first, on a card that overwrites its oldest", () => {
    expect(lostOf(twoWeeks(life, "date")).length).toBeLessThanOrEqual(lostOf(twoWeeks(life, "rdate")).length);
  });

  test("lose no more at 5 GHz than at 2.4, with both interfaces", () => {
    for (const generation of ["legacy", "v1009"] as const) {
      const lost = (band: "2.4" | "5") => lostOf(twoWeeks(life, "date", { band, generation })).length;
      const [slow, fast] = [lost("2.4"), lost("5")];
      if (life === "nights") expect([slow, fast]).toEqual([0, 0]);
      else expect(fast).toBeLessThanOrEqual(slow);
    }
  });
});

describe.each(["weekday", "weekend"] as const)(
  "eight weeks of two %s cars at 2.4 GHz, one with shares of its card",
  (life) => {
    const lived = (priority: "date" | "rdate" | "smart") => {
      const cars = (["oldest", "quotas"] as const).map((overwriting) => {
        const service = new PlanningService(priority);
        const options = { band: "2.4", generation: "v1009", overwriting, capacity: CARD[life] } as const;
        const videos = liveWeeks({ life, seed: `${life} ${overwriting}`, weeks: 8, ...options }, service);
        // In the first two weeks a plan knows too little.
        const first = (videos[0]?.recordedAt ?? 0) + 14 * 86_400_000;
        return { lost: lostOf(videos.filter(({ recordedAt }) => recordedAt >= first)), forecasts: service.forecasts };
      });
      const lost = cars.flatMap((car) => car.lost);
      // No order can bring home what comes and goes between two visits.
      const events = lost.filter(({ type, listed }) => listed && type !== "N" && type !== "P");
      return { lost: lost.length, events: events.length, forecasts: cars.flatMap(({ forecasts }) => forecasts) };
    };
    const orders = { date: lived("date"), rdate: lived("rdate"), smart: lived("smart") };

    test("lose least in the order `smart`, and hardly an event", () => {
      const { date, rdate, smart } = orders;
      expect(smart.lost).toBeGreaterThan(100);
      expect(smart.lost).toBeLessThan(date.lost);
      expect(smart.lost).toBeLessThan(rdate.lost);
      expect(smart.events).toBeLessThan(date.events / 10);
    });

    test("know after a minute how long the rest takes, within 15 % in nine of ten visits", () => {
      const { forecasts } = orders.date;
      const good = forecasts.filter(({ needs, needed }) => Math.abs(needs / needed - 1) <= 0.15);
      expect(forecasts.length).toBeGreaterThan(15);
      expect(good.length / forecasts.length).toBeGreaterThanOrEqual(0.9);
    });
  },
);

test("No event is lost where manual and event recordings come first, but there are some that the oldest first loses", () => {
  const lostEvents = (priority: "date" | "type") =>
    lostOf(twoWeeks("taxi", priority)).filter(({ type }) => type === "E" || type === "M").length;
  expect([lostEvents("type"), lostEvents("date") > 0]).toEqual([0, true]);
});
