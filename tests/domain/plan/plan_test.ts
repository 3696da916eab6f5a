import { describe, expect, test } from "bun:test";
import { afterList, EMPTY_CARD_MEMORY, type ListedMoments } from "../../../server/domain/plan/card_memory.ts";
import { type PlanFacts, planOf, secondsFor } from "../../../server/domain/plan/plan.ts";
import { isOverwritten, type OldestOfParts, Turnover } from "../../../server/domain/plan/turnover.ts";
import { type Span, usualStay, usualVisits } from "../../../server/domain/plan/usual_visits.ts";
import { momentNumber, secondsOfMoment } from "../../../server/domain/recordings/moment_number.ts";
import { secondsOf } from "../../../server/domain/recordings/recording_name.ts";
import { isoDay } from "../../../server/domain/text/zone_time.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
/** A Monday. */
const MONDAY = secondsOf("20261102_000000");

const keyAt = (seconds: number, letter: string) => {
  const iso = new Date(seconds * 1000).toISOString();
  return `${isoDay(seconds * 1000).replaceAll("-", "")}_${iso.slice(11, 19).replaceAll(":", "")}_${letter}`;
};

/** Moments of a car that drives half an hour at 8 and at 17 on workdays, and is filmed once an hour when it stands. */
function recorded(days: number): number[] {
  const moments: number[] = [];
  for (let day = 0; day < days; day++) {
    const isWorkday = day % 7 < 5;
    for (let hour = 0; hour < 24; hour++) {
      const at = MONDAY + day * DAY + hour * HOUR;
      if (isWorkday && (hour === 8 || hour === 17))
        for (let minute = 0; minute < 30; minute++) moments.push(momentNumber(keyAt(at + minute * 60, "N")));
      else moments.push(momentNumber(keyAt(at + 30 * 60, "P")));
    }
  }
  return moments;
}

const listOf = (moments: readonly number[]): ListedMoments => ({
  size: moments.length,
  momentAt: (index) => moments[index] ?? 0,
});

/** What lists every evening at 20:00 for two weeks have shown of a card that holds so many minutes. */
function lived(holds: number, days = 14) {
  const all = recorded(days);
  let memory = EMPTY_CARD_MEMORY;
  let before: ListedMoments | null = null;
  let list = listOf([]);
  for (let day = 0; day < days; day++) {
    const now = MONDAY + day * DAY + 20 * HOUR;
    const until = momentNumber(keyAt(now, "N"));
    list = listOf(all.filter((moment) => moment < until).slice(-holds));
    memory = afterList(memory, before, list, now);
    before = list;
  }
  return { memory, list, now: memory.until };
}

/** Drives that wait. */
function waitingFrom(...moments: readonly number[]): OldestOfParts {
  const none = { moments: new Float64Array() };
  return { driving: { moments: new Float64Array(moments) }, parking: none, events: none };
}

describe("what a card gains and overwrites", () => {
  const { memory, list, now } = lived(300);
  const turnover = Turnover.of(memory, list) as Turnover;

  test("holds what it held when it was seen to overwrite", () => {
    expect(turnover.holds).toBe(300);
  });

  test("gains by the weekday and the hour", () => {
    // The last list is of a Sunday evening.
    const monday = turnover.gained(now + 4 * HOUR, now + 28 * HOUR);
    expect(monday.driving).toBeCloseTo(60.5, 0);
    expect(monday.parking).toBeCloseTo(22, 0);
    const sunday = turnover.gained(now + 4 * HOUR + 6 * DAY, now + 28 * HOUR + 6 * DAY);
    expect(Math.round(sunday.driving)).toBe(0);
    expect(Math.round(sunday.parking)).toBe(24);
  });

  test("overwrites as many of the oldest as it gains", () => {
    const overwritten = turnover.overwrittenBy(now + 28 * HOUR);
    const gone = [...Array(list.size).keys()].filter((at) => isOverwritten(overwritten, list.momentAt(at)));
    expect(Math.abs(gone.length - (60 + 22 + 4))).toBeLessThanOrEqual(2);
    expect(gone).toEqual([...gone.keys()]);
    const first = secondsOfMoment(list.momentAt(gone.length));
    expect(turnover.boundaryAt(now + 28 * HOUR)).toEqual({ driving: first, parking: first, events: first });
  });

  test("overwrites no more than there is", () => {
    const overwritten = turnover.overwrittenBy(now + 28 * DAY);
    expect(isOverwritten(overwritten, list.momentAt(list.size - 1))).toBe(true);
  });

  test("overwrites nothing by now", () => {
    expect(isOverwritten(turnover.overwrittenBy(now), list.momentAt(0))).toBe(false);
  });

  test("tells when one of them is overwritten first", () => {
    const tenth = turnover.firstOverwritten(waitingFrom(list.momentAt(50)));
    const hundredth = turnover.firstOverwritten(waitingFrom(list.momentAt(200)));
    // 4 until midnight, 8 until eight in the morning, then thirty within an hour, and nine times one.
    expect(tenth).toBe(now + 4 * HOUR + 17 * HOUR + HOUR);
    expect(hundredth).toBeGreaterThan(now + 2 * DAY);
    expect(turnover.firstOverwritten(waitingFrom())).toBeNull();
  });

  test("is unknown before it was seen to overwrite, and in the first three days", () => {
    const roomy = lived(100_000);
    expect(Turnover.of(roomy.memory, roomy.list)).toBeNull();
    const young = lived(50, 3);
    expect(Turnover.of(young.memory, young.list)).toBeNull();
  });

  test("has room after formatting", () => {
    const formatted = listOf([momentNumber(keyAt(now + HOUR, "P"))]);
    const after = Turnover.of(afterList(memory, list, formatted, now + HOUR), formatted) as Turnover;
    expect(after.firstOverwritten(waitingFrom(formatted.momentAt(0)))).toBeGreaterThan(now + 3 * DAY);
  });
});

test("a camera whose parking has a share of its own overwrites parking only for parking", () => {
  const parking = [1, 2, 3, 4].map((hour) => momentNumber(keyAt(MONDAY + hour * HOUR, "P")));
  const driving = [5, 6, 7].map((hour) => momentNumber(keyAt(MONDAY + hour * HOUR, "N")));
  const begun = afterList(EMPTY_CARD_MEMORY, null, listOf([...parking, ...driving.slice(0, 2)]), MONDAY + 8 * HOUR);
  const list = listOf([...parking, ...driving.slice(1)]);
  const memory = afterList(begun, listOf([...parking, ...driving.slice(0, 2)]), list, MONDAY + 4 * DAY);
  expect(memory.isByPart).toBe(true);
  const turnover = Turnover.of(memory, list) as Turnover;
  const overwritten = turnover.overwrittenBy(MONDAY + 6 * DAY);
  const gained = turnover.gained(MONDAY + 4 * DAY, MONDAY + 6 * DAY);
  const gone = (moments: readonly number[]) => moments.filter((moment) => isOverwritten(overwritten, moment)).length;
  expect(gone(parking)).toBe(Math.floor(gained.parking));
  expect(gone(driving.slice(1))).toBe(Math.min(2, Math.floor(gained.driving)));
});

/** Visits every evening from 18:00 to 19:30, and a short one at noon on workdays. */
function evenings(days: number): Span[] {
  return Array.from({ length: days }, (_, day) => MONDAY + day * DAY).flatMap((midnight, day) => [
    ...(day % 7 < 5 ? [{ from: midnight + 12 * HOUR, to: midnight + 12 * HOUR + 600 }] : []),
    { from: midnight + 18 * HOUR, to: midnight + 19.5 * HOUR },
  ]);
}

describe("the visits that are usual", () => {
  test("are none before five are known", () => {
    expect(usualVisits(evenings(2).slice(0, 4), [], MONDAY + 3 * DAY)).toEqual([]);
  });

  test("are those of the same weekdays", () => {
    const visits = evenings(28);
    const now = MONDAY + 28 * DAY;
    const next = usualVisits(visits, visits, now);
    expect(next.slice(0, 2)).toEqual([
      { from: now + 12 * HOUR, to: now + 12 * HOUR + 600 },
      { from: now + 18 * HOUR, to: now + 19.5 * HOUR },
    ]);
    const saturday = next.filter(({ from }) => Math.floor((from - now) / DAY) === 5);
    expect(saturday).toEqual([{ from: now + 5 * DAY + 18 * HOUR, to: now + 5 * DAY + 19.5 * HOUR }]);
  });

  test("of today are those that have not begun yet, a late one from now on", () => {
    const visits = evenings(28);
    const now = MONDAY + 28 * DAY + 18.25 * HOUR;
    const noon = { from: MONDAY + 28 * DAY + 12 * HOUR, to: MONDAY + 28 * DAY + 12.1 * HOUR };
    expect(usualVisits(visits, [noon], now)[0]).toEqual({ from: now, to: MONDAY + 28 * DAY + 19.5 * HOUR });
    const evening = { from: MONDAY + 28 * DAY + 18 * HOUR, to: now };
    expect(usualVisits(visits, [noon, evening], now)[0]?.from).toBe(MONDAY + 29 * DAY + 12 * HOUR);
  });

  test("are as long as those that began about this time", () => {
    const visits = evenings(28);
    expect(usualStay(visits, MONDAY + 28 * DAY + 17.5 * HOUR)).toBe(1.5 * HOUR);
    expect(usualStay(visits, MONDAY + 28 * DAY + 12.5 * HOUR)).toBe(600);
    expect(usualStay(visits.slice(0, 4), MONDAY)).toBeNull();
  });

  test("are at least as long as they are already", () => {
    expect(usualStay(evenings(28), MONDAY + 28 * DAY + 18 * HOUR, 5 * HOUR)).toBe(5 * HOUR);
  });
});

describe("the plan", () => {
  const { memory, list, now } = lived(300);
  const turnover = Turnover.of(memory, list);
  const MB = 1e6;
  /** Facts on a Sunday at 20:00: this many of the oldest wait, each of 100 MB. */
  function facts(waiting: number, more: Partial<PlanFacts> = {}): PlanFacts {
    return {
      now,
      camera: "away",
      waiting: { recordings: waiting, bytes: waiting * 100 * MB },
      eachWaiting: (take) => {
        for (let at = 0; at < waiting; at++) take(list.momentAt(at), 100 * MB);
      },
      rate: 5 * MB,
      visits: evenings(14),
      visit: null,
      turnover,
      ...more,
    };
  }

  test("is safe when nothing waits, whatever else is known", () => {
    expect(planOf(facts(0)).verdict).toBe("safe");
    expect(planOf(facts(0, { turnover: null, visits: [], rate: null })).verdict).toBe("safe");
  });

  test.each<[string, Partial<PlanFacts>]>([
    ["four visits", { visits: evenings(14).slice(0, 4) }],
    ["a card that was never seen to overwrite", { turnover: null }],
    ["no rate", { rate: null }],
  ])("is unknown with %s", (_name, more) => {
    const plan = planOf(facts(100, more));
    expect(plan.verdict).toBe("unknown");
    if (more.rate === undefined)
      expect(plan).toMatchObject({ atRisk: null, overwrittenFrom: null, visitsBefore: null });
  });

  test("weighs what is needed against the Wi-Fi that is usual before the first is overwritten", () => {
    // The oldest is overwritten on Sunday night: before any visit.
    expect(planOf(facts(100)).verdict).toBe("too_late");
    const only = (from: number, count: number, rate: number) => {
      const eachWaiting: PlanFacts["eachWaiting"] = (take) => {
        for (let at = from; at < from + count; at++) take(list.momentAt(at), 100 * MB);
      };
      return planOf(facts(count, { eachWaiting, rate: rate * MB }));
    };
    // Needs 20 min of the 10 min and 90 min of Monday.
    const later = only(100, 60, 5);
    expect(later).toMatchObject({ needsSeconds: 1200, verdict: "in_time" });
    expect(later.visitsBefore).toBeGreaterThanOrEqual(2);
    expect(only(100, 60, 1).verdict).toBe("tight");
    expect(only(100, 60, 0.5).verdict).toBe("too_late");
  });

  test("tells what is at risk until the next visit ends, and how long that takes", () => {
    // Until Monday, 12:10: 4 on Sunday, 8 before eight, 30 then, 4 and a bit until ten past twelve.
    const { atRisk } = planOf(facts(200));
    expect(Math.abs((atRisk?.recordings ?? 0) - 45)).toBeLessThanOrEqual(2);
    expect(atRisk?.seconds).toBe(secondsFor(atRisk?.bytes ?? null, 5 * MB));
  });

  test("tells how long what is at risk takes by the order in which recordings come", () => {
    const seconds = (more: Partial<PlanFacts>) => planOf(facts(200, more)).atRisk?.seconds;
    const alone = seconds({ priority: "smart" });
    expect(seconds({ priority: "date" })).toBe(alone);
    // The newest come first: all has come when the oldest have.
    expect(seconds({ priority: "rdate" })).toBe(secondsFor(200 * 100 * MB, 5 * MB));
    const asked = new Set([list.momentAt(150), list.momentAt(151), list.momentAt(0)]);
    expect(seconds({ priority: "smart", asked })).toBe((alone ?? 0) + 2 * 20);
  });

  test("while the camera is here, counts what is left of the visit and looks to the next one", () => {
    const visit = { from: now - 2 * HOUR, to: now };
    const plan = planOf(facts(200, { camera: "here", visit }));
    expect(plan.usualStaySeconds).toBe(2 * HOUR);
    const young = planOf(facts(200, { camera: "here", visit: { from: now - HOUR, to: now } }));
    expect(young.usualStaySeconds).toBe(1.5 * HOUR);
  });

  test("says what cannot come in time however it is ordered", () => {
    // 20 are overwritten before the visit at noon begins.
    const { tooLate } = planOf(facts(200));
    expect(tooLate?.recordings).toBeGreaterThan(30);
    const all = planOf(facts(200, { rate: 5000 * MB, visit: { from: now - 60, to: now }, camera: "here" }));
    expect(all.tooLate).toEqual({ recordings: 0, bytes: 0 });
  });
});
