import { describe, expect, test } from "bun:test";
import { afterList, EMPTY_CARD_MEMORY, type ListedMoments, slotOf } from "../../../server/domain/plan/card_memory.ts";
import { type PlanFacts, planOf, secondsFor } from "../../../server/domain/plan/plan.ts";
import { isOverwritten, type OldestOfParts, Turnover } from "../../../server/domain/plan/turnover.ts";
import { type Span, staysOf, usualStay, usualVisits } from "../../../server/domain/plan/usual_visits.ts";
import type { Visit } from "../../../server/domain/plan/visit.ts";
import { wallSeconds } from "../../../server/domain/plan/wall.ts";
import { momentNumber, secondsOfMoment } from "../../../server/domain/recordings/moment_number.ts";
import { secondsOf } from "../../../server/domain/recordings/recording_name.ts";
import { isoDay, ZoneTime } from "../../../server/domain/text/zone_time.ts";

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

/** Facts that lists every evening at 20:00 for two weeks have shown of a card that holds so many minutes. */
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
  return { memory, list, now: memory.until ?? 0 };
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

  test("says nothing of a time that is two months away, and takes no longer for years", () => {
    const roomy = { ...memory, holds: { driving: 100_000, parking: 0, events: 0 } };
    const nothing = { driving: null, parking: null, events: null };
    expect(Turnover.of(roomy, list)?.overwrittenBy(now + 10_000 * DAY)).toEqual(nothing);
  });

  test("makes little of a weekday of which a few hours were seen", () => {
    const seen = (seconds: number) => [seconds, seconds, seconds];
    const minutes = new Array<number>(72).fill(0);
    minutes[slotOf(8, "driving")] = 60;
    const monday = MONDAY / DAY;
    const days = [
      { day: monday, minutes, seen: seen(2 * HOUR) },
      ...[1, 2, 3].map((after) => ({ day: monday + after, minutes: [], seen: seen(DAY) })),
    ];
    const holds = { driving: 100, parking: 0, events: 0 };
    const short = Turnover.of({ ...EMPTY_CARD_MEMORY, days, until: MONDAY + 4 * DAY, holds }, list) as Turnover;
    const gained = short.gained(MONDAY + 7 * DAY, MONDAY + 8 * DAY);
    expect(gained.driving).toBeCloseTo(60 / (3 + 2 / 24), 5);
  });

  test("knows what a day gains though more was overwritten between lists than they show", () => {
    // All of the 50 minutes that it holds are other ones the next evening.
    const busy = lived(50);
    const all = Turnover.of(busy.memory, busy.list) as Turnover;
    // Each list shows 50 of the 82 minutes of a workday.
    const day = all.gained(busy.now + 4 * HOUR, busy.now + 28 * HOUR);
    expect(day.driving + day.parking).toBeGreaterThan(70);
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

describe("stays", () => {
  const MINUTE = 60_000;
  const AT = Date.UTC(2026, 10, 2, 18);
  const visit = (from: number, minutes: number, isOpen = false): Visit => ({
    from: AT + from * MINUTE,
    to: isOpen ? null : AT + (from + minutes) * MINUTE,
    seconds: minutes * 60,
    bytes: 0,
    rate: null,
  });
  const span = (from: number, to: number): Span => ({ from: AT / 1000 + from * 60, to: AT / 1000 + to * 60 });

  test.each<[string, readonly Visit[], ReturnType<typeof staysOf>]>([
    ["are none without visits", [], { ended: [], open: null }],
    [
      "are visits that are apart, oldest first",
      [visit(100, 10), visit(0, 30)],
      { ended: [span(0, 30), span(100, 110)], open: null },
    ],
    [
      "are one for visits that follow soon after each other",
      [visit(60, 5), visit(0, 30), visit(40, 12)],
      { ended: [span(0, 65)], open: null },
    ],
    [
      "go on with the visit that goes on",
      [visit(40, 5, true), visit(0, 30), visit(-300, 30)],
      { ended: [span(-300, -270)], open: span(0, 45) },
    ],
    [
      "leave out what a clock that was ahead has noted",
      [visit(200, 5), visit(0, 30)],
      { ended: [span(0, 30)], open: null },
    ],
    [
      "are one for visits that overlap because a clock was set",
      [visit(0, 60), visit(20, 10)],
      { ended: [span(0, 60)], open: null },
    ],
  ])("%s", (_name, visits, stays) => {
    expect(staysOf(visits, AT + 120 * MINUTE, (ms) => ms / 1000)).toEqual(stays);
  });

  test("are as long as they were in a night in which clocks change", () => {
    const zone = new ZoneTime("Europe/Berlin");
    const night = { ...visit(0, 0), from: Date.parse("2026-10-24T22:00:00Z"), to: null, seconds: 5 * 3600 };
    const { open } = staysOf([night], night.from + 5 * 3_600_000, (ms) => wallSeconds(ms, zone));
    expect(open).toEqual({ from: secondsOf("20261025_000000"), to: secondsOf("20261025_050000") });
  });
});

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

  const AROUND_MIDNIGHT = [
    ["a little before midnight", -600, 0],
    ["a little before midnight, and today after it", -600, 900],
    ["a little after midnight", 600, 0],
    ["a little after midnight, and today before it", 600, -900],
    ["now before midnight, now after it", 0, 0],
  ] as const;
  test.each(AROUND_MIDNIGHT)("are one each night when the car comes home %s", (_, usual, late) => {
    const nights = Array.from({ length: 27 }, (__, day) => {
      const from = MONDAY + (day + 1) * DAY + usual + (usual === 0 ? ((day % 5) - 2) * 600 : 0);
      return { from, to: from + 2 * HOUR };
    });
    const tonight = MONDAY + 28 * DAY + usual + late;
    const goesOn = { from: tonight, to: tonight + 60 };
    const next = usualVisits(nights, [...nights, goesOn], tonight + 60);
    expect(next).toHaveLength(7);
    for (const [at, { from, to }] of next.entries()) {
      expect(Math.abs(from - (MONDAY + (29 + at) * DAY + usual))).toBeLessThanOrEqual(1200);
      expect(to - from).toBe(2 * HOUR);
    }
  });

  test("are as far apart as they were when no weekday is like another", () => {
    const days = [0, 2, 5, 9, 11, 14, 17, 20];
    const visits = days.map((day) => ({
      from: MONDAY + day * DAY + (day % 4) * 5 * HOUR,
      to: MONDAY + day * DAY + (day % 4) * 5 * HOUR + HOUR,
    }));
    const now = MONDAY + 21 * DAY;
    const next = usualVisits(visits, visits, now);
    expect(next.length).toBeGreaterThanOrEqual(2);
    const [first, second] = next;
    expect(first?.from).toBeGreaterThanOrEqual(now);
    expect((second?.from ?? 0) - (first?.from ?? 0)).toBeGreaterThan(2 * DAY);
    expect((first?.to ?? 0) - (first?.from ?? 0)).toBe(HOUR);
    // One that is late is expected from now on.
    expect(usualVisits(visits, visits, now + 20 * DAY)[0]?.from).toBe(now + 20 * DAY);
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

  test("is unknown when nothing of an earlier list waits, and the camera that came has sent none", () => {
    const visit = { from: now - 10, to: now };
    expect(planOf(facts(0, { camera: "here", visit, isListed: false })).verdict).toBe("unknown");
    expect(planOf(facts(0, { camera: "here", visit, isListed: true })).verdict).toBe("safe");
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

  test("in the order `smart`, counts the events before what is at risk that are at risk in some visits", () => {
    const seconds = (events: readonly number[], asked = new Set<number>()) => {
      const eachWaiting: PlanFacts["eachWaiting"] = (take) => {
        for (let at = 0; at < 200; at++) {
          const moment = list.momentAt(at);
          const isEvent = events.includes(at);
          take(isEvent ? momentNumber(keyAt(secondsOfMoment(moment), "E")) : moment, 100 * MB);
        }
      };
      return planOf(facts(200, { eachWaiting, priority: "smart", asked })).atRisk?.seconds ?? 0;
    };
    const none = seconds([]);
    expect([seconds([10]), seconds([10, 60]), seconds([10, 60, 199])]).toEqual([none, none + 20, none + 20]);
    // By the order itself, as it is done when something was asked for.
    const other = new Set([momentNumber(keyAt(now, "N"))]);
    expect(seconds([10, 60, 199], other)).toBe(none + 20);
  });

  test("counts the time of the small files with what they belong to", () => {
    const bare = planOf(facts(200));
    const plan = planOf(facts(200, { companionSeconds: 400 }));
    expect(plan.needsSeconds).toBe((bare.needsSeconds ?? 0) + 400);
    expect(plan.atRisk?.seconds).toBe((bare.atRisk?.seconds ?? 0) + 2 * (plan.atRisk?.recordings ?? 0));
    expect(planOf(facts(0, { companionSeconds: 400 })).needsSeconds).toBe(0);
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
