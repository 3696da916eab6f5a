import { createDecipheriv } from "node:crypto";

/** The same for every camera of this make, as published in 2023: an obfuscation, not a secret. */
const KEY = Buffer.from("331248f9789959003729fa90cf16882f", "hex");
const VECTOR = Buffer.from("82931267f734a879b3c4c4b15fda4be7", "hex");
const STORED = /^[0-9A-Fa-f]{64}$/;
/** Characters that no keyboard types: control and format characters, and all spaces but the usual one. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/**
 * Reads a password from the camera's settings as people type it. The camera stores AES-128-CBC over the text, filled up
 * with NUL to 32 bytes, in hex. A text of another form is stored as it is typed.
 * @returns null for what does not decode to text
 */
export function decryptPassword(stored: string): string | null {
  if (!STORED.test(stored)) return stored;
  const cipher = createDecipheriv("aes-128-cbc", KEY, VECTOR).setAutoPadding(false);
  const padded = Buffer.concat([cipher.update(Buffer.from(stored, "hex")), cipher.final()]);
  const length = padded.findLastIndex((byte) => byte !== 0) + 1;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(padded.subarray(0, length));
    return UNPRINTABLE.test(text) ? null : text;
  } catch {
    return null;
  }
}
