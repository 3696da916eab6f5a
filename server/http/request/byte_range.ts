/** Bytes `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a `Range` header for a file of `size` bytes (RFC 9110 §14.2): one range, open-ended and suffix forms too.
 * Spaces are forgiven, as the listener does: there must be no range that it reads and we do not.
 * @returns null when the whole file is the answer: no header, another unit, several ranges, a malformed one, an empty
 * file; `"unsatisfiable"` when nothing of the file is in it
 */
export function readByteRange(header: string | null, size: number): ByteRange | "unsatisfiable" | null {
  const match = /^bytes *= *([0-9]*) *- *([0-9]*)$/i.exec(header?.trim() ?? "");
  if (!match || size === 0) return null;
  const [, first = "", last = ""] = match;
  if (first === "") {
    if (last === "") return null;
    const length = Number(last);
    return length === 0 ? "unsatisfiable" : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return null;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
