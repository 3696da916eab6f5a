import { describe, expect, test } from "bun:test";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import {
  ALL_OF_TRASH,
  byRecordedDay,
  countsOf,
  filteredDays,
  recordedAt,
  recordedDayHeads,
} from "../../../server/domain/retention/trash_days.ts";
import { trashed } from "../../support/app/trash.ts";

const CLIPS = [
  trashed("20261103_080100_N", { purge_at: "2026-11-23T08:00:00Z" }),
  trashed("20261102_080200_E", { cause: "hand", recordings: 2 }),
  trashed("20261102_080100_P", { cause: "room" }),
  trashed("20261103_080000_M", { purge_at: "2026-11-22T08:00:00Z" }),
];
const days = byRecordedDay(CLIPS);
const said = (list: typeof days) =>
  list.map(({ date, recordings }) => [date, ...recordings.map(({ key }) => key.slice(9))]);

describe("the days of a trash of thousands", () => {
  test("are those of recording, earliest first, with when the first and the last of their clips leave", () => {
    expect(said(days)).toEqual([
      ["2026-11-02", "080100_P", "080200_E"],
      ["2026-11-03", "080000_M", "080100_N"],
    ]);
    expect(days[0]).toMatchObject({ entries: 2, amount: { recordings: 3, bytes: 200_000_000 } });
    expect(days[1]).toMatchObject({ purge_from: "2026-11-22T08:00:00Z", purge_to: "2026-11-23T08:00:00Z" });
  });

  test("have the same heads when they are counted without their clips", () => {
    const day = 86_400_000;
    const clips = CLIPS.map(({ key, recordings: videos, bytes, cause, purge_at }) => {
      return { key, moment: momentNumber(key), videos, bytes, batch: { at: Date.parse(purge_at) - 30 * day, cause } };
    });
    const iso = (text: string) => new Date(text).toISOString();
    expect(recordedDayHeads(clips, 30 * day)).toEqual(
      days.map((head) => ({
        ...head,
        ...{ recordings: [], purge_from: iso(head.purge_from), purge_to: iso(head.purge_to) },
      })),
    );
    expect(recordedDayHeads([], day)).toEqual([]);
  });

  test("are counted by kind and cause", () => {
    expect(countsOf(days)).toEqual({
      kinds: { normal: 1, event: 1, parking: 1, manual: 1 },
      causes: { age: 2, room: 1, hand: 1, damaged: 0 },
    });
  });

  const filters: readonly (readonly [what: string, filter: Parameters<typeof filteredDays>[1], shown: string[][]])[] = [
    ["nothing", ALL_OF_TRASH, said(days)],
    ["a kind", { kinds: ["event"], causes: [] }, [["2026-11-02", "080200_E"]]],
    ["a cause", { kinds: [], causes: ["room"] }, [["2026-11-02", "080100_P"]]],
    [
      "two kinds",
      { kinds: ["event", "manual"], causes: [] },
      [
        ["2026-11-02", "080200_E"],
        ["2026-11-03", "080000_M"],
      ],
    ],
    ["kinds that did not leave for that", { kinds: ["event"], causes: ["age"] }, []],
  ];
  for (const [what, filter, shown] of filters)
    test(`are narrowed by ${what}`, () => expect(said([...filteredDays(days, filter)])).toEqual(shown));

  test("stay whole while their clips are not known yet", () => {
    const heads = days.map((day) => ({ ...day, recordings: [] }));
    expect(filteredDays(heads, { kinds: ["event"], causes: [] })).toHaveLength(2);
  });

  test("a clip's time is that of a field for times", () => {
    expect(recordedAt("20261102_080200_E")).toBe("2026-11-02T08:02");
  });
});
