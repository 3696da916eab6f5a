/**
 * A recording's name: `<YYYYMMDD>_<HHMMSS>_<type><direction>[<flag>].mp4`, in the camera's own wall time.
 * One moment (base and type) has a video per direction, and artifacts beside it:
 * `.thm` per direction, `.gps` and `.3gf` once for the moment. A camera whose clock went back gives a name again: at home
 * the second recording of a name is `20260607_101500_NF.2.mp4`, and the key of its moment `20260607_101500_N.2`.
 */
export type ArtifactKind = "mp4" | "thm" | "3gf" | "gps";

/** The order in which a recording's artifacts are fetched: the video first, it is the one that matters. */
export const ARTIFACT_KINDS: readonly ArtifactKind[] = ["mp4", "thm", "3gf", "gps"];

/** Most recordings of one name that are told apart; a moment's number holds no more. */
export const MOST_NAMESAKES = 40;

const VIDEO = /^[0-9]{8}_[0-9]{6}_[A-Z][A-Z][LS]?(?:\.(?:[2-9]|[1-3][0-9]|40))?\.mp4$/;
const ARTIFACT = /^[0-9]{8}_[0-9]{6}_[A-Z]([A-Z]?)([LS]?)(?:\.(?:[2-9]|[1-3][0-9]|40))?\.(mp4|thm|3gf|gps)$/;
/** Positions in a name: `YYYYMMDD_HHMMSS_TD`. The part before the direction is the key of a name's first group. */
const DATE_LENGTH = 8;
const BASE_LENGTH = 15;
const TYPE_AT = 16;
export const KEY_LENGTH = 17;
const FLAG_AT = 18;
const DOT = 46;
const UNDERSCORE = 95;
const NINE = 57;

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
  /** Its number among the recordings of that name, from 1 on. */
  readonly ordinal: number;

  constructor(name: string, kind: ArtifactKind, direction: string, flag: string) {
    this.name = name;
    this.kind = kind;
    this.base = baseOf(name);
    this.type = typeOf(name);
    this.direction = direction;
    this.flag = flag;
    this.ordinal = ordinalOf(name);
  }

  /** The key of its group. */
  get key(): string {
    return groupOf(this.name);
  }

  /** The name without flag and ending: `20260607_101500_NF`, of a namesake `20260607_101500_NF.2`. */
  get stem(): string {
    return nameOf(this.key, this.direction);
  }

  /**
   * The names under which a camera may hold an artifact of a video, likeliest first: for companions cameras usually drop
   * the upload letter, and sometimes keep it.
   */
  namesOf(kind: ArtifactKind): string[] {
    if (kind === "mp4") return [this.name];
    const direction = kind === "thm" ? this.direction : "";
    return (this.flag === "" ? [""] : ["", this.flag]).map((flag) => nameOf(this.key, `${direction}${flag}.${kind}`));
  }
}

/** Tells the kind of a name at the least cost: a list has 50,000 of them. `impossible` has only its date wrong. */
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

/** Reads a name as `readRecordingName` does, for callers that only want valid names; null for all others. */
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
  const year = digits(name, 0, 4);
  const month = digits(name, 4, 6);
  const day = digits(name, 6, 8);
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

/** The key of the group that a file belongs to: `YYYYMMDD_HHMMSS_T`, of a namesake with `.2` behind it. */
export function groupOf(name: string): string {
  const key = name.slice(0, KEY_LENGTH);
  const ordinal = ordinalOf(name);
  return ordinal === 1 ? key : `${key}.${ordinal}`;
}

/**
 * Returns the number of a file or a group among those of its name: 2 for `20260607_101500_NF.2.mp4`, 1 without a
 * number. A number that this program would not write is none.
 */
export function ordinalOf(name: string): number {
  const dot = dotOf(name);
  // Nearly every name has its ending there.
  return dot < 0 || name.charCodeAt(dot + 1) > NINE ? 1 : numberBehind(name, dot);
}

/** Names another recording of the same name: `20260607_101500_NF.mp4` and 2 make `20260607_101500_NF.2.mp4`. */
export function withOrdinal(name: string, ordinal: number): string {
  if (ordinalOf(name) === ordinal) return name;
  return nameOf(name.slice(0, KEY_LENGTH) + (ordinal === 1 ? "" : `.${ordinal}`), endingOf(name));
}

/** The name of a group's file. @param ending what `endingOf` gives, `F.mp4` or `.gps` */
export function nameOf(key: string, ending: string): string {
  if (key.length === KEY_LENGTH) return key + ending;
  const dot = ending.indexOf(".");
  const letters = dot < 0 ? ending.length : dot;
  return key.slice(0, KEY_LENGTH) + ending.slice(0, letters) + key.slice(KEY_LENGTH) + ending.slice(letters);
}

/** Finds the dot that ends the letters behind a group's key; -1 when there is none. */
function dotOf(name: string): number {
  if (name.charCodeAt(FLAG_AT) === DOT) return FLAG_AT;
  if (name.charCodeAt(KEY_LENGTH) === DOT) return KEY_LENGTH;
  return name.charCodeAt(FLAG_AT + 1) === DOT ? FLAG_AT + 1 : -1;
}

/** The number from 2 on between the dot at this place and another, or the end; 1 when none is there. */
function numberBehind(name: string, dot: number): number {
  let value = 0;
  let at = dot + 1;
  for (; at <= dot + 2; at++) {
    const digit = name.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9) || (value === 0 && digit === 0)) break;
    value = value * 10 + digit;
  }
  const isEnd = at === name.length || name.charCodeAt(at) === DOT;
  return isEnd && value > 1 ? value : 1;
}

/** Returns the part after the group's key, without the number of a namesake: `F.mp4`, `.gps`. */
export function endingOf(name: string): string {
  const dot = dotOf(name);
  const ordinal = dot < 0 ? 1 : numberBehind(name, dot);
  if (ordinal === 1) return name.slice(KEY_LENGTH);
  return name.slice(KEY_LENGTH, dot) + name.slice(dot + (ordinal < 10 ? 2 : 3));
}

/** True when this ending follows the group's key. @param ordinal of the name, where it is known */
export function hasEnding(name: string, ending: string, ordinal = ordinalOf(name)): boolean {
  if (ordinal > 1) return endingOf(name) === ending;
  return name.length === KEY_LENGTH + ending.length && name.endsWith(ending);
}

/**
 * Returns a number for the part after the group's key. It makes no text of that part when the key has no number.
 * @param ordinal of the name, where it is known
 */
export function endingHash(name: string, ordinal = ordinalOf(name)): number {
  return ordinal > 1 ? hashOf(endingOf(name)) : hashOf(name, KEY_LENGTH);
}

/** A number for a text from one place on, the same for the same text. */
export function hashOf(text: string, from = 0): number {
  let hash = 0;
  for (let at = from; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0;
  return hash;
}

/** `YYYYMMDD_HHMMSS` */
export function baseOf(name: string): string {
  return name.slice(0, BASE_LENGTH);
}

/** The letter of its type, see `recording_codes.ts`, or a new one. */
export function typeOf(name: string): string {
  return name.charAt(beginOf(name) + TYPE_AT);
}

/** Where the moment begins: the key of a further camera's recording has the camera's id and `~` before it. */
function beginOf(name: string): number {
  return name.charCodeAt(DATE_LENGTH) === UNDERSCORE ? 0 : name.indexOf("~") + 1;
}

/** The letter of its direction, see `recording_codes.ts`, or a new one; of a file that has one. */
export function directionOf(name: string): string {
  return name.charAt(KEY_LENGTH);
}

function flagOf(video: string): string {
  return video.charCodeAt(FLAG_AT) === DOT ? "" : video.charAt(FLAG_AT);
}

/** `YYYY-MM-DD`, in camera wall time. */
export function dateOf(name: string): string {
  const at = beginOf(name);
  return `${name.slice(at, at + 4)}-${name.slice(at + 4, at + 6)}-${name.slice(at + 6, at + 8)}`;
}

/** `HH:MM:SS`, in camera wall time. */
export function timeOf(name: string): string {
  const at = beginOf(name);
  return `${name.slice(at + 9, at + 11)}:${name.slice(at + 11, at + 13)}:${name.slice(at + 13, at + 15)}`;
}

/** Camera wall time in seconds as if it were UTC, which no change of the clock ever shifts. */
export function secondsOf(name: string): number {
  const at = beginOf(name);
  const seconds =
    digits(name, at + 9, at + 11) * 3600 + digits(name, at + 11, at + 13) * 60 + digits(name, at + 13, at + 15);
  return midnightOf(digits(name, at, at + 8)) + seconds;
}

/** @param day `YYYYMMDD` as a number */
export function midnightOf(day: number): number {
  return Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100) / 1000;
}

/**
 * A camera whose clock was never set writes names from 1970 or 1999. Their age is unknown, so no rule about age may
 * delete or skip them. The first camera of this kind was sold after 2010.
 */
export function hasUnsetClock(name: string): boolean {
  return name < "2010";
}

/** Returns the part after the group's key in a video's name as one number: direction, then the upload letter. */
export function endingNumber(video: string): number {
  return (video.charCodeAt(KEY_LENGTH) - 65) * 3 + "LS".indexOf(flagOf(video) || "-") + 1;
}
