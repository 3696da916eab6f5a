/** Address of the own map file. */
export const MAP_FILE_ADDRESS = "/map/file.pmtiles";

/** Bytes at the beginning that tell what a file is. */
export const MAP_FILE_HEAD = 8;
const MAGIC = "PMTiles";
const VERSION = 3;

/** Tells what keeps a file that begins with these bytes from being a map, as the rest of a sentence; null when it is one. */
export function mapFileProblem(head: Uint8Array): string | null {
  const magic = String.fromCharCode(...head.subarray(0, MAGIC.length));
  if (magic !== MAGIC) return "is not a PMTiles file";
  const version = head[MAGIC.length];
  return version === VERSION
    ? null
    : `is a PMTiles file of version ${version ?? "unknown"}, and only version 3 can be read`;
}
