import { describe, expect, test } from "bun:test";
import { Choosing } from "../../islands/viewer/list/choosing.ts";
import { RecordingList } from "../../islands/viewer/list/recording_list.ts";
import type { ViewerRecording } from "../../server/domain/api/viewer_schema.ts";
import { NO_FILTER } from "../../server/domain/viewer/list_filter.ts";
import { keyOf } from "../../server/domain/viewer/viewer_address.ts";

function recording(key: string, changes: Partial<ViewerRecording> = {}): ViewerRecording {
  return {
    base_filename: key.slice(0, 15),
    type: key.slice(16),
    datetime: "",
    directions: ["F"],
    has_gps: false,
    has_3gf: false,
    has_thm: false,
    videos: { F: `/media/${key}F.mp4` },
    thumb: null,
    size_bytes: 100,
    duration_seconds: 60,
    codecs: null,
    kept: null,
    kept_with: null,
    strongest: null,
    coming: null,
    ...changes,
  };
}

const KEYS = ["20260607_101800_N", "20260607_101700_E", "20260607_101600_N", "20260607_101500_P"] as const;
const OLDER = ["20260606_235900_N", "20260606_235800_N"] as const;

/** Two days, both read and open. */
function filled(): RecordingList {
  const list = new RecordingList({
    days: [
      { date: "2026-06-07", count: 4 },
      { date: "2026-06-06", count: 2 },
    ],
    day: { date: "2026-06-07", recordings: KEYS.map((key) => recording(key)), trips: null },
    filter: NO_FILTER,
  });
  const older = { recordings: OLDER.map((key) => recording(key)), trips: null, isComing: false, problem: null };
  list.states.value = { ...list.states.value, "2026-06-06": older };
  list.openDay("2026-06-06");
  return list;
}
const chosen = (choosing: Choosing) => choosing.chosen.map(keyOf);

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

describe("choosing several", () => {
  test("one by one, in the order of the list", () => {
    const choosing = new Choosing(filled());
    choosing.toggle(OLDER[1], false);
    choosing.toggle(KEYS[2], false);
    expect(chosen(choosing)).toEqual([KEYS[2], OLDER[1]]);
    choosing.toggle(KEYS[2], false);
    expect(chosen(choosing)).toEqual([OLDER[1]]);
  });

  test("a range, in either direction and over the ends of days", () => {
    const choosing = new Choosing(filled());
    choosing.toggle(OLDER[0], false);
    choosing.toggle(KEYS[2], true);
    expect(chosen(choosing)).toEqual([KEYS[2], KEYS[3], OLDER[0]]);
    choosing.toggle(KEYS[3], true);
    expect(chosen(choosing)).toEqual([OLDER[0]]);
  });

  test("a range has no rows of a closed day", () => {
    const list = filled();
    list.toggleDay("2026-06-06");
    const choosing = new Choosing(list);
    choosing.toggle(KEYS[2], false);
    choosing.toggle(OLDER[0], true);
    expect(chosen(choosing)).toEqual([KEYS[2], OLDER[0]]);
  });

  test("a trip as a whole, and none of it", () => {
    const choosing = new Choosing(filled());
    const trip = [KEYS[0], KEYS[1]];
    choosing.toggle(KEYS[1], false);
    expect(choosing.partOfKeys(trip)).toBe("some");
    choosing.toggleKeys(trip);
    expect([choosing.partOfKeys(trip), chosen(choosing)]).toEqual(["all", trip]);
    choosing.toggleKeys(trip);
    expect([choosing.partOfKeys(trip), chosen(choosing)]).toEqual(["none", []]);
  });

  test("a range that begins at a row that is gone is one row", () => {
    const list = filled();
    const choosing = new Choosing(list);
    choosing.toggle(KEYS[0], false);
    list.drop([KEYS[0]]);
    choosing.toggle(KEYS[3], true);
    expect(chosen(choosing)).toEqual([KEYS[3]]);
  });

  test("a whole day, and none of it", async () => {
    const choosing = new Choosing(filled());
    expect(choosing.partOf("2026-06-07")).toBe("none");
    choosing.toggle(KEYS[1], false);
    expect(choosing.partOf("2026-06-07")).toBe("some");
    await choosing.toggleDay("2026-06-07");
    expect(chosen(choosing)).toEqual([...KEYS]);
    expect(choosing.partOf("2026-06-07")).toBe("all");
    await choosing.toggleDay("2026-06-07");
    expect(chosen(choosing)).toEqual([]);
  });

  test("what is not in the list is not chosen: what was deleted meanwhile", () => {
    const list = filled();
    const choosing = new Choosing(list);
    for (const key of KEYS) choosing.toggle(key, false);
    list.drop([KEYS[0]]);
    expect(chosen(choosing)).toEqual(KEYS.slice(1));
  });

  test("ends with nothing chosen", () => {
    const choosing = new Choosing(filled());
    choosing.turn(true);
    choosing.toggle(KEYS[0], false);
    choosing.turn(false);
    expect([choosing.isOn.value, chosen(choosing)]).toEqual([false, []]);
  });
});
