import { momentKey, momentNumber, TYPE_LETTERS } from "../recordings/moment_number.ts";
import {
  type ArtifactKind,
  checkRecordingName,
  endingNumber,
  hasEnding,
  nameOf,
} from "../recordings/recording_name.ts";

/** Owner of a list: the camera's address, and the folder its recordings go to. */
export interface ListOwner {
  readonly address: string;
  readonly destination: string;
}

/**
 * Facts about a recording that the camera's answers showed, as bits. The companions' bits: the camera does not have
 * this file. `gone`: no video (empty, or overwritten since it was listed). `growing`: the video is still being
 * recorded. `unsure`: it is unknown if it is the one of that name at home.
 */
export const MARK_BITS = { thm: 1, "3gf": 2, gps: 4, gone: 8, growing: 16, unsure: 32 } as const;
export type Mark = keyof typeof MARK_BITS;
const ALL_MARKS = 63;

/** Endings that follow the group's key in the name of a video, by `endingNumber`. */
export const VIDEO_ENDINGS: readonly string[] = [...TYPE_LETTERS].flatMap((direction) =>
  ["", "L", "S"].map((flag) => `${direction}${flag}.mp4`),
);

/** A full card has 50,000; a longer list than this is not remembered. */
export const MOST_LISTED = 200_000;

/**
 * The recordings of the last good list, without their texts: numbers, by name. Two lists of 50,000 are there while a sync
 * begins, on machines that have little memory.
 */
export class CameraList {
  readonly owner: ListOwner;
  /** Listed names that the grammar of recordings does not know. */
  readonly unknown: number;
  readonly #moments: Float64Array;
  readonly #endings: Uint8Array;
  readonly #marks: Uint8Array;

  constructor(
    owner: ListOwner,
    parts: { unknown: number; moments: Float64Array; endings: Uint8Array; marks: Uint8Array },
  ) {
    this.owner = owner;
    this.unknown = parts.unknown;
    this.#moments = parts.moments;
    this.#endings = parts.endings;
    this.#marks = parts.marks;
  }

  get size(): number {
    return this.#moments.length;
  }

  /** Number of videos that the camera still has, as far as is known. */
  get present(): number {
    let count = 0;
    for (let at = 0; at < this.size; at++) if (!this.has(at, "gone")) count++;
    return count;
  }

  /** See `momentNumber`. */
  momentAt(index: number): number {
    return this.#moments[index] ?? 0;
  }

  /** Index of its ending in `VIDEO_ENDINGS`. */
  endingAt(index: number): number {
    return this.#endings[index] ?? 0;
  }

  nameAt(index: number): string {
    return nameOf(momentKey(this.momentAt(index)), VIDEO_ENDINGS[this.endingAt(index)] ?? "");
  }

  marksAt(index: number): number {
    return this.#marks[index] ?? 0;
  }

  has(index: number, mark: Mark): boolean {
    return (this.marksAt(index) & MARK_BITS[mark]) !== 0;
  }

  /** The first and, excluded, the last place of a moment's recordings; the same twice when there are none. */
  rangeOf(moment: number): readonly [from: number, to: number] {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.momentAt(middle) < moment) low = middle + 1;
      else high = middle;
    }
    let to = low;
    while (to < this.size && this.momentAt(to) === moment) to++;
    return [low, to];
  }

  /** The marks of a recording by the name of its video; 0 when it is not listed. */
  marksOf(name: string): number {
    const at = this.#placeOf(name);
    return at < 0 ? 0 : this.marksAt(at);
  }

  /** True when this video is listed. */
  includes(name: string): boolean {
    return this.#placeOf(name) >= 0;
  }

  /** True when a video of this moment is listed. @param ending as `endingAt` */
  hasVideo(moment: number, ending: number): boolean {
    const [from, to] = this.rangeOf(moment);
    for (let at = from; at < to; at++) if (this.endingAt(at) === ending) return true;
    return false;
  }

  #placeOf(name: string): number {
    const [from, to] = this.rangeOf(momentNumber(name));
    for (let at = from; at < to; at++) if (hasEnding(name, VIDEO_ENDINGS[this.endingAt(at)] ?? "?")) return at;
    return -1;
  }

  /** Puts a mark on a recording, or takes it off; true when that was news. */
  mark(index: number, mark: Mark, isOn: boolean): boolean {
    const before = this.marksAt(index);
    const now = isOn ? before | MARK_BITS[mark] : before & ~MARK_BITS[mark];
    this.#marks[index] = now;
    return now !== before;
  }

  /** True when another list is equal, marks included. */
  isSame(other: CameraList): boolean {
    if (!isSameOwner(this.owner, other.owner) || this.unknown !== other.unknown || this.size !== other.size)
      return false;
    for (let at = 0; at < this.size; at++) {
      if (this.momentAt(at) !== other.momentAt(at) || this.endingAt(at) !== other.endingAt(at)) return false;
      if (this.marksAt(at) !== other.marksAt(at)) return false;
    }
    return true;
  }
}

/** True when lists of these two are of one camera and one destination. */
export function isSameOwner(one: ListOwner, other: ListOwner): boolean {
  return one.address === other.address && one.destination === other.destination;
}

/** Makes a list out of names that come in their order. */
export class CameraListBuilder {
  /** Listed names that the grammar of recordings does not know. */
  unknown = 0;
  readonly #owner: ListOwner;
  readonly #moments: Float64Array;
  readonly #endings: Uint8Array;
  readonly #marks: Uint8Array;
  #size = 0;

  /** @param most how many names may come */
  constructor(owner: ListOwner, most: number) {
    this.#owner = owner;
    this.#moments = new Float64Array(most);
    this.#endings = new Uint8Array(most);
    this.#marks = new Uint8Array(most);
  }

  /** Takes the next one; false when it is no video's name, or does not come after the one before. */
  add(name: string, marks: number): boolean {
    const moment = momentNumber(name);
    const ending = endingNumber(name);
    const last = this.#size - 1;
    const [before, endingBefore] = last < 0 ? [-1, 0] : [this.#moments[last] ?? 0, this.#endings[last] ?? 0];
    const comesAfter = moment > before || (moment === before && ending > endingBefore);
    const isGood = checkRecordingName(name) === "recording" && comesAfter && this.#size < this.#moments.length;
    if (!isGood || !(marks >= 0 && marks <= ALL_MARKS)) return false;
    this.#moments[this.#size] = moment;
    this.#endings[this.#size] = ending;
    this.#marks[this.#size++] = marks;
    return true;
  }

  list(): CameraList {
    return new CameraList(this.#owner, {
      unknown: this.unknown,
      moments: this.#moments.slice(0, this.#size),
      endings: this.#endings.slice(0, this.#size),
      marks: this.#marks.slice(0, this.#size),
    });
  }
}

/** Facts that decide about a list, before it takes the place of the one before. */
export interface ReceivedList {
  /** Number of its entries, whatever their names. */
  readonly files: number;
  /** Lines that were no entry. */
  readonly strange: number;
  /** Tells by name if it has a recording. */
  has(name: string): boolean;
}

/**
 * True when a list is to be believed. An empty one after a full one may be a failed answer. One with a strange line
 * may be cut off before the newest recordings.
 * @param wasEmpty the list before it, which was not believed, was empty too
 */
export function isBelievable(received: ReceivedList, before: CameraList | null, wasEmpty: boolean): boolean {
  if (before === null || before.size === 0) return true;
  if (received.files === 0) return wasEmpty;
  return received.strange === 0 || received.has(before.nameAt(before.size - 1));
}

/** The companion kinds, which have a mark each. */
export const COMPANION_MARKS: readonly Extract<Mark, ArtifactKind>[] = ["thm", "3gf", "gps"];
