import { describe, expect, test } from "bun:test";
import { clipName, shortClock } from "../../../server/domain/recordings/camera_clock.ts";
import type { Amount } from "../../../server/domain/retention/deletion.ts";
import {
  deletedInWords,
  failedInWords,
  leftInWords,
  neverDeleted,
  onlyInWords,
} from "../../../server/domain/retention/kept_text.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import type { Only } from "../../../server/domain/viewer/list_filter.ts";

const NIGHT = "20261101_025112_P";
const EVENT = "20261120_082447_E";
const CALENDAR = { thisYear: 2026, zone: new ZoneTime("Australia/Sydney"), now: Date.UTC(2026, 10, 1) };

describe("a recording's name in sentences", () => {
  test("is its day and its minute on the camera's clock", () => {
    expect(clipName(NIGHT, 2026)).toBe("Sun 1\u00a0Nov, 02:51");
    expect(clipName(NIGHT, 2027)).toBe("Sun 1\u00a0Nov 2026, 02:51");
    expect(shortClock(EVENT)).toBe("08:24");
  });
});

describe("neverDeleted()", () => {
  const rows: [type: string, context: number, words: string][] = [
    ["N", 1, "never deleted"],
    ["P", 3, "never deleted"],
    ["M", 1, "never deleted"],
    ["E", 0, "never deleted"],
    ["E", 1, "never deleted, with the minute before and after"],
    ["E", 2, "never deleted, with the 2\u00a0minutes before and after"],
    ...[..."IBOAT"].map(
      (type) => [type, 1, "never deleted, with the minute before and after"] as [string, number, string],
    ),
  ];
  for (const [type, context, words] of rows)
    test(`${type} with ${context} around`, () => expect(neverDeleted(type, context)).toBe(words));
});

describe("deletedInWords()", () => {
  const rows: [what: string, keys: string[], purgeAt: string | null, words: string][] = [
    ["one", [NIGHT], "2026-11-08T02:51:00Z", "Sun 1\u00a0Nov, 02:51 is in the trash until Sun 8\u00a0Nov."],
    // Already the next day where the schedule is at home.
    ["one, late", [NIGHT], "2026-11-08T20:00:00Z", "Sun 1\u00a0Nov, 02:51 is in the trash until Mon 9\u00a0Nov."],
    ["several", [NIGHT, EVENT], "2027-01-03T02:51:00Z", "2\u00a0clips are in the trash until Sun 3\u00a0Jan 2027."],
    ["one without a trash", [NIGHT], null, "Sun 1\u00a0Nov, 02:51 is deleted for good."],
    ["several without a trash", [NIGHT, EVENT], null, "2\u00a0clips are deleted for good."],
  ];
  for (const [what, keys, purgeAt, words] of rows)
    test(`tells until when ${what} can be restored`, () => expect(deletedInWords(keys, purgeAt, CALENDAR)).toBe(words));
});

describe("what was left or failed", () => {
  test("is named, at most three of it", () => {
    expect(leftInWords([], 2026)).toBe("");
    expect(leftInWords([NIGHT], 2026)).toBe("Sun 1\u00a0Nov, 02:51 is kept and stays.");
    expect(leftInWords([NIGHT, EVENT], 2026)).toBe(
      "2\u00a0clips are kept and stay: Sun 1\u00a0Nov, 02:51; Fri 20\u00a0Nov, 08:24.",
    );
    expect(leftInWords([NIGHT, EVENT, NIGHT, EVENT, NIGHT], 2026)).toEndWith("02:51 and 2 more.");
  });

  test("is told with its first reason", () => {
    const failed = [
      { key: NIGHT, reason: "It is not here any more." },
      { key: EVENT, reason: "Other." },
    ];
    expect(failedInWords([], 2026)).toBe("");
    expect(failedInWords(failed.slice(0, 1), 2026)).toBe("Sun 1\u00a0Nov, 02:51: It is not here any more.");
    expect(failedInWords(failed, 2026)).toBe("2\u00a0clips failed. Sun 1\u00a0Nov, 02:51: It is not here any more.");
  });
});

describe("onlyInWords()", () => {
  const rows: [only: Only, amount: Amount | null, moments: number, words: string][] = [
    [
      "due",
      { recordings: 96, bytes: 14_200_000_000 },
      48,
      "Only what the next run would delete: 96\u00a0recordings, 14.2\u00a0GB",
    ],
    ["due", { recordings: 1, bytes: null }, 1, "Only what the next run would delete: 1\u00a0recording"],
    ["due", null, 48, "Only what the next run would delete: 48\u00a0clips"],
    ["due", { recordings: 0, bytes: 0 }, 0, "Only what the next run would delete: 0\u00a0recordings"],
    ["kept", { recordings: 23, bytes: 3_400_000_000 }, 12, "Only what is kept: 23\u00a0recordings, 3.4\u00a0GB"],
  ];
  for (const [only, amount, moments, words] of rows)
    test(words, () => {
      const said = onlyInWords(only, amount, moments);
      expect(`${said.what}: ${said.amount}`).toBe(words);
    });
});
