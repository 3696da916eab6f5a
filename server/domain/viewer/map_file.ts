/** Address of the own map file. */
export const MAP_FILE_ADDRESS = "/map/file.pmtiles";

/** Bytes at the beginning that tell what a file is, by version 3 of its specification. */
export const MAP_FILE_HEAD = 127;
const MAGIC = "PMTiles";
const VERSION = 3;
/** Offset and length, each of eight bytes, of the first list of tiles, what is said of the map, further lists, and the tiles. */
const SECTIONS: readonly number[] = [8, 24, 40, 56];
/** Places of two bytes that tell how lists and tiles are compressed, and what browsers can unpack: nothing, or gzip. */
const COMPRESSIONS: readonly number[] = [97, 98];
const UNPACKED: readonly number[] = [1, 2];
const TILE_TYPE = 99;
const VECTOR = 1;

/**
 * Tells what keeps a file from being a map that is drawn here, as the rest of a sentence; null when nothing does.
 * @param head its first bytes
 */
export function mapFileProblem(head: Uint8Array, size: number): string | null {
  const magic = String.fromCharCode(...head.subarray(0, MAGIC.length));
  if (magic !== MAGIC) return "is not a PMTiles file";
  const version = head[MAGIC.length];
  if (version !== undefined && version !== VERSION)
    return `is a PMTiles file of version ${version}, and only version ${VERSION} can be read`;
  if (head.length < MAP_FILE_HEAD || endOfSections(head) > size)
    return "ends too early: it was not downloaded or copied whole";
  if (head[TILE_TYPE] !== VECTOR) return "has pictures, and only maps of lines and names can be drawn";
  if (COMPRESSIONS.some((at) => !UNPACKED.includes(head[at] ?? 0)))
    return "is compressed in another way than by gzip, which browsers cannot read";
  return null;
}

function endOfSections(head: Uint8Array): number {
  const numbers = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const read = (at: number) => Number(numbers.getBigUint64(at, true));
  return Math.max(...SECTIONS.map((at) => read(at) + read(at + 8)));
}
