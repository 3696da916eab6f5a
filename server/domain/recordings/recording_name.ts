/**
 * A recording's name: `<YYYYMMDD>_<HHMMSS>_<type><direction>[<flag>].mp4`, in the camera's own wall time.
 * One moment (base and type) has a video per direction, and artifacts beside it:
 * `.thm` per direction, `.gps` and `.3gf` once for the moment.
 */
export type ArtifactKind = "mp4" | "thm" | "3gf" | "gps";

/** The order in which a recording's artifacts are fetched: the video first, it is the one that matters. */
export const ARTIFACT_KINDS: readonly ArtifactKind[] = ["mp4", "thm", "3gf", "gps"];

/** In the order `sync.priority: type` downloads them. */
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

const VIDEO = /^[0-9]{8}_[0-9]{6}_[A-Z][A-Z][LS]?\.mp4$/;
const ARTIFACT = /^[0-9]{8}_[0-9]{6}_[A-Z]([A-Z]?)([LS]?)\.(mp4|thm|3gf|gps)$/;
/** Where things stand in a name: `YYYYMMDD_HHMMSS_TD`; what comes before the direction is the group's key. */
const BASE_LENGTH = 15;
const TYPE_AT = 16;
const KEY_LENGTH = 17;
const FLAG_AT = 18;

/** The name of a video or of an artifact beside it, read once. */
export class RecordingName {
  /** The file's name. */
  readonly name: string;
  readonly kind: ArtifactKind;
  /** `YYYYMMDD_HHMMSS`; text order is time order. */
  readonly base: string;
  readonly type: string;
  /** Empty for the artifacts all directions share. */
  readonly direction: string;
  /** Upload flag: `L` live, `S` low-resolution substream, empty for the full recording. */
  readonly flag: string;

  constructor(name: string, kind: ArtifactKind, direction: string, flag: string) {
    this.name = name;
    this.kind = kind;
    this.base = baseOf(name);
    this.type = typeOf(name);
    this.direction = direction;
    this.flag = flag;
  }

  /** The name without flag and ending: `20260607_101500_NF`. */
  get stem(): string {
    return `${this.base}_${this.type}${this.direction}`;
  }

  /**
   * The names under which a camera may hold an artifact of a video, likeliest first: for companions cameras usually drop
   * the upload letter, and sometimes keep it.
   */
  namesOf(kind: ArtifactKind): string[] {
    if (kind === "mp4") return [this.name];
    const stem = kind === "thm" ? this.stem : `${this.base}_${this.type}`;
    return (this.flag === "" ? [""] : ["", this.flag]).map((flag) => `${stem}${flag}.${kind}`);
  }
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
export function readRecordingName(name: string): RecordingName | "impossible" | null {
  const found = checkRecordingName(name);
  if (found !== "recording") return found === "other" ? null : found;
  return new RecordingName(name, "mp4", directionOf(name), flagOf(name));
}

/** As `readRecordingName`, for callers that only want valid names; null for all others. */
export function parseRecording(name: string): RecordingName | null {
  const recording = readRecordingName(name);
  return recording === "impossible" ? null : recording;
}

/** Reads the name of a video or a companion; null when it is neither, or its date is impossible. */
export function parseArtifact(name: string): RecordingName | null {
  let [, direction = "", flag = "", kind = ""] = ARTIFACT.exec(name) ?? [];
  if (kind === "") return null;
  const shared = kind === "gps" || kind === "3gf";
  // `_NL.gps`: the letter after the type of a shared artifact can only be the flag.
  if (shared && direction !== "" && flag === "" && "LS".includes(direction)) [direction, flag] = ["", direction];
  if (shared !== (direction === "") || !isPossibleMoment(name)) return null;
  return new RecordingName(name, kind as ArtifactKind, direction, flag);
}

/** True when what begins with `YYYYMMDD_HHMMSS` names a moment of the calendar; the digits are taken for granted. */
export function isPossibleMoment(name: string): boolean {
  const [year, month, day] = [digits(name, 0, 4), digits(name, 4, 6), digits(name, 6, 8)];
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) return false;
  if (day > 28 && day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return false;
  return digits(name, 9, 11) < 24 && digits(name, 11, 13) < 60 && digits(name, 13, 15) < 60;
}

/** The number in `text` from one place to another, without making a string of it: lists have 50,000 names. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + text.charCodeAt(at) - 48;
  return value;
}

// Each of these takes a file's name or a group's key (`YYYYMMDD_HHMMSS_T`), and reads one thing of it.

/** The key of the group that a file belongs to: `YYYYMMDD_HHMMSS_T`. */
export function groupOf(name: string): string {
  return name.slice(0, KEY_LENGTH);
}

/** Whether this is the key of a group; the date is not judged. */
export function isGroupKey(key: string): boolean {
  return key.length === KEY_LENGTH && momentNumber(key) >= 0;
}

/** What follows the group's key: `F.mp4`, `.gps`. */
export function endingOf(name: string): string {
  return name.slice(KEY_LENGTH);
}

/** Whether this ending follows the group's key. */
export function hasEnding(name: string, ending: string): boolean {
  return name.length === KEY_LENGTH + ending.length && name.endsWith(ending);
}

/** A number for what follows the group's key, found without making that text. */
export function endingHash(name: string): number {
  let hash = 0;
  for (let at = KEY_LENGTH; at < name.length; at++) hash = (hash * 31 + name.charCodeAt(at)) | 0;
  return hash;
}

/** `YYYYMMDD_HHMMSS` */
export function baseOf(name: string): string {
  return name.slice(0, BASE_LENGTH);
}

/** The letter of `TYPES`, or a new one. */
export function typeOf(name: string): string {
  return name.charAt(TYPE_AT);
}

/** The letter of `DIRECTIONS`, or a new one; of a file that has one. */
export function directionOf(name: string): string {
  return name.charAt(KEY_LENGTH);
}

function flagOf(video: string): string {
  return video.length > KEY_LENGTH + "F.mp4".length ? video.charAt(FLAG_AT) : "";
}

/** `YYYY-MM-DD`, in camera wall time. */
export function dateOf(name: string): string {
  return `${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6, 8)}`;
}

/** `HH:MM:SS`, in camera wall time. */
export function timeOf(name: string): string {
  return `${name.slice(9, 11)}:${name.slice(11, 13)}:${name.slice(13, 15)}`;
}

/** Camera wall time in seconds as if it were UTC, which no change of the clock ever shifts. */
export function secondsOf(name: string): number {
  return secondsOfDigits(digits(name, 0, 8) * 1_000_000 + digits(name, 9, 15));
}

function secondsOfDigits(moment: number): number {
  const part = (from: number, size: number) => Math.floor(moment / from) % size;
  const [year, month, day] = [part(1e10, 10_000), part(1e8, 100), part(1e6, 100)];
  return Date.UTC(year, month - 1, day, part(1e4, 100), part(100, 100), part(1, 100)) / 1000;
}

/**
 * A camera whose clock was never set writes names from 1970 or 1999. Their age is unknown, so no rule about age may
 * delete or skip them. The first camera of this kind was sold after 2010.
 */
export function hasUnsetClock(name: string): boolean {
  return name < "2010";
}
/** As a day's number, see `dayOfMoment`. */
const FIRST_DAY = 20_100_000;

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
export const TYPE_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * A group's key, also as the beginning of a file's name, as one number: fourteen digits, then the type letter. Below
 * 2^53, and a map keyed by it holds no text. -1 when the name does not begin like that; the date is not judged.
 */
export function momentNumber(name: string): number {
  if (name.length < KEY_LENGTH || name[8] !== "_" || name[BASE_LENGTH] !== "_") return -1;
  let digits = 0;
  for (let at = 0; at < BASE_LENGTH; at++) {
    if (at === 8) continue;
    const digit = name.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    digits = digits * 10 + digit;
  }
  const letter = name.charCodeAt(TYPE_AT) - 65;
  return letter >= 0 && letter < TYPE_LETTERS.length ? digits * TYPE_LETTERS.length + letter : -1;
}

/** The key that a moment's number was made of. */
export function momentKey(moment: number): string {
  const digits = String(baseOfMoment(moment)).padStart(14, "0");
  return `${digits.slice(0, 8)}_${digits.slice(8)}_${TYPE_LETTERS[letterOfMoment(moment)]}`;
}

/** The place of a moment's type in `TYPE_LETTERS`. */
export function letterOfMoment(moment: number): number {
  return moment % TYPE_LETTERS.length;
}

/** A moment without its type, by which the recordings of one second are one. */
export function baseOfMoment(moment: number): number {
  return Math.floor(moment / TYPE_LETTERS.length);
}

/** `YYYYMMDD` of a moment, as a number. */
export function dayOfMoment(moment: number): number {
  return Math.floor(moment / (TYPE_LETTERS.length * 1_000_000));
}

/** The time that a moment names, as `secondsOf` its key. */
export function secondsOfMoment(moment: number): number {
  return secondsOfDigits(baseOfMoment(moment));
}

/** As `hasUnsetClock`. */
export function hasNoAge(moment: number): boolean {
  return dayOfMoment(moment) < FIRST_DAY;
}

/** Whether a moment's time of the day can be; its day is asked apart, see `isPossibleMoment`. */
export function isPossibleTime(moment: number): boolean {
  const base = baseOfMoment(moment);
  return Math.floor(base / 10_000) % 100 < 24 && Math.floor(base / 100) % 100 < 60 && base % 100 < 60;
}

/** `YYYY-MM-DD` as the number `YYYYMMDD`; 0 for null, which is before every day. */
export function dayNumber(day: string | null): number {
  return day === null ? 0 : Number(day.replaceAll("-", ""));
}

/** The number `YYYYMMDD` as `YYYY-MM-DD`. */
export function dayText(day: number): string {
  return dateOf(String(day).padStart(8, "0"));
}

/** What follows the group's key in a video's name, as one number: direction, then the upload letter. */
export function endingNumber(video: string): number {
  return (video.charCodeAt(KEY_LENGTH) - 65) * 3 + "LS".indexOf(flagOf(video) || "-") + 1;
}
