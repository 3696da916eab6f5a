import { type Fix, isJump } from "../viewer/fix_steps.ts";
import { withinClip } from "../viewer/telemetry.ts";
import type { Track } from "../viewer/track.ts";
import { type ClipRun, runsOf, trackOnWay, wayOf } from "../viewer/trip_way.ts";
import type { MapBox } from "./map_box.ts";

/** One clip of a trip with what the receiver told. */
export interface LineClip {
  /** Seconds from the beginning of the trip, by the camera's clock. */
  readonly begin: number;
  /** Null without a file of fixes. */
  readonly track: Track | null;
}

/** The fixes of a trip on one clock, as columns of one length. */
export interface TripLine {
  /** Milliseconds from the beginning of the trip, rising. */
  readonly t: Int32Array;
  /** Ten millionths of a degree; longitudes are counted on over the date line. */
  readonly lat: Int32Array;
  readonly lon: Int32Array;
  /** Thousandths of a knot; -1 when unknown. */
  readonly speed: Int32Array;
  /** Index of the clip that a fix is of. */
  readonly clip: Int32Array;
  /** Indexes of the fixes at which a stretch begins; no line leads to them. Rising, the first is 0. */
  readonly starts: readonly number[];
}

/** Without a fix for longer than this no line is drawn. */
export const LINE_GAP_SECONDS = 10;
/** Units of a degree in a line. */
export const STEPS_PER_DEGREE = 1e7;
export const UNKNOWN_SPEED = -1;
/** Clips are cut after a few minutes; a longer time to the next clip says nothing of the length of one. */
const LONGEST_KNOWN_CLIP_SECONDS = 600;
/** A day of recording round the clock has some hundred thousand. */
const MOST_FIXES = 1_000_000;

/**
 * Makes one line of the tracks of a trip's clips. Times that two clips recorded count once, and fixes where the car
 * cannot have been are left out, as in the viewer. Yields between clips.
 */
export function* tripLineSteps(clips: readonly LineClip[]): Generator<void, TripLine> {
  const tracks: (Track | null)[] = [];
  const runs: (readonly ClipRun[] | null)[] = [];
  for (const [at, { begin, track }] of clips.entries()) {
    const next = (clips[at + 1]?.begin ?? Number.POSITIVE_INFINITY) - begin;
    const durationSeconds = next <= LONGEST_KNOWN_CLIP_SECONDS ? next : null;
    const own = track && withinClip({ key: "", offsetSeconds: 0, durationSeconds, track, force: null }).track;
    tracks.push(own);
    runs.push(own && runsOf(own));
    yield;
  }
  const way = wayOf(
    clips.map(({ begin }, at) => {
      const track = tracks[at] ?? null;
      return {
        offsetSeconds: begin,
        durationSeconds: track?.t.at(-1) ?? null,
        runs: (from: number) => track && (from > 0 ? runsOf(track, from) : (runs[at] ?? null)),
      };
    }),
  );
  const [t, lat, lon, speed, clip]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
  const starts: number[] = [];
  let before: Fix | null = null;
  for (const [at, { begin }] of clips.entries()) {
    yield;
    const track = tracks[at] ?? null;
    const part = way.clips[at];
    if (track === null || !part) continue;
    const shown = trackOnWay(track, part);
    for (const [index, seconds] of shown.t.entries()) {
      const here: Fix = { t: begin + seconds, lat: shown.lat[index] ?? 0, lon: shown.lon[index] ?? 0 };
      if ((before && here.t <= before.t) || t.length >= MOST_FIXES) continue;
      if (before === null || here.t - before.t > LINE_GAP_SECONDS || isJump(before, here)) starts.push(t.length);
      const last = (lon.at(-1) ?? 0) / STEPS_PER_DEGREE;
      const turned = before === null ? here.lon : here.lon - 360 * Math.round((here.lon - last) / 360);
      before = here;
      const knots = shown.speed[index] ?? null;
      t.push(Math.round(here.t * 1000));
      lat.push(Math.round(here.lat * STEPS_PER_DEGREE));
      // Round and round the pole: no car does, and no number is large enough.
      lon.push(Math.round((Math.abs(turned) > 200 ? here.lon : turned) * STEPS_PER_DEGREE));
      speed.push(knots === null ? UNKNOWN_SPEED : Math.round(knots * 1000));
      clip.push(at);
    }
  }
  const column = (values: number[]) => Int32Array.from(values);
  return { t: column(t), lat: column(lat), lon: column(lon), speed: column(speed), clip: column(clip), starts };
}

/** The stretches of a line that have at least two fixes, as indexes of the first and the last. */
export function stretchesOf({ t, starts }: TripLine): (readonly [first: number, last: number])[] {
  return starts.flatMap((first, at) => {
    const last = (starts[at + 1] ?? t.length) - 1;
    return last > first ? [[first, last] as const] : [];
  });
}

/** Around the fixes from one index to another, both included. */
export function boxAround({ lat, lon }: TripLine, first: number, last: number): MapBox {
  let [west, south, east, north] = [lon[first] ?? 0, lat[first] ?? 0, lon[first] ?? 0, lat[first] ?? 0];
  for (let at = first + 1; at <= last; at++) {
    west = Math.min(west, lon[at] ?? west);
    east = Math.max(east, lon[at] ?? east);
    south = Math.min(south, lat[at] ?? south);
    north = Math.max(north, lat[at] ?? north);
  }
  const degrees = (steps: number) => steps / STEPS_PER_DEGREE;
  return { west: degrees(west), south: degrees(south), east: degrees(east), north: degrees(north) };
}

/** True when a line leads somewhere. */
export function hasTwoPlaces(line: TripLine): boolean {
  const [first] = stretchesOf(line);
  if (first === undefined) return false;
  const [at] = first;
  return stretchesOf(line).some(([from, to]) => {
    for (let other = from; other <= to; other++)
      if (line.lat[other] !== line.lat[at] || line.lon[other] !== line.lon[at]) return true;
    return false;
  });
}

/** A longitude from −180 to 180. */
export function onEarth(lon: number): number {
  return lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
}
