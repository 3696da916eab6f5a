import { describe, expect, test } from "bun:test";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { JourneyClock, type TimedClip } from "../../../server/domain/viewer/journey_clock.ts";

const clip = (time: string, duration_seconds: number | null = 60, type = "N"): TimedClip => ({
  key: `20261120_${time}_${type}`,
  duration_seconds,
});
const placed = (...clips: TimedClip[]) =>
  new JourneyClock(clips).segments.map(({ offset, length, isGuess }) => [offset, length, ...(isGuess ? ["?"] : [])]);

describe("the clock of a trip", () => {
  const rows: readonly (readonly [what: string, clips: readonly TimedClip[], expected: unknown[]])[] = [
    [
      "has clips in a row behind each other",
      [clip("080000"), clip("080100")],
      [
        [0, 60],
        [60, 60],
      ],
    ],
    [
      "closes the pause in which the camera changes files",
      [clip("080000", 59.1), clip("080100")],
      [
        [0, 59.1],
        [59.1, 60],
      ],
    ],
    [
      "keeps a real pause",
      [clip("080000"), clip("080300")],
      [
        [0, 60],
        [180, 60],
      ],
    ],
    [
      "takes less than two seconds of overlap for the camera's own rounding",
      [clip("080000", 61.5), clip("080100")],
      [
        [0, 61.5],
        [61.5, 60],
      ],
    ],
    [
      "has each moment of clips that overlap once",
      [clip("080000", 70), clip("080100"), clip("080400")],
      [
        [0, 70],
        [60, 60],
        [240, 60],
      ],
    ],
    [
      "guesses a minute",
      [clip("080000", null), clip("080300")],
      [
        [0, 60, "?"],
        [180, 60],
      ],
    ],
    [
      "guesses less when the next one begins sooner",
      [clip("080000", null), clip("080020", null)],
      [
        [0, 20, "?"],
        [20, 60, "?"],
      ],
    ],
    [
      "takes a length of nothing for unknown",
      [clip("080000", 0), clip("080100")],
      [
        [0, 60, "?"],
        [60, 60],
      ],
    ],
    [
      "counts one key once",
      [clip("080000"), clip("080000"), clip("080100")],
      [
        [0, 60],
        [60, 60],
      ],
    ],
    [
      "shows two types of one second once",
      [clip("080000", 20, "E"), clip("080000")],
      [
        [0, 20],
        [0, 60],
      ],
    ],
    [
      "goes over midnight",
      [clip("235930"), { key: "20261121_000030_N", duration_seconds: 60 }],
      [
        [0, 60],
        [60, 60],
      ],
    ],
  ];
  for (const [what, clips, expected] of rows)
    test(what, () => {
      expect(placed(...clips)).toEqual(expected as (string | number)[][]);
    });

  const trip = new JourneyClock([clip("080000"), clip("080100", 62), clip("080500", null)]);

  test("knows its length and its gaps", () => {
    expect(trip.length).toBe(360);
    expect(trip.gaps()).toEqual([[122, 300]]);
  });

  const places: readonly (readonly [time: number, key: string, seconds: number])[] = [
    [-5, "20261120_080000_N", 0],
    [0, "20261120_080000_N", 0],
    [59.9, "20261120_080000_N", 59.9],
    [60, "20261120_080100_N", 0],
    [121.5, "20261120_080100_N", 61.5],
    [122, "20261120_080500_N", 0],
    [200, "20261120_080500_N", 0],
    [310, "20261120_080500_N", 10],
    [9999, "20261120_080500_N", 60],
  ];
  for (const [time, key, seconds] of places)
    test(`has a clip at ${time} s, in a gap the next one`, () => {
      expect(trip.at(time)).toMatchObject({ key, seconds });
    });

  test("tells the time of a moment in a clip, not behind the clip's end", () => {
    expect(trip.timeOf("20261120_080100_N", 10)).toBe(70);
    expect(trip.timeOf("20261120_080100_N", 500)).toBe(122);
    // A guess is no end.
    expect(trip.timeOf("20261120_080500_N", 75)).toBe(375);
    expect(trip.timeOf("20261120_090000_N", 0)).toBeNull();
    expect(trip.offsetOf("20261120_090000_N")).toBeNull();
  });

  test("goes between its time and the camera's wall clock", () => {
    const eight = Date.UTC(2026, 10, 20, 8) / 1000;
    expect(trip.wallAt(0)).toBe(eight);
    expect(trip.wallAt(310)).toBe(eight + 310);
    expect(trip.timeAtWall(eight + 70)).toBe(70);
    expect(trip.timeAtWall(eight - 70)).toBe(0);
    expect(trip.timeAtWall(eight + 9999)).toBe(360);
  });

  describe("of clips that overlap", () => {
    // An event within a clip, and one that goes on into the clip after next.
    const shared = new JourneyClock([
      clip("080000"),
      clip("080040", 10, "E"),
      clip("080100"),
      clip("080140", 40, "E"),
      clip("080200"),
    ]);
    test("is as long as the time that was filmed, without gaps", () => {
      expect([shared.length, shared.gaps()]).toEqual([180, []]);
      expect(shared.segments.map(({ offset, from }) => [offset, from])).toEqual([
        [0, 0],
        [40, 10],
        [60, 0],
        [100, 20],
        [120, 20],
      ]);
    });

    const plays: readonly (readonly [after: string, key: string, seconds: number])[] = [
      ["080000_N", "080100_N", 0],
      ["080040_E", "080000_N", 50],
      ["080100_N", "080140_E", 20],
      ["080140_E", "080200_N", 20],
    ];
    for (const [after, key, seconds] of plays)
      test(`goes on after ${after} with ${key} at ${seconds} s`, () => {
        expect(shared.after(`20261120_${after}`)).toMatchObject({ key: `20261120_${key}`, seconds });
      });

    test("ends with the last of them, and is at one clip at a time", () => {
      expect(shared.after("20261120_080200_N")).toBeNull();
      expect([45, 110, 130, 150].map((time) => shared.at(time))).toMatchObject([
        { key: "20261120_080000_N", seconds: 45 },
        { key: "20261120_080100_N", seconds: 50 },
        { key: "20261120_080140_E", seconds: 30 },
        { key: "20261120_080200_N", seconds: 30 },
      ]);
      expect(shared.timeOf("20261120_080040_E", 3)).toBe(43);
      expect(shared.wallAt(150)).toBe(Date.UTC(2026, 10, 20, 8, 2, 30) / 1000);
    });
  });

  describe("over an hour that clocks leave out", () => {
    const keys = ["20260329_015900_N", "20260329_030000_N", "20260329_030300_N"];
    const clips = keys.map((key) => ({ key, duration_seconds: 60 }));
    const berlin = new ZoneTime("Europe/Berlin");
    const offsets = (clock: JourneyClock) => clock.segments.map(({ offset }) => offset);

    test("has no gap", () => {
      const clock = new JourneyClock(clips, berlin);
      expect([offsets(clock), clock.gaps(), clock.length]).toEqual([[0, 60, 240], [[120, 240]], 300]);
      const wall = Date.UTC(2026, 2, 29, 3, 0, 30) / 1000;
      expect([clock.wallAt(90), clock.timeAtWall(wall)]).toEqual([wall, 90]);
    });

    test("has none where the service has told its offsets, which nobody else can", () => {
      const told = [0, 60, 240].map((offset_seconds, at) => ({
        key: keys[at] ?? "",
        duration_seconds: 60,
        offset_seconds,
      }));
      expect(offsets(new JourneyClock(told))).toEqual([0, 60, 240]);
      expect(offsets(new JourneyClock(clips))).toEqual([0, 3660, 3840]);
      // One that has come home since is beside the others.
      const [first, second] = told;
      if (!first || !second) throw new Error("There are no clips");
      const later = { key: "20260329_030100_N", duration_seconds: 60 };
      expect(offsets(new JourneyClock([first, second, later]))).toEqual([0, 60, 120]);
    });
  });

  test("of nothing is at no clip", () => {
    const none = new JourneyClock([]);
    expect([none.length, none.at(3), none.gaps()]).toEqual([0, null, []]);
  });
});
