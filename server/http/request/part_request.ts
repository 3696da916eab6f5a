import { type ByteRange, readByteRange } from "./byte_range.ts";

/** By what a client knows that what it has is still right. */
export interface Validators {
  /** Strong, with its quotes. */
  readonly etag: string;
  /** An HTTP date, and the same in epoch milliseconds; left out where only the ETag counts. */
  readonly modified?: string;
  readonly modifiedMs?: number;
}

/** RFC 9110 §13.2.2: the ETag decides when the client sent one, else the date. */
export function isUnchanged(headers: Headers, { etag, modifiedMs = Number.NaN }: Validators): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null) {
    return tags.trim() === "*" || tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
  }
  // A date that cannot be read is no number, and compares false.
  return modifiedMs <= Date.parse(headers.get("if-modified-since") ?? "");
}

/**
 * The part of a file that a request asks for, as `readByteRange`. Only GET has ranges, and `If-Range` asks for one only of
 * the version the client already has a part of.
 */
export function rangeAsked(
  { method, headers }: Request,
  { etag, modified }: Validators,
  size: number,
): ByteRange | "unsatisfiable" | null {
  if (method !== "GET") return null;
  const condition = headers.get("if-range")?.trim();
  const isSame = condition === undefined || condition === etag || condition === modified;
  return isSame ? readByteRange(headers.get("range"), size) : null;
}

/** The answer to a range that the file does not have. */
export function unsatisfiable(size: number): Response {
  const headers = { "content-range": `bytes */${size}`, "accept-ranges": "bytes", "cache-control": "no-store" };
  return new Response(null, { status: 416, headers });
}
