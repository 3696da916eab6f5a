import type { TripLine } from "../../domain/places/trip_line.ts";

/** Fixes of a part of a line, with the zoom levels at which they are needed. */
export interface StoredFixes extends Pick<TripLine, "t" | "lat" | "lon" | "speed"> {
  readonly level: Int32Array;
}

const COLUMNS = ["t", "lat", "lon", "speed", "level"] as const;
/** A number of 32 bits and its difference to another one take at most so many bytes. */
const MOST_BYTES = 5;

/** Writes fixes as differences to the one before: a second of driving takes some ten bytes. */
export function fixesToBytes(fixes: StoredFixes): Uint8Array {
  const count = fixes.t.length;
  const bytes = new Uint8Array(MOST_BYTES * (1 + COLUMNS.length * count));
  let place = writeNumber(bytes, 0, count);
  for (const name of COLUMNS) {
    const column = fixes[name];
    let before = 0;
    for (let at = 0; at < count; at++) {
      const value = column[at] ?? 0;
      const by = (value - before) | 0;
      before = value;
      // The sign is the lowest bit: small differences are small numbers.
      place = writeNumber(bytes, place, ((by << 1) ^ (by >> 31)) >>> 0);
    }
  }
  return bytes.slice(0, place);
}

/** @throws RangeError for bytes that `fixesToBytes` did not write */
export function fixesFromBytes(bytes: Uint8Array): StoredFixes {
  const reader = new NumberReader(bytes);
  const count = reader.next();
  if (count > bytes.length) throw new RangeError("there are not so many fixes");
  return {
    t: reader.column(count),
    lat: reader.column(count),
    lon: reader.column(count),
    speed: reader.column(count),
    level: reader.column(count),
  };
}

class NumberReader {
  readonly #bytes: Uint8Array;
  #place = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): number {
    const bytes = this.#bytes;
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[this.#place++];
      if (byte === undefined || shift > 28) throw new RangeError("the fixes are cut");
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }

  /** Numbers that were written as differences. */
  column(count: number): Int32Array {
    const bytes = this.#bytes;
    const values = new Int32Array(count);
    let place = this.#place;
    let before = 0;
    for (let at = 0; at < count; at++) {
      let coded = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[place++];
        if (byte === undefined || shift > 28) throw new RangeError("the fixes are cut");
        coded |= (byte & 127) << shift;
        if (byte < 128) break;
      }
      before = (before + ((coded >>> 1) ^ -(coded & 1))) | 0;
      values[at] = before;
    }
    this.#place = place;
    return values;
  }
}

function writeNumber(bytes: Uint8Array, from: number, value: number): number {
  let rest = value;
  let place = from;
  for (; rest > 127; rest >>>= 7) bytes[place++] = (rest & 127) | 128;
  bytes[place++] = rest;
  return place;
}
