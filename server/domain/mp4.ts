/** Reads `length` bytes at `offset`; shorter at the end of the file. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/**
 * What a file's top-level boxes show. `whole`: they start with `ftyp`, hold a `moov` and pictures (`mdat`), and end exactly where the file
 * ends. `unfinished`: an MP4 in the middle of being written, whose last box goes on behind the file's end. `unknown`:
 * neither can be said.
 */
export type Mp4State = "whole" | "unfinished" | "unknown";

/** What cameras and muxers write at the top level: only of these is it believed that the rest is still to come. */
const KNOWN: ReadonlySet<string> = new Set([
  "ftyp",
  "free",
  "skip",
  "wide",
  "uuid",
  "udta",
  "mdat",
  "moov",
  "moof",
  "mfra",
]);

/**
 * Judges a file by its top-level boxes (ISO/IEC 14496-12 §4.2). It reads box headers only, so it costs the same
 * whatever the file's size.
 */
export async function judgeMp4(size: number, readAt: ReadAt): Promise<Mp4State> {
  let offset = 0;
  let hasMovie = false;
  let hasMedia = false;
  while (offset < size) {
    const header = await readAt(offset, 16);
    if (header.length < 8) return offset > 0 && !hasMovie ? "unfinished" : "unknown";
    const type = String.fromCharCode(...header.subarray(4, 8));
    if (offset === 0 && type !== "ftyp") return "unknown";
    const length = boxLength(header);
    if (length === "open") return KNOWN.has(type) ? "unfinished" : "unknown";
    // "To the end of the file" proves nothing about the end; before the moov is there it is a placeholder.
    if (length === 0) return KNOWN.has(type) && !hasMovie ? "unfinished" : "unknown";
    if (length === null) return "unknown";
    if (type === "moov") hasMovie = true;
    if (type === "mdat" || type === "moof") hasMedia = true;
    offset += length;
    if (offset > size) return KNOWN.has(type) ? "unfinished" : "unknown";
  }
  return hasMovie && hasMedia ? "whole" : "unknown";
}

/** A box's length, its header included; 0 as it stands, `open` when it is still to be filled in, null for nonsense. */
function boxLength(header: Uint8Array): number | "open" | null {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const short = view.getUint32(0);
  if (short !== 1) return short === 0 || short >= 8 ? short : null;
  if (header.length < 16) return "open";
  const long = Number(view.getBigUint64(8));
  if (long === 0) return "open";
  return long >= 16 ? long : null;
}
