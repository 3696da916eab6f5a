import { describe, expect, test } from "bun:test";
import { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import { indexAt, TripTelemetry } from "../../../server/domain/viewer/trip_telemetry.ts";
import type { Telemetry } from "../../../server/domain/viewer/viewer_schema.ts";

const KEYS = ["20261120_080000_N", "20261120_080100_N", "20261120_081000_N"] as const;
const clock = new JourneyClock(KEYS.map((key) => ({ key, duration_seconds: 60 })));
type Segment = Telemetry["segments"][number];

const seconds = (count: number) => Array.from({ length: count }, (_, at) => at);
const track = (t: readonly number[], speed: (at: number) => number | null): Segment["track"] => ({
  t: [...t],
  lat: t.map((at) => 48 + at / 1e4),
  lon: t.map(() => 11),
  speed: t.map(speed),
  breaks: [],
});
const force = (t: readonly number[], z: (at: number) => number): Segment["force"] => ({
  t: [...t],
  x: t.map(() => 1),
  y: t.map(() => 0),
  z: t.map(z),
});
const REST = { x: 1, y: 0, z: 0 };
const told = (segments: readonly Pick<Segment, "key" | "track" | "force">[]): Telemetry => ({
  segments: segments.map((one) => ({ ...one, offset_seconds: 0, duration_seconds: 60, rest: REST })),
  rest: REST,
  distance_meters: 0,
  fastest_knots: 0,
  strongest_g: 0,
  box: null,
});

describe("a trip's telemetry", () => {
  test("stands on the trip's clock, with a break where a clip is missing, and nothing from behind a clip's end", () => {
    const trip = new TripTelemetry(
      told([
        { key: KEYS[0], track: track([...seconds(60), 75], () => 10), force: null },
        { key: KEYS[1], track: track(seconds(60), () => 10), force: null },
        { key: KEYS[2], track: track(seconds(60), () => 10), force: null },
        { key: "20261120_090000_N", track: track(seconds(60), () => 10), force: null },
      ]),
      clock,
    );
    expect(trip.track.t).toHaveLength(180);
    expect([trip.track.t[59], trip.track.t[60], trip.track.t[120]]).toEqual([59, 60, 600]);
    expect([...trip.track.breaks]).toEqual([120]);
  });

  test("reads speed and force at a time, and no fix when the nearest is more than three seconds away", () => {
    const fixes = [0, 1, 2, 10, 11];
    const trip = new TripTelemetry(
      told([
        { key: KEYS[0], track: track(fixes, (at) => (at === 11 ? null : 20 + at)), force: force([0, 1], () => 0.5) },
      ]),
      clock,
    );
    const rows: [time: number, hasFix: boolean, speed: number | null, force: number | null][] = [
      [0, true, 20, 0.5],
      [1.4, true, 21, 0.5],
      [5, true, 22, null],
      [5.5, false, null, null],
      [7, true, 30, null],
      [11, true, null, null],
      [14, true, null, null],
      [14.1, false, null, null],
    ];
    for (const [time, hasFix, speed, g] of rows)
      expect([time, trip.at(time)]).toEqual([time, { hasFix, speed, force: g }]);
    expect(new TripTelemetry(told([]), clock).at(0)).toEqual({ hasFix: false, speed: null, force: null });
  });

  test("knows the largest force between two times, and takes off what its own clip shows at rest", () => {
    const samples = force([0, 0.1, 0.2, 0.3], (at) => (at === 0.1 ? 0.9 : 0.1));
    const { segments, ...rest } = told([{ key: KEYS[0], track: null, force: samples }]);
    const own = segments.map((one) => ({ ...one, rest: { x: 1, y: 0, z: 0.1 } }));
    const trip = new TripTelemetry({ ...rest, segments: own }, clock);
    expect([trip.forceBetween(0, 0.2), trip.forceBetween(0.2, 0.4), trip.forceBetween(5, 6)]).toEqual([0.8, 0, null]);
  });

  test("finds out which way the camera looks by what speed and force do together", () => {
    const faster = (at: number) => at * at * 0.5;
    const looks = (sign: number) =>
      new TripTelemetry(
        told([
          {
            key: KEYS[0],
            track: track(seconds(20), faster),
            force: force(
              seconds(200).map((at) => at / 10),
              (at) => (sign * at) / 20,
            ),
          },
        ]),
        clock,
      ).force.longitudinal.at(-1);
    expect(looks(1)).toBeCloseTo(0.995, 3);
    expect(looks(-1)).toBeCloseTo(0.995, 3);
  });

  test("names the strong moments, one of those close together", () => {
    const strong = new Map([
      [5, 0.9],
      [8, 0.6],
      [30, -0.5],
      [40, 0.2],
    ]);
    const trip = new TripTelemetry(
      told([{ key: KEYS[0], track: null, force: force(seconds(60), (at) => strong.get(at) ?? 0) }]),
      clock,
    );
    expect(trip.peaks.map(({ time, longitudinal }) => [time, longitudinal])).toEqual([
      [5, 0.9],
      [30, -0.5],
    ]);
  });
});

test("the first index at a time is found by halves", () => {
  const times = [1, 2, 2, 5];
  expect([0, 1, 1.5, 2, 3, 5, 6].map((time) => indexAt(times, time))).toEqual([0, 0, 1, 1, 3, 3, 4]);
  expect(indexAt([], 1)).toBe(0);
});
