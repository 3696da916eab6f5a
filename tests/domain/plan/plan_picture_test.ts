import { describe, expect, test } from "bun:test";
import { pictureSpan, planPicture } from "../../../server/domain/plan/plan_picture.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const zone = new ZoneTime("Europe/Berlin");
/** Noon on a Thursday, local time; clocks go back in the night to Sunday. */
const NOW = Date.parse("2026-10-22T10:00:00Z");
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString();
const NOTHING = { next_visits: [], visit: null, usual_stay_seconds: null, needs_seconds: null, overwritten_from: null };
const draw = (plan: Partial<Parameters<typeof planPicture>[0]>, span = 4 * DAY) =>
  planPicture({ ...NOTHING, ...plan }, { now: NOW, zone, span });

describe("the picture of a plan", () => {
  test("spans four days, or until half a day after the first is overwritten, a week at most", () => {
    const span = (from: string | null) => pictureSpan([{ overwritten_from: from }], NOW) / DAY;
    expect([span(null), span(at(30)), span(at(120)), span(at(24 * 60))]).toEqual([4, 4, 5.5, 7]);
    expect(pictureSpan([{ overwritten_from: null }, { overwritten_from: at(120) }], NOW) / DAY).toBe(5.5);
  });

  test("has a line at each midnight, also where a day has 25 hours", () => {
    const { days } = draw({});
    expect(days.map(({ name }) => name)).toEqual(["Fri", "Sat", "Sun", "Mon"]);
    expect(days.map(({ x }) => Math.round((x / 100) * 96))).toEqual([12, 36, 60, 85]);
  });

  test("has the visits, and as much of them as is needed, from the first on", () => {
    const visits = [
      { from: at(6), to: at(12) },
      { from: at(30), to: at(36) },
      { from: at(200), to: at(220) },
    ];
    const { home, need } = draw({ next_visits: visits, needs_seconds: 9 * 3600 });
    expect(home).toEqual([
      { x: 6.25, width: 6.25 },
      { x: 31.25, width: 6.25 },
    ]);
    expect(need).toEqual([
      { x: 6.25, width: 6.25 },
      { x: 31.25, width: 3.125 },
    ]);
    expect(draw({ next_visits: visits, needs_seconds: null }).need).toEqual([]);
  });

  test("begins with what is left of the visit that goes on", () => {
    const visit = { from: at(-2), to: null, seconds: 7200, bytes: 0, rate: null };
    expect(draw({ visit, usual_stay_seconds: 14_400, needs_seconds: 60 })).toMatchObject({
      home: [{ x: 0, width: (2 / 96) * 100 }],
      need: [{ x: 0, width: 0.4 }],
    });
    // One that is longer than usual has nothing left, and one that ends beyond the picture ends with it.
    expect(draw({ visit, usual_stay_seconds: 3600 }).home).toEqual([]);
    expect(draw({ next_visits: [{ from: at(90), to: at(120) }] }).home).toEqual([{ x: 93.75, width: 6.25 }]);
  });

  test("has a flag where something is overwritten, now when that has passed, and none beyond", () => {
    const flag = (hours: number) => draw({ overwritten_from: at(hours) }).overwritten;
    expect([flag(48), flag(-3), flag(97)]).toEqual([50, 0, null]);
    expect(draw({}).overwritten).toBeNull();
  });
});
