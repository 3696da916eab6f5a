import * as v from "valibot";
import { type ListedFile, type Listing, NotAListing } from "./camera_listing.ts";

/** How the newer interface is called, in place of the version that a legacy list begins with. */
const VERSION = "V1.009";

const LIST = v.object({ filelist: v.array(v.unknown()) });
const ENTRY = v.object({ filename: v.pipe(v.string(), v.check(isPlainName)) });

/**
 * Reads the list of the newer interface: `{"filelist":[{"filename":"<name>"},…]}`, without sizes. Doubled entries are
 * taken once; an entry that is none, or whose name has path parts, counts as strange.
 * @throws NotAListing when it is no such list, or entries exist but none of them names a file
 */
export function parseVodList(text: string): Listing {
  const { filelist } = readList(text);
  const names = new Set<string>();
  const strange: string[] = [];
  let strangeCount = 0;
  for (const entry of filelist) {
    if (v.is(ENTRY, entry)) names.add(entry.filename);
    else if (strangeCount++ < 5) strange.push(JSON.stringify(entry).slice(0, 120));
  }
  if (names.size === 0 && strangeCount > 0) throw new NotAListing("none of its entries is a recording");
  const files = Array.from(names, (name): ListedFile => ({ name, size: null }));
  return { version: VERSION, files, strange, strangeCount };
}

function readList(text: string): v.InferOutput<typeof LIST> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new NotAListing(describe(text));
  }
  if (!v.is(LIST, value)) throw new NotAListing("the answer is JSON without a list of files");
  return value;
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
