import { STEPS_PER_DEGREE, stretchesOf, type TripLine } from "./trip_line.ts";

/** The closest zoom of a map. */
export const MOST_ZOOM = 22;
/** Level of a fix that no zoom needs. */
export const NO_ZOOM = MOST_ZOOM + 1;
/** Squares of a map have so many pixels. */
const TILE_PIXELS = 256;
/** Pixels by which a line may miss a fix. The rest of the three is for rounding. */
const MISSED_PIXELS = 2.5;
/** Web maps end there; a line closer to a pole is drawn along their edge. */
const MOST_LATITUDE = 85.0511;
/** Fixes that are compared before others may run. */
const SLICE = 50_000;

/**
 * Returns for each fix the smallest zoom at which a line needs it, by Douglas and Peucker on a web map: the fixes whose
 * level is at most a zoom make a line that misses no fix by more than three pixels there. First and last fixes of each
 * stretch have level 0, and are needed always. Yields after some work.
 */
export function* zoomLevelSteps(line: TripLine): Generator<void, Uint8Array> {
  const levels = new Uint8Array(line.t.length).fill(NO_ZOOM);
  const x = Float64Array.from(line.lon, (lon) => lon / STEPS_PER_DEGREE / 360);
  const y = Float64Array.from(line.lat, (lat) => mapHeight(lat / STEPS_PER_DEGREE));
  let compared = 0;
  for (const [begin, end] of stretchesOf(line)) {
    levels[begin] = 0;
    levels[end] = 0;
    const waiting: { from: number; to: number; level: number }[] = [{ from: begin, to: end, level: 0 }];
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      const { from, to } = part;
      if (to - from < 2) continue;
      const [at, squared] = farthest(x, y, from, to);
      compared += to - from;
      if (compared > SLICE) {
        compared = 0;
        yield;
      }
      // A fix is never left out of a line that has fixes of its halves.
      const level = Math.max(part.level, levelOf(Math.sqrt(squared)));
      if (level >= NO_ZOOM) continue;
      levels[at] = level;
      waiting.push({ from, to: at, level }, { from: at, to, level });
    }
  }
  return levels;
}

/** Place on a web map from south to north, of which the whole is 1. */
function mapHeight(latitude: number): number {
  const held = Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, latitude));
  return Math.log(Math.tan(Math.PI / 4 + (held * Math.PI) / 360)) / (2 * Math.PI);
}

/** The fix that is farthest from the line between two others, and the square of its distance. */
function farthest(x: Float64Array, y: Float64Array, from: number, to: number): readonly [at: number, squared: number] {
  const fromX = x[from] ?? 0;
  const fromY = y[from] ?? 0;
  const wayX = (x[to] ?? 0) - fromX;
  const wayY = (y[to] ?? 0) - fromY;
  const length = wayX * wayX + wayY * wayY;
  let at = from + 1;
  let most = -1;
  for (let other = from + 1; other < to; other++) {
    let dx = (x[other] ?? 0) - fromX;
    let dy = (y[other] ?? 0) - fromY;
    const along = length === 0 ? 0 : Math.max(0, Math.min(1, (dx * wayX + dy * wayY) / length));
    dx -= along * wayX;
    dy -= along * wayY;
    const squared = dx * dx + dy * dy;
    if (squared > most) [at, most] = [other, squared];
  }
  return [at, most];
}

/** The smallest zoom at which a distance is more than may be missed. */
function levelOf(distance: number): number {
  if (!(distance > 0)) return NO_ZOOM;
  const zoom = Math.floor(Math.log2(MISSED_PIXELS / (TILE_PIXELS * distance))) + 1;
  return Math.max(0, Math.min(NO_ZOOM, zoom));
}

/** Number of fixes that a line has at each zoom from 0 to the closest. */
export function countsByZoom(levels: Uint8Array): number[] {
  const counts = Array.from({ length: MOST_ZOOM + 1 }, () => 0);
  for (const level of levels) if (level <= MOST_ZOOM) counts[level] = (counts[level] ?? 0) + 1;
  for (let zoom = 1; zoom <= MOST_ZOOM; zoom++) counts[zoom] = (counts[zoom] ?? 0) + (counts[zoom - 1] ?? 0);
  return counts;
}

/** Decimals of a degree that say a place at a zoom to a small part of a pixel. */
export function decimalsAt(zoom: number): number {
  const degreesOfPixel = 360 / (TILE_PIXELS * 2 ** zoom);
  return Math.max(2, Math.min(7, Math.ceil(-Math.log10(degreesOfPixel / 10))));
}
