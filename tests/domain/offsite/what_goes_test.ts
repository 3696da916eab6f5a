import { describe, expect, test } from "bun:test";
import { isUrgent, rankOf } from "../../../server/domain/offsite/what_goes.ts";

describe("what goes off-site", () => {
  const rows: readonly (readonly [
    type: string,
    isKept: boolean,
    kept: number | null,
    events: number | null,
    all: number,
  ])[] = [
    ["N", true, 0, 0, 0],
    ["E", true, 0, 0, 0],
    ["E", false, null, 1, 1],
    ["I", false, null, 1, 1],
    ["B", false, null, 1, 1],
    ["O", false, null, 1, 1],
    ["A", false, null, 1, 1],
    ["T", false, null, 1, 1],
    ["N", false, null, null, 2],
    ["P", false, null, null, 2],
    ["M", false, null, null, 2],
  ];
  for (const [type, isKept, ...ranks] of rows)
    test(`of type ${type}${isKept ? ", kept," : ""} is ranked`, () =>
      expect((["kept", "events", "all"] as const).map((what) => rankOf({ type, isKept }, what))).toEqual(
        ranks as never,
      ));

  test("need not wait for its hours when it is kept or an event", () => {
    expect(([0, 1, 2] as const).map(isUrgent)).toEqual([true, true, false]);
  });
});
