/** Time stamps of RFC 3161, as far as packs need them: a request for a SHA-256, and what a response stamps. */

const HASH_BYTES = 32;
/** AlgorithmIdentifier of SHA-256 (RFC 5754), parameters NULL. */
const SHA256 = Uint8Array.fromHex("300d06096086480165030402010500");
/** Its identifier alone: some authorities leave the parameters out. */
const SHA256_ID = "608648016503040201";
const SIGNED_DATA = "2a864886f70d010702";
const STAMP_INFO = "2a864886f70d0109100104";

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const OCTETS = 0x04;
const IDENTIFIER = 0x06;
const GENERALIZED_TIME = 0x18;
/** `[0] EXPLICIT` */
const CONTENT = 0xa0;
/** Status `granted`, and with changes (RFC 3161, section 2.4.2). */
const GRANTED: readonly number[] = [0, 1];

/** Content that a response stamps. */
export interface Stamp {
  readonly hash: Uint8Array;
  /** As the authority wrote it: `20261120212334Z`. */
  readonly time: string;
}

/** The body of a request. @param hash SHA-256 of what is to be stamped: nothing else is told */
export function stampRequest(hash: Uint8Array): Uint8Array {
  if (hash.length !== HASH_BYTES) throw new RangeError(`a hash of ${hash.length} bytes is no SHA-256`);
  const imprint = wrapped(SEQUENCE, [SHA256, wrapped(OCTETS, [hash])]);
  const version = Uint8Array.of(INTEGER, 1, 1);
  // Asks for the certificate, so that the stamp can be checked with the authority's own alone.
  const certificate = Uint8Array.of(0x01, 1, 0xff);
  return wrapped(SEQUENCE, [version, imprint, certificate]);
}

/** Reads the body of a response; null when it grants no stamp of a SHA-256. */
export function readStamp(response: Uint8Array): Stamp | null {
  try {
    const whole = new Der(response).inner(SEQUENCE);
    const status = whole.inner(SEQUENCE).value(INTEGER);
    if (status.length !== 1 || !GRANTED.includes(status[0] ?? -1)) return null;
    const token = whole.inner(SEQUENCE);
    if (token.value(IDENTIFIER).toHex() !== SIGNED_DATA) return null;
    const signed = token.inner(CONTENT).inner(SEQUENCE);
    signed.skip();
    signed.skip();
    const content = signed.inner(SEQUENCE);
    if (content.value(IDENTIFIER).toHex() !== STAMP_INFO) return null;
    const info = new Der(content.inner(CONTENT).value(OCTETS)).inner(SEQUENCE);
    info.skip();
    info.skip();
    const imprint = info.inner(SEQUENCE);
    if (imprint.inner(SEQUENCE).value(IDENTIFIER).toHex() !== SHA256_ID) return null;
    const hash = imprint.value(OCTETS);
    info.skip();
    const time = String.fromCharCode(...info.value(GENERALIZED_TIME).subarray(0, 40));
    return hash.length === HASH_BYTES ? { hash, time } : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function wrapped(tag: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // Requests are short: all lengths fit into one byte.
  const bytes = new Uint8Array(2 + length);
  bytes.set([tag, length]);
  let at = 2;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Reads values of DER (X.690) one after the other. @throws RangeError where something else stands */
class Der {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  inner(tag: number): Der {
    return new Der(this.value(tag));
  }

  value(tag: number): Uint8Array {
    if (this.#bytes[this.#at] !== tag) throw new RangeError("another value stands here");
    return this.#next();
  }

  skip(): void {
    this.#next();
  }

  #next(): Uint8Array {
    const first = this.#bytes[this.#at + 1] ?? 0xff;
    let start = this.#at + 2;
    let length = first;
    if (first >= 0x80) {
      const count = first - 0x80;
      if (count < 1 || count > 4) throw new RangeError("a length of no use");
      length = 0;
      for (let byte = 0; byte < count; byte++) length = length * 256 + (this.#bytes[start + byte] ?? 0);
      start += count;
    }
    if (start + length > this.#bytes.length) throw new RangeError("the value ends too soon");
    this.#at = start + length;
    return this.#bytes.subarray(start, start + length);
  }
}
