import { boxHeader, type ReadAt, windowed } from "./mp4_boxes.ts";

/** Boxes looked at before giving up on a file that is made of crumbs. */
const MOST_BOXES = 1000;
const LONG_UNKNOWN = 0xffff_ffff_ffff_ffffn;
const SHORT_UNKNOWN = 0xffff_ffff;

/**
 * How long an MP4 plays, in seconds, as its movie header tells (`moov` / `mvhd`, ISO/IEC 14496-12 §8.2.2), wherever in
 * the file that is; null when it does not tell. It reads box headers only.
 */
export async function secondsOfMp4(size: number, readAt: ReadAt): Promise<number | null> {
  const read = windowed(readAt);
  let [at, end, inside] = [0, size, false];
  for (let count = 0; count < MOST_BOXES && at + 8 <= end; count++) {
    const box = boxHeader(await read(at, 16));
    if (box === null) return null;
    if (inside && box.type === "mvhd") return secondsOfHeader(await read(at + box.bytes, 32));
    const next = box.length === "rest" ? end : at + box.length;
    if (!inside && box.type === "moov") {
      inside = true;
      end = next;
      at += box.bytes;
    } else at = next;
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
  const seconds = Number(length) / scale;
  return seconds > 0 && Number.isFinite(seconds) ? Math.round(seconds * 1000) / 1000 : null;
}
