import { describe, expect, test } from "bun:test";
import { momentKey } from "../../../server/domain/recordings/moment_number.ts";
import { secondsOf } from "../../../server/domain/recordings/recording_name.ts";
import { retentionCutoff, sameCutoff } from "../../../server/domain/retention/keep_times.ts";
import { PRIORITIES } from "../../../server/domain/settings/sections/sync.ts";
import { type AtHome, type PlanRules, planSync } from "../../../server/domain/sync/download_plan.ts";
import { EVERYTHING, NOWHERE } from "../../support/camera/plans.ts";

/** Videos alone. */
const RULES: PlanRules = { ...EVERYTHING, skipMetadata: ["t", "3", "g"] };
const DAY = 86_400_000;

interface Given {
  home?: readonly string[];
  blocked?: readonly string[];
}

/** Plans for names without sizes; names may leave out `.mp4`. */
function plan(listed: readonly string[], rules: Partial<PlanRules> = {}, { home = [], blocked = [] }: Given = {}) {
  const files = listed.map((name) => ({ name: name.includes(".") ? name : `${name}.mp4`, size: null }));
  const atHome: AtHome = {
    ...NOWHERE,
    has: (moment, ending) => home.includes(momentKey(moment) + ending),
    isBlocked: (name, ending) => blocked.includes(name.slice(0, 17) + ending),
  };
  return planSync(files, atHome, { ...RULES, ...rules });
}

/** The likeliest names of what is planned, in order, without `.mp4`. */
function order(listed: readonly string[], rules: Partial<PlanRules> = {}, given: Given = {}): string[] {
  return plan(listed, rules, given).files.map(({ names }) => names[0].replace(".mp4", ""));
}

describe("the order", () => {
  /** Listed last and newest of their direction, so that the order of the others can be seen. */
  const NEWEST = ["20260609_000000_NF", "20260609_000000_NR", "20260609_000000_NI", "20260609_000000_NO"];

  test("`date` is oldest first, and front, rear, interior, optional within a moment", () => {
    const listed = ["20260607_101600_NF", "20260607_101500_NO", "20260607_101500_NI", "20260607_101500_NR"];
    expect(order([...NEWEST, ...listed, "20260607_101500_PF", "20260606_235959_NR"])).toEqual([
      "20260606_235959_NR",
      "20260607_101500_PF",
      "20260607_101500_NR",
      "20260607_101500_NI",
      "20260607_101500_NO",
      "20260607_101600_NF",
      ...NEWEST,
    ]);
  });

  test("`rdate` is newest first, the directions not reversed", () => {
    const listed = ["20260607_101500_NR", "20260607_101500_NF", "20260608_101500_NR", "20260608_101500_NF"];
    expect(order([...listed, ...NEWEST], { priority: "rdate" })).toEqual([
      ...NEWEST,
      "20260608_101500_NF",
      "20260608_101500_NR",
      "20260607_101500_NF",
      "20260607_101500_NR",
    ]);
  });

  test("`type` goes through all sixteen types, then what is unknown, then by time and direction", () => {
    const types = [..."MEIBOATRXGDLYFNP", "Z"];
    const listed = types
      .toReversed()
      .flatMap((type) => [`20260607_101600_${type}F`, `20260607_101500_${type}R`, `20260607_101500_${type}F`]);
    const expected = types.flatMap((type) => [
      `20260607_101500_${type}F`,
      `20260607_101500_${type}R`,
      `20260607_101600_${type}F`,
      ...(type === "N" ? NEWEST : []),
    ]);
    expect(order([...NEWEST, ...listed], { priority: "type" })).toEqual(expected);
  });

  test("`smart` has what is overwritten next before the events, and videos before companions that are missing", () => {
    const listed = ["20260607_101500_NF", "20260607_101600_EF", "20260601_101500_PF", "20260601_101500_PR"];
    const rules = {
      priority: "smart",
      atRiskBefore: { driving: 0, events: 0, parking: secondsOf("20260602_000000") },
    } as const;
    expect(order([...NEWEST, ...listed], rules)).toEqual([
      "20260601_101500_PF",
      "20260601_101500_PR",
      "20260607_101600_EF",
      ...NEWEST,
      "20260607_101500_NF",
    ]);
    const home = ["20260601_101500_PF.mp4", "20260601_101500_PR.mp4"];
    const thumbnails = { ...rules, skipMetadata: ["3", "g"] };
    expect(order(listed, thumbnails, { home }).slice(-2)).toEqual(["20260601_101500_PF.thm", "20260601_101500_PR.thm"]);
  });

  for (const priority of PRIORITIES)
    test(`the newest recording of each direction is known in \`${priority}\`, for it may still be growing`, () => {
      const listed = ["20260607_101500_PF", "20260607_101500_PR", "20260607_101600_MF", "20260607_101530_MR"];
      const newest = plan(listed, { priority }).files.filter((file) => file.newest);
      expect(newest.map(({ names }) => names[0]).sort()).toEqual(["20260607_101530_MR.mp4", "20260607_101600_MF.mp4"]);
    });

  test("the newest is sought among all that is listed, not among what the rules leave", () => {
    const listed = ["20260607_101500_NF", "20260607_101600_NF", "20260607_101700_PF"];
    expect(plan(listed, { exclude: ["P"] }).files.map(({ newest }) => newest)).toEqual([false, false]);
    expect(plan(listed, { priority: "rdate", exclude: ["P"] }).files[0]?.names[0]).toBe("20260607_101600_NF.mp4");
  });

  test("does not depend on the order of the listing", () => {
    const listed = ["20260607_101500_NF", "20260607_101500_NFL", "20260607_101500_EF", "20260606_101500_NR", ...NEWEST];
    for (const priority of PRIORITIES)
      expect(order(listed.toReversed(), { priority })).toEqual(order(listed, { priority }));
  });

  test("keeps a recording's files together, the video first", () => {
    const listed = ["20260607_101500_NF", "20260607_101600_NF"];
    expect(plan(listed, { skipMetadata: [] }).files.map(({ names }) => names[0])).toEqual([
      "20260607_101500_NF.mp4",
      "20260607_101500_NF.thm",
      "20260607_101500_N.3gf",
      "20260607_101500_N.gps",
      "20260607_101600_NF.mp4",
      "20260607_101600_NF.thm",
      "20260607_101600_N.3gf",
      "20260607_101600_N.gps",
    ]);
  });
});

describe("what is selected", () => {
  test("counts the recordings seen and those the rules leave; other names do not count", () => {
    const listed = ["20260607_101500_NF", "20260607_101500_PF", "20260607_101500_NF.thm", "note.txt", "..", "x.mp4"];
    expect(plan(listed, { exclude: ["P"] })).toMatchObject({
      recordingsSeen: 2,
      recordingsSelected: 1,
      impossibleCount: 0,
    });
  });

  test("a recording of an unknown type in an unknown direction is fetched", () => {
    expect(order(["20260607_101500_ZX"])).toEqual(["20260607_101500_ZX"]);
  });

  test("names with impossible dates are left out, counted, and the first five named", () => {
    const wrong = Array.from({ length: 7 }, (_, index) => `20251345_25000${index}_NF.mp4`);
    const planned = plan([...wrong, "20260607_101500_NF"]);
    expect(planned.files.map(({ names }) => names[0])).toEqual(["20260607_101500_NF.mp4"]);
    expect(planned).toMatchObject({ recordingsSeen: 1, impossible: wrong.slice(0, 5), impossibleCount: 7 });
  });

  test("the cutoff day itself is kept, the day before it is not", () => {
    const listed = ["20260606_235959_NF", "20260607_000000_NF", "20260608_120000_NF"];
    const planned = plan(listed, { cutoffs: sameCutoff("2026-06-07") });
    expect(planned.files.map(({ names }) => names[0])).toEqual(["20260607_000000_NF.mp4", "20260608_120000_NF.mp4"]);
    expect(planned).toMatchObject({ recordingsSeen: 3, recordingsSelected: 2 });
  });

  test("recordings of a camera whose clock was never set are fetched whatever the cutoff", () => {
    const listed = ["19700101_000012_NF", "19990101_000012_NF", "20100101_000000_NF"];
    expect(order(listed, { cutoffs: sameCutoff("2026-06-07") })).toEqual(["19700101_000012_NF", "19990101_000012_NF"]);
  });

  test("the folder follows the grouping, the size the listing", () => {
    const { files } = planSync([{ name: "20190219_101500_NF.mp4", size: 73_400_320 }], NOWHERE, {
      ...RULES,
      grouping: "weekly",
      skipMetadata: ["3", "g"],
    });
    expect(files).toMatchObject([
      { kind: "mp4", folder: "2019-02-18" },
      { kind: "thm", folder: "2019-02-18" },
    ]);
  });
});

describe("retention's day", () => {
  for (const [keep, cutoff] of [
    [DAY, "2018-10-29"],
    [2 * DAY, "2018-10-28"],
    [7 * DAY, "2018-10-23"],
    [14 * DAY, "2018-10-16"],
    [365 * DAY, "2017-10-30"],
  ] as const)
    test(`keeping ${keep / DAY} days from 30 October 2018 keeps from ${cutoff} on`, () =>
      expect(retentionCutoff("2018-10-30", keep)).toBe(cutoff));

  test("the calendar is crossed rightly, whatever the clocks did", () => {
    expect(retentionCutoff("2024-03-01", DAY)).toBe("2024-02-29");
    expect(retentionCutoff("2026-01-01", DAY)).toBe("2025-12-31");
    expect(retentionCutoff("2026-10-26", 2 * DAY)).toBe("2026-10-24");
  });

  test("no period, or one longer than the calendar, keeps everything", () => {
    expect(retentionCutoff("2026-06-07", null)).toBeNull();
    expect(retentionCutoff("2026-06-07", 999_999_999 * 7 * DAY)).toBeNull();
    expect(retentionCutoff("2026-06-07", 2100 * 365.25 * DAY)).toBeNull();
  });
});
