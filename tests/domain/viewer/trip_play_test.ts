import { describe, expect, test } from "bun:test";
import { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import {
  movementBeside,
  movementsInWords,
  nextMovementInWords,
  nextOfTrip,
  skippedInWords,
} from "../../../server/domain/viewer/trip_play.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import { recording } from "../../support/app/recording_list.ts";

const AWAY = {
  videos: {},
  coming: { state: "waiting", directions: ["F"], position: 1, seconds: 9, stills: {} },
} as const;
const NOTHING = { seconds: 0, waiting: 0, wasDriven: false };

/** A trip of these clips; those that end with "?" are still on the camera. */
function tripOf(clips: readonly string[]) {
  const segments = clips.map((clip) => {
    const coming = { ...AWAY, coming: { ...AWAY.coming, directions: ["F"] } };
    return { ...recording(clip.replace("?", ""), clip.endsWith("?") ? coming : {}), offset_seconds: 0 };
  });
  return { segments, clock: new JourneyClock(segments.map((one) => ({ ...one, key: keyOf(one) }))) };
}

describe("nextOfTrip()", () => {
  const first = "20260607_101500_N";
  const rows: [name: string, later: string[], next: string | null, skipped: object][] = [
    ["the next minute", ["20260607_101600_N", "20260607_101700_N"], "20260607_101600_N", NOTHING],
    ["an event after a normal clip", ["20260607_101600_E"], "20260607_101600_E", NOTHING],
    ["a stop on the way", ["20260607_101900_P"], "20260607_101900_P", { ...NOTHING, seconds: 180 }],
    [
      "over what is still on the camera",
      ["20260607_101600_N?", "20260607_101700_N?", "20260607_101800_N"],
      "20260607_101800_N",
      { ...NOTHING, seconds: 120, waiting: 2 },
    ],
    ["nothing where all that follows is still on the camera", ["20260607_101600_N?"], null, NOTHING],
    ["nothing after the last", [], null, NOTHING],
  ];
  for (const [name, later, next, skipped] of rows)
    test(name, () => {
      const trip = tripOf([first, ...later]);
      const found = nextOfTrip(trip, trip.clock, first, null);
      expect(found && keyOf(found.recording)).toBe(next);
      if (found) expect(found.skipped).toEqual(skipped as never);
    });

  test("of what two clips have filmed each moment once, and back into the clip that goes on behind an event", () => {
    const event = { ...recording("20260607_101520_E", { duration_seconds: 30 }), offset_seconds: 0 };
    const segments = [first, "20260607_101600_N", "20260607_101640_M"].map((key) => {
      return { ...recording(key), offset_seconds: 0 };
    });
    segments.splice(1, 0, event);
    const clock = new JourneyClock(segments.map((one) => ({ ...one, key: keyOf(one) })));
    const after = (key: string) => {
      const next = nextOfTrip({ segments }, clock, key, null);
      return next && [keyOf(next.recording), next.start, next.skipped.seconds];
    };
    expect(after(first)).toEqual(["20260607_101600_N", 0, 0]);
    expect(after("20260607_101520_E")).toEqual([first, 50, 0]);
    expect(after("20260607_101600_N")).toEqual(["20260607_101640_M", 20, 0]);
    expect(after("20260607_101640_M")).toBeNull();
  });

  test("nothing for a clip of another trip", () => {
    const trip = tripOf([first]);
    expect(nextOfTrip(trip, trip.clock, "20260607_120000_N", null)).toBeNull();
  });

  test("knows by the track that the car was driven while nothing was recorded", () => {
    const trip = tripOf([first, "20260607_101900_N"]);
    const track = (north: number) => {
      return { t: [50, 245], lat: [52, 52 + north], lon: [13, 13], speed: [20, 20], breaks: new Set([1]) };
    };
    expect(nextOfTrip(trip, trip.clock, first, track(0.05))?.skipped.wasDriven).toBe(true);
    expect(nextOfTrip(trip, trip.clock, first, track(0.0005))?.skipped.wasDriven).toBe(false);
  });
});

test("what was skipped is told as a stay where it may have been one", () => {
  const rows: [skipped: Partial<typeof NOTHING>, words: string | null][] = [
    [{}, null],
    [{ seconds: 1920 }, "32\u00a0min parked"],
    [{ seconds: 1920, wasDriven: true }, "32\u00a0min not recorded"],
    [{ seconds: 59 }, "59\u00a0s not recorded"],
    [{ seconds: 60, waiting: 1 }, "1\u00a0clip is still on the camera"],
    [{ seconds: 120, waiting: 2 }, "2\u00a0clips are still on the camera"],
  ];
  for (const [skipped, words] of rows) expect(skippedInWords({ ...NOTHING, ...skipped })).toBe(words);
});

test("movements around the parked car are counted, and lead to each other", () => {
  const keys = ["20261119_220900_P", "20261119_224100_P", "20261120_023000_I"];
  expect(movementsInWords(keys)).toBe("3\u00a0movements, 1\u00a0impact");
  expect(movementsInWords(keys.slice(0, 1))).toBe("1\u00a0movement");
  const [first = "", second = "", third = ""] = keys;
  expect([movementBeside(keys, first, 1), movementBeside(keys, third, -1)]).toEqual([second, second]);
  const none = [
    movementBeside(keys, third, 1),
    movementBeside(keys, first, -1),
    movementBeside(keys, "20261119_080000_N", 1),
    movementBeside(null, first, 1),
  ];
  expect(none).toEqual([null, null, null, null]);
});

test("the next movement is told by its time, and how much later it is than what was seen", () => {
  const next = { recording: recording("20261119_224100_P"), start: 0, skipped: { ...NOTHING, seconds: 1901 } };
  expect(nextMovementInWords(next)).toBe("Next movement 22:41, 32\u00a0min later");
});
