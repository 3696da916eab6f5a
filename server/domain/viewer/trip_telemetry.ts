import { TRACK_GAP_SECONDS } from "./fix_steps.ts";
import type { JourneyClock } from "./journey_clock.ts";
import type { Telemetry } from "./viewer_schema.ts";

/** The fixes of a whole trip, as columns of one length, by time on the trip's clock. */
export interface TripTrack {
  readonly t: readonly number[];
  readonly lat: readonly number[];
  readonly lon: readonly number[];
  /** Knots; null when unknown. */
  readonly speed: readonly (number | null)[];
  /** Indexes of the fixes that no line leads to. */
  readonly breaks: ReadonlySet<number>;
}

/** The samples of a whole trip with how the camera is mounted taken off, in g, by time on the trip's clock. */
export interface TripForce {
  readonly t: readonly number[];
  readonly vertical: readonly number[];
  readonly lateral: readonly number[];
  /** Forwards positive: faster. */
  readonly longitudinal: readonly number[];
  readonly magnitude: readonly number[];
  /** Indexes of the samples that no line leads to. */
  readonly breaks: ReadonlySet<number>;
}

/** A moment of a trip as a reading tells it. */
export interface TripReading {
  /** A fix is near; its speed may still be unknown. */
  readonly hasFix: boolean;
  /** Knots. */
  readonly speed: number | null;
  /** g, the largest nearby sample's distance from rest; null without a sample nearby. */
  readonly force: number | null;
}

/** A strong moment. */
export interface ForcePeak {
  readonly time: number;
  readonly magnitude: number;
  readonly longitudinal: number;
  readonly lateral: number;
}

/** Samples come ten times a second; thinned out, still within every few seconds. */
const FORCE_GAP_SECONDS = 10;
const FORCE_NEAR_SECONDS = 3;
/** Driving on a road stays below this. */
const PEAK_G = 0.4;
/** Between two strong moments this close together, the stronger one counts. */
const PEAK_DISTANCE_SECONDS = 10;
const MOST_PEAKS = 24;
const KNOT_SECONDS_PER_G = 19.06;

/** A trip's telemetry on the trip's clock: what the time line, the map and the readings are made of. */
export class TripTelemetry {
  readonly track: TripTrack;
  readonly force: TripForce;
  /** The strong moments by time. */
  readonly peaks: readonly ForcePeak[];

  /** @param clock of the trip; what belongs to none of its clips is left out */
  constructor({ segments }: Telemetry, clock: JourneyClock) {
    const track = { t: [] as number[], lat: [] as number[], lon: [] as number[], speed: [] as (number | null)[] };
    const force = { t: [] as number[], x: [] as number[], y: [] as number[], z: [] as number[] };
    const trackBreaks = new Set<number>();
    const forceBreaks = new Set<number>();
    const places = new Map(clock.segments.map((segment) => [segment.key, segment]));
    for (const { key, track: fixes, force: samples, rest } of segments) {
      const place = places.get(key);
      if (place === undefined) continue;
      // Fixes and samples behind a clip's end would fall into the next clip's time.
      const isWithin = (t: number) => place.isGuess || t <= place.length;
      const breaks = new Set(fixes?.breaks);
      for (const [at, t] of fixes?.t.entries() ?? []) {
        if (!fixes || !isWithin(t)) break;
        const time = place.offset + t;
        const before = track.t.at(-1);
        if (before !== undefined && time < before) continue;
        if (before !== undefined && (breaks.has(at) || time - before > TRACK_GAP_SECONDS))
          trackBreaks.add(track.t.length);
        track.t.push(time);
        track.lat.push(fixes.lat[at] ?? 0);
        track.lon.push(fixes.lon[at] ?? 0);
        track.speed.push(fixes.speed[at] ?? null);
      }
      for (const [at, t] of samples?.t.entries() ?? []) {
        if (!samples || !isWithin(t)) break;
        const time = place.offset + t;
        const before = force.t.at(-1);
        if (before !== undefined && time < before) continue;
        if (before !== undefined && time - before > FORCE_GAP_SECONDS) forceBreaks.add(force.t.length);
        force.t.push(time);
        force.x.push((samples.x[at] ?? 0) - (rest?.x ?? 0));
        force.y.push((samples.y[at] ?? 0) - (rest?.y ?? 0));
        force.z.push((samples.z[at] ?? 0) - (rest?.z ?? 0));
      }
    }
    this.track = { ...track, breaks: trackBreaks };
    const turned = isTurned(track, force);
    this.force = {
      t: force.t,
      vertical: force.x,
      lateral: force.y,
      longitudinal: turned ? force.z.map((z) => -z) : force.z,
      magnitude: force.t.map((_, at) => Math.hypot(force.x[at] ?? 0, force.y[at] ?? 0, force.z[at] ?? 0)),
      breaks: forceBreaks,
    };
    this.peaks = peaksOf(this.force);
  }

  /** The largest force of the samples from one time to another; null where there is none. */
  forceBetween(from: number, to: number): number | null {
    const { t: times, magnitude } = this.force;
    let most: number | null = null;
    for (let at = indexAt(times, from); at < times.length && (times[at] ?? 0) < to; at++)
      most = Math.max(most ?? 0, magnitude[at] ?? 0);
    return most;
  }

  /**
   * Returns the values of the instruments at a time: those of the nearest fix and sample, or none where none is near.
   */
  at(time: number): TripReading {
    const { track, force } = this;
    const fix = nearest(track.t, time);
    const hasFix = fix !== null && Math.abs((track.t[fix] ?? 0) - time) <= TRACK_GAP_SECONDS;
    const sample = nearest(force.t, time);
    const isNear = sample !== null && Math.abs((force.t[sample] ?? 0) - time) <= FORCE_NEAR_SECONDS;
    return {
      hasFix,
      speed: hasFix ? (track.speed[fix] ?? null) : null,
      force: isNear ? (force.magnitude[sample] ?? null) : null,
    };
  }
}

/** The first index whose time is not before this one; the length when there is none. */
export function indexAt(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nearest(times: readonly number[], time: number): number | null {
  if (times.length === 0) return null;
  const after = Math.min(indexAt(times, time), times.length - 1);
  const before = Math.max(0, after - 1);
  return time - (times[before] ?? 0) < (times[after] ?? 0) - time ? before : after;
}

/**
 * Tells if the long axis points backwards. Makers do not say where it points to, and cameras are mounted either way
 * round. The speed tells, where it changes while the axis does.
 */
function isTurned(
  { t, speed }: Pick<TripTrack, "t" | "speed">,
  force: { readonly t: readonly number[]; readonly z: readonly number[] },
): boolean {
  let both = 0;
  let ofSpeed = 0;
  let ofAxis = 0;
  for (let at = 1; at < t.length; at++) {
    const from = t[at - 1] ?? 0;
    const to = t[at] ?? 0;
    const slow = speed[at - 1];
    const fast = speed[at];
    if (typeof slow !== "number" || typeof fast !== "number" || !(to > from) || to - from > TRACK_GAP_SECONDS) continue;
    const first = indexAt(force.t, from);
    const last = indexAt(force.t, to);
    if (first === last) continue;
    let sum = 0;
    for (let sample = first; sample < last; sample++) sum += force.z[sample] ?? 0;
    const felt = sum / (last - first);
    const gained = (fast - slow) / (to - from) / KNOT_SECONDS_PER_G;
    both += felt * gained;
    ofSpeed += gained * gained;
    ofAxis += felt * felt;
  }
  return both < 0 && both * both > 0.1 * ofSpeed * ofAxis;
}

function peaksOf({ t, magnitude, longitudinal, lateral }: TripForce): ForcePeak[] {
  const strong = t.flatMap((time, at) => {
    const size = magnitude[at] ?? 0;
    if (size < PEAK_G) return [];
    return [{ time, magnitude: size, longitudinal: longitudinal[at] ?? 0, lateral: lateral[at] ?? 0 }];
  });
  const peaks: ForcePeak[] = [];
  for (const peak of strong.sort((one, other) => other.magnitude - one.magnitude)) {
    if (peaks.length === MOST_PEAKS) break;
    if (peaks.every(({ time }) => Math.abs(time - peak.time) > PEAK_DISTANCE_SECONDS)) peaks.push(peak);
  }
  return peaks.sort((one, other) => one.time - other.time);
}
