import { expect, test } from "bun:test";
import { telemetryFacts } from "../../../server/domain/viewer/clip_facts.ts";
import { forceText } from "../../../server/domain/viewer/distance_text.ts";
import { forceOf } from "../../../server/domain/viewer/force.ts";
import { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import { telemetryOf } from "../../../server/domain/viewer/telemetry.ts";
import { TripTelemetry } from "../../../server/domain/viewer/trip_telemetry.ts";

const [PLAIN, EVENT] = ["20261120_080000_N", "20261120_080100_E"] as const;
const STEP = 1 / 128;

/** A minute of samples; the camera seems to hang a little otherwise while the car goes round a bend. */
function shaken(lean: number, blow: number) {
  return forceOf(
    Array.from({ length: 600 }, (_, at) => {
      const isHit = at === 295;
      return { t: at / 10, x: 1, y: lean * STEP + (at % 3) * STEP, z: isHit ? blow : 0 };
    }),
  );
}

test("the strongest moment of an event is one figure: in the list, in the trip, and in the picture", () => {
  const clips = [
    { key: PLAIN, track: null, force: shaken(0, 0) },
    { key: EVENT, track: null, force: shaken(9, 2.66) },
  ];
  const listed = telemetryFacts({ track: null, force: clips[1]?.force ?? null, startUtc: null }, 60).strongest;
  const told = telemetryOf(clips.map((clip, at) => ({ ...clip, offsetSeconds: at * 60, durationSeconds: 60 })));
  const clock = new JourneyClock(clips.map(({ key }) => ({ key, duration_seconds: 60 })));
  const figures = new TripTelemetry(told, clock);
  const time = clock.timeOf(EVENT, listed?.t ?? 0) ?? 0;
  const shown = figures.forceBetween(time, time + 0.2);
  expect([listed?.t, listed && forceText(listed.g)]).toEqual([29.5, "2.66"]);
  expect([shown && forceText(shown), forceText(told.strongest_g ?? 0)]).toEqual(["2.66", "2.66"]);
  expect(figures.at(time).force).toBe(shown);
  expect(figures.peaks.map((peak) => forceText(peak.magnitude))).toEqual(["2.66"]);
});
