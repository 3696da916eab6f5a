import { box } from "./mp4.ts";

type Box = { readonly kind: string; readonly content: Buffer };

/** Boxes that hold boxes only, down to the tables of a track. */
const HOLDERS: readonly string[] = ["trak", "mdia", "minf", "stbl"];

/**
 * A video with few of its pictures, of the same length: one a second in place of twenty, and all of the last second,
 * where clips follow each other. Decoding and drawing the others takes more than all else that most tests do with them.
 * @param video with its movie header last, and one track with pictures
 */
export function thinned(video: Uint8Array): Uint8Array {
  const boxes = boxesIn(Buffer.from(video.buffer, video.byteOffset, video.length));
  const all = boxes.map(({ kind, content }) => {
    if (kind !== "moov") return box(kind, content);
    return box(
      kind,
      ...boxesIn(content).map((inner) => (inner.kind === "trak" ? track(inner) : box(inner.kind, inner.content))),
    );
  });
  return new Uint8Array(Buffer.concat(all));
}

function track(whole: Box): Uint8Array {
  const tables = new Map(flat(whole).map(({ kind, content }) => [kind, content]));
  const keys = tables.get("stss");
  return keys ? rewritten(whole, tablesOfFew(tables, keys)) : box(whole.kind, whole.content);
}

function rewritten({ kind, content }: Box, tables: ReadonlyMap<string, Uint8Array>): Uint8Array {
  if (!HOLDERS.includes(kind)) return tables.get(kind) ?? box(kind, content);
  return box(kind, ...boxesIn(content).map((inner) => rewritten(inner, tables)));
}

/** The tables of a track (ISO/IEC 14496-12 §8.6 and §8.7) for the pictures that stay, each in a chunk of its own. */
function tablesOfFew(tables: ReadonlyMap<string, Buffer>, keys: Buffer): Map<string, Uint8Array> {
  const table = (kind: string) => tables.get(kind) ?? Buffer.alloc(16);
  const sizes = rowsOf(table("stsz").subarray(4), 1).map(([size = 0]) => size);
  const delta = table("stts").readUInt32BE(12);
  const delays = rowsOf(table("ctts"), 2).flatMap(([count = 0, delay = 0]) => Array<number>(count).fill(delay));
  const places = placesOf(table("stsc"), table("stco"), sizes);
  const isKey = new Set(rowsOf(keys, 1).map(([number = 0]) => number - 1));
  const few = sizes
    .keys()
    .toArray()
    .filter((sample) => isKey.has(sample) || sample >= Math.max(...isKey));
  const made = (
    kind: string,
    rows: readonly (readonly number[])[],
    ...head: readonly number[]
  ): [string, Uint8Array] => [kind, box(kind, numbers(0, ...head, rows.length, ...rows.flat()))];
  return new Map([
    made(
      "stts",
      few.map((sample, at) => [1, ((few[at + 1] ?? sizes.length) - sample) * delta]),
    ),
    made(
      "ctts",
      few.map((sample) => [1, delays[sample] ?? 0]),
    ),
    made(
      "stss",
      few.flatMap((sample, at) => (isKey.has(sample) ? [[at + 1]] : [])),
    ),
    made(
      "stsz",
      few.map((sample) => [sizes[sample] ?? 0]),
      0,
    ),
    made("stsc", [[1, 1, 1]]),
    made(
      "stco",
      few.map((sample) => [places[sample] ?? 0]),
    ),
  ]);
}

/** The rows of a table, of so many numbers each. */
function rowsOf(table: Buffer, columns: number): number[][] {
  return Array.from({ length: table.readUInt32BE(4) }, (_, row) =>
    Array.from({ length: columns }, (_, column) => table.readUInt32BE(8 + 4 * (row * columns + column))),
  );
}

/** Beginning of each sample in the file. */
function placesOf(runs: Buffer, chunks: Buffer, sizes: readonly number[]): number[] {
  const lengths = rowsOf(runs, 3);
  const places: number[] = [];
  for (const [chunk, [start = 0]] of rowsOf(chunks, 1).entries()) {
    const [, length = 0] = lengths.findLast(([first = 0]) => first <= chunk + 1) ?? [];
    for (let place = start, left = length; left > 0; left--) {
      places.push(place);
      place += sizes[places.length - 1] ?? 0;
    }
  }
  return places;
}

const numbers = (...all: readonly number[]) => {
  const bytes = Buffer.alloc(4 * all.length);
  for (const [at, value] of all.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
};

function flat(one: Box): Box[] {
  return HOLDERS.includes(one.kind) ? boxesIn(one.content).flatMap(flat) : [one];
}

function boxesIn(bytes: Buffer): Box[] {
  const found: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    found.push({ kind: bytes.toString("latin1", at + 4, at + 8), content: bytes.subarray(at + 8, at + size) });
    at += size;
  }
  return found;
}
