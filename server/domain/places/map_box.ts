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
  let from = 0;
  let to = 1;
  const lat = step.toLat - step.fromLat;
  const lon = step.toLon - step.fromLon;
  for (const [way, room] of [
    [-lon, step.fromLon - box.west],
    [lon, box.east - step.fromLon],
    [-lat, step.fromLat - box.south],
    [lat, box.north - step.fromLat],
  ] as const) {
    if (way === 0) {
      if (room < 0) return null;
    } else if (way < 0) from = Math.max(from, room / way);
    else to = Math.min(to, room / way);
    if (from > to) return null;
  }
  return [from, to];
}
