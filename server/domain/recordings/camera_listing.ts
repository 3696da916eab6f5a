/**
 * The legacy camera's listing: `v:<version>`, then lines `n:/Record/<name>,s:<size>`. Real cameras print the constant
 * size 1000000 for every file. A size is only a hint, and none when it is that constant.
 */
export interface ListedFile {
  name: string;
  /** Bytes as the camera claims them; null when it prints its constant. */
  size: number | null;
}

export interface Listing {
  version: string;
  files: ListedFile[];
  /** Lines that were no entry: at most the first five, for the log. */
  strange: string[];
  strangeCount: number;
}

const CONSTANT_SIZE = 1_000_000;
const ENTRY_START = "n:/Record/";
const SIZE_START = ",s:";

/** The answer at the listing's address was not a listing. The message names what it was instead. */
export class NotAListing extends Error {
  override name = "NotAListing";
}

/**
 * Reads a listing. Tolerates LF or CRLF, blanks around lines, a missing last line end, a last line cut short, unknown
 * lines and doubled entries. Path parts beyond `/Record/` are never used: such a line counts as strange.
 * @throws NotAListing when the first line is no version line, or lines exist but none is an entry
 */
export function parseListing(text: string): Listing {
  const files: ListedFile[] = [];
  const seen = new Set<string>();
  const strange: string[] = [];
  let strangeCount = 0;
  let version: string | null = null;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    const entry: ListedFile | null = version === null ? null : readEntry(text, from, to);
    const line: string = entry ? "" : text.slice(from, to).trim();
    from = to + 1;
    if (entry) {
      if (seen.has(entry.name)) continue;
      seen.add(entry.name);
      files.push(entry);
    } else if (line === "") continue;
    else if (version === null) {
      if (!line.startsWith("v:")) throw new NotAListing(describe(text));
      version = line.slice(2);
    } else if (strangeCount++ < 5) strange.push(line.slice(0, 120));
  }
  if (version === null) throw new NotAListing("the answer is empty");
  if (files.length === 0 && strangeCount > 0) throw new NotAListing("none of its lines is an entry of a recording");
  return { version, files, strange, strangeCount };
}

/**
 * The entry on the line from one place to another, or null. It works on the whole text. A full card's list has 50,000
 * lines, and each piece of text made on the way would stay in memory for a while.
 */
function readEntry(text: string, from: number, to: number): ListedFile | null {
  let start = from;
  while (start < to && text.charCodeAt(start) <= SPACE) start++;
  let end = to;
  while (end > start && text.charCodeAt(end - 1) <= SPACE) end--;
  if (!text.startsWith(ENTRY_START, start)) return null;
  let digits = end;
  while (isDigit(text.charCodeAt(digits - 1))) digits--;
  const comma = digits - SIZE_START.length;
  start += ENTRY_START.length;
  if (digits === end || comma <= start || !text.startsWith(SIZE_START, comma)) return null;
  for (let at = start; at < comma; at++) {
    const code = text.charCodeAt(at);
    if (code === SLASH || code === BACKSLASH) return null;
  }
  const size = Number(text.slice(digits, end));
  return { name: text.slice(start, comma), size: size === CONSTANT_SIZE ? null : size };
}

const SPACE = 32;
const SLASH = 47;
const BACKSLASH = 92;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function describe(text: string): string {
  if (/^\s*(<!doctype|<html|<\?xml|<)/i.test(text)) return "the answer is a web page";
  if (/^\s*[{[]/.test(text)) return "the answer is JSON";
  return "the first line is not a version line";
}

/** The listing a camera prints for these files, in the order given: CRLF and the constant size, as real ones do. */
export function formatListing(files: readonly Partial<ListedFile>[], version = "1.00"): string {
  const lines = files.map((file) => `${ENTRY_START}${file.name}${SIZE_START}${file.size ?? CONSTANT_SIZE}\r\n`);
  return `v:${version}\r\n${lines.join("")}`;
}
