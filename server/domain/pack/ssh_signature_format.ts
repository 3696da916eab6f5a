/**
 * Signatures as `ssh-keygen -Y` makes and checks them (PROTOCOL.sshsig of OpenSSH), with keys of Ed25519 (RFC 8709).
 * Hashing, signing and checking themselves are the caller's.
 */

/** Tells signatures of packs from those that the same key might make for something else. */
export const NAMESPACE = "dashdock";
/** Name of the signer in `allowed_signers`. */
export const PRINCIPAL = "owner@dashdock";

const MAGIC = "SSHSIG";
const VERSION = 1;
const HASH = "sha512";
const HASH_BYTES = 64;
const KEY_TYPE = "ssh-ed25519";
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const BEGIN = "-----BEGIN SSH SIGNATURE-----";
const END = "-----END SSH SIGNATURE-----";
const LINE_LENGTH = 70;

/** A signature as its file has it. */
export interface SshSignature {
  /** The signer's key, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly namespace: string;
  readonly signature: Uint8Array;
}

/** Returns the bytes that are signed in place of a message. @param hash SHA-512 of it */
export function signedBytes(hash: Uint8Array, namespace = NAMESPACE): Uint8Array {
  if (hash.length !== HASH_BYTES) throw new RangeError(`a hash of ${hash.length} bytes is no SHA-512`);
  return joined([ascii(MAGIC), field(ascii(namespace)), field(ascii("")), field(ascii(HASH)), field(hash)]);
}

/** Returns the text of the file for a signature of `signedBytes` in the same namespace. */
export function signatureText(publicKey: Uint8Array, signature: Uint8Array, namespace = NAMESPACE): string {
  const bytes = joined([
    ascii(MAGIC),
    number(VERSION),
    field(keyBytes(publicKey)),
    field(ascii(namespace)),
    field(ascii("")),
    field(ascii(HASH)),
    field(joined([field(ascii(KEY_TYPE)), field(signature)])),
  ]);
  const lines = bytes.toBase64().match(new RegExp(`.{1,${LINE_LENGTH}}`, "g")) ?? [];
  return `${[BEGIN, ...lines, END].join("\n")}\n`;
}

/** Reads the text of a signature's file; null when it is none of a kind that packs have. */
export function readSignature(text: string): SshSignature | null {
  const lines = text.trim().split(/\s*\n\s*/);
  if (lines[0] !== BEGIN || lines.at(-1) !== END) return null;
  const bytes = decoded(lines.slice(1, -1).join(""));
  if (bytes === null) return null;
  try {
    const fields = new Fields(bytes);
    if (latin(fields.take(MAGIC.length)) !== MAGIC || fields.number() !== VERSION) return null;
    const key = new Fields(fields.field());
    const namespace = latin(fields.field());
    fields.field();
    if (latin(fields.field()) !== HASH) return null;
    const value = new Fields(fields.field());
    if (latin(key.field()) !== KEY_TYPE || latin(value.field()) !== KEY_TYPE) return null;
    const publicKey = key.field();
    const signature = value.field();
    const isRight = publicKey.length === KEY_BYTES && signature.length === SIGNATURE_BYTES;
    return isRight && [fields, key, value].every(({ isOver }) => isOver) ? { publicKey, namespace, signature } : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns the file that lets `ssh-keygen -Y verify` know a key. */
export function allowedSigners(publicKey: Uint8Array, namespace = NAMESPACE, principal = PRINCIPAL): string {
  return `${principal} namespaces="${namespace}" ${KEY_TYPE} ${keyBytes(publicKey).toBase64()}\n`;
}

/** Returns the keys that such a file lets sign packs. */
export function keysAllowed(text: string): Uint8Array[] {
  return text.split("\n").flatMap((line) => {
    const [principal, ...rest] = line.trim().split(/\s+/);
    const at = rest.indexOf(KEY_TYPE);
    const namespaces = /namespaces="([^"]*)"/.exec(rest.slice(0, Math.max(0, at)).join(" "))?.[1];
    if (principal !== PRINCIPAL || at < 0) return [];
    if (namespaces !== undefined && !namespaces.split(",").includes(NAMESPACE)) return [];
    const bytes = decoded(rest[at + 1] ?? "");
    const start = keyBytes(new Uint8Array(KEY_BYTES)).length - KEY_BYTES;
    if (bytes?.length !== start + KEY_BYTES) return [];
    const key = bytes.subarray(start);
    return isSame(keyBytes(key), bytes) ? [key] : [];
  });
}

/** Returns a key as OpenSSH stores it: what its fingerprint is the SHA-256 of. */
export function keyBytes(publicKey: Uint8Array): Uint8Array {
  if (publicKey.length !== KEY_BYTES) throw new RangeError(`a key of ${publicKey.length} bytes is not of Ed25519`);
  return joined([field(ascii(KEY_TYPE)), field(publicKey)]);
}

/** Returns a fingerprint as `ssh-keygen -l` prints it. @param hash SHA-256 of `keyBytes` */
export function fingerprintText(hash: Uint8Array): string {
  return `SHA256:${hash.toBase64({ omitPadding: true })}`;
}

/** True when both have the same bytes. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Reads what SSH writes (RFC 4251, section 5). @throws RangeError where it ends too soon */
class Fields {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isOver(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw new RangeError("the bytes end within a field");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  number(): number {
    return this.take(4).reduce((value, byte) => value * 256 + byte, 0);
  }

  field(): Uint8Array {
    return this.take(this.number());
  }
}

function number(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function field(bytes: Uint8Array): Uint8Array {
  return joined([number(bytes.length), bytes]);
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 100));
}

function decoded(text: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return null;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
