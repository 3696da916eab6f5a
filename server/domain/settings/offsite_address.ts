import { shown } from "../text/shown.ts";

/** The address of a bucket that speaks S3, and what belongs to it. */

const LONGEST_PREFIX = 200;

/** Returns a sentence about the fault of an endpoint, or null. */
export function endpointProblem(text: string): string | null {
  // A password may stand before the @: no sentence repeats it.
  if (text.includes("@")) return "it holds a user or a password: set offsite.access_key and offsite.secret_key instead";
  const expected = "expected https://host or http://host:port";
  if (!/^https?:\/\/[^/\s\\?#]+\/?$/i.test(text) || !URL.canParse(text))
    return `${shown(text)} is not the address of an S3 server without a path: ${expected}`;
  return null;
}

/** Returns a sentence about the fault of a bucket's name, or null; an empty one is not set yet. */
export function bucketProblem(text: string): string | null {
  if (text === "" || /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/.test(text)) return null;
  return `${shown(text)} is not the name of a bucket: expected 3 or more letters, digits, dots and hyphens`;
}

/** Returns a sentence about the fault of a region's name, or null. */
export function regionProblem(text: string): string | null {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/.test(text)) return null;
  return `${shown(text)} is not a region: expected letters, digits and hyphens, such as us-east-1`;
}

/** Returns a sentence about the fault of what all names in the bucket begin with, or null; it may be empty. */
export function objectPrefixProblem(text: string): string | null {
  if (text.length > LONGEST_PREFIX) return `it is longer than ${LONGEST_PREFIX} characters`;
  if (/\p{Cc}|\\/u.test(text)) return `${shown(text)} holds a control character or a backslash`;
  if (text === "") return null;
  const parts = text.replace(/\/$/, "").split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".."))
    return `${shown(text)} has a part that is empty, . or ..`;
  return null;
}
