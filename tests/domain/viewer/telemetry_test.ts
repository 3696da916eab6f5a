import { describe, expect, test } from "bun:test";
import { metersBetween } from "../../../server/domain/viewer/fix_steps.ts";
import { forceOf, RestCounts } from "../../../server/domain/viewer/force.ts";
import { type TelemetryClip, telemetryOf } from "../../../server/domain/viewer/telemetry.ts";
import { boxOf, lengthOfTrack, trackOf } from "../../../server/domain/viewer/track.ts";

const fix = (t: number, lat: number, lon: number, speed: number | null = 20) => ({ t, lat, lon, speed });
/** A car that goes north, some 11 metres a second. */
const drive = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => fix(from + at, 48 + (from + at) / 10_000, 11));
const seconds = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const clip = (given: Partial<TelemetryClip>): TelemetryClip => ({
  key: "20261120_081503_N",
  offsetSeconds: 0,
  durationSeconds: 60,
  track: null,
  force: null,
  ...given,
});
const shake = (seconds: number, x = 1) =>
  Array.from({ length: seconds * 10 }, (_, at) => ({ t: at / 10, x, y: 0, z: (at % 7) / 128 }));

describe("a track", () => {
  test("has the length of the great circles between its fixes", () => {
    expect(metersBetween({ lat: 0, lon: 0 }, { lat: 0, lon: 1 })).toBeCloseTo(111_195, 0);
    expect(metersBetween({ lat: 10, lon: 179.5 }, { lat: 10, lon: -179.5 })).toBeCloseTo(109_505.7, 0);
    expect(lengthOfTrack(trackOf(drive(0, 61)))).toBeCloseTo(667.2, 0);
  });

  test("breaks where there is no fix for more than three seconds, and has no length there", () => {
    const track = trackOf([...drive(0, 11), ...drive(13, 20), ...drive(24, 30)]);
    expect(track.breaks).toEqual([18]);
    expect(lengthOfTrack(track)).toBeCloseTo((29 - 5) * 11.12, 0);
  });

  test("leaves out places where the car cannot have been", () => {
    const track = trackOf([...drive(0, 10), fix(10, 20, 100), ...drive(11, 20)]);
    expect(track.t).toHaveLength(19);
    expect(track.breaks).toEqual([]);
    expect(boxOf([track])).toEqual({ south: 48, north: 48.0019, west: 11, east: 11 });
  });

  const away = (from: number, to: number, lat = 1) =>
    drive(from, to).map((one) => ({ ...one, lat: one.lat + lat, lon: 12 }));
  const excursions: readonly (readonly [
    what: string,
    points: ReturnType<typeof drive>,
    times: number[],
    breaks: number[],
  ])[] = [
    [
      "of ten seconds",
      [...drive(0, 20), ...away(20, 30), ...drive(30, 60)],
      [...seconds(0, 20), ...seconds(30, 60)],
      [20],
    ],
    [
      "of thirty seconds",
      [...drive(0, 20), ...away(20, 50), ...drive(50, 70)],
      [...seconds(0, 20), ...seconds(50, 70)],
      [20],
    ],
    [
      "to one place after another",
      [...drive(0, 20), ...away(20, 26), ...away(26, 30, 2), ...drive(30, 60)],
      [...seconds(0, 20), ...seconds(30, 60)],
      [20],
    ],
    [
      "that comes twice",
      [...drive(0, 9), ...away(9, 14), ...drive(14, 18), ...away(18, 23), ...drive(23, 60)],
      [...seconds(0, 9), ...seconds(14, 18), ...seconds(23, 60)],
      [9, 13],
    ],
    [
      "from which it soon goes for good",
      [...away(0, 5), ...drive(5, 25), ...away(25, 30), ...drive(30, 90)],
      [...seconds(0, 25), ...seconds(30, 90)],
      [5, 25],
    ],
  ];
  for (const [what, points, times, breaks] of excursions)
    test(`leaves out a jump out and back ${what}`, () => {
      const track = trackOf(points);
      expect([track.t, track.breaks]).toEqual([times, breaks]);
    });

  test("believes what lasts longer than thirty seconds, and a car that does not come back", () => {
    expect(trackOf([...drive(0, 20), ...away(20, 52), ...drive(52, 70)]).breaks).toEqual([20, 52]);
    expect(trackOf([...drive(0, 20), ...away(20, 30), ...away(30, 60, 2)]).breaks).toEqual([20, 30]);
  });

  test("goes on behind a jump that lasts", () => {
    const there = drive(10, 20).map((one) => ({ ...one, lat: one.lat + 1 }));
    expect(trackOf([...drive(0, 10), ...there]).breaks).toEqual([10]);
  });

  test("has no length while the car stands, however much its place wanders", () => {
    const wandering = Array.from({ length: 100 }, (_, at) => fix(at, 48 + (at % 3) / 50_000, 11, 0.1));
    expect(lengthOfTrack(trackOf(wandering))).toBe(0);
  });

  test("is put in order by time, without fixes that are no numbers", () => {
    const mixed = [
      fix(2, 48.0002, 11),
      fix(0, 48, 11),
      fix(Number.NaN, 48, 11),
      fix(1, Number.NaN, 11),
      fix(-1, 48, 11),
    ];
    expect(trackOf(mixed).t).toEqual([0, 2]);
  });

  test("has no speed that no car reaches", () => {
    expect(trackOf([fix(0, 48, 11, -4), fix(1, 48, 11, 4000), fix(2, 48, 11, 12.34)]).speed).toEqual([
      null,
      null,
      12.34,
    ]);
  });

  test("lies in a box that goes the short way round the earth", () => {
    const over = [fix(0, -17, 179.9995), fix(1, -17, -179.9999), fix(2, -17, -179.9993)];
    const box = boxOf([trackOf(over)]);
    expect(box?.west).toBeCloseTo(179.9995, 6);
    expect(box?.east).toBeCloseTo(180.0007, 6);
    expect(boxOf([trackOf([])])).toBeNull();
  });
});

describe("a force", () => {
  test("rests at the median of each axis, and is strongest without it", () => {
    const samples = [...shake(10, 1), { t: 10, x: 1, y: 3, z: 4 + 3 / 128 }];
    const told = telemetryOf([clip({ force: forceOf(samples) })]);
    expect([told.rest, told.strongest_g]).toEqual([{ x: 1, y: 0, z: 3 / 128 }, 5]);
    expect(new RestCounts().rest()).toBeNull();
  });

  test("is put in order by time, without what is no number", () => {
    const samples = [
      { t: 3, x: 1, y: 0, z: 0 },
      { t: 1, x: 2, y: 0, z: 0 },
      { t: 2, x: Number.NaN, y: 0, z: 0 },
      { t: 1e9, x: 1, y: 0, z: 0 },
    ];
    expect([...forceOf(samples).x]).toEqual([2, 1]);
  });
});

describe("what is told of a trip", () => {
  test("is nothing where there is nothing, and empty where the camera saw no satellites", () => {
    const none = telemetryOf([clip({}), clip({ track: trackOf([]), force: forceOf([]) })]);
    expect(none.segments.map(({ track, force }) => [track, force])).toEqual([
      [null, null],
      [
        { t: [], lat: [], lon: [], speed: [], breaks: [] },
        { t: [], x: [], y: [], z: [] },
      ],
    ]);
    expect(none).toMatchObject({
      rest: null,
      distance_meters: null,
      fastest_knots: null,
      strongest_g: null,
      box: null,
    });
    expect(telemetryOf([]).distance_meters).toBeNull();
  });

  test("counts the way from the end of one clip to the beginning of the next", () => {
    const one = trackOf(drive(0, 60));
    const other = trackOf(drive(60, 120).map((each) => ({ ...each, t: each.t - 60 })));
    const told = telemetryOf([clip({ track: one }), clip({ offsetSeconds: 60, track: other })]);
    expect(told.distance_meters).toBe(1323);
    const apart = telemetryOf([clip({ track: one }), clip({ offsetSeconds: 600, track: other })]);
    expect(apart.distance_meters).toBe(1312);
  });

  test("leaves out what was recorded after the end of a clip", () => {
    const late = telemetryOf([clip({ force: forceOf([...shake(60), { t: 3000, x: 9, y: 9, z: 9 }]) })]);
    expect(late.segments[0]?.force?.t.at(-1)).toBe(59.9);
    expect(late.strongest_g).toBeLessThan(0.1);
  });

  test("ends with the clip when its clock was set an hour on in the middle", () => {
    const hour = [fix(0, 48, 11), ...drive(1, 50).map((each) => ({ ...each, t: each.t + 3600 }))];
    expect(telemetryOf([clip({ track: trackOf(hour) })]).segments[0]?.track?.t.at(-1)).toBe(60);
    const unknown = telemetryOf([clip({ track: trackOf(hour), durationSeconds: null })]).segments[0]?.track;
    expect([unknown?.t[0], unknown?.t.at(-1)]).toEqual([0, 48]);
  });

  test("is thinned out where it is long, and keeps every extreme and gap", () => {
    const clips = Array.from({ length: 60 }, (_, minute) => {
      const samples = Array.from({ length: 600 }, (_, at) => ({
        t: at / 10,
        x: 1 + Math.round(Math.sin(at * 1.7 + minute) * 40) / 128,
        y: Math.round(Math.cos(at * 2.3) * 30) / 128,
        z: (at === 333 && minute === 17 ? -300 : Math.round(Math.sin(at * 3.1) * 20)) / 128,
      }));
      return clip({ offsetSeconds: minute * 60, force: forceOf(samples) });
    });
    const told = telemetryOf(clips);
    const kept = told.segments.reduce((sum, { force }) => sum + (force?.t.length ?? 0), 0);
    expect(kept).toBeLessThan(9000);
    for (const axis of ["x", "y", "z"] as const) {
      const all = clips.flatMap(({ force }) => [...(force?.[axis] ?? [])]);
      const shown = told.segments.flatMap(({ force }) => force?.[axis] ?? []);
      expect([Math.min(...shown), Math.max(...shown)]).toEqual([Math.min(...all), Math.max(...all)]);
    }
    expect(told.segments[17]?.force?.t).toContain(33.3);

    const fast = Array.from({ length: 15 }, (_, at) => {
      const points = Array.from({ length: 1200 }, (_, step) =>
        fix(step / 20 + (step >= 600 ? 5 : 0), 48 + step / 1e6, 11, step / 20),
      );
      return clip({ offsetSeconds: at * 60, durationSeconds: 66, track: trackOf(points) });
    });
    const tracks = telemetryOf(fast);
    const [first] = tracks.segments;
    expect(first?.track?.t.length).toBeLessThan(700);
    expect(first?.track?.breaks).toHaveLength(1);
    const behind = first?.track?.breaks[0] ?? 0;
    expect([first?.track?.t[behind - 1], first?.track?.t[behind]]).toEqual([29.95, 35]);
    expect(tracks.fastest_knots).toBe(59.95);
    expect(first?.track?.speed).toContain(59.95);
  });
});
