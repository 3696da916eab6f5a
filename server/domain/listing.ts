/**
 * The legacy camera's listing: `v:<version>`, then lines `n:/Record/<name>,s:<size>`. Real cameras print the constant
 * size 1000000 for every file, so a size is a hint at most, and none at all when it is that constant.
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
const ENTRY = /^n:\/Record\/([^/\\]+),s:([0-9]+)$/;

/** The answer at the listing's address was not a listing. The message says what it looked like. */
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
    const line = text.slice(from, end < 0 ? text.length : end).trim();
    from = end < 0 ? text.length : end + 1;
    if (line === "") continue;
    if (version === null) {
      if (!line.startsWith("v:")) throw new NotAListing(describe(text));
      version = line.slice(2);
      continue;
    }
    const entry = ENTRY.exec(line);
    if (!entry) {
      if (strangeCount++ < 5) strange.push(line.slice(0, 120));
      continue;
    }
    const [, name = "", digits = ""] = entry;
    if (seen.has(name)) continue;
    seen.add(name);
    const size = Number(digits);
    files.push({ name, size: size === CONSTANT_SIZE ? null : size });
  }
  if (version === null) throw new NotAListing("the answer is empty");
  if (files.length === 0 && strangeCount > 0) throw new NotAListing("none of its lines is an entry of a recording");
  return { version, files, strange, strangeCount };
}

function describe(text: string): string {
  if (/^\s*(<!doctype|<html|<\?xml|<)/i.test(text)) return "the answer is a web page";
  if (/^\s*[{[]/.test(text)) return "the answer is JSON";
  return "the first line is not a version line";
}

/** The listing a camera prints for these files, in the order given: CRLF and the constant size, as real ones do. */
export function formatListing(files: readonly Partial<ListedFile>[], version = "1.00"): string {
  const lines = files.map((file) => `n:/Record/${file.name},s:${file.size ?? CONSTANT_SIZE}\r\n`);
  return `v:${version}\r\n${lines.join("")}`;
}
