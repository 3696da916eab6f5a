import { type AgeHead, HEAD_BYTES, MOST_HEAD_BYTES, opened, openHead } from "./age_head.ts";
import { CHUNK, type ChunkSeal, SEAL } from "./chunk_seal.ts";

/** The content of an encrypted file: chunks that are sealed one by one, so that any part of it can be made by itself. */

const SEALED_CHUNK = CHUNK + SEAL;

/** Length of an encrypted file. */
export function sealedSize(size: number): number {
  return HEAD_BYTES + size + SEAL * Math.max(1, Math.ceil(size / CHUNK));
}

/** Reads plain bytes of a file to the beginning of `into`; `to` is not counted in. */
export type ReadPlain = (from: number, to: number, into: Uint8Array<ArrayBuffer>) => Promise<unknown>;
/** Chunks that are read at once, and sealed without a turn for others: about half a millisecond's work. */
const AT_ONCE = 4;

interface SealedFile {
  readonly head: AgeHead;
  readonly size: number;
  readonly read: ReadPlain;
  readonly seal: ChunkSeal;
}

/**
 * Makes a part of an encrypted file. `to` is not counted in.
 * @param turn called between some chunks, so that others have their turn
 * @param into as long as the part, or longer; the part lies at its beginning
 */
export async function sealedPart(
  { head, size, read, seal }: SealedFile,
  from: number,
  to: number,
  turn: () => Promise<void> | void,
  into: Uint8Array<ArrayBuffer> = new Uint8Array(to - from),
): Promise<Uint8Array<ArrayBuffer>> {
  const part = into.subarray(0, to - from);
  const plain = new Uint8Array(AT_ONCE * CHUNK);
  const begin = head.bytes.length;
  if (from < begin) part.set(head.bytes.subarray(from, Math.min(to, begin)));
  const last = Math.max(1, Math.ceil(size / CHUNK)) - 1;
  const firstChunk = Math.max(0, Math.floor((from - begin) / SEALED_CHUNK));
  for (let chunk = firstChunk; chunk <= last; chunk++) {
    const at = begin + chunk * SEALED_CHUNK;
    if (at >= to) break;
    const begun = (chunk - firstChunk) % AT_ONCE;
    if (begun === 0) {
      await turn();
      await read(chunk * CHUNK, Math.min((chunk + AT_ONCE) * CHUNK, size), plain);
    }
    const length = Math.min(CHUNK, size - chunk * CHUNK);
    seal.plain.set(plain.subarray(begun * CHUNK, begun * CHUNK + length));
    const sealed = seal.seal(head.key, nonceOf(chunk, chunk === last), length);
    const skipped = Math.max(0, from - at);
    part.set(sealed.subarray(skipped, Math.min(sealed.length, to - at)), at + skipped - from);
  }
  return part;
}

/** The file is not encrypted with this passphrase, or was changed, or is cut short. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";
  /** Nothing of it could be opened, as with another passphrase. */
  readonly isLocked: boolean;

  constructor(message: string, isLocked: boolean) {
    super(message);
    this.isLocked = isLocked;
  }
}

/** Plain pieces of an encrypted file. @throws SealBroken before anything of a changed chunk is given */
export async function* openedContent(
  pieces: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  let head: AgeHead | null = null;
  let chunk = 0;
  const openHere = (sealed: Uint8Array, isLast: boolean): Uint8Array => {
    const plain = head && opened(head.key, nonceOf(chunk, isLast), sealed);
    if (!plain || (plain.length === 0 && chunk > 0))
      throw new SealBroken("An encrypted file was changed or cut short.", false);
    chunk += 1;
    return plain;
  };
  const begin = async (): Promise<void> => {
    head = await openHead(rest, passphrase);
    if (head === null) throw new SealBroken("The passphrase does not open this file.", true);
    rest = rest.subarray(head.bytes.length);
  };
  for await (const piece of pieces) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    if (head === null) {
      if (rest.length < MOST_HEAD_BYTES) continue;
      await begin();
    }
    // The last chunk is sealed as such, and which one it is shows only at the end.
    while (rest.length > SEALED_CHUNK) {
      yield openHere(rest.subarray(0, SEALED_CHUNK), false);
      rest = rest.subarray(SEALED_CHUNK);
    }
  }
  if (head === null) await begin();
  yield openHere(rest, true);
}

function nonceOf(chunk: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setBigUint64(3, BigInt(chunk));
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}
