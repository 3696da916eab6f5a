/** Larger files go in parts of this size, and smaller ones in one piece. */
export const PART_BYTES = 8 * 1024 * 1024;
/** The most parts that S3 takes. */
const MOST_PARTS = 10_000;

/** Size of all parts of a file but the last: providers refuse parts of unequal size. */
export function partBytesOf(size: number, first: number = PART_BYTES): number {
  let bytes = first;
  while (size > bytes * MOST_PARTS) bytes *= 2;
  return bytes;
}

/** Place of each part, the first is number 1. */
export function partSpan(
  number: number,
  partBytes: number,
  size: number,
): { readonly from: number; readonly to: number } {
  const from = (number - 1) * partBytes;
  return { from, to: Math.min(from + partBytes, size) };
}

export function partCount(size: number, partBytes: number): number {
  return Math.max(1, Math.ceil(size / partBytes));
}
