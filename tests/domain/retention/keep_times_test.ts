import { describe, expect, test } from "bun:test";
import { TYPES } from "../../../server/domain/recordings/recording_codes.ts";
import {
  cutoffsOf,
  KEEP_CLASSES,
  keepClassOf,
  keepOf,
  retentionCutoff,
  sameCutoff,
  tooOld,
} from "../../../server/domain/retention/keep_times.ts";

const EMPTY = { keep: "2w", keep_event: "", keep_parking: "", keep_manual: "" };

describe("the kind of a type", () => {
  test.each([
    ["event", "EIBOAT"],
    ["parking", "P"],
    ["manual", "M"],
    ["normal", "NRXGDLYFZCHJKQSUVW"],
  ] as const)("%s: %s", (kind, letters) => {
    for (const letter of letters) expect([letter, keepClassOf(letter)]).toEqual([letter, kind]);
  });

  test("each letter that cameras write, and each of the alphabet, has one; nothing else is an event", () => {
    for (const letter of Object.keys(TYPES)) expect(KEEP_CLASSES).toContain(keepClassOf(letter));
    for (const text of ["", "e", "p", "m", "0", "_"]) expect(keepClassOf(text)).toBe("normal");
  });
});

describe("how long a kind is kept", () => {
  test.each([
    ["empty follows `keep`", EMPTY, { normal: "2w", event: "2w", parking: "2w", manual: "2w" }],
    ["`keep` empty is for ever", { ...EMPTY, keep: "" }, { normal: null, event: null, parking: null, manual: null }],
    [
      "`keep` may say always, too",
      { ...EMPTY, keep: "always" },
      { normal: null, event: null, parking: null, manual: null },
    ],
    [
      "a time of its own counts, shorter and longer",
      { keep: "2w", keep_event: "1y", keep_parking: "2d", keep_manual: "always" },
      { normal: "2w", event: "1y", parking: "2d", manual: null },
    ],
    [
      "also where all others are kept for ever",
      { keep: "", keep_event: "", keep_parking: "2d", keep_manual: "always" },
      { normal: null, event: null, parking: "2d", manual: null },
    ],
  ])("%s", (_what, settings, times) => {
    for (const kind of KEEP_CLASSES) expect([kind, keepOf(kind, settings)]).toEqual([kind, times[kind]]);
  });

  test("the first day kept is today minus the time, over months and leap days", () => {
    const settings = { keep: "2w", keep_event: "1y", keep_parking: "2d", keep_manual: "always" };
    expect(cutoffsOf(settings, "2028-03-01")).toEqual({
      normal: "2028-02-16",
      event: "2027-03-02",
      parking: "2028-02-28",
      manual: null,
    });
    expect(retentionCutoff("2026-03-01", 86_400_000)).toBe("2026-02-28");
    // Part of a day is rounded to the safe side: the day before is kept as well.
    expect(retentionCutoff("2026-03-01", 12 * 3_600_000)).toBe("2026-02-28");
    expect(retentionCutoff("2026-03-01", null)).toBeNull();
    expect(retentionCutoff("2026-03-01", 36_500 * 365 * 86_400_000)).toBeNull();
  });
});

test("one cutoff for all kinds", () => {
  expect(sameCutoff("2026-05-01")).toEqual({
    normal: "2026-05-01",
    event: "2026-05-01",
    parking: "2026-05-01",
    manual: "2026-05-01",
  });
});

test("why one was deleted is said in words", () => {
  expect(tooOld("2w")).toBe("Older than 2 weeks");
  expect(() => tooOld("soon")).toThrow();
});
