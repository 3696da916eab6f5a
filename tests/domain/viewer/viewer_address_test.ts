import { describe, expect, test } from "bun:test";
import { cameraClock, cameraDay, isDay } from "../../../server/domain/recordings/camera_clock.ts";
import { NO_FILTER, onlyOf } from "../../../server/domain/viewer/list_filter.ts";
import {
  camerasOf,
  dayOfKey,
  dayPath,
  distinct,
  firstToSee,
  headlineOf,
  keyOf,
  playPath,
  playsOf,
  viewerPath,
  wantedOf,
} from "../../../server/domain/viewer/viewer_address.ts";
import { recording } from "../../support/app/recording_list.ts";

describe("wantedOf()", () => {
  const KEY = "20260607_101500_N";
  const rows: [query: string, wanted: unknown][] = [
    ["", { kind: "newest" }],
    ["date=2026-06-07", { kind: "day", date: "2026-06-07" }],
    ["date=", { kind: "day", date: "" }],
    [`key=${KEY}`, { kind: "recording", key: KEY, start: null }],
    [`key=${KEY}&t=0`, { kind: "recording", key: KEY, start: 0 }],
    [`key=${KEY}&t=12.5&date=2020-01-01`, { kind: "recording", key: KEY, start: 12.5 }],
    [`key=${KEY}&t=-3`, { kind: "recording", key: KEY, start: 0 }],
    [`key=${KEY}&t=soon`, { kind: "recording", key: KEY, start: 0 }],
    [`key=${KEY}&t=Infinity`, { kind: "recording", key: KEY, start: 0 }],
    ["key=", { kind: "newest" }],
  ];
  for (const [query, wanted] of rows)
    test(`reads ?${query}`, () => expect(wantedOf(new URLSearchParams(query))).toEqual(wanted as never));
});

describe("playing at once", () => {
  const rows: [query: string, plays: boolean][] = [
    ["key=20260607_101500_N&play=1", true],
    ["play=1", true],
    ["key=20260607_101500_N", false],
    ["play=", false],
    ["play=true", false],
    ["play=0&play=1", false],
  ];
  for (const [query, plays] of rows)
    test(`?${query}: ${plays}`, () => expect(playsOf(new URLSearchParams(query))).toBe(plays));

  test("is asked for by an address that names the recording as any other", () => {
    const { searchParams } = new URL(playPath("20260607_101500_N"), "http://host");
    expect(wantedOf(searchParams)).toEqual({ kind: "recording", key: "20260607_101500_N", start: null });
    expect(playsOf(searchParams)).toBe(true);
  });
});

describe("a list that does not hold everything", () => {
  test("is asked for by name, and all are shown for any other", () => {
    expect(onlyOf(new URLSearchParams("only=kept"))).toBe("kept");
    expect(onlyOf(new URLSearchParams("key=20260607_101500_N&only=due"))).toBe("due");
    for (const other of ["", "only=", "only=all", "only=KEPT"]) expect(onlyOf(new URLSearchParams(other))).toBeNull();
  });

  test("stays in the addresses of recordings and days", () => {
    expect(viewerPath("20260607_101500_N", 0, { ...NO_FILTER, only: "due" })).toBe(
      "/viewer?key=20260607_101500_N&only=due",
    );
    expect(viewerPath("20260607_101500_N", 2, { ...NO_FILTER, only: "kept" })).toBe(
      "/viewer?key=20260607_101500_N&t=2&only=kept",
    );
    expect(dayPath("2026-06-07")).toBe("/viewer?date=2026-06-07");
    expect(dayPath("2026-06-07", { ...NO_FILTER, only: "kept" })).toBe("/viewer?date=2026-06-07&only=kept");
  });

  test("says what it is empty of", () => {
    expect(headlineOf({ kind: "nothing", only: null }, 2026)).toBe("No clips yet");
    expect(headlineOf({ kind: "nothing", only: "kept" }, 2026)).toBe("Nothing is kept");
    expect(headlineOf({ kind: "nothing", only: "due" }, 2026)).toBe("Nothing to delete");
  });
});

describe("a recording's key", () => {
  test("names its day, when there is such a day", () => {
    expect(dayOfKey("20260607_101500_N")).toBe("2026-06-07");
    for (const other of ["20260230_101500_N", "20260607_101500", "20260607_101500_NF", "<b>", ""])
      expect(dayOfKey(other)).toBeNull();
  });

  test("is the address of its moment, to a tenth of a second", () => {
    expect(viewerPath("20260607_101500_N")).toBe("/viewer?key=20260607_101500_N");
    expect(viewerPath("20260607_101500_N", 12.53)).toBe("/viewer?key=20260607_101500_N&t=12.5");
  });
});

describe("the camera's own time", () => {
  test("goes on over midnight, and is never taken into another zone", () => {
    expect(cameraClock("20260607_235950_N", 0)).toBe("23:59:50");
    expect(cameraClock("20260607_235950_N", 12.9)).toBe("00:00:02");
    // The hour that a change of the clock skips in much of Europe.
    expect(cameraClock("20260329_023000_N")).toBe("02:30:00");
  });

  test("names days with their year when it is another", () => {
    expect(cameraDay("2026-06-07", 2026)).toBe("Sun 7\u00a0Jun");
    expect(cameraDay("2024-02-29", 2026)).toBe("Thu 29\u00a0Feb 2024");
  });

  test("knows days from what only looks like one", () => {
    expect(["2024-02-29", "2026-02-29", "2026-13-01", "20260607", ""].map(isDay)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

test("cameras come front first, new letters last, and only the thumbnail's own camera has it as its poster", () => {
  const videos = { O: "/o", Z: "/z", R: "/r", F: "/f", I: "/i" };
  const thumb = "/media/20260607_101500_NRL.thm";
  const cameras = camerasOf(recording("20260607_101500_N", { videos, thumb }));
  expect(cameras.map(({ name }) => name)).toEqual(["Front", "Rear", "Interior", "Optional", "Camera Z"]);
  expect(cameras.map((camera) => camera.thumb)).toEqual([null, thumb, null, null, null]);
});

test("copies of a recording are one row, the one that links lead to", () => {
  const one = recording("20260607_101500_N");
  const copy = recording("20260607_101500_N");
  const other = recording("20260607_101400_N");
  const rows = distinct([one, copy, other]);
  expect(rows.map(keyOf)).toEqual(["20260607_101500_N", "20260607_101400_N"]);
  expect(rows[0]).toBe(one);
});

test("the newest clip of which there is something to see is shown first; one at home, or a picture that came ahead", () => {
  const bare = recording("20260607_101700_N", { videos: {} });
  const picture = recording("20260607_101600_N", { videos: {}, thumb: "/media/x.thm" });
  const home = recording("20260607_101500_N");
  expect(firstToSee([bare, picture, home])).toBe(picture);
  expect(firstToSee([bare, home])).toBe(home);
  expect(firstToSee([bare])).toBe(bare);
  expect(firstToSee([])).toBeUndefined();
});
