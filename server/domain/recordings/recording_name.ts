/**
 * A recording's name: `<YYYYMMDD>_<HHMMSS>_<type><direction>[<flag>].mp4`, in the camera's own wall time.
 * One moment (base and type) has a video per direction, and artifacts beside it:
 * `.thm` per direction, `.gps` and `.3gf` once for the moment.
 */
export type ArtifactKind = "mp4" | "thm" | "3gf" | "gps";

/** The order in which a recording's artifacts are fetched: the video first, it is the one that matters. */
export const ARTIFACT_KINDS: readonly ArtifactKind[] = ["mp4", "thm", "3gf", "gps"];

/** In the order `sync.priority: type` downloads them (contract §5.4). */
export const TYPES = {
  M: "Manual",
  E: "Event",
  I: "Parking impact",
  B: "Hard braking",
  O: "Overspeed",
  A: "Hard acceleration",
  T: "Hard cornering",
  R: "Geofence enter",
  X: "Geofence exit",
  G: "Geofence pass",
  D: "Drowsiness",
  L: "Distraction",
  Y: "Seatbelt not detected",
  F: "Driver undetected",
  N: "Normal",
  P: "Parking",
} as const;

export const DIRECTIONS = { F: "Front", R: "Rear", I: "Interior", O: "Optional" } as const;

const TYPE_ORDER = Object.keys(TYPES).join("");
const DIRECTION_ORDER = Object.keys(DIRECTIONS).join("");

export interface Recording {
  /** The video's file name. */
  name: string;
  /** `YYYYMMDD_HHMMSS`; text order is time order. */
  base: string;
  type: string;
  direction: string;
  /** Upload flag: `L` live, `S` low-resolution substream, empty for the full recording. */
  flag: string;
}

/** A file that belongs to a recording. `direction` is null for the artifacts all directions share. */
export interface Artifact {
  name: string;
  kind: ArtifactKind;
  base: string;
  type: string;
  direction: string | null;
  flag: string;
}

const VIDEO = /^[0-9]{8}_[0-9]{6}_[A-Z][A-Z][LS]?\.mp4$/;
/** Where things stand in a name: `YYYYMMDD_HHMMSS_TD`; what comes before the direction is the moment. */
export const MOMENT_LENGTH = 17;
export const TYPE_AT = 16;
export const DIRECTION_AT = 17;
const FLAG_AT = 18;
const UNFLAGGED_LENGTH = "YYYYMMDD_HHMMSS_NF.mp4".length;
const ARTIFACT = /^([0-9]{8}_[0-9]{6})_([A-Z])([A-Z]?)([LS]?)\.(mp4|thm|3gf|gps)$/;

/** True when `YYYYMMDD_HHMMSS` is a moment that exists on a calendar; the digits are taken for granted. */
export function isPossibleMoment(base: string): boolean {
  const year = digits(base, 0, 4);
  const month = digits(base, 4, 6);
  const day = digits(base, 6, 8);
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) return false;
  if (day > 28 && day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return false;
  return digits(base, 9, 11) < 24 && digits(base, 11, 13) < 60 && digits(base, 13, 15) < 60;
}

/** The number in `text` from one place to another, without making a string of it: lists have 50,000 names. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + text.charCodeAt(at) - 48;
  return value;
}

/** What a name is, at the least cost: a list has 50,000 of them. `impossible` has only its date wrong. */
export function checkRecordingName(name: string): "recording" | "impossible" | "other" {
  if (!VIDEO.test(name)) return "other";
  return isPossibleMoment(name) ? "recording" : "impossible";
}

/**
 * Reads a video's name. Letters not in the tables are kept: new ones appear over the years.
 * @returns null when the name is not a recording's, `"impossible"` when only its date is wrong
 */
export function readRecordingName(name: string): Recording | "impossible" | null {
  const found = checkRecordingName(name);
  if (found !== "recording") return found === "other" ? null : found;
  const flag = name.length > UNFLAGGED_LENGTH ? name.charAt(FLAG_AT) : "";
  return { name, base: name.slice(0, 15), type: name.charAt(TYPE_AT), direction: name.charAt(DIRECTION_AT), flag };
}

/** As `readRecordingName`, for those who only want good names. */
export function parseRecording(name: string): Recording | null {
  const recording = readRecordingName(name);
  return recording === "impossible" ? null : recording;
}

/** Reads the name of a video or a companion; null when it is neither, or its date is impossible. */
export function parseArtifact(name: string): Artifact | null {
  const match = ARTIFACT.exec(name);
  if (!match) return null;
  const [, base = "", type = "", , , kind = ""] = match;
  let [, , , direction = "", flag = ""] = match;
  const shared = kind === "gps" || kind === "3gf";
  // `_NL.gps`: the letter after the type of a shared artifact can only be the flag.
  if (shared && direction !== "" && flag === "" && "LS".includes(direction)) [direction, flag] = ["", direction];
  if (shared ? direction !== "" : direction === "") return null;
  if (!isPossibleMoment(base)) return null;
  return { name, kind: kind as ArtifactKind, base, type, direction: shared ? null : direction, flag };
}

/**
 * The names under which a camera may hold a recording's companion, likeliest first: cameras usually drop the upload
 * letter there, and sometimes keep it.
 */
export function companionNames(recording: Recording, kind: Exclude<ArtifactKind, "mp4">): string[] {
  const stem = `${recording.base}_${recording.type}${kind === "thm" ? recording.direction : ""}`;
  const plain = `${stem}.${kind}`;
  return recording.flag === "" ? [plain] : [plain, `${stem}${recording.flag}.${kind}`];
}

/** `YYYY-MM-DD` of a base name, in camera wall time. */
export function dateOf(base: string): string {
  return `${base.slice(0, 4)}-${base.slice(4, 6)}-${base.slice(6, 8)}`;
}

/**
 * A camera whose clock was never set writes names from 1970 or 1999. Their age is unknown, so no rule about age may
 * delete or skip them. The first camera of this kind was sold after 2010.
 */
export function hasUnsetClock(base: string): boolean {
  return base < "2010";
}

/** Sort keys: an unknown letter comes after the known ones. */
export function typeRank(type: string): number {
  const rank = TYPE_ORDER.indexOf(type);
  return rank < 0 ? TYPE_ORDER.length : rank;
}

export function directionRank(direction: string): number {
  const rank = DIRECTION_ORDER.indexOf(direction);
  return rank < 0 ? DIRECTION_ORDER.length : rank;
}

/** Type letters that a moment's number can hold. */
export const MOMENT_LETTERS = 26;

/**
 * The first 17 characters of a recording's file name as one number: fourteen digits, then the type letter. Below 2^53,
 * and a map keyed by it holds no text. -1 when the name does not begin like that; the date is not judged.
 */
export function momentNumber(name: string): number {
  if (name.length < MOMENT_LENGTH || name[8] !== "_" || name[15] !== "_") return -1;
  let digits = 0;
  for (let at = 0; at < 15; at++) {
    if (at === 8) continue;
    const digit = name.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    digits = digits * 10 + digit;
  }
  const letter = name.charCodeAt(16) - 65;
  return letter >= 0 && letter < MOMENT_LETTERS ? digits * MOMENT_LETTERS + letter : -1;
}

/** The 17 characters `momentNumber` was made of. */
export function momentKey(moment: number): string {
  const letter = moment % MOMENT_LETTERS;
  const digits = String((moment - letter) / MOMENT_LETTERS).padStart(14, "0");
  return `${digits.slice(0, 8)}_${digits.slice(8)}_${String.fromCharCode(65 + letter)}`;
}
