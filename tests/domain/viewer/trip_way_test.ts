import { describe, expect, test } from "bun:test";
import { type TelemetryClip, telemetryOf } from "../../../server/domain/viewer/telemetry.ts";
import { trackOf } from "../../../server/domain/viewer/track.ts";

/** Fixes of a car that goes north at some 11 metres a second, at these seconds of the trip; away, a degree beside it. */
const drive = (from: number, to: number, beside = 0) =>
  Array.from({ length: to - from }, (_, at) => {
    return { t: from + at, lat: 48 + (from + at) / 10_000, lon: 11 + beside, speed: 20 + beside * 100 };
  });
function clip(offsetSeconds: number, durationSeconds: number | null, fixes: ReturnType<typeof drive>): TelemetryClip {
  const track = trackOf(fixes.map((one) => ({ ...one, t: one.t - offsetSeconds })));
  return { key: "20261120_081503_N", offsetSeconds, durationSeconds, track, force: null };
}
const timesOf = (clips: readonly TelemetryClip[]) =>
  telemetryOf(clips).segments.map(({ track, offset_seconds: offset }) => track?.t.map((t) => t + offset));
const METERS = 11.1195;

describe("the way of a trip", () => {
  test("leaves out a jump out and back over the end of a clip", () => {
    const clips = [
      clip(0, 60, [...drive(0, 50), ...drive(50, 60, 1)]),
      clip(60, 60, [...drive(60, 75, 1), ...drive(75, 120)]),
    ];
    const told = telemetryOf(clips);
    expect(timesOf(clips).map((times) => [times?.[0], times?.at(-1)])).toEqual([
      [0, 49],
      [75, 119],
    ]);
    expect(told.distance_meters).toBe(Math.round((49 + 44) * METERS));
    expect(told.fastest_knots).toBe(20);
    expect(told.box).toMatchObject({ west: 11, east: 11 });
  });

  test("believes a jump over the end of a clip that stays", () => {
    const clips = [clip(0, 60, drive(0, 60)), clip(60, 60, drive(60, 120, 1)), clip(120, 60, drive(120, 180))];
    expect(timesOf(clips).map((times) => times?.length)).toEqual([60, 60, 60]);
  });

  test("counts what two clips filmed once", () => {
    const clips = [clip(0, 60, drive(0, 60)), clip(40, 60, drive(40, 100)), clip(45, 10, drive(45, 55))];
    expect(telemetryOf(clips).distance_meters).toBe(Math.round(99 * METERS));
    expect(timesOf(clips).map((times) => [times?.length, times?.[0]])).toEqual([
      [60, 0],
      [40, 60],
      [0, undefined],
    ]);
  });

  test("is told by the clip that has it, where another one of the same time has no fix", () => {
    const clips = [clip(0, 60, drive(0, 30)), clip(20, 60, drive(20, 80))];
    expect(telemetryOf(clips).distance_meters).toBe(Math.round(79 * METERS));
  });

  test("keeps all fixes of clips in a row, also where these reach a second into each other", () => {
    const clips = [clip(0, 60, drive(0, 62)), clip(60, 60, drive(60, 120))];
    expect(timesOf(clips).map((times) => times?.length)).toEqual([62, 60]);
  });

  test("has no length, not one of 0, without a fix", () => {
    expect(telemetryOf([clip(0, 60, [])])).toMatchObject({ distance_meters: null, box: null });
    expect(telemetryOf([clip(0, 60, drive(0, 1))]).distance_meters).toBe(0);
  });

  test("is found in time where every fix is somewhere else", () => {
    const wild = Array.from({ length: 20_000 }, (_, at) => {
      return { t: at / 10, lat: (at * 7919) % 80, lon: (at * 104_729) % 170, speed: 20 };
    });
    expect(telemetryOf([clip(0, 2000, wild)]).segments).toHaveLength(1);
  });
});
