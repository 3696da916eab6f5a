import type { Rest } from "./force.ts";
import { type StrongMoment, strongMoment } from "./strong_moment.ts";
import { type ClipTelemetry, telemetryOf, withinClip } from "./telemetry.ts";
import type { TrackBox } from "./track.ts";
import { type ClipRun, runsOf } from "./trip_way.ts";

/** Figures from a clip's telemetry. */
export interface TelemetryFacts {
  /** Its track, of which nearly always all is one run; null without one. */
  readonly runs: readonly ClipRun[] | null;
  readonly box: TrackBox | null;
  /** The largest force, with how the camera is mounted taken off. */
  readonly strongestG: number | null;
  readonly rest: Rest | null;
  /** Null without samples. */
  readonly strongest: StrongMoment | null;
  /** Real time at its beginning by the satellites, epoch milliseconds; null without them. */
  readonly startUtc: number | null;
}

/** Contents of a clip's files, and when it began by the satellites. */
export type TimedTelemetry = ClipTelemetry & Pick<TelemetryFacts, "startUtc">;

/** @param durationSeconds of the clip's video; null while unknown */
export function telemetryFacts(telemetry: TimedTelemetry, durationSeconds: number | null): TelemetryFacts {
  const clip = { ...telemetry, key: "", offsetSeconds: 0, durationSeconds };
  const told = telemetryOf([clip]);
  const { track: fixes, force } = withinClip(clip);
  return {
    runs: fixes && runsOf(fixes),
    box: told.box,
    strongestG: told.strongest_g,
    rest: told.rest,
    strongest: force && told.rest && strongMoment(force, told.rest, fixes),
    startUtc: telemetry.startUtc,
  };
}

/** The largest of the known values; null when none is known. */
export function mostOf(values: Iterable<number | null>): number | null {
  let most: number | null = null;
  for (const value of values) if (value !== null && value > (most ?? Number.NEGATIVE_INFINITY)) most = value;
  return most;
}
