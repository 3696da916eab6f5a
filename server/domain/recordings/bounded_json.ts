/** Bounds of JSON that comes from a device: larger JSON costs memory and time out of all proportion. */
export interface JsonBounds {
  /** Objects, lists, and commas between what they hold. */
  marks: number;
  /** Objects and lists in each other. */
  depth: number;
}

/**
 * Parses JSON of which not even the size of what becomes of it is known: a few megabytes may be millions of values.
 * @throws SyntaxError when it is none, RangeError when it holds more than that
 */
export function parseBounded(text: string, bounds: JsonBounds): unknown {
  requireWithin(text, bounds);
  return JSON.parse(text);
}

function requireWithin(text: string, bounds: JsonBounds): void {
  let marks = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === COMMA) {
      marks++;
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      marks++;
      depth++;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      depth--;
    }
    if (marks > bounds.marks || depth > bounds.depth) throw new RangeError("more in it than there can be");
  }
}

/** Returns the end of the string that begins at a place; the end of the text when it is cut off. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

const QUOTE = 34;
const COMMA = 44;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;
