import type { Rest } from "./force.ts";
import { type StrongMoment, strongMoment } from "./strong_moment.ts";
import { type ClipTelemetry, telemetryOf, withinClip } from "./telemetry.ts";
import { isConnected, metersBetween, type TrackBox } from "./track.ts";

/** A fix at an end of a clip's track. */
export interface EndFix {
  /** Seconds since the beginning of the clip. */
  readonly t: number;
  readonly lat: number;
  readonly lon: number;
}

/** What is known of a clip from its telemetry, in figures. */
export interface TelemetryFacts {
  readonly fixes: number;
  /** Along its track; null without one. */
  readonly distanceMeters: number | null;
  readonly fastestKnots: number | null;
  readonly box: TrackBox | null;
  /** The first fix and the last one: a trip goes on from one to the next. */
  readonly ends: readonly [first: EndFix, last: EndFix] | null;
  /** The largest force, with how the camera is mounted taken off. */
  readonly strongestG: number | null;
  readonly rest: Rest | null;
  /** Null without samples. */
  readonly strongest: StrongMoment | null;
}

/** A clip's place on its trip's clock, and its facts; null while they are not known. */
export interface PlacedFacts {
  readonly offsetSeconds: number;
  readonly facts: TelemetryFacts | null;
}

/** @param durationSeconds of the clip's video; null while unknown */
export function telemetryFacts(telemetry: ClipTelemetry, durationSeconds: number | null): TelemetryFacts {
  const clip = { ...telemetry, key: "", offsetSeconds: 0, durationSeconds };
  const told = telemetryOf([clip]);
  const { track: fixes, force } = withinClip(clip);
  const track = told.segments[0]?.track ?? null;
  const fixAt = (at: number) => ({ t: track?.t.at(at) ?? 0, lat: track?.lat.at(at) ?? 0, lon: track?.lon.at(at) ?? 0 });
  return {
    fixes: telemetry.track?.t.length ?? 0,
    distanceMeters: told.distance_meters,
    fastestKnots: told.fastest_knots,
    box: told.box,
    ends: track === null || track.t.length === 0 ? null : [fixAt(0), fixAt(-1)],
    strongestG: told.strongest_g,
    rest: told.rest,
    strongest: force && told.rest && strongMoment(force, told.rest, fixes),
  };
}

/** How far a trip went, over the seams of its clips too; null when no clip has a track that is known. */
export function distanceOfTrip(clips: readonly PlacedFacts[]): number | null {
  let sum: number | null = null;
  let end: EndFix | null = null;
  for (const { facts, offsetSeconds } of clips) {
    if (facts === null || facts.distanceMeters === null) continue;
    sum = (sum ?? 0) + facts.distanceMeters;
    if (facts.ends === null) continue;
    const [first, last] = facts.ends.map((fix) => ({ ...fix, t: fix.t + offsetSeconds }));
    if (end && first && isConnected(end, first)) sum += metersBetween(end, first);
    end = last ?? null;
  }
  return sum === null ? null : Math.round(sum);
}

/** The largest of what is known; null when nothing is. */
export function mostOf(values: Iterable<number | null>): number | null {
  let most: number | null = null;
  for (const value of values) if (value !== null && value > (most ?? Number.NEGATIVE_INFINITY)) most = value;
  return most;
}
