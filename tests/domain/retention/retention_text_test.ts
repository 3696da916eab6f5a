import { describe, expect, test } from "bun:test";
import { type Amount, amountInWords } from "../../../server/domain/retention/deletion.ts";
import { datesAlong, lanesOf } from "../../../server/domain/retention/deletion_picture.ts";
import { isStricter, type Rules } from "../../../server/domain/retention/keep_change.ts";
import {
  type Consequence,
  deletesMore,
  leavingTrash,
  questionBefore,
} from "../../../server/domain/retention/keep_consent.ts";
import {
  goingInWords,
  hereInWords,
  nextRunInWords,
  type ValidPreview,
  wouldDeleteInWords,
} from "../../../server/domain/retention/retention_text.ts";
import type { SchedulePreview } from "../../../server/domain/settings/schedule_preview.ts";
import { forecastOf, previewOf } from "../../support/app/deleting.ts";

/** With plain blanks. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");
const amount = (recordings: number, bytes: number | null = null): Amount => ({ recordings, bytes });

describe("the words for an amount", () => {
  const amounts: [amount: Amount, words: string, here: string][] = [
    [amount(0), "0 recordings", "none here"],
    [amount(1, 98_000_000), "1 recording, 98 MB", "1 here, 98 MB"],
    [amount(3402, 506e9), "3 402 recordings, 506 GB", "3 402 here, 506 GB"],
    [amount(3402), "3 402 recordings", "3 402 here"],
  ];
  for (const [some, words, here] of amounts)
    test(`are ${words}, and ${here}`, () => {
      expect(plain(amountInWords(some))).toBe(words);
      expect(plain(hereInWords(some))).toBe(here);
    });

  test("say how they go", () => {
    expect(goingInWords(1, 7)).toBe("goes to the trash");
    expect(goingInWords(2, 7)).toBe("go to the trash");
    expect(goingInWords(1, 0)).toBe("is deleted for good");
    expect(goingInWords(2, 0)).toBe("are deleted for good");
  });

  const told: [would: Amount | null, trashDays: number, at: string | null, says: string][] = [
    [null, 7, "08:00", ""],
    [amount(0, 0), 7, "08:00", ""],
    [amount(96, 14.2e9), 7, "08:00", "96 recordings, 14.2 GB, go to the trash at 08:00."],
    [amount(96), 7, "Sun 22 Nov, 03:00", "96 recordings go to the trash on Sun 22 Nov, 03:00."],
    [amount(1, 5e6), 0, null, "1 recording, 5 MB, is deleted for good at the next run."],
  ];
  for (const [would, trashDays, at, says] of told)
    test(`tell after saving: ${says || "nothing"}`, () => {
      expect(plain(wouldDeleteInWords(would, trashDays, at))).toBe(says);
    });
});

describe("the next run", () => {
  const now = Date.UTC(2026, 10, 20, 21, 0);
  const runs = (next: number[]): SchedulePreview => ({ valid: true, words: "", next, time_zone: "UTC", now });
  test("is told by the clock today, with its day later, and not at all when none comes", () => {
    expect(nextRunInWords(runs([now + 1_800_000]), false)).toBe("21:30");
    expect(plain(nextRunInWords(runs([now + 6 * 3_600_000]), false) ?? "")).toBe("Sat 21 Nov, 03:00");
    expect(nextRunInWords(runs([now + 1_800_000]), true)).toBeNull();
    expect(nextRunInWords(runs([]), false)).toBeNull();
    expect(nextRunInWords({ valid: false, field: "timezone", problem: "" }, false)).toBeNull();
  });
});

describe("isStricter()", () => {
  const RULES: Rules = {
    keep: "2w",
    keep_event: "1y",
    keep_parking: "",
    keep_manual: "always",
    event_context: 1,
    max_gb: null,
    max_percent: 85,
  };
  const changes: [change: Partial<Rules>, isStricter: boolean][] = [
    [{}, false],
    [{ keep: "14" }, false],
    [{ keep: "13d" }, true],
    [{ keep: "" }, false],
    [{ keep: "3w" }, false],
    [{ keep_event: "" }, true],
    [{ keep_event: "always" }, false],
    [{ keep_parking: "3d" }, true],
    [{ keep_parking: "3w" }, false],
    [{ keep_manual: "10y" }, true],
    [{ keep: "3w", keep_manual: "" }, true],
    [{ event_context: 0 }, true],
    [{ event_context: 2 }, false],
    [{ max_gb: 100_000 }, true],
    [{ max_percent: 86 }, false],
    [{ max_percent: 84.5 }, true],
    [{ max_percent: null }, false],
  ];
  for (const [change, expected] of changes)
    test(`${JSON.stringify(change)}: ${expected}`, () => {
      expect(isStricter(RULES, { ...RULES, ...change })).toBe(expected);
    });
});

describe("leavingTrash()", () => {
  const at = Date.UTC(2026, 10, 21);
  const iso = (days: number) => new Date(at + days * 86_400_000).toISOString();
  const parts = [
    { amount: { recordings: 1, bytes: 10 }, purge_from: iso(-0.5), purge_to: iso(-0.1) },
    { amount: { recordings: 2, bytes: 20 }, purge_from: iso(0.5), purge_to: iso(1) },
    { amount: { recordings: 4, bytes: 40 }, purge_from: iso(2.5), purge_to: iso(3.5) },
    { amount: { recordings: 8, bytes: 80 }, purge_from: iso(6), purge_to: iso(6) },
  ];
  const rows: [daysLess: number, recordings: number][] = [
    [-7, 0],
    [0, 0],
    [1, 2],
    [2, 2],
    [3, 6],
    [6, 14],
  ];
  for (const [daysLess, recordings] of rows)
    test(`${daysLess} days less: ${recordings} recordings leave that would have stayed`, () => {
      expect(leavingTrash(parts, daysLess, at)).toEqual({ recordings, bytes: recordings * 10 });
    });
});

describe("questionBefore()", () => {
  const none = previewOf({ normal: [100, 0] });
  const some = previewOf({ normal: [100, 8], parking: [40, 6] });
  const CHANGE: Consequence = {
    saved: none,
    next: some,
    isStricter: true,
    held: null,
    kept: 23,
    trashDays: 7,
    savedTrashDays: 7,
    leaving: amount(0, 0),
    at: "08:00",
  };
  const held = {
    reason: "adopted",
    recordings: 14,
    bytes: null,
    oldest: "2026-10-24",
    newest: "2026-11-01",
    since: "2026-11-20T10:00:00Z",
  } as const;
  const unreadable: ValidPreview = { ...none, recordings: null, bytes: null, oldest: null, forecast: null };
  const asks = (change: Partial<Consequence>) => {
    const question = questionBefore({ ...CHANGE, ...change });
    return question && [question.title, ...question.sentences, question.action].map(plain);
  };

  test("tells number, size, oldest day, what stays, and until when it can be restored", () => {
    expect(asks({})).toEqual([
      "Delete 14 recordings?",
      "At the next run, 08:00, 14 recordings, 1.4 GB go to the trash, the oldest from 24 Oct 2026.",
      "126 recordings stay, 23 of them kept for ever.",
      "They can be restored from the trash for 7 days.",
      "Save, delete 14",
    ]);
  });

  test("says that there is no way back when the trash is off", () => {
    expect(asks({ trashDays: 0, savedTrashDays: 0 })?.[1]).toContain("are deleted for good");
    expect(asks({ trashDays: 0, savedTrashDays: 0 })?.[3]).toBe("The trash is off: there is no way back.");
  });

  test("asks nothing when no more is deleted than before", () => {
    expect(asks({ saved: some })).toBeNull();
    expect(asks({ next: none })).toBeNull();
    expect(asks({ next: { ...some, dry_run: true } })).toBeNull();
  });

  test("asks when as many are deleted, but others", () => {
    const others = previewOf({ normal: [100, 14], parking: [40, 0] });
    expect(deletesMore(some, others)).toBe(true);
    expect(asks({ saved: some, next: others })?.[0]).toBe("Delete 14 recordings?");
  });

  test("asks when saving lets go on what is held, although it is no more", () => {
    expect(asks({ saved: some, held })?.[4]).toBe("Deletion is waiting for your approval. Saving approves it.");
    expect(asks({ next: none, held })).toBeNull();
  });

  test("asks when the same recordings are from now on deleted for good", () => {
    expect(asks({ saved: some, trashDays: 0 })?.[0]).toBe("Delete 14 recordings?");
  });

  test("tells what leaves the trash for good", () => {
    expect(asks({ next: none, trashDays: 2, leaving: amount(41, 5.9e9) })).toEqual([
      "Let the trash go sooner?",
      "At the next run, 08:00, 41 recordings, 5.9 GB leave the trash for good.",
      "Save, delete 41 for good",
    ]);
    expect(asks({ leaving: amount(1, 1e6) })?.at(-2)).toBe("Besides, 1 recording, 1 MB leaves the trash for good.");
  });

  test("says that nothing can be counted when the folder cannot be read, but only of shorter times", () => {
    expect(asks({ saved: unreadable, next: unreadable })?.[0]).toBe("Save without knowing what goes?");
    expect(asks({ saved: unreadable, next: unreadable, isStricter: false })).toBeNull();
  });
});

describe("the picture", () => {
  const bars = ["2026-10-24", "2026-10-25", "2026-10-26", "2026-10-27"];

  test("has a lane for each kind, on one scale, with what goes on what stays", () => {
    const forecast = forecastOf(bars, {
      normal: { cutoff: "2026-10-26", stays: [0, 0, 100, 25], goes: [4, 50, 0, 0] },
    });
    const [normal, event] = lanesOf(forecast);
    expect(normal?.bars.map(({ x, stays, goes }) => [x, stays, goes])).toEqual([
      [2.5, 0, 32.8],
      [27.5, 0, 75.4],
      [52.5, 100, 0],
      [77.5, 58, 0],
    ]);
    expect(normal?.cut).toBe(50);
    expect(event).toEqual({ kind: "event", bars: [], cut: null });
  });

  test("stacks a bar of both", () => {
    const [normal] = lanesOf(forecastOf(bars, { normal: { stays: [0, 30, 0, 0], goes: [0, 10, 0, 0] } }));
    expect(normal?.bars).toEqual([{ x: 27.5, width: 20, stays: 75, goes: 25 }]);
  });

  test("draws the end of the keep time only inside", () => {
    const cut = (cutoff: string | null) =>
      lanesOf(forecastOf(bars, { normal: { cutoff, stays: [1, 1, 1, 1] } }))[0]?.cut;
    expect([cut("2026-10-25"), cut("2026-10-24"), cut("2026-01-01"), cut("2026-10-28"), cut(null)]).toEqual([
      25,
      null,
      null,
      null,
      null,
    ]);
  });

  test("has at most five dates, with years when it goes over one", () => {
    expect(datesAlong(forecastOf(bars, {})).map(plain)).toEqual(["24 Oct", "25 Oct", "26 Oct", "27 Oct"]);
    const weeks = ["2026-10-24", "2026-10-31", "2026-11-07", "2026-11-14"];
    expect(datesAlong({ ...forecastOf(weeks, {}), end: "2026-11-22" }).map(plain)).toEqual([
      "24 Oct",
      "31 Oct",
      "7 Nov",
      "14 Nov",
      "21 Nov",
    ]);
    expect(datesAlong({ ...forecastOf(["2025-12-31"], {}), end: "2026-01-02" }).map(plain)).toEqual([
      "31 Dec 2025",
      "1 Jan 2026",
    ]);
    expect(datesAlong({ ...forecastOf([], {}), end: null })).toEqual([]);
  });
});
