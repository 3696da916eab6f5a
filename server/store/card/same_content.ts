import { open } from "node:fs/promises";
import { READ_PLAIN } from "../plain_file.ts";
import type { CardFileHandle } from "./card_file.ts";

const AT_ONCE = 1024 * 1024;
/** A file of so many bytes and less is compared as a whole. */
const SMALL = 4 * AT_ONCE;
/** Places of a longer one that are compared, and bytes at each. */
const PLACES = 16;
const PLACE_BYTES = 64 * 1024;

/**
 * True when a file of a card is the one at this path. Long files are compared by their length and at
 * places from the first bytes to the last: another recording differs at all of them.
 * @param options.hash takes all bytes of the card's file; then it is compared as a whole
 * @throws CardProblem, the signal's reason, and the file system's own errors about the file at home
 */
export async function isSameContent(
  card: CardFileHandle,
  home: string,
  { hash = null, signal }: { hash?: Bun.CryptoHasher | null; signal?: AbortSignal } = {},
): Promise<boolean> {
  const whole = hash !== null;
  await using file = await open(home, READ_PLAIN);
  const found = await file.stat();
  const { size } = card;
  if (!found.isFile() || found.size !== size) return false;
  const theirs = new Uint8Array(whole || size <= SMALL ? Math.min(size, AT_ONCE) : PLACE_BYTES);
  const ours = new Uint8Array(theirs.length);
  for (const offset of placesOf(size, theirs.length, whole)) {
    signal?.throwIfAborted();
    const [got, { bytesRead }] = await Promise.all([
      card.readInto(theirs, offset),
      file.read(ours, 0, ours.length, offset),
    ]);
    const expected = Math.min(theirs.length, size - offset);
    if (got < expected || bytesRead < expected) return false;
    hash?.update(theirs.subarray(0, expected));
    if (Buffer.compare(theirs.subarray(0, expected), ours.subarray(0, expected)) !== 0) return false;
  }
  return true;
}

function* placesOf(size: number, length: number, whole: boolean): Generator<number> {
  if (whole || size <= SMALL) for (let at = 0; at < size; at += length) yield at;
  else for (let place = 0; place < PLACES; place++) yield Math.floor(((size - length) * place) / (PLACES - 1));
}
