/**
 * More than any request has: a list of a thousand IPv6 networks holds 8,000 colons, and lists hold texts. Beyond that,
 * taking the body apart would hold up every other request for a tenth of a second.
 */
const MOST_COLONS = 20_000;
const MOST_OPENINGS = 1000;

const COLON = 0x3a;
const OPENINGS: readonly number[] = [0x5b, 0x7b];

/**
 * The value of a JSON text.
 * @throws Error when it is none, or has more fields, lists and objects than any request; it is not parsed then
 */
export function parseBody(bytes: Uint8Array): unknown {
  // In texts they count as well: no value of ours has so many, and telling texts apart would take longer than parsing.
  const openings = OPENINGS.reduce((sum, sign) => sum + countOf(sign, bytes, MOST_OPENINGS), 0);
  if (openings > MOST_OPENINGS || countOf(COLON, bytes, MOST_COLONS) > MOST_COLONS) throw new Error("too many parts");
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

/** Counts a sign, or returns `most + 1` when there are more than `most`. */
function countOf(sign: number, bytes: Uint8Array, most: number): number {
  let count = 0;
  for (let at = bytes.indexOf(sign); at >= 0 && count <= most; at = bytes.indexOf(sign, at + 1)) count++;
  return count;
}
