import type { ReadAt } from "./mp4.ts";

/** Bytes asked for at once: the heads of several boxes, so that most files take one or two reads. */
const WINDOW = 4096;
/** Boxes looked at before giving up on a file that is made of crumbs. */
const MOST_BOXES = 1000;
const LONG_UNKNOWN = 0xffff_ffff_ffff_ffffn;
const SHORT_UNKNOWN = 0xffff_ffff;

/**
 * How long an MP4 plays, in seconds, as its movie header tells (`moov` / `mvhd`, ISO/IEC 14496-12 §8.2.2), wherever in
 * the file that is; null when it does not tell. It reads box headers only.
 */
export async function secondsOfMp4(size: number, readAt: ReadAt): Promise<number | null> {
  const file = windowed(readAt);
  let [at, end, inside] = [0, size, false];
  for (let count = 0; count < MOST_BOXES && at + 8 <= end; count++) {
    const head = await file(at, 16);
    const box = boxOf(head, end - at);
    if (box === null) return null;
    if (inside && box.type === "mvhd") return secondsOfHeader(await file(at + box.head, 32));
    if (!inside && box.type === "moov") {
      inside = true;
      end = at + box.length;
      at += box.head;
    } else at += box.length;
  }
  return null;
}

/** Reads from the window last fetched while it can. */
function windowed(readAt: ReadAt): (offset: number, length: number) => Promise<DataView> {
  let [start, bytes]: [number, Uint8Array] = [0, new Uint8Array(0)];
  return async (offset, length) => {
    if (offset < start || offset + length > start + bytes.length) {
      [start, bytes] = [offset, await readAt(offset, WINDOW)];
    }
    const from = offset - start;
    const part = bytes.subarray(from, from + length);
    return new DataView(part.buffer, part.byteOffset, part.byteLength);
  };
}

function boxOf(head: DataView, room: number): { type: string; head: number; length: number } | null {
  if (head.byteLength < 8) return null;
  const type = String.fromCharCode(head.getUint8(4), head.getUint8(5), head.getUint8(6), head.getUint8(7));
  const short = head.getUint32(0);
  if (short === 0) return { type, head: 8, length: room }; // it runs to the end
  if (short !== 1) return short < 8 ? null : { type, head: 8, length: short };
  if (head.byteLength < 16) return null;
  const length = Number(head.getBigUint64(8));
  return length < 16 ? null : { type, head: 16, length };
}

/** Version 1 counts in 64 bits. All ones mean unknown, and 0 that the lengths are in fragments further on. */
function secondsOfHeader(header: DataView): number | null {
  const isLong = header.byteLength > 0 && header.getUint8(0) === 1;
  if (header.byteLength < (isLong ? 32 : 20)) return null;
  const scale = header.getUint32(isLong ? 20 : 12);
  const length = isLong ? header.getBigUint64(24) : header.getUint32(16);
  if (length === SHORT_UNKNOWN || length === LONG_UNKNOWN) return null;
  const seconds = Number(length) / scale;
  return seconds > 0 && Number.isFinite(seconds) ? Math.round(seconds * 1000) / 1000 : null;
}
