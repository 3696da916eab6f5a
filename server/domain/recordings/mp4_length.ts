import { boxesOf, type ReadAt, windowed } from "./mp4_boxes.ts";

const LONG_UNKNOWN = 0xffff_ffff_ffff_ffffn;
const SHORT_UNKNOWN = 0xffff_ffff;
/** Cameras begin a new file every few minutes: a header that tells of more than a day is broken. */
const LONGEST_SECONDS = 86_400;

/**
 * Returns the playing time of an MP4 in seconds, by its movie header (`moov` / `mvhd`, ISO/IEC 14496-12 §8.2.2), at
 * any place of the file. Null when the header does not have it, or cannot be right. It reads box headers only.
 */
export async function secondsOfMp4(size: number, readAt: ReadAt): Promise<number | null> {
  const read = windowed(readAt);
  for await (const movie of boxesOf(read, 0, size)) {
    if (movie.type !== "moov") continue;
    for await (const { type, content } of boxesOf(read, movie.content, movie.end))
      if (type === "mvhd") return secondsOfHeader(await read(content, 32));
    return null;
  }
  return null;
}

/** Version 1 counts in 64 bits. All ones mean unknown, and 0 that the lengths are in fragments further on. */
function secondsOfHeader(bytes: Uint8Array): number | null {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = header.byteLength > 0 && header.getUint8(0) === 1;
  if (header.byteLength < (isLong ? 32 : 20)) return null;
  const scale = header.getUint32(isLong ? 20 : 12);
  const length = isLong ? header.getBigUint64(24) : header.getUint32(16);
  if (length === SHORT_UNKNOWN || length === LONG_UNKNOWN) return null;
  const seconds = Math.round((Number(length) / scale) * 1000) / 1000;
  return seconds > 0 && seconds <= LONGEST_SECONDS ? seconds : null;
}
