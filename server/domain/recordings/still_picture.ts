import { pointsOf } from "./companion_content.ts";
import type { StillFormat } from "./still_name.ts";

const PNG_BEGINNING = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
/** The empty last chunk, IEND, with its checksum. */
const PNG_END = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];
const JPEG_BEGINNING = [0xff, 0xd8, 0xff];
const JPEG_END = [0xff, 0xd9];

/**
 * Format of a picture that has a size, and is there from its first to its last mark; null for anything else, such as a
 * picture that was cut, or a page behind the first bytes of one.
 */
export function stillFormat(bytes: Uint8Array): StillFormat | null {
  const has = (marks: readonly number[], from: number) => marks.every((mark, at) => bytes[from + at] === mark);
  const isBetween = (first: readonly number[], last: readonly number[]) =>
    bytes.length >= first.length + last.length && has(first, 0) && has(last, bytes.length - last.length);
  if (isBetween(JPEG_BEGINNING, JPEG_END)) return pointsOf(bytes) > 0 ? "jpg" : null;
  if (!isBetween(PNG_BEGINNING, PNG_END)) return null;
  const sizes = new DataView(bytes.buffer, bytes.byteOffset + PNG_BEGINNING.length, 8);
  return sizes.getUint32(0) > 0 && sizes.getUint32(4) > 0 ? "png" : null;
}
