/** A part of the map, in degrees. East is above 180 where it lies over the date line. */
export interface MapBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const NUMBER = /^\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]{1,3})?\s*$/i;

/** Reads `W,S,E,N`; west above east means over the date line. Null when it is no part of the earth. */
export function readMapBox(text: string): MapBox | null {
  const parts = text.split(",");
  if (parts.length !== 4 || !parts.every((part) => NUMBER.test(part))) return null;
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number);
  if (Math.abs(west) > 180 || Math.abs(east) > 180 || Math.abs(south) > 90 || Math.abs(north) > 90) return null;
  if (south > north) return null;
  return { west, south, east: west > east ? east + 360 : east, north };
}

export const WHOLE_EARTH: MapBox = { west: -180, south: -90, east: 180, north: 90 };

/** Lines are counted on over the date line, to one side or the other: a box is looked for at each of these. */
const TURNS: readonly number[] = [0, -360, 360];

/** The places of a box at which a line may lie. */
export function turnsOf({ west, south, east, north }: MapBox): readonly MapBox[] {
  return TURNS.map((turn) => ({ west: west + turn, south, east: east + turn, north }));
}

export function overlaps(one: MapBox, other: MapBox): boolean {
  return one.west <= other.east && one.east >= other.west && one.south <= other.north && one.north >= other.south;
}

/** True when a box lies within another one. */
export function isWithin(inner: MapBox, outer: MapBox): boolean {
  return (
    inner.west >= outer.west && inner.east <= outer.east && inner.south >= outer.south && inner.north <= outer.north
  );
}

/** A straight piece of a line. */
export interface MapStep {
  readonly fromLat: number;
  readonly fromLon: number;
  readonly toLat: number;
  readonly toLon: number;
}

/** Returns the part of a step that lies in a box, as shares of its length; null when it misses the box. */
export function partInside(step: MapStep, box: MapBox): readonly [from: number, to: number] | null {
  const { fromLat, fromLon, toLat, toLon } = step;
  // Most steps end there: a line has many, and few are near the edge of a box.
  if ((fromLat < box.south && toLat < box.south) || (fromLat > box.north && toLat > box.north)) return null;
  if ((fromLon < box.west && toLon < box.west) || (fromLon > box.east && toLon > box.east)) return null;
  const acrossLat = shareBetween(fromLat, toLat, box.south, box.north);
  const acrossLon = shareBetween(fromLon, toLon, box.west, box.east);
  const from = Math.max(acrossLat[0], acrossLon[0]);
  const to = Math.min(acrossLat[1], acrossLon[1]);
  return from > to ? null : [from, to];
}

const ALL: readonly [number, number] = [0, 1];

/** The part of the way from one number to another that lies between two bounds, of which it does not lie beyond one. */
function shareBetween(from: number, to: number, low: number, high: number): readonly [number, number] {
  if (from >= low && from <= high && to >= low && to <= high) return ALL;
  const way = to - from;
  const one = (low - from) / way;
  const other = (high - from) / way;
  return [Math.max(0, Math.min(one, other)), Math.min(1, Math.max(one, other))];
}

/** The smallest box around two that do not cross the 180th meridian. */
export function boxOfBoth(one: MapBox, other: MapBox): MapBox {
  return {
    west: Math.min(one.west, other.west),
    south: Math.min(one.south, other.south),
    east: Math.max(one.east, other.east),
    north: Math.max(one.north, other.north),
  };
}
