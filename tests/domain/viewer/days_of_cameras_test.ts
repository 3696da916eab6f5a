import { describe, expect, test } from "bun:test";
import { amountsTogether } from "../../../server/domain/retention/deletion.ts";
import {
  calendarTogether,
  clipsByCamera,
  daysTogether,
  isDayOf,
  newestFirst,
  ofNewestDay,
  recordingsTogether,
  summed,
  tripsTogether,
} from "../../../server/domain/viewer/days_of_cameras.ts";
import { keyOf, pathOfCamera } from "../../../server/domain/viewer/viewer_address.ts";
import type { TripSummary, ViewerDay } from "../../../server/domain/viewer/viewer_schema.ts";
import { recording } from "../../support/app/recording_list.ts";

const [MON, TUE, WED] = ["2026-06-08", "2026-06-09", "2026-06-10"] as const;
const of = (camera: string, date: string, count = 1): ViewerDay => ({ camera, date, count });
const entry = (camera: string | undefined, key: string) =>
  camera === undefined ? recording(key) : { ...recording(key), camera };
const trip = (first: string) => ({ clips: [first] }) as unknown as TripSummary;

describe("days of several cameras", () => {
  const ROWS: readonly (readonly [string, readonly ViewerDay[], ReturnType<typeof daysTogether>])[] = [
    ["none", [], []],
    ["one camera, which is not named", [{ date: TUE, count: 2 }], [{ date: TUE, count: 2 }]],
    [
      "one of several",
      [of("van", TUE, 2), of("van", MON)],
      [
        { date: TUE, count: 2 },
        { date: MON, count: 1 },
      ],
    ],
    [
      "two, each day once",
      [of("main", WED, 2), of("van", WED, 3), of("van", TUE, 4), of("main", MON, 5)],
      [
        { date: WED, count: 5, cameras: ["main", "van"] },
        { date: TUE, count: 4, cameras: ["van"] },
        { date: MON, count: 5, cameras: ["main"] },
      ],
    ],
  ];
  test.each(ROWS)("%s", (_, days, wanted) => {
    expect(daysTogether(days)).toEqual(wanted);
  });

  test.each([
    ["20260609_100000_N", undefined, true],
    ["20260609_100000_N", ["van"], false],
    ["20260609_100000_N", ["main", "van"], true],
    ["van~20260609_100000_N", ["main", "van"], true],
    ["van~20260609_100000_N", ["main"], false],
    ["bus~20260609_100000_N", undefined, true],
  ])("a day of the car that %s is of: %p is %p", (key, cameras, wanted) => {
    expect(isDayOf({ date: TUE, count: 1, ...(cameras && { cameras }) }, key)).toBe(wanted);
  });

  test("those of the API are in one order, and without a date only the newest day counts", () => {
    const days = [of("main", MON), of("main", TUE), of("van", WED), of("van", TUE)];
    expect(newestFirst(days)).toEqual([of("van", WED), of("main", TUE), of("van", TUE), of("main", MON)]);
    expect(ofNewestDay(days)).toEqual([of("van", WED)]);
    expect(ofNewestDay([])).toEqual([]);
  });
});

test("a calendar's day has the sums of all cameras, once", () => {
  const day = (camera: string | undefined, date: string, count: number, events: number, seconds: number) => {
    return { ...(camera !== undefined && { camera }), date, count, events, driving_seconds: seconds };
  };
  const days = [
    day("main", TUE, 3, 1, 600),
    day("van", TUE, 2, 0, 300),
    day("bus", TUE, 1, 2, 0),
    day("van", MON, 9, 1, 60),
  ];
  expect(calendarTogether(days)).toEqual([day(undefined, TUE, 6, 3, 900), day(undefined, MON, 9, 1, 60)]);
  expect(calendarTogether([day(undefined, MON, 2, 1, 5)])).toEqual([day(undefined, MON, 2, 1, 5)]);
  expect([...clipsByCamera(days)]).toEqual([
    ["main", 3],
    ["van", 11],
    ["bus", 1],
  ]);
  expect([...clipsByCamera([{ date: MON, count: 4 }])]).toEqual([["main", 4]]);
});

describe("a day's contents", () => {
  test("of several cameras come by time, newest first, and at the same time the first camera's is the older", () => {
    const days = [
      {
        date: TUE,
        camera: "main",
        recordings: [entry("main", "20260609_120000_N"), entry("main", "20260609_100000_N")],
      },
      { date: TUE, camera: "van", recordings: [entry("van", "20260609_110000_E"), entry("van", "20260609_100000_N")] },
    ];
    expect(recordingsTogether(days).map(keyOf)).toEqual([
      "20260609_120000_N",
      "van~20260609_110000_E",
      "van~20260609_100000_N",
      "20260609_100000_N",
    ]);
  });

  test("of one camera stay as they are, a copy in another folder left out", () => {
    const copy = entry(undefined, "20260609_120000_N");
    expect(recordingsTogether([{ date: TUE, recordings: [copy, { ...copy }] }])).toEqual([copy]);
    expect(recordingsTogether([])).toEqual([]);
  });

  test("are trips, newest first, those that began the day before last", () => {
    const days = [
      { date: TUE, before: trip("20260608_235900_N"), trips: [trip("20260609_120000_N"), trip("20260609_080000_N")] },
      { date: TUE, before: trip("van~20260608_235930_N"), trips: [trip("van~20260609_090000_N")] },
    ];
    expect(tripsTogether(days).map(({ clips: [first] }) => first)).toEqual([
      "20260609_120000_N",
      "van~20260609_090000_N",
      "20260609_080000_N",
      "van~20260608_235930_N",
      "20260608_235900_N",
    ]);
  });
});

test("numbers of the same name are added", () => {
  expect(summed([{ N: 2, E: 1 }, { N: 3, P: 4 }, {}])).toEqual({ N: 5, E: 1, P: 4 });
});

test.each([
  [[], { recordings: 0, bytes: 0 }],
  [[{ recordings: 2, bytes: 10 }], { recordings: 2, bytes: 10 }],
  [
    [
      { recordings: 2, bytes: 10 },
      { recordings: 3, bytes: 5 },
    ],
    { recordings: 5, bytes: 15 },
  ],
  [
    [
      { recordings: 2, bytes: 10 },
      { recordings: 3, bytes: null },
    ],
    { recordings: 5, bytes: null },
  ],
  [[{ recordings: 2, bytes: 10 }, null], null],
])("the amounts %j are together %j", (amounts, wanted) => {
  expect(amountsTogether(amounts)).toEqual(wanted);
});

test.each([
  ["all", null, "/viewer?camera=all"],
  ["van", null, "/viewer?camera=van"],
  ["van", "van~20260609_100000_N", "/viewer?key=van~20260609_100000_N&camera=van"],
])("the clips of %s beside %p are at %s", (camera, key, wanted) => {
  expect(pathOfCamera(camera, key)).toBe(wanted);
  expect(pathOfCamera(camera, key, { types: ["E"], cameras: [], only: "kept" })).toBe(`${wanted}&types=E&only=kept`);
});
