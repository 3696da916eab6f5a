/** Scopes of a key, from the least to the most. */
export const SCOPES = ["metrics", "read", "recordings", "sync"] as const;
/** Rights of a program that brings a key. */
export type Scope = (typeof SCOPES)[number];

/** Keys that there can be at the same time. */
export const MOST_KEYS = 50;
export const LONGEST_KEY_NAME = 100;
/** Characters behind `dd_` that the list of keys shows. */
const HINT_LENGTH = 4;

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY_BYTES = 32;
/** The highest number of 32 bytes in base 62 has so many digits. */
const KEY_DIGITS = 43;
const KEY = new RegExp(`^dd_[0-9A-Za-z]{${KEY_DIGITS}}$`);
const KEY_ANYWHERE = new RegExp(`dd_[0-9A-Za-z]{${KEY_DIGITS}}`);

/** A key for a program. Times are epoch milliseconds. */
export interface AccessKey {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  /** Digest of the key itself, which only its owner has. */
  readonly digest: string;
  /** First characters of the key, by which its owner recognises it. */
  readonly hint: string;
  readonly made: number;
  /** Null until it is used. */
  readonly used: number | null;
  /** Address from which it was used last. */
  readonly from: string | null;
}

/** The text of a key that is made of random bytes. */
export function keyText(random: Uint8Array): string {
  if (random.length !== KEY_BYTES) throw new Error(`A key is made of ${KEY_BYTES} bytes`);
  let left = random.reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n);
  let digits = "";
  for (let at = 0; at < KEY_DIGITS; at++) {
    digits = `${DIGITS[Number(left % 62n)]}${digits}`;
    left /= 62n;
  }
  return `dd_${digits}`;
}

/** True when a text has the form of a key. */
export function isKeyText(text: string): boolean {
  return KEY.test(text);
}

/** True when the query of an address has a key in it, under whatever name. */
export function hasKeyInQuery(address: string): boolean {
  const query = address.indexOf("?");
  return query >= 0 && KEY_ANYWHERE.test(address.slice(query));
}

/** The part of a key that may be shown. */
export function hintOf(key: string): string {
  return `${key.slice(0, "dd_".length + HINT_LENGTH)}…`;
}
