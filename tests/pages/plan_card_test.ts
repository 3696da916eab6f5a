import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { PlanCard } from "../../islands/cards/plan.tsx";
import { PlanOfCameras } from "../../islands/cards/plan_of_cameras.tsx";
import type { ShownPlan } from "../../server/domain/plan/plan_schema.ts";
import type { PlanCardFacts, VisitFacts } from "../../server/domain/status/card_data.ts";
import type { QueueGroup } from "../../server/domain/sync/queue_groups.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { NOW } from "../support/app/overview.ts";
import { IN_TIME } from "../support/app/plans.ts";

const VISIT = { from: "2026-11-21T07:18:00.000Z", to: "2026-11-21T20:42:00.000Z", seconds: 39_600, bytes: 1, rate: 1 };
const PLAN: ShownPlan = {
  ...IN_TIME,
  rate: 12_300_000,
  visits_before: 3,
  next_visits: [21, 22, 23].map((day) => ({
    from: `2026-11-${day}T07:00:00.000Z`,
    to: `2026-11-${day}T18:00:00.000Z`,
  })),
  smart_gain: 0,
  visits_known: 5,
  slow_wifi: null,
  backlog: null,
};
const FACTS: PlanCardFacts = {
  plan: PLAN,
  sync: { priority: "date", include: [], exclude: [] },
  is_unknown: false,
  is_without_camera: false,
  here: null,
  now: NOW,
  zone: new ZoneTime("Australia/Sydney"),
};

const html = (changes: Partial<PlanCardFacts>) => renderToString(h(PlanCard, { ...FACTS, ...changes }));
const withPlan = (plan: Partial<ShownPlan>) => html({ plan: { ...PLAN, ...plan } });
/** The words of a card, with plain spaces. */
const wordsOf = (text: string) =>
  text
    .replace(/<[^>]+>/g, " ")
    .replaceAll(/[\s\u00a0\u202f]+/g, " ")
    .trim();

describe("the card of the plan", () => {
  const rows: { name: string; html: string; has: string[]; not?: string[] }[] = [
    {
      name: "all in time",
      html: withPlan({}),
      has: [
        "Needs 38 min of Wi-Fi the car usually stays 11 h In time",
        "28.1 GB at 12.3 MB/s. The oldest is of Fri 20 Nov, 17:32. The first is overwritten about Tue 24 Nov, 09:00; 3 visits are expected before.",
        "Usually at home Time needed Overwritten from here",
        "Now Sun Mon Tue",
      ],
      not: ["At risk first"],
    },
    {
      name: "just in time, one visit, and none of what waits soon gone",
      html: withPlan({ verdict: "tight", visits_before: 1 }),
      has: ["Just in time", "1 visit is expected before."],
    },
    {
      name: "nothing overwritten soon",
      html: withPlan({ overwritten_from: null }),
      has: ["None of them is overwritten soon."],
    },
    {
      name: "the first overwritten already",
      html: withPlan({ overwritten_from: "2026-11-20T20:00:00.000Z" }),
      has: ["The first may be overwritten already."],
    },
    {
      name: "too late, with the order that saves something",
      html: withPlan({ verdict: "too_late", too_late: { recordings: 46, bytes: 1 }, smart_gain: 2, visits_before: 0 }),
      has: [
        "About 46 too late",
        "With what is at risk first, 2 recordings more would come home in time. At risk first Why so slow?",
        "no visit is expected before.",
      ],
    },
    {
      name: "a backlog for ever",
      html: withPlan({
        verdict: "too_late",
        too_late: null,
        backlog: { recorded_per_day: 14e9, home_per_day: 9e9, parking_per_day: 6e9, sentence: "" },
      }),
      has: [
        "Too late",
        "The camera records 14 GB a day, and its visits have time for 9 GB.",
        "up to 6 GB of parking a day may be lost. Without parking, 6 GB of parking a day never come home.",
        "Leave parking for last Leave parking out",
      ],
    },
    {
      name: "nothing waits",
      html: withPlan({
        verdict: "safe",
        waiting: { recordings: 0, bytes: 0, oldest: null },
        needs_seconds: 0,
        overwritten_from: null,
        sentence: "Nothing waits on the camera.",
      }),
      has: ["Nothing waits the car usually stays 11 h All is home", "Nothing waits on the camera."],
    },
    {
      name: "too few visits",
      html: withPlan({
        verdict: "unknown",
        needs_seconds: null,
        usual_stay_seconds: null,
        overwritten_from: null,
        next_visits: [],
        visits_known: 2,
        sentence: "Not known yet: 2 of 5 visits have been seen that this is learned from.",
      }),
      has: ["Not known yet Not known yet Not known yet: 2 of 5 visits have been seen"],
      not: ["Usually at home", "Needs"],
    },
    {
      name: "a recordings folder that is gone",
      html: html({ is_unknown: true }),
      has: ["Not known yet Not known While the recordings folder is not available it is not known what waits."],
      not: ["38 min", "Usually at home"],
    },
  ];
  for (const { name, html: text, has, not = [] } of rows)
    test(`says of ${name} what is known`, () => {
      const words = wordsOf(text);
      for (const part of has) expect(words).toContain(part);
      for (const part of not) expect(words).not.toContain(part);
      expect(words).toContain("Was anything missed?");
    });

  test("is hidden without a camera", () => {
    expect(html({ is_without_camera: true })).toMatch(/^<section [^>]*hidden/);
    expect(html({})).not.toMatch(/^<section [^>]*hidden/);
  });
});

describe("while the camera is here the card", () => {
  const group = (changes: Partial<QueueGroup>): QueueGroup => ({
    why: "order",
    from: "20261116_173000_N",
    to: "20261116_173000_N",
    types: ["N"],
    directions: ["F"],
    recordings: 1,
    bytes: 152e6,
    ...changes,
  });
  const HERE: VisitFacts = {
    visit: { from: "2026-11-20T20:49:00.000Z", to: null, seconds: 120, bytes: 600e6, rate: 5_200_000 },
    is_missing: false,
    before: VISIT,
    queue: { groups: [], recordings: 0, bytes: 0 },
    current: null,
    priority: "smart",
  };
  const here = (changes: Partial<VisitFacts>, plan: Partial<ShownPlan> = {}) =>
    wordsOf(html({ here: { ...HERE, ...changes }, plan: { ...PLAN, camera: "here", ...plan } }));

  test("says what comes next, and why", () => {
    const groups = [
      group({ why: "asked", types: ["M"], from: "20261117_075800_M", to: "20261117_075800_M" }),
      group({ why: "at_risk", to: "20261116_174700_N", types: ["N", "E"], recordings: 18, bytes: 1.9e9 }),
      group({ why: "event", types: ["M"], directions: ["F", "R"], recordings: 2, bytes: 298e6 }),
      group({ why: "parking", types: ["P"], from: "20261120_221000_P", to: "20261121_054000_P", recordings: 14 }),
      group({ why: "driving", bytes: null }),
    ];
    const words = here({ queue: { groups, recordings: 36, bytes: 2.5e9 }, current: 72 });
    for (const part of [
      "Order: what is at risk first",
      "Tue 17 Nov, 07:58 Manual Front, ≈ about 152 MB You asked for it",
      "Mon 16 Nov, 17:30 to 17:47 Normal Event 18 recordings, ≈ about 1.9 GB At risk",
      "Front and rear, ≈ about 298 MB Manual",
      "Fri 20 Nov, 22:10 to Sat 21 Nov, 05:40 Parking 14 recordings, ≈ about 152 MB Parked",
      "Normal Front Driving",
      "And 58 more recordings, 25.6 GB. Change the order",
    ])
      expect(words).toContain(part);
  });

  test("tells of the visit, of the one before, and of a slow Wi-Fi", () => {
    const words = here({});
    expect(words).toContain("2 min so far Came at 07:49. The car usually stays 11 h. Rate 5.2 MB/s Brought 600 MB");
    expect(words).toContain("Last visit: Sat 21 Nov, 18:18 to Sun 22 Nov, 07:42");
    const slow = { rate: 5.2e6, best_rate: 12.3e6, best_at: "2026-11-13T00:00:00.000Z", sentence: "" };
    expect(here({ before: null }, { slow_wifi: slow, usual_stay_seconds: null })).toContain(
      "Came at 07:49. Rate 5.2 MB/s, looks like 2.4 GHz Brought 600 MB",
    );
    expect(here({ visit: { ...HERE.visit, rate: null } })).toContain("No video has come yet");
  });

  test("says when the camera does not answer any more", () => {
    expect(here({})).toContain("This visit Here");
    expect(here({ is_missing: true })).toContain("This visit Not answering");
  });

  test("says that nothing waits, and proposes the order that saves something", () => {
    expect(here({}, { waiting: { recordings: 0, bytes: 0, oldest: null } })).toContain(
      "Nothing waits: all that was chosen is home.",
    );
    expect(here({ priority: "rdate" }, { smart_gain: 1 })).toContain(
      "Order: the newest first Not known yet. And 94 more recordings, 28.1 GB. With what is at risk first, 1 recording more would come home in time. At risk first",
    );
  });
});

describe("the card of the plans of several cameras", () => {
  const row = (name: string, changes: Partial<ShownPlan> = {}, isUnknown = false) => ({
    camera: { id: name.toLowerCase(), name, letter: name.charAt(0), place: 0 },
    plan: { ...PLAN, ...changes },
    is_unknown: isUnknown,
  });
  const ofAll = (...rows: readonly ReturnType<typeof row>[]) =>
    renderToString(h(PlanOfCameras, { rows, now: NOW, zone: FACTS.zone }));

  test("has a line for each in days that are the same", () => {
    const text = ofAll(row("Car", { overwritten_from: null }), row("Van"));
    expect(text.match(/class="pl"/g)).toHaveLength(2);
    expect(text.match(/class="pl-axis"/g)).toHaveLength(1);
    expect(text.match(/class="pl-ow"/g)).toHaveLength(1);
    const midnights = [...text.matchAll(/class="pl-day" x1="([\d.]+%)" x2="\1"/g)].map(([, x]) => x);
    expect(midnights.slice(0, midnights.length / 2)).toEqual(midnights.slice(midnights.length / 2));
    expect(wordsOf(text)).toContain("C Car V Van Now Sun Mon Tue");
    expect(wordsOf(text)).toContain("Both are in time.");
  });

  test("has no picture of what is not known", () => {
    const text = ofAll(
      row("Car", { next_visits: [], verdict: "unknown", sentence: "Not known yet." }),
      row("Van", {}, true),
    );
    expect(text).not.toContain("<svg");
    expect(wordsOf(text)).toBe(
      "Will it be safe in time? Car: Not known yet. Van: not known while its folder is not available. Was anything missed?",
    );
  });
});
