import type { SpeedUnit } from "./distance_text.ts";
import type { MapTrack } from "./map_track.ts";
import { type SpeedScale, speedClassOf } from "./speed_ramp.ts";

/** A track on the square of the Mercator projection: the world is 1 wide and 1 high, from the north-west on. */
export interface FlatTrack {
  readonly t: readonly number[];
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly starts: readonly number[];
}

/** Fixes `from` to `to` that are drawn as one line of one colour; it begins where the one before ended, unless there is a gap. */
export interface SpeedRun {
  readonly from: number;
  readonly to: number;
  /** Class of the speed, see `speedClassOf`. */
  readonly speed: number;
}

/** Degrees at which the projection ends. */
const MOST_LATITUDE = 85.05;

export function flatTrackOf({ t, lat, lon, starts }: MapTrack): FlatTrack {
  const places = lat.map((here, at) => flatPlace(here, lon[at] ?? 0));
  return {
    t,
    x: Float64Array.from(places, ({ x }) => x),
    y: Float64Array.from(places, ({ y }) => y),
    starts,
  };
}

export function flatPlace(lat: number, lon: number): { readonly x: number; readonly y: number } {
  const sine = Math.sin(Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, lat)) * (Math.PI / 180));
  return { x: (lon + 180) / 360, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

/** The lines of a track by the colour of their speed. A fix alone is none. */
export function speedRunsOf({ speed, starts }: MapTrack, scale: SpeedScale): SpeedRun[] {
  const runs: SpeedRun[] = [];
  for (const [piece, start] of starts.entries()) {
    const end = starts[piece + 1] ?? speed.length;
    let from = start;
    let colour: number | null = null;
    for (let at = start + 1; at < end; at++) {
      const now = speedClassOf(meanOf(speed[at - 1] ?? null, speed[at] ?? null), scale);
      if (colour !== null && now !== colour) {
        runs.push({ from, to: at - 1, speed: colour });
        from = at - 1;
      }
      colour = now;
    }
    if (colour !== null) runs.push({ from, to: end - 1, speed: colour });
  }
  return runs;
}

function meanOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : (one + other) / 2;
}

interface Nearness {
  /** Position on the flat world. */
  readonly x: number;
  readonly y: number;
  /** The farthest that is near. */
  readonly most: number;
  /** Time that chooses between several passes at the same place: the nearest pass is meant. */
  readonly time: number;
}

/** The time at which the car was at a place of the flat world, or so near that it is meant; null when it never was. */
export function timeNear({ t, x, y, starts }: FlatTrack, { x: atX, y: atY, most, time }: Nearness): number | null {
  const begins = new Set(starts);
  let found: { readonly time: number; readonly distance: number } | null = null;
  for (let to = 0; to < t.length; to++) {
    // A fix alone is a line without length.
    const from = begins.has(to) ? to : to - 1;
    const [x0 = 0, y0 = 0] = [x[from], y[from]];
    const wide = (x[to] ?? 0) - x0;
    const high = (y[to] ?? 0) - y0;
    const square = wide * wide + high * high;
    const part = square === 0 ? 0 : Math.max(0, Math.min(1, ((atX - x0) * wide + (atY - y0) * high) / square));
    const distance = Math.hypot(atX - x0 - part * wide, atY - y0 - part * high);
    if (distance > most) continue;
    const when = (t[from] ?? 0) + part * ((t[to] ?? 0) - (t[from] ?? 0));
    const isCloser = found === null || distance < found.distance - most / 4;
    const isSooner =
      found !== null && distance < found.distance + most / 4 && Math.abs(when - time) < Math.abs(found.time - time);
    if (isCloser || isSooner) found = { time: when, distance };
  }
  return found?.time ?? null;
}

const METERS: Readonly<
  Record<SpeedUnit, readonly [small: number, smallName: string, large: number, largeName: string]>
> = { kmh: [1, "m", 1000, "km"], mph: [0.3048, "ft", 1609.344, "mi"] };

/** A round length and its pixels, at most so many: the bar that tells how large things on a map are. */
export function scaleBar(
  metersPerPixel: number,
  mostPixels: number,
  unit: SpeedUnit,
): { text: string; pixels: number } {
  const most = metersPerPixel * mostPixels;
  const [small, smallName, large, largeName] = METERS[unit];
  const isLarge = most >= large;
  const [meters, name] = isLarge ? [large, largeName] : [small, smallName];
  const power = 10 ** Math.floor(Math.log10(Math.max(1e-9, most / meters)));
  const round = [5, 2, 1].find((step) => step * power * meters <= most) ?? 1;
  const length = round * power;
  return {
    text: `${Number(length.toPrecision(1))}\u00a0${name}`,
    pixels: Math.round((length * meters) / metersPerPixel),
  };
}
