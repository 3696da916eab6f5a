import type { FlatTrack } from "./map_drawing.ts";
import type { MapTrack } from "./map_track.ts";

/** The part of the flat world that is drawn: pixels of all of it, and which of them is at the left and at the top. */
export interface FittedView {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Share of the drawn part that stays free at each side. */
const MARGIN_SHARE = 0.1;
/** The world is about so many metres around: a car that stands still is not drawn as if it raced about. */
const WORLD_METERS = 40_075_017;
const LEAST_METERS = 200;

/** The fixes of a track from one time of the trip to another; null where there are none. Nothing of the rest is told. */
export function trackBetween(track: MapTrack, from: number, to: number): MapTrack | null {
  const first = track.t.findIndex((time) => time >= from);
  const last = track.t.findLastIndex((time) => time <= to);
  if (first < 0 || last < first) return null;
  const part = <T>(column: readonly T[]) => column.slice(first, last + 1);
  const starts = track.starts.map((at) => at - first).filter((at) => at > 0 && at <= last - first);
  return {
    t: part(track.t),
    lat: part(track.lat),
    lon: part(track.lon),
    speed: part(track.speed),
    course: part(track.course),
    starts: [0, ...starts],
  };
}

/** The view that has all of a track in the middle of a picture of this size, as large as it fits. */
export function fittedView({ x, y }: Pick<FlatTrack, "x" | "y">, width: number, height: number): FittedView {
  const [west, east] = extent(x);
  const [north, south] = extent(y);
  const least = LEAST_METERS / WORLD_METERS;
  const free = 1 - 2 * MARGIN_SHARE;
  const scale = Math.min(
    (width * free) / Math.max(least, east - west),
    (height * free) / Math.max(least, south - north),
  );
  return {
    scale,
    left: ((west + east) / 2) * scale - width / 2,
    top: ((north + south) / 2) * scale - height / 2,
    width,
    height,
  };
}

/** Metres that a pixel of a view stands for at a latitude. */
export function metersPerPixel({ scale }: Pick<FittedView, "scale">, lat: number): number {
  return (WORLD_METERS * Math.cos(lat * (Math.PI / 180))) / scale;
}

function extent(values: Float64Array): readonly [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}
