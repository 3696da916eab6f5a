import { readGps } from "./gps_file.ts";
import type { RecordingName } from "./recording_name.ts";

export type CompanionKind = Exclude<RecordingName["kind"], "mp4">;

/** Comparison of a companion that was asked for once more with the one at home. */
export type Judgement =
  /** Byte for byte the one at home: that is whole. */
  | "same"
  /** It takes the place of the one at home. */
  | "better"
  /** The one at home stays: this one is cut, is something else, or holds less. */
  | "worse";

const START: readonly number[] = [0xff, 0xd8, 0xff];
const LINE = /\[[0-9]{1,15}\]\$[^\r\n]*/g;
/** `$GPRMC,`: a dollar sign, so many capitals, a comma. */
const [DOLLAR, COMMA, LETTER_A, LETTER_Z] = [0x24, 0x2c, 0x41, 0x5a];
const [FEWEST_LETTERS, MOST_LETTERS] = [4, 6];
const SAMPLE_BYTES = 10;
/** Any bytes are text to it. */
const ONE_BYTE_EACH = new TextDecoder("latin1");

/** True when bytes are of this kind at all. A g-sensor file can be told by its length only. */
export function readsAs(kind: CompanionKind, content: Uint8Array): boolean {
  if (kind === "thm") return START.every((byte, at) => content[at] === byte);
  if (kind === "gps") return hasSentence(content);
  return content.length >= SAMPLE_BYTES;
}

/** Each of thousands is looked through when it comes: no text is made of it. */
function hasSentence(content: Uint8Array): boolean {
  for (let at = content.indexOf(DOLLAR); at >= 0; at = content.indexOf(DOLLAR, at + 1)) {
    let letters = 0;
    for (let code = content[at + 1]; code !== undefined && code >= LETTER_A && code <= LETTER_Z; letters++)
      code = content[at + 2 + letters];
    if (letters >= FEWEST_LETTERS && letters <= MOST_LETTERS && content[at + 1 + letters] === COMMA) return true;
  }
  return false;
}

/** False for what shows by itself that its end is missing: a picture without its last mark, a line without its end. */
export function hasItsEnd(kind: CompanionKind, content: Uint8Array): boolean {
  if (!readsAs(kind, content)) return false;
  if (kind === "3gf") return content.length % SAMPLE_BYTES === 0;
  let end = content.length;
  // Cameras fill the last block of a file.
  while (end > 0 && content[end - 1] === 0) end--;
  if (kind === "thm") return content[end - 2] === 0xff && content[end - 1] === 0xd9;
  return content[end - 1] === 0x0a || content[end - 1] === 0x0d;
}

/**
 * Judges a companion that was asked for again. Cameras write telemetry from its beginning to its end. A file without a
 * line of the one at home is of another drive, after a card was swapped: then length decides nothing.
 */
export function judgeCompanion(kind: CompanionKind, home: Uint8Array, fresh: Uint8Array): Judgement {
  if (isBeginning(fresh, home)) return fresh.length === home.length ? "same" : "worse";
  if (!readsAs(kind, fresh)) return "worse";
  if (!readsAs(kind, home) || isBeginning(home, fresh)) return "better";
  const holdsNoLess = { thm: holdsPicture, gps: holdsTrack, "3gf": holdsSamples }[kind];
  return holdsNoLess(home, fresh) ? "better" : "worse";
}

/** A whole picture of as many points; where nothing tells their number, of as many bytes. */
function holdsPicture(home: Uint8Array, fresh: Uint8Array): boolean {
  const wasWhole = hasItsEnd("thm", home);
  const isWhole = hasItsEnd("thm", fresh);
  if (wasWhole !== isWhole) return isWhole;
  const had = pointsOf(home);
  const has = pointsOf(fresh);
  return had === has && (had === 0 || !isWhole) ? fresh.length >= home.length : has >= had;
}

function holdsTrack(home: Uint8Array, fresh: Uint8Array): boolean {
  const had = linesOf(home);
  const has = linesOf(fresh);
  const places = readGps(fresh).points.length;
  const were = readGps(home).points.length;
  if (!had.values().some((line) => has.has(line))) return has.size > 0 && (places > 0 || were === 0);
  return has.size >= had.size && places >= were;
}

function holdsSamples(home: Uint8Array, fresh: Uint8Array): boolean {
  return fresh.length >= home.length || !isBeginning(home.subarray(0, SAMPLE_BYTES), fresh);
}

/** Lines of another drive differ by their time stamps. */
function linesOf(track: Uint8Array): ReadonlySet<string> {
  return new Set(ONE_BYTE_EACH.decode(track).match(LINE));
}

/** Points of a JPEG by its frame header (ITU-T T.81, B.2.2); 0 where there is none. */
export function pointsOf(picture: Uint8Array): number {
  let at = 2;
  while (at + 9 < picture.length && picture[at] === 0xff) {
    const mark = picture[at + 1] ?? 0;
    const word = (from: number) => ((picture[from] ?? 0) << 8) | (picture[from + 1] ?? 0);
    const isFrame = mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc;
    if (isFrame) return word(at + 5) * word(at + 7);
    at += 2 + word(at + 2);
  }
  return 0;
}

function isBeginning(one: Uint8Array, other: Uint8Array): boolean {
  return one.length <= other.length && one.every((byte, at) => byte === other[at]);
}
