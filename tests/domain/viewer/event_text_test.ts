import { describe, expect, test } from "bun:test";
import { telemetryFacts } from "../../../server/domain/viewer/clip_facts.ts";
import { eventInWords } from "../../../server/domain/viewer/event_text.ts";
import type { Track } from "../../../server/domain/viewer/track.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";

const SECONDS = 60;
const METERS_PER_DEGREE = 111_195;

/** A fix a second; @param drive the speed in knots and the course in degrees at a second */
function trackOf(drive: (second: number) => readonly [knots: number | null, course: number]): Track {
  const [t, lat, lon, speed]: [number[], number[], number[], (number | null)[]] = [[], [], [], []];
  let north = 0;
  let east = 0;
  for (let second = 0; second <= SECONDS; second++) {
    const [knots, course] = drive(second);
    t.push(second);
    lat.push(north);
    lon.push(east);
    speed.push(knots);
    const meters = (knots ?? 20) * 0.5144;
    north += (meters * Math.cos((course * Math.PI) / 180)) / METERS_PER_DEGREE;
    east += (meters * Math.sin((course * Math.PI) / 180)) / METERS_PER_DEGREE;
  }
  return { t, lat, lon, speed, breaks: [] };
}

/** Ten samples a second of a camera that hangs straight, with a push of a second in the middle. */
function forceOf(push: readonly [vertical: number, lateral: number, longitudinal: number]) {
  const count = SECONDS * 10;
  const column = (at: number, rest: number) =>
    Float64Array.from({ length: count }, (_, index) => (index >= 300 && index < 310 ? rest + (push[at] ?? 0) : rest));
  const t = Float64Array.from({ length: count }, (_, index) => index / 10);
  return { t, x: column(0, 1), y: column(1, 0.04), z: column(2, -0.07) };
}

const steady = () => [35, 90] as const;
/** From 58 km/h to a stand within three seconds. */
const braking = (second: number) => [Math.max(0, 31.3 - 10.5 * Math.max(0, second - 29)), 90] as const;
const gaining = (second: number) => [Math.min(30, 10 * Math.max(0, second - 29)), 90] as const;
const turning = (by: number) => (second: number) => [34.6, 350 + by * Math.max(0, Math.min(3, second - 29))] as const;

function words(type: string, track: Track | null, force: ReturnType<typeof forceOf> | null) {
  const { strongest } = telemetryFacts({ track, force, startUtc: null }, SECONDS);
  const { t = null, g = null, push = null, fromKnots = null, toKnots = null } = strongest ?? {};
  const told = { t, g, push, from_knots: fromKnots, to_knots: toKnots };
  const found = eventInWords({ base_filename: "20261120_082347", type, strongest: told } as ViewerRecording, "kmh");
  return found && `${found.what} · ${found.more}`.replaceAll("\u00a0", " ");
}

describe("what happened in an event", () => {
  const rows: [name: string, type: string, track: Track | null, push: [number, number, number], said: string][] = [
    ["braking", "E", trackOf(braking), [0.1, 0, -0.62], "Braked hard, 0.63 g · 58 to 0 km/h"],
    [
      "a camera that is mounted the other way round",
      "E",
      trackOf(braking),
      [0.1, 0, 0.62],
      "Braked hard, 0.63 g · 58 to 0 km/h",
    ],
    ["a little of it", "E", trackOf(braking), [0, 0, -0.3], "Braked, 0.30 g · 58 to 0 km/h"],
    ["setting off", "E", trackOf(gaining), [0, 0, 0.5], "Accelerated hard, 0.50 g · 0 to 56 km/h"],
    ["a turn to the left", "E", trackOf(turning(-20)), [0, 0.55, 0], "Swerved left, 0.55 g · 64 km/h"],
    ["a turn to the right over north", "E", trackOf(turning(20)), [0, 0.55, 0], "Swerved right, 0.55 g · 64 km/h"],
    ["sideways, straight on", "E", trackOf(steady), [0, 0.55, 0], "Swerved, 0.55 g · 65 km/h"],
    ["a hole in the road", "E", trackOf(steady), [0.9, 0, 0.1], "Bump, 0.91 g · 65 km/h"],
    ["a jolt without satellites", "E", null, [0, 0, 0.7], "Jolt, 0.70 g · "],
    ["speed that is not known", "E", trackOf(() => [null, 90]), [0, 0, 0.7], "Jolt, 0.70 g · "],
    ["a knock against the parked car", "I", null, [0.1, 0.9, 0], "Bump while parked · 0.91 g from the side"],
    ["one from behind", "I", trackOf(() => [0, 0]), [0, 0, 0.9], "Bump while parked · 0.90 g from the front or rear"],
    ["what the camera has named", "B", trackOf(steady), [0, 0.4, 0], "Hard braking, 0.40 g · 65 km/h"],
  ];
  test.each(rows)("is said of %s", (_, type, track, push, said) => {
    expect(words(type, track, forceOf(push))).toBe(said);
  });

  test("is left out without samples, with no more force than any road has, and of speeding", () => {
    expect(words("E", trackOf(braking), null)).toBeNull();
    expect(words("E", trackOf(steady), forceOf([0.1, 0, 0.1]))).toBeNull();
    expect(words("O", trackOf(steady), forceOf([0, 0.5, 0]))).toBeNull();
    expect(
      words("E", null, { t: new Float64Array(), x: new Float64Array(), y: new Float64Array(), z: new Float64Array() }),
    ).toBeNull();
  });
});
