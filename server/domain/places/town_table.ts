import type { MapBox } from "./map_box.ts";
import { metersBetween, type Place } from "../viewer/fix_steps.ts";

/**
 * The towns of the world, packed: how many there are, then a column for each fact, sorted by cells of one degree from
 * south to north and from west to east. Alike values stand side by side, so that they compress well:
 *
 * - the step to the cell of the next town, its low and its high byte
 * - the place in the cell, in steps of 1/256 degree: north as a step from the town before in the same cell, then east
 * - the size, see `sizeOf`
 * - the names in UTF-8, each with a line end behind it
 */

export interface Town extends Place {
  readonly name: string;
  /** Inhabitants, by powers of two: see `sizeOf`. */
  readonly size: number;
}

/** A town is named up to so many metres from its middle. */
export const TOWN_REACH_METERS = 10_000;

const HEAD_BYTES = 4;
const COLUMNS = 5;
const CELLS_IN_ROW = 360;
const ROWS = 180;
/** Steps in a degree: some 430 m. */
const STEPS = 256;
const METERS_IN_DEGREE = 111_195;
/** Fewest inhabitants that count; below it all towns are alike. */
const SMALLEST = 1000;
/** A town of twice the inhabitants reaches so much farther. */
const REACH_OF_DOUBLE = 1.11;
const LINE_END = 10;

/** The size of a town by its inhabitants: 0 up to some 1,400, one more each time they double. */
export function sizeOf(inhabitants: number): number {
  return Math.max(0, Math.round(Math.log2(Math.max(SMALLEST, inhabitants) / SMALLEST)));
}

/** Packs towns for `TownTable`. */
export function packTowns(towns: readonly Town[]): Uint8Array<ArrayBuffer> {
  const sorted = towns
    .map((town) => ({ ...placeInCell(town), ...town }))
    .sort(
      (one, other) =>
        one.cell - other.cell ||
        one.north - other.north ||
        one.east - other.east ||
        (one.name < other.name ? -1 : Number(one.name > other.name)),
    );
  const names = new TextEncoder().encode(sorted.map(({ name }) => `${name}\n`).join(""));
  const count = sorted.length;
  const bytes = new Uint8Array(HEAD_BYTES + COLUMNS * count + names.length);
  new DataView(bytes.buffer).setUint32(0, count, true);
  const put = (column: number, at: number, value: number) => {
    bytes[HEAD_BYTES + column * count + at] = value;
  };
  let before = { cell: 0, north: 0 };
  for (const [at, town] of sorted.entries()) {
    const step = town.cell - before.cell;
    put(0, at, step & 0xff);
    put(1, at, step >> 8);
    put(2, at, step === 0 ? town.north - before.north : town.north);
    put(3, at, town.east);
    put(4, at, town.size);
    before = town;
  }
  bytes.set(names, HEAD_BYTES + COLUMNS * count);
  return bytes;
}

function placeInCell({ lat, lon }: Place): { cell: number; north: number; east: number } {
  const row = rowOf(lat);
  const column = columnOf(lon);
  return {
    cell: row * CELLS_IN_ROW + column,
    north: stepIn(lat + 90 - row),
    east: stepIn(lon + 180 - Math.floor(lon + 180)),
  };
}

const stepIn = (part: number) => Math.min(STEPS - 1, Math.floor(part * STEPS));
const rowOf = (lat: number) => Math.min(ROWS - 1, Math.max(0, Math.floor(lat + 90)));
const columnOf = (lon: number) => (((Math.floor(lon) + 180) % CELLS_IN_ROW) + CELLS_IN_ROW) % CELLS_IN_ROW;

/** The towns of the world, to look them up by place. */
export class TownTable {
  /** By town, ascending. */
  readonly #cells: Uint16Array;
  readonly #norths: Uint8Array;
  readonly #easts: Uint8Array;
  readonly #sizes: Uint8Array;
  readonly #names: Uint8Array;
  /** Places in the names at which each begins, and their end. */
  readonly #starts: Uint32Array;

  /** @throws Error when the bytes are no table */
  constructor(bytes: Uint8Array) {
    const count = bytes.length < HEAD_BYTES ? -1 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    const namesAt = HEAD_BYTES + COLUMNS * count;
    if (count < 0 || namesAt > bytes.length) throw new Error("this is no table of towns");
    const column = (number: number) => bytes.subarray(HEAD_BYTES + number * count, HEAD_BYTES + (number + 1) * count);
    const [low, high, steps] = [column(0), column(1), column(2)];
    this.#cells = new Uint16Array(count);
    this.#norths = new Uint8Array(count);
    let [cell, north] = [0, 0];
    for (let at = 0; at < count; at++) {
      const step = (low[at] ?? 0) + ((high[at] ?? 0) << 8);
      cell += step;
      north = step === 0 ? north + (steps[at] ?? 0) : (steps[at] ?? 0);
      this.#cells[at] = cell;
      this.#norths[at] = north;
    }
    // Copies, so that the rest of the bytes can go.
    this.#easts = column(3).slice();
    this.#sizes = column(4).slice();
    this.#names = bytes.slice(namesAt);
    this.#starts = new Uint32Array(count + 1);
    let town = 0;
    for (let at = 0; at < this.#names.length; at++) if (this.#names[at] === LINE_END) this.#starts[++town] = at + 1;
    if (town !== count) throw new Error("the table of towns has not as many names as towns");
  }

  get count(): number {
    return this.#cells.length;
  }

  /**
   * The town that a place belongs to; null where none is near. Of two towns the larger one reaches farther: the middle
   * between a village and a city is the city's.
   */
  nearest(place: Place): Town | null {
    const number = this.numberAt(place);
    return number === null ? null : this.town(number);
  }

  /** The same as the town's number in the table. */
  numberAt(place: Place): number | null {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const cell of cellsAround(place))
      for (let at = this.#firstOf(cell); this.#cells[at] === cell; at++) {
        const meters = metersBetween(place, this.#placeOf(at));
        const measure = meters / REACH_OF_DOUBLE ** (this.#sizes[at] ?? 0);
        if (meters <= TOWN_REACH_METERS && measure < least) [best, least] = [at, measure];
      }
    return best < 0 ? null : best;
  }

  /** The largest towns in a part of the map, at most so many, largest first. */
  largestIn(box: MapBox, most: number): Town[] {
    const first = this.#firstOf(rowOf(box.south) * CELLS_IN_ROW);
    const end = this.#firstOf((rowOf(box.north) + 1) * CELLS_IN_ROW);
    const bySize: number[][] = [];
    for (let at = first; at < end; at++) {
      const { lat, lon } = this.#placeOf(at);
      if (lat < box.south || lat > box.north) continue;
      if ((lon < box.west || lon > box.east) && lon + 360 > box.east) continue;
      const size = this.#sizes[at] ?? 0;
      const alike = bySize[size];
      if (alike === undefined) bySize[size] = [at];
      else if (alike.length < most) alike.push(at);
    }
    return bySize
      .toReversed()
      .flatMap((alike) => alike ?? [])
      .slice(0, most)
      .map((at) => this.town(at));
  }

  /** All towns, as the table has them. */
  *all(): Generator<Town> {
    for (let at = 0; at < this.count; at++) yield this.town(at);
  }

  /** The town of this number. */
  town(at: number): Town {
    const bytes = this.#names.subarray(this.#starts[at], (this.#starts[at + 1] ?? 1) - 1);
    return { name: new TextDecoder().decode(bytes), size: this.#sizes[at] ?? 0, ...this.#placeOf(at) };
  }

  /** The middle of its step: a town is as likely on one side of it as on the other. */
  #placeOf(at: number): Place {
    const cell = this.#cells[at] ?? 0;
    const inCell = (steps: number | undefined) => ((steps ?? 0) + 0.5) / STEPS;
    return {
      lat: Math.floor(cell / CELLS_IN_ROW) - 90 + inCell(this.#norths[at]),
      lon: (cell % CELLS_IN_ROW) - 180 + inCell(this.#easts[at]),
    };
  }

  /** The first town of this cell or of one behind it. */
  #firstOf(cell: number): number {
    let [from, to] = [0, this.#cells.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#cells[middle] ?? 0) < cell) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** The cells that a town's reach around a place touches, also over 180 degrees and around a pole. */
function* cellsAround({ lat, lon }: Place): Generator<number> {
  // A little more: a town stands up to a step beside its place.
  const high = TOWN_REACH_METERS / METERS_IN_DEGREE + 1 / STEPS;
  const farthest = Math.min(90, Math.abs(lat) + high);
  const across = Math.cos((farthest * Math.PI) / 180);
  const wide = across < high / 180 ? 180 : Math.min(180, high / across);
  const columns = Math.min(CELLS_IN_ROW, Math.floor(lon + wide) - Math.floor(lon - wide) + 1);
  for (let row = rowOf(lat - high); row <= rowOf(lat + high); row++)
    for (let at = 0; at < columns; at++) yield row * CELLS_IN_ROW + columnOf(Math.floor(lon - wide) + at);
}
