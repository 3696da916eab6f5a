import { describe, expect, test } from "bun:test";
import {
  amountOf,
  between,
  type Choice,
  isChosen,
  NOTHING,
  partOf,
  withDay,
  withKeys,
} from "../../../islands/trash/choice.ts";
import { dayOf, keysOf, trashed } from "../../support/app/trash.ts";

const [A, B, C, D = ""] = keysOf(6) as [string, string, string, string];
/** Six entries of two videos each, of which three are shown. */
const FRIDAY = dayOf(
  "2026-06-05",
  keysOf(6).map((key) => trashed(key, { recordings: 2, bytes: 100 })),
);
const SATURDAY = dayOf("2026-06-06", [trashed(A), trashed(D)]);
const DAYS = [FRIDAY, SATURDAY];

/** One change after another. */
const after = (...changes: ((choice: Choice) => Choice)[]) =>
  changes.reduce<Choice>((choice, change) => change(choice), NOTHING);
const rows =
  (on: boolean, ...keys: string[]) =>
  (choice: Choice) =>
    withKeys(choice, FRIDAY, keys, on);
const day = (on: boolean) => (choice: Choice) => withDay(choice, FRIDAY.date, on);

describe("choosing in the trash", () => {
  const cases: [what: string, choice: Choice, entries: number, part: ReturnType<typeof partOf>, chosen: string[]][] = [
    ["nothing", NOTHING, 0, "none", []],
    ["two rows", after(rows(true, A, C)), 2, "some", [A, C]],
    ["rows that are let go again", after(rows(true, A, C), rows(false, A, C)), 0, "none", []],
    ["a row twice", after(rows(true, A), rows(true, A)), 1, "some", [A]],
    ["a whole day", after(day(true)), 6, "all", [A, B, C]],
    ["a day without a row", after(day(true), rows(false, B)), 5, "some", [A, C]],
    ["a day without a row that is taken back", after(day(true), rows(false, B), rows(true, B)), 6, "all", [A, B, C]],
    ["all rows of a day, one by one", after(rows(true, ...keysOf(6))), 6, "all", [A, B, C]],
    ["a day without all of its rows", after(day(true), rows(false, ...keysOf(6))), 0, "none", []],
    ["a day that is let go", after(rows(true, A), day(true), day(false)), 0, "none", []],
  ];
  for (const [what, choice, entries, part, chosen] of cases)
    test(`${what}: ${entries} of six`, () => {
      const sum = amountOf(choice, DAYS);
      expect(sum).toEqual({ entries, recordings: entries * 2, bytes: entries * 100 });
      expect(partOf(choice, FRIDAY.date)).toBe(part);
      expect(FRIDAY.recordings.map(({ key }) => key).filter((key) => isChosen(choice, FRIDAY.date, key))).toEqual(
        chosen,
      );
      expect(partOf(choice, SATURDAY.date)).toBe("none");
      expect(choice.size).toBe(entries > 0 ? 1 : 0);
    });

  test("a recording that was deleted on two days is chosen on one of them", () => {
    const choice = after(rows(true, A));
    expect(isChosen(choice, FRIDAY.date, A)).toBe(true);
    expect(isChosen(choice, SATURDAY.date, A)).toBe(false);
  });

  test("a range reaches over days, in either direction, and only over rows that are shown", () => {
    const ends = [`${FRIDAY.date}/${B}`, `${SATURDAY.date}/${A}`] as const;
    const range = [
      { day: FRIDAY, keys: [B, C] },
      { day: SATURDAY, keys: [A] },
    ];
    expect(between(DAYS, ...ends)).toEqual(range);
    expect(between(DAYS, ends[1], ends[0])).toEqual(range);
    expect(between(DAYS, ends[0], ends[0])).toEqual([{ day: FRIDAY, keys: [B] }]);
    expect(between(DAYS, `${FRIDAY.date}/${D}`, ends[1])).toEqual([]);
  });
});
