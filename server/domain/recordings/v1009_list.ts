import { type JsonBounds, parseBounded } from "./bounded_json.ts";
import { type ListedFile, type Listing, NotAListing } from "./camera_listing.ts";

/** Name of the newer interface, in place of the version that a legacy list begins with. */
const VERSION = "V1.009";

/** A full card has 50,000 names, with two marks each: ten times as much is left for what firmware may add. */
const BOUNDS: JsonBounds = { marks: 1_000_000, depth: 50 };
/** Strange entries from which on this is another kind of list. */
const MOST_STRANGE = 10_000;

/**
 * Reads the list of the newer interface: `{"filelist":[{"filename":"<name>"},…]}`, without sizes. Doubled entries are
 * taken once; an entry that is none, or whose name has path parts, counts as strange.
 * @throws NotAListing when it is no such list, or hardly any of its entries names a file
 */
export function parseVodList(text: string): Listing {
  const names = new Set<string>();
  const strange: string[] = [];
  let strangeCount = 0;
  for (const entry of readList(text)) {
    const name = nameIn(entry);
    if (name !== null) names.add(name);
    else if (strangeCount++ < 5) strange.push(JSON.stringify(entry).slice(0, 120));
    else if (strangeCount > MOST_STRANGE) throw new NotAListing("thousands of its entries are no recordings");
  }
  if (names.size === 0 && strangeCount > 0) throw new NotAListing("none of its entries is a recording");
  const files = Array.from(names, (name): ListedFile => ({ name, size: null }));
  return { version: VERSION, files, strange, strangeCount };
}

function readList(text: string): readonly unknown[] {
  let value: unknown;
  try {
    value = parseBounded(text, BOUNDS);
  } catch (error) {
    // Whatever it is, a parser that runs out of its own means included.
    throw new NotAListing(error instanceof RangeError ? "there is far more in it than in a list" : describe(text));
  }
  if (isObject(value) && "filelist" in value && Array.isArray(value.filelist)) return value.filelist;
  throw new NotAListing("the answer is JSON without a list of files");
}

/** Looked at by hand: a schema would copy each of tens of thousands. */
function nameIn(entry: unknown): string | null {
  if (!isObject(entry) || !("filename" in entry)) return null;
  const { filename } = entry;
  return typeof filename === "string" && isPlainName(filename) ? filename : null;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function describe(text: string): string {
  const start = text.trimStart();
  if (start === "") return "the answer is empty";
  if (start.startsWith("<")) return "the answer is a web page";
  return /^[{[]/.test(start) ? "the answer is JSON that is cut off or damaged" : "the answer is no JSON";
}

/** The name of a file and nothing else: no path parts, and no control characters, which no camera writes. */
function isPlainName(name: string): boolean {
  if (name === "") return false;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code < SPACE || code === SLASH || code === BACKSLASH || code === DELETE) return false;
  }
  return true;
}

const SPACE = 32;
const SLASH = 47;
const BACKSLASH = 92;
const DELETE = 127;
