import { type Box, boxesOf, type ReadAt, windowed } from "./mp4_boxes.ts";

/** A stretch of a file's bytes. */
export interface ByteSpan {
  readonly at: number;
  readonly length: number;
}

/** Parts that a camera put into a video and that others write beside it; null for one that is not there, or empty. */
export interface EmbeddedParts {
  /** Bytes of a `.gps` file; zeros follow it. */
  readonly gps: ByteSpan | null;
  /** Bytes of a `.3gf` file; a record of nothing but 0xFF ends it. */
  readonly gsensor: ByteSpan | null;
  /** Bytes of a `.thm` file. */
  readonly thumbnail: ByteSpan | null;
}

/** Most boxes in all `free` boxes together; usual is a dozen. */
const MOST_INNER = 1024;
/** A preview has some ten kilobytes. */
const LONGEST_THUMBNAIL = 1024 * 1024;
const END_OF_SAMPLES = 0xffff_ffff;

/**
 * Finds the telemetry and the preview that a camera put into a video: boxes named `gps `, `3gf ` and `thum` within a
 * `free` box beside the movie, as older cameras of this kind write them. It reads box headers and the first bytes of
 * those boxes.
 */
export async function embeddedParts(size: number, readAt: ReadAt): Promise<EmbeddedParts> {
  const read = windowed(readAt);
  const found: { -readonly [P in keyof EmbeddedParts]: EmbeddedParts[P] } = {
    gps: null,
    gsensor: null,
    thumbnail: null,
  };
  let count = 0;
  for await (const { type, content, end, isOpen } of boxesOf(read, 0, size)) {
    if (type !== "free" || isOpen || end > size) continue;
    for await (const inner of boxesOf(read, content, end)) {
      if (inner.end > end || ++count > MOST_INNER) break;
      if (inner.type === "gps ") found.gps ??= await gpsOf(inner, read);
      else if (inner.type === "3gf ") found.gsensor ??= await gsensorOf(inner, read);
      else if (inner.type === "thum") found.thumbnail ??= await thumbnailOf(inner, read);
    }
  }
  return found;
}

/** Text that begins with a bracket, perhaps behind line ends; a box that was only made for later use holds zeros. */
async function gpsOf({ content, end }: Box, read: ReadAt): Promise<ByteSpan | null> {
  const head = await read(content, Math.min(16, end - content));
  const first = head.find((byte) => byte !== 0x0a && byte !== 0x0d && byte !== 0x20);
  return first === 0x5b ? { at: content, length: end - content } : null;
}

async function gsensorOf({ content, end }: Box, read: ReadAt): Promise<ByteSpan | null> {
  const head = await read(content, Math.min(10, end - content));
  return head.length === 10 && u32(head) !== END_OF_SAMPLES ? { at: content, length: end - content } : null;
}

/** Its length comes first, then a JPEG. */
async function thumbnailOf({ content, end }: Box, read: ReadAt): Promise<ByteSpan | null> {
  const head = await read(content, Math.min(6, end - content));
  if (head.length < 6 || head[4] !== 0xff || head[5] !== 0xd8) return null;
  const length = u32(head);
  return length > 2 && length <= Math.min(end - content - 4, LONGEST_THUMBNAIL) ? { at: content + 4, length } : null;
}

function u32(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
}
