import { describe, expect, test } from "bun:test";
import type { TrashDayHead } from "../../../server/domain/retention/deletion.ts";
import {
  goneInWords,
  headingOfDay,
  leavesInWords,
  madeInWords,
  restoredInWords,
  spanOfDay,
  type TrashTotals,
  trashForecast,
  trashSentence,
  whyInWords,
} from "../../../server/domain/retention/trash_text.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { trashed } from "../../support/app/trash.ts";

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
/** Saturday 21 November, 07:51 in Sydney, which is still Friday in UTC. */
const AT = { now: Date.parse("2026-11-20T20:51:00Z"), zone: new ZoneTime("Australia/Sydney") };
const head = (purge_from: string, purge_to = purge_from): TrashDayHead => ({
  date: "2026-11-15",
  recordings: [],
  entries: 1,
  amount: { recordings: 1, bytes: 1 },
  purge_from,
  purge_to,
});

describe("when something leaves the trash", () => {
  const cases: [at: string, words: string, heading: string][] = [
    ["2026-11-20T20:51:00Z", "at the next run", "Deleted for good at the next run"],
    ["2026-01-01T00:00:00Z", "at the next run", "Deleted for good at the next run"],
    ["2026-11-20T20:51:01Z", "today", "Deleted for good today"],
    ["2026-11-21T12:59:59Z", "today", "Deleted for good today"],
    ["2026-11-21T13:00:00Z", "tomorrow", "Deleted for good tomorrow"],
    ["2026-11-22T12:59:59Z", "tomorrow", "Deleted for good tomorrow"],
    ["2026-11-22T13:00:00Z", "in 2 days", "Deleted for good in 2 days"],
    ["2027-11-20T20:51:00Z", "in 365 days", "Deleted for good in 365 days"],
  ];
  for (const [at, words, heading] of cases)
    test(`${at} is ${words}`, () => {
      expect(plain(leavesInWords(Date.parse(at), AT))).toBe(words);
      expect(plain(headingOfDay(head(at), AT))).toBe(heading);
    });

  test("days are those of the zone, also where the clock changes", () => {
    // The night to 25 October is an hour longer in Rome.
    const rome = { now: Date.parse("2026-10-24T22:30:00Z"), zone: new ZoneTime("Europe/Rome") };
    expect(plain(leavesInWords(Date.parse("2026-10-25T22:59:00Z"), rome))).toBe("today");
    expect(plain(leavesInWords(Date.parse("2026-10-25T23:00:00Z"), rome))).toBe("tomorrow");
  });

  test("a day of which only a part is over is named by the rest", () => {
    expect(headingOfDay(head("2026-11-20T20:00:00Z", "2026-11-20T23:00:00Z"), AT)).toBe("Deleted for good today");
  });

  const spans: [from: string, to: string, words: string][] = [
    ["2026-11-21T21:00:00Z", "2026-11-21T21:00:30Z", "Sun 22 Nov, 08:00"],
    ["2026-11-21T21:00:00Z", "2026-11-22T08:12:00Z", "Sun 22 Nov, 08:00 to 19:12"],
    ["2026-11-22T12:30:00Z", "2026-11-22T13:30:00Z", "Sun 22 Nov, 23:30 to Mon 23 Nov, 00:30"],
    ["2027-01-01T21:00:00Z", "2027-01-01T21:00:00Z", "Sat 2 Jan 2027, 08:00"],
  ];
  for (const [from, to, words] of spans)
    test(`${from} to ${to} is ${words}`, () => expect(plain(spanOfDay(head(from, to), AT))).toBe(words));
});

describe("the trash in words", () => {
  const next = (recordings: number, at = "2026-11-21T21:00:00Z") => ({ at, recordings });
  const totals = (more: Partial<TrashTotals>): TrashTotals => ({
    recordings: 41,
    bytes: 5_900_000_000,
    days: 7,
    entries: 41,
    next: next(6),
    ...more,
  });
  const none = { recordings: 0, bytes: 0, entries: 0, next: null };
  const cases: [totals: TrashTotals, sentence: string, outlook: string, isPaused?: boolean][] = [
    [
      totals({}),
      "41 recordings, 5.9 GB, wait in the trash.",
      "Each is deleted for good after 7 days, the next 6 tomorrow.",
    ],
    [
      totals({}),
      "41 recordings, 5.9 GB, wait in the trash.",
      "Each is deleted for good after 7 days, the next 6 tomorrow. The schedule is paused: nothing is deleted for good until it goes on.",
      true,
    ],
    [
      totals({ recordings: 1, entries: 1, bytes: 98_000_000, next: next(1) }),
      "1 recording, 98 MB, waits in the trash.",
      "It is deleted for good tomorrow.",
    ],
    [
      totals({ recordings: 3918, entries: 1959, days: 1, next: next(3918, "2026-11-20T20:00:00Z") }),
      "3 918 recordings, 5.9 GB, wait in the trash.",
      "All of them are deleted for good at the next run.",
    ],
    [
      totals({ days: 0, next: next(6, "2026-11-20T20:00:00Z") }),
      "41 recordings, 5.9 GB, wait in the trash.",
      "All of them are deleted for good at the next run.",
    ],
    [totals(none), "The trash is empty.", "Deleted recordings wait here for 7 days. Until then they can be restored."],
    [
      totals({ ...none, days: 1 }),
      "The trash is empty.",
      "Deleted recordings wait here for 1 day. Until then they can be restored.",
    ],
    [
      totals({ ...none, days: 0 }),
      "Nothing waits in the trash.",
      "Deleted recordings are gone at once. With a waiting time they could be restored from here.",
    ],
  ];
  for (const [of, sentence, outlook, isPaused = false] of cases)
    test(`${sentence} ${outlook}`, () => {
      expect(plain(trashSentence(of))).toBe(sentence);
      expect(plain(trashForecast(of, isPaused, AT))).toBe(outlook);
    });
});

describe("a recording in the trash", () => {
  test("is named by the camera's own clock, with the year when it is another", () => {
    expect(plain(madeInWords("20261101_025117_P", AT))).toBe("Sun 1 Nov, 02:51");
    expect(plain(madeInWords("20251231_235959_N", AT))).toBe("Wed 31 Dec 2025, 23:59");
  });

  const hand = { cause: "hand", why: "By hand" } as const;
  const cases: [more: Parameters<typeof trashed>[1], words: string][] = [
    [{}, "Older than 2 weeks"],
    [{ cause: "room", why: "Made room: above 500 GB" }, "Made room: above 500 GB"],
    [{ ...hand, by: "admin", deleted_at: "2026-11-20T08:12:00Z" }, "Deleted by admin in the viewer, yesterday 19:12"],
    [{ ...hand, deleted_at: "2026-11-20T20:12:00Z" }, "Deleted in the viewer, today 07:12"],
    [{ ...hand, by: "anna", deleted_at: "2026-11-13T08:12:00Z" }, "Deleted by anna in the viewer, Fri 13 Nov, 19:12"],
  ];
  for (const [more, words] of cases)
    test(words, () => expect(plain(whyInWords(trashed("20261101_025117_P", more), AT))).toBe(words));
});

describe("what came of it", () => {
  const restored: [back: number, failed: number, words: string][] = [
    [3, 0, "3 recordings are restored. Rules leave them alone for at least a week, and until you change them."],
    [1, 0, "1 recording is restored. Rules leave it alone for at least a week, and until you change them."],
    [
      2,
      1,
      "2 recordings are restored. Rules leave them alone for at least a week, and until you change them. 1 recording could not be restored.",
    ],
    [0, 2, "2 recordings could not be restored."],
    [0, 0, "There was nothing to restore."],
  ];
  for (const [back, failed, words] of restored)
    test(words, () => expect(plain(restoredInWords(back, failed))).toBe(words));

  test("of deleting", () => {
    expect(plain(goneInWords({ recordings: 3, bytes: 500_000_000 }))).toBe(
      "3 recordings, 500 MB, are deleted for good.",
    );
    expect(plain(goneInWords({ recordings: 1, bytes: 98_000_000 }))).toBe("1 recording, 98 MB, is deleted for good.");
    expect(goneInWords({ recordings: 0, bytes: 0 })).toBe("There was nothing to delete.");
  });
});
