import { createHmac, hkdfSync, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { chacha20poly1305 } from "@noble/ciphers/chacha.js";

/**
 * The head of an encrypted file in the format `age-encryption.org/v1` (https://age-encryption.org/v1), whose key is
 * wrapped with a passphrase. With the nonce of its content it is all that is needed to go on with a file that was cut:
 * whoever has the passphrase gets the same key from it.
 */

const VERSION = "age-encryption.org/v1";
/** 2^15: as much as a small machine does in a moment, and 32 MiB, outside of the event loop. */
const FACTOR = 15;
/** Files of the program `age` have 18, which takes 256 MiB. */
const MOST_FACTOR = 18;
const BLOCK = 8;
const FILE_KEY_BYTES = 16;
const NONCE_BYTES = 16;
const NO_NONCE = new Uint8Array(12);
const HEAD =
  /^age-encryption\.org\/v1\n-> scrypt ([A-Za-z0-9+/]{22}) ([1-9][0-9]?)\n([A-Za-z0-9+/]{43})\n--- ([A-Za-z0-9+/]{43})\n/;

export interface AgeHead {
  /** Header, and nonce of the content: the beginning of the file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Key of the content. */
  readonly key: Uint8Array;
}

/** Length of the heads that are made here. */
export const HEAD_BYTES =
  headText(new Uint8Array(16), new Uint8Array(32)).length + "--- ".length - "---".length + 43 + 1 + NONCE_BYTES;

/** The most that a head needs, whoever made it. */
export const MOST_HEAD_BYTES = HEAD_BYTES + 8;

/** Makes the head of a new file. */
export async function makeHead(passphrase: string): Promise<AgeHead> {
  const salt = randomBytes(16);
  const fileKey = randomBytes(FILE_KEY_BYTES);
  const wrapping = await wrappingKey(passphrase, salt, FACTOR);
  const text = headText(salt, chacha20poly1305(wrapping, NO_NONCE).encrypt(fileKey));
  const nonce = randomBytes(NONCE_BYTES);
  const bytes = Buffer.concat([Buffer.from(`${text} ${bare(macOf(fileKey, text))}\n`), nonce]);
  return { bytes: new Uint8Array(bytes), key: contentKey(fileKey, nonce) };
}

/** Reads the head at the beginning of a file. @returns null when the passphrase is another one, or it is no such file */
export async function openHead(begin: Uint8Array, passphrase: string): Promise<AgeHead | null> {
  const [whole, salt = "", factor = "", body = "", mac = ""] =
    HEAD.exec(Buffer.from(begin.subarray(0, MOST_HEAD_BYTES)).toString("latin1")) ?? [];
  if (whole === undefined || Number(factor) > MOST_FACTOR || begin.length < whole.length + NONCE_BYTES) return null;
  const wrapping = await wrappingKey(passphrase, Buffer.from(salt, "base64"), Number(factor));
  const fileKey = opened(wrapping, NO_NONCE, Buffer.from(body, "base64"));
  if (fileKey === null) return null;
  const signed = whole.slice(0, whole.lastIndexOf("---") + 3);
  const given = Buffer.from(mac, "base64");
  if (given.length !== 32 || !timingSafeEqual(given, macOf(fileKey, signed))) return null;
  const bytes = Uint8Array.from(begin.subarray(0, whole.length + NONCE_BYTES));
  return { bytes, key: contentKey(fileKey, bytes.subarray(whole.length)) };
}

/** Opens a sealed piece; null when it was changed, or sealed with another key. */
export function opened(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Uint8Array | null {
  try {
    return chacha20poly1305(key, nonce).decrypt(sealed);
  } catch {
    return null;
  }
}

/** Key from a passphrase, made on a thread of its own. */
export function keyOf(passphrase: string, salt: Uint8Array, factor: number = FACTOR): Promise<Uint8Array> {
  const cost = 2 ** factor;
  const options = { N: cost, r: BLOCK, p: 1, maxmem: 128 * cost * BLOCK + 4 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

async function wrappingKey(passphrase: string, salt: Uint8Array, factor: number): Promise<Uint8Array> {
  return await keyOf(passphrase, Buffer.concat([Buffer.from(`${VERSION}/scrypt`), salt]), factor);
}

/** The part that its signature covers. */
function headText(salt: Uint8Array, body: Uint8Array): string {
  return `${VERSION}\n-> scrypt ${bare(salt)} ${FACTOR}\n${bare(body)}\n---`;
}

function macOf(fileKey: Uint8Array, text: string): Buffer {
  const key = new Uint8Array(hkdfSync("sha256", fileKey, "", "header", 32));
  return createHmac("sha256", key).update(text, "latin1").digest();
}

function contentKey(fileKey: Uint8Array, nonce: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", fileKey, nonce, "payload", 32));
}

/** Base64 without padding. */
function bare(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}
