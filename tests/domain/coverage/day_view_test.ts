import { describe, expect, test } from "bun:test";
import type { CoverageOfDay, CoveredRecording } from "../../../server/domain/coverage/coverage_schema.ts";
import type { LaneVisit } from "../../../server/domain/coverage/day_lanes.ts";
import { dayView } from "../../../server/domain/coverage/day_view.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const DATE = "2026-11-10";
const NOW = Date.parse("2026-11-21T07:51:00+11:00");
const ZONE = new ZoneTime("Australia/Sydney");

function recording(time: string, state: CoveredRecording["state"]): CoveredRecording {
  const key = `20261110_${time}_N`;
  const seen = "2026-11-10T20:00:00.000Z";
  const shared = { direction: "F", cause: null, rule: null, rule_value: null, by: null, size: null, seconds: 60 };
  return { ...shared, key, name: `${key}F.mp4`, state, first_seen: seen, last_seen: seen, at: seen };
}

function counts(parts: Partial<CoverageOfDay>): CoverageOfDay {
  const none = { home: 0, coming: 0, left_out: 0, lost: 0, deleted: 0, damaged: 0, unknown: 0, unreadable: 0 };
  return { date: DATE, recorded: 0, ...none, minutes: 0, driven_minutes: 0, lost_minutes: 0, cause: null, ...parts };
}

function viewOf(
  day: Partial<Parameters<typeof dayView>[0]["day"]> & { visits?: readonly LaneVisit[] },
  of: Partial<CoverageOfDay> | null = {},
  newest = "2026-11-20",
) {
  const { visits = [], ...others } = day;
  const whole = { date: DATE, recordings: [], causes: [], ...others };
  return dayView({
    day: whole,
    visits,
    counts: of === null ? undefined : counts(of),
    since: "2026-09-01",
    newest,
    now: NOW,
    zone: ZONE,
  });
}

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

describe("a day", () => {
  const cases: [what: string, of: Partial<CoverageOfDay> | null, level: string, state: string, words: string][] = [
    [
      "with losses",
      { recorded: 103, home: 80, lost: 23, lost_minutes: 23 },
      "failed",
      "23 min lost",
      "103 recorded, 80 came home, 23 lost",
    ],
    ["with a short loss", { recorded: 1, lost: 1 }, "failed", "1 lost", "1 recorded, and lost"],
    ["that is whole", { recorded: 200, home: 200 }, "fine", "Nothing lost", "200 recorded, all came home"],
    [
      "of all states",
      { recorded: 27, home: 6, coming: 5, left_out: 4, deleted: 3, damaged: 2, unknown: 7 },
      "attention",
      "2 damaged",
      "27 recorded, 6 came home, 2 damaged, 5 to come, 4 left out, 3 deleted, 7 not known",
    ],
    [
      "in a folder that cannot be read",
      { recorded: 2, unknown: 2 },
      "attention",
      "Not known",
      "2 recorded, all not known",
    ],
    ["on the way", { recorded: 2, coming: 2 }, "waiting", "2 to come", "2 recorded, all to come"],
    ["without recordings", {}, "waiting", "Not driven", "Nothing was recorded."],
    ["that nothing is known of", null, "waiting", "Not known", "This day is still to come."],
  ];
  for (const [what, of, level, state, words] of cases)
    test(what, () => {
      const view = viewOf({}, of);
      expect([view.level, plain(view.state), plain(view.counts)]).toEqual([level, state, words]);
    });

  test("since the newest recording claims nothing", () => {
    const view = viewOf({}, {}, "2026-11-09");
    expect([view.state, view.counts]).toEqual(["Nothing yet", "Nothing recorded so far."]);
  });

  test("from before anything was known says so", () => {
    const view = dayView({
      day: { date: "2026-08-31", recordings: [], causes: [] },
      visits: [],
      counts: undefined,
      since: "2026-09-01",
      newest: "2026-11-20",
      now: NOW,
      zone: ZONE,
    });
    expect([view.title, view.counts]).toEqual(["Mon 31\u00a0Aug 2026", "Dashdock did not keep track yet."]);
  });

  test("has lanes, a key of what they show, and the way to the viewer when that has something of it", () => {
    const visit = { from: Date.parse("2026-11-10T07:04:00Z"), to: null };
    const view = viewOf({ recordings: [recording("080000", "home"), recording("090000", "lost")], visits: [visit] });
    expect(view.lanes.map(({ name, words }) => [name, words])).toEqual([
      ["On the card", "Recorded 08:00 to 08:01 and 09:00 to 09:01"],
      ["Came home", "All but 09:00 to 09:01 (lost)"],
      ["Car at home", "From 18:04 on"],
    ]);
    expect([view.keys, view.viewer]).toEqual([["home", "lost", "car"], `/viewer?date=${DATE}`]);
    expect(view.hours).toEqual(["00:00", "06:00", "12:00", "18:00", "24:00"]);
    expect(viewOf({ recordings: [recording("090000", "lost")] }).viewer).toBeNull();
    expect(viewOf({ visits: [visit] }).lanes.map(({ name }) => name)).toEqual(["Car at home"]);
    expect(viewOf({}).lanes).toEqual([]);
  });

  test("has times and dates as the reader writes them", () => {
    const zone = ZONE.as({ hours: 12, order: "mdy" });
    const day = { date: DATE, recordings: [], causes: [] };
    const view = dayView({ day, visits: [], counts: undefined, since: null, newest: DATE, now: NOW, zone });
    expect(plain(view.title)).toBe("Tue Nov 10, 2026");
    expect(view.hours.map(plain)).toEqual(["12 am", "6 am", "12 pm", "6 pm", "12 am"]);
  });

  test("says of each cause what happened first, then the rest and what helps", () => {
    const action = { label: "Free space", href: "/settings#retention" };
    const cause = { cause: "disk" as const, recordings: 46, minutes: 23, remedy: "Make room.", action };
    const sentence = "The disk was full from 22 to 24 Sep. Syncing had stopped.";
    expect(viewOf({ causes: [{ ...cause, sentence }] }).causes).toEqual([
      {
        cause: "disk",
        title: "The disk was full from 22 to 24 Sep.",
        sentences: ["Syncing had stopped.", "Make room."],
        action,
      },
    ]);
    const [bare] = viewOf({ causes: [{ ...cause, sentence: "", remedy: "", action: null }] }).causes;
    expect(bare).toEqual({ cause: "disk", title: "46\u00a0recordings lost.", sentences: [], action: null });
  });
});
