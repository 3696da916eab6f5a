import { describe, expect, test } from "bun:test";
import { keyOf } from "../../../../server/domain/viewer/viewer_address.ts";
import { filled, KEYS, OLDER, recording } from "../../../support/app/recording_list.ts";

describe("the list of the viewer", () => {
  test("counts down a day of which something has gone, and loses the day with the last", () => {
    const list = filled();
    list.drop([KEYS[1], OLDER[0]]);
    expect(list.days.value).toEqual([
      { date: "2026-06-07", count: 3 },
      { date: "2026-06-06", count: 1 },
    ]);
    expect(list.stateOf("2026-06-07").recordings?.map(keyOf)).toEqual([KEYS[0], KEYS[2], KEYS[3]]);
    list.drop([OLDER[1]]);
    expect(list.days.value.map(({ date }) => date)).toEqual(["2026-06-07"]);
  });

  test("takes over a mark, and nothing else changes", () => {
    const list = filled();
    const kept = { at: "2026-06-08T00:00:00Z", note: "A note" };
    list.replace(recording(KEYS[2], { kept }));
    expect(list.stateOf("2026-06-07").recordings?.map((one) => one.kept)).toEqual([null, null, kept, null]);
    expect(list.find(KEYS[2])?.kept).toEqual(kept);
    expect(list.find("20260101_000000_N")).toBeNull();
  });
});
