import { describe, expect, test } from "bun:test";
import type { Coverage, CoverageCounts, CoverageOfDay } from "../../../server/domain/coverage/coverage_schema.ts";
import { type CoverageFacts, coverageView, headline } from "../../../server/domain/coverage/coverage_view.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const NOW = Date.parse("2026-11-21T07:51:00+11:00");
const PERIOD = { from: "2026-08-24", to: "2026-11-21", today: "2026-11-21" };
const NONE: CoverageCounts = {
  recorded: 0,
  home: 0,
  coming: 0,
  left_out: 0,
  lost: 0,
  deleted: 0,
  damaged: 0,
  unknown: 0,
  unreadable: 0,
  minutes: 0,
  driven_minutes: 0,
  lost_minutes: 0,
};
const NOTHING = { since: null, nothing_lost_since: null };

function day(date: string, counts: Partial<CoverageOfDay>): CoverageOfDay {
  return { date, ...NONE, cause: null, ...counts };
}

/** Everything that is known, from its days. */
function coverage(days: readonly CoverageOfDay[], changes: Partial<Coverage> = {}): Coverage {
  const totals = { ...NONE };
  for (const one of days) for (const name of Object.keys(NONE) as (keyof CoverageCounts)[]) totals[name] += one[name];
  return { since: "2026-01-02", days: [...days], totals, nothing_lost_since: "2026-01-02", ...changes };
}

function facts(of: Coverage, changes: Partial<CoverageFacts> = {}): CoverageFacts {
  const zone = new ZoneTime("Australia/Sydney");
  return { coverage: of, period: PERIOD, isAsked: false, hasAddress: true, trouble: null, zone, now: NOW, ...changes };
}

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
const GOOD = day("2026-11-10", { recorded: 200, home: 200, driven_minutes: 100 });
const BAD = day("2026-11-12", {
  recorded: 206,
  home: 160,
  lost: 46,
  driven_minutes: 98,
  lost_minutes: 23,
  cause: "disk",
});
const ON_ONE_OF_TWO = "On 1 of 2 driving days the camera recorded over something before it could be fetched.";

describe("the sentence", () => {
  const cases: [what: string, facts: CoverageFacts, level: string, sentence: string, says: string][] = [
    [
      "of a time with losses",
      facts(coverage([GOOD, BAD])),
      "attention",
      "23 minutes were lost in 13 weeks. All else came home.",
      ON_ONE_OF_TWO,
    ],
    [
      "of long losses",
      facts(
        coverage([
          { ...BAD, lost_minutes: 193 },
          { ...GOOD, coming: 4 },
        ]),
      ),
      "attention",
      "3 h 13 min were lost in 13 weeks. All else came home, or is still to come.",
      ON_ONE_OF_TWO,
    ],
    [
      "of a loss while parked, with deleted recordings",
      facts(coverage([day("2026-11-10", { recorded: 3, lost: 1, deleted: 2 })])),
      "attention",
      "1 recording was lost in 13 weeks. Nothing else was lost.",
      "On 1 day the camera recorded over something before it could be fetched.",
    ],
    [
      "without losses",
      facts(coverage([GOOD])),
      "fine",
      "Nothing was lost in 13 weeks.",
      "All 200 recordings came home.",
    ],
    [
      "without losses, with more to come",
      facts(coverage([{ ...GOOD, coming: 1, left_out: 3, deleted: 7 }])),
      "fine",
      "Nothing was lost in 13 weeks.",
      "200 recordings came home, 1 is still to come, 7 were deleted, 3 were left out by your rules.",
    ],
    [
      "with damaged recordings",
      facts(coverage([{ ...GOOD, damaged: 2 }])),
      "attention",
      "Nothing was lost in 13 weeks. 2 recordings are damaged.",
      "All 202 recordings came home.",
    ],
    [
      "while the folder cannot be read",
      facts(coverage([{ ...GOOD, home: 0, unknown: 200 }])),
      "attention",
      "Nothing was lost in 13 weeks. 200 recordings cannot be checked now.",
      "",
    ],
    ["of a time without recordings", facts(coverage([])), "waiting", "No recordings in 13 weeks.", ""],
    [
      "of a young ledger",
      facts(coverage([GOOD], { since: "2026-11-03" })),
      "fine",
      "Nothing was lost since 3 Nov.",
      "All 200 recordings came home. Dashdock has kept track since 3 Nov 2026. It claims nothing about the time before.",
    ],
    [
      "of a ledger that has taken the place of a damaged one",
      facts(coverage([GOOD], { since: "2026-11-03" }), { trouble: "The ledger was damaged and has begun anew." }),
      "attention",
      "Nothing was lost since 3 Nov.",
      "All 200 recordings came home. Dashdock has kept track since 3 Nov 2026. It claims nothing about the time before. The ledger was damaged and has begun anew.",
    ],
    [
      "of the first day",
      facts(coverage([{ ...GOOD, date: "2026-11-21" }], { since: "2026-11-21" })),
      "fine",
      "Nothing was lost today.",
      "All 200 recordings came home. Dashdock began to keep track today. It claims nothing about the time before.",
    ],
    [
      "of an earlier time",
      facts(coverage([GOOD]), { period: { from: "2025-11-24", to: "2026-02-22", today: "2026-11-21" } }),
      "fine",
      "Nothing was lost from 2 Jan to 22 Feb.",
      "All 200 recordings came home. Dashdock has kept track since 2 Jan 2026. It claims nothing about the time before.",
    ],
    [
      "before the first list",
      facts(coverage([], NOTHING)),
      "waiting",
      "Nothing is known yet.",
      "Dashdock keeps track from the camera’s first list of recordings on.",
    ],
    [
      "without a camera",
      facts(coverage([], NOTHING), { hasAddress: false }),
      "waiting",
      "No camera is set up yet.",
      "Set the camera’s address first. Dashdock then keeps track of every recording from the first sync on.",
    ],
    [
      "while a question about the card is open",
      facts(coverage([GOOD]), { isAsked: true }),
      "attention",
      "Is something lost? That depends on your answer.",
      "Until you answer the question about the card, what it had is not counted.",
    ],
    [
      "of losses while a question is open",
      facts(coverage([GOOD, BAD]), { isAsked: true }),
      "attention",
      "23 minutes were lost in 13 weeks. More may be: that depends on your answer.",
      `${ON_ONE_OF_TWO} Until you answer the question about the card, what it had is not counted.`,
    ],
  ];
  for (const [what, of, level, sentence, says] of cases)
    test(what, () => {
      const found = headline(of);
      expect([found.level, plain(found.sentence), plain(found.says)]).toEqual([level, sentence, says]);
    });
});

describe("the figures", () => {
  const figures = (of: CoverageFacts) =>
    coverageView(of).readings.map(({ name, figure, unit }) => plain(`${name}: ${`${figure} ${unit}`.trim()}`));

  test("count what was lost, and how long ago", () => {
    const days = [
      { ...GOOD, driven_minutes: 5280 },
      { ...BAD, unreadable: 1, left_out: 188 },
    ];
    expect(figures(facts(coverage(days, { nothing_lost_since: "2026-11-13" })))).toEqual([
      "Driven: 89 h 38 min",
      "Came home: 88.6 %",
      "Lost: 23 min, 1 day",
      "Unreadable on the card: 1 recording",
      "Left out by your rules: 188 recordings",
      "Nothing lost for: 9 days",
    ]);
  });

  test("never round a loss away", () => {
    const of = coverage([
      { ...GOOD, home: 99_999 },
      { ...BAD, home: 0, lost: 1, lost_minutes: 0 },
    ]);
    expect(figures(facts(of)).slice(1, 3)).toEqual(["Came home: 99.9 %", "Lost: 1 recording, 1 day"]);
  });

  test("claim nothing that depends on an open question", () => {
    const found = figures(facts(coverage([GOOD]), { isAsked: true }));
    const open = ["Came home: not known", "Lost: not known", "Nothing lost for: not known"];
    expect([found[1], found[2], found[5]]).toEqual(open);
  });

  test("say that it is not known what came home while the folder cannot be read", () => {
    expect(figures(facts(coverage([{ ...GOOD, home: 0, unknown: 200 }])))[1]).toBe("Came home: not known");
  });

  test("are left out while nothing is known", () => {
    const view = coverageView(facts(coverage([], NOTHING)));
    expect([view.readings, view.map, view.lostDays]).toEqual([[], null, []]);
  });
});

describe("the days with something lost", () => {
  test("are newest first, each with its cause", () => {
    const older = { ...BAD, date: "2025-12-30", cause: null, lost: 2, lost_minutes: 0 };
    const { lostDays } = coverageView(facts(coverage([older, GOOD, BAD])));
    expect(lostDays.map((one) => Object.values(one).map(plain))).toEqual([
      ["2026-11-12", "Thu 12 Nov", "The disk was full", "206", "160", "23 min"],
      ["2025-12-30", "Tue 30 Dec 2025", "Not known", "206", "160", "2 recordings"],
    ]);
  });

  test("are twenty, and the others are counted", () => {
    const days = Array.from({ length: 24 }, (_, at) => ({
      ...BAD,
      date: `2026-10-${String(at + 1).padStart(2, "0")}`,
    }));
    const view = coverageView(facts(coverage(days)));
    expect([view.lostDays.length, view.lostDays[0]?.date, view.moreLostDays]).toEqual([20, "2026-10-24", 4]);
  });
});

test("the time of the page always has its year", () => {
  const spanOf = (from: string, to: string) =>
    plain(coverageView(facts(coverage([]), { period: { from, to, today: "2026-11-21" } })).span);
  expect(spanOf("2026-08-24", "2026-11-21")).toBe("24 Aug to 21 Nov 2026, AEDT · updated 07:51");
  expect(spanOf("2025-11-17", "2026-11-21")).toBe("17 Nov 2025 to 21 Nov 2026, AEDT · updated 07:51");
});
