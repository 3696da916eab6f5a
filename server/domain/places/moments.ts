import type { Force, Rest } from "../viewer/force.ts";
import type { Track } from "../viewer/track.ts";
import { type Direction, upOf } from "./mounting.ts";

export const MOMENT_KINDS = ["brake", "accelerate", "turn", "bump", "impact", "parked_bump"] as const;
export type MomentKind = (typeof MOMENT_KINDS)[number];

/** Force in g from which on something counts as a moment, by kind; 0 for never. */
export type Thresholds = Readonly<Record<MomentKind, number>>;

/** Something that happened in a clip. */
export interface Moment {
  readonly kind: MomentKind;
  /** Seconds into the clip, of the strongest sample. */
  readonly seconds: number;
  /** In g, without gravity. */
  readonly strength: number;
  /** Knots at it, before it and after it; null when unknown. */
  readonly speed: number | null;
  readonly speedBefore: number | null;
  readonly speedAfter: number | null;
  /** Place at it; null without a fix near by. */
  readonly lat: number | null;
  readonly lon: number | null;
}

/** A clip with all that its moments are told by. */
export interface FeltClip {
  readonly force: Force;
  /** Null without fixes. */
  readonly track: Track | null;
  /** Recorded while the car was parked. */
  readonly isParked: boolean;
  /** Force at rest of the trip; of a parked clip its own. */
  readonly rest: Rest;
  /** The car's front in the axes of the sensor; null while it is not known. */
  readonly front: Direction | null;
}

/** Braking, accelerating and turning last; a stone under a tyre does not. */
const LASTING_SECONDS = 0.5;
/** A moment goes on for so long after the force has fallen. */
const AFTER_SECONDS = 1;
/** Samples farther apart are not of one push. */
const SAMPLE_GAP_SECONDS = 0.5;
const FIX_NEAR_SECONDS = 3;
const BEFORE_SECONDS = 3;
const AFTERWARDS_SECONDS = 5;

/** A time above a threshold. */
interface Exceedance {
  readonly kind: MomentKind;
  readonly from: number;
  readonly to: number;
  readonly strongest: number;
  readonly strength: number;
}

/** The moments of a clip by time. */
export function momentsOf(clip: FeltClip, thresholds: Thresholds): Moment[] {
  const { force, rest, front, isParked } = clip;
  const up = upOf(rest);
  const length = force.t.length;
  if (length === 0) return [];
  const total = new Float64Array(length);
  const vertical = new Float64Array(length);
  const forward = new Float64Array(length);
  const sideways = new Float64Array(length);
  // A front of another mounting of the same direction of gravity may lie a little out of the level.
  const ahead = up && front && levelled(front, up);
  for (let at = 0; at < length; at++) {
    const x = (force.x[at] ?? 0) - rest.x;
    const y = (force.y[at] ?? 0) - rest.y;
    const z = (force.z[at] ?? 0) - rest.z;
    total[at] = Math.hypot(x, y, z);
    if (up === null) continue;
    const risen = x * up[0] + y * up[1] + z * up[2];
    vertical[at] = Math.abs(risen);
    if (!ahead) continue;
    const pushed = x * ahead[0] + y * ahead[1] + z * ahead[2];
    forward[at] = pushed;
    sideways[at] = Math.sqrt(Math.max(0, (total[at] ?? 0) ** 2 - risen * risen - pushed * pushed));
  }
  const of = (kind: MomentKind, values: Float64Array, lasting = 0) =>
    exceedances(force.t, values, { kind, threshold: thresholds[kind], lasting });
  const told = isParked
    ? of("parked_bump", total)
    : withoutSwallowed([
        ...of("impact", total),
        ...of("bump", vertical),
        ...(ahead && clip.track !== null && clip.track.t.length > 0
          ? [
              ...of("brake", negative(forward), LASTING_SECONDS),
              ...of("accelerate", forward, LASTING_SECONDS),
              ...of("turn", sideways, LASTING_SECONDS),
            ]
          : []),
      ]);
  return told
    .sort((one, other) => one.strongest - other.strongest)
    .map(({ kind, strongest, strength }) => ({
      kind,
      seconds: Math.round(strongest * 1000) / 1000,
      strength: Math.round(strength * 1000) / 1000,
      ...aroundOf(clip.track, strongest, kind),
    }));
}

interface Limit {
  readonly kind: MomentKind;
  readonly threshold: number;
  /** Seconds that the force has to last; 0 for any time. */
  readonly lasting: number;
}

/** Times above a threshold, each with the second after it. */
function exceedances(t: Float64Array, values: Float64Array, { kind, threshold, lasting }: Limit): Exceedance[] {
  if (!(threshold > 0)) return [];
  const steady = lasting > 0 ? middleOfThree(values) : values;
  const found: Exceedance[] = [];
  for (let from = 0; from < t.length; from++) {
    if (!((steady[from] ?? 0) >= threshold)) continue;
    let to = from;
    while (to + 1 < t.length && (steady[to + 1] ?? 0) >= threshold && gapAt(t, to) <= SAMPLE_GAP_SECONDS) to++;
    const lasted = (t[to] ?? 0) - (t[from] ?? 0) + sampleSeconds(t, from, to);
    if (lasted >= lasting - 0.001) {
      const last = found.at(-1);
      const one = { kind, from: t[from] ?? 0, to: (t[to] ?? 0) + AFTER_SECONDS, ...strongestOf(t, values, from, to) };
      if (last === undefined || one.from > last.to) found.push(one);
      else
        found[found.length - 1] = one.strength > last.strength ? { ...one, from: last.from } : { ...last, to: one.to };
    }
    from = to;
  }
  return found;
}

/** A single sample out of line does not end a push, nor is it one. */
function middleOfThree(values: Float64Array): Float64Array {
  return values.map((value, at) => {
    const before = values[at - 1] ?? value;
    const after = values[at + 1] ?? value;
    return Math.max(Math.min(before, value), Math.min(Math.max(before, value), after));
  });
}

function gapAt(t: Float64Array, at: number): number {
  return (t[at + 1] ?? 0) - (t[at] ?? 0);
}

/** A sample stands for the time to the next one. */
function sampleSeconds(t: Float64Array, from: number, to: number): number {
  const gap = to > from ? ((t[to] ?? 0) - (t[from] ?? 0)) / (to - from) : gapAt(t, from);
  return gap > 0 && gap <= SAMPLE_GAP_SECONDS ? gap : 0;
}

function strongestOf(t: Float64Array, values: Float64Array, from: number, to: number) {
  let most = from;
  for (let at = from + 1; at <= to; at++) if ((values[at] ?? 0) > (values[most] ?? 0)) most = at;
  return { strongest: t[most] ?? 0, strength: values[most] ?? 0 };
}

/** An impact shakes the car in every direction: what is beside it is the same thing. */
function withoutSwallowed(all: readonly Exceedance[]): Exceedance[] {
  const impacts = all.filter(({ kind }) => kind === "impact");
  const isBeside = (one: Exceedance) =>
    impacts.some(({ from, to }) => one.from <= to && one.to >= from - AFTER_SECONDS);
  return all.filter((one) => one.kind === "impact" || !isBeside(one));
}

function negative(values: Float64Array): Float64Array {
  return values.map((value) => -value);
}

function levelled(front: Direction, up: Direction): Direction | null {
  const share = front[0] * up[0] + front[1] * up[1] + front[2] * up[2];
  const level = [front[0] - share * up[0], front[1] - share * up[1], front[2] - share * up[2]] as const;
  const length = Math.hypot(...level);
  return length < 0.5 ? null : [level[0] / length, level[1] / length, level[2] / length];
}

function aroundOf(
  track: Track | null,
  t: number,
  kind: MomentKind,
): Pick<Moment, "speed" | "speedBefore" | "speedAfter" | "lat" | "lon"> {
  const nearest = track && nearestFix(track.t, t);
  if (track === null || nearest === null || Math.abs((track.t[nearest] ?? 0) - t) > FIX_NEAR_SECONDS)
    return { speed: null, speedBefore: null, speedAfter: null, lat: null, lon: null };
  const between = (from: number, to: number) =>
    track.speed.filter((knots, at): knots is number => {
      const time = track.t[at] ?? 0;
      return knots !== null && time >= from && time <= to;
    });
  const before = between(t - BEFORE_SECONDS, t + 0.5);
  const after = between(t - 0.5, t + AFTERWARDS_SECONDS);
  const [first, last] = kind === "accelerate" ? [Math.min, Math.max] : [Math.max, Math.min];
  return {
    speed: track.speed[nearest] ?? null,
    speedBefore: before.length === 0 ? null : first(...before),
    speedAfter: after.length === 0 ? null : last(...after),
    lat: track.lat[nearest] ?? null,
    lon: track.lon[nearest] ?? null,
  };
}

function nearestFix(times: readonly number[], t: number): number | null {
  let best: number | null = null;
  for (const [at, time] of times.entries())
    if (best === null || Math.abs(time - t) < Math.abs((times[best] ?? 0) - t)) best = at;
  return best;
}
