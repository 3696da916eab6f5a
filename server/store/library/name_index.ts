import { dayOfMoment, momentNumber, momentOf } from "../../domain/recordings/moment_number.ts";
import {
  endingHash,
  endingOf,
  hasEnding,
  isPossibleMoment,
  ordinalOf,
  parseArtifact,
  readRecordingName,
} from "../../domain/recordings/recording_name.ts";

/** Number of changes that are remembered one by one. */
const RECENT = 1024;

/** The ending of a failure marker's name. */
export const MARKER_ENDING = ".failed";

/** The name of the file that a marker stands for. */
export function fileOfMarker(marker: string): string {
  return marker.slice(0, -MARKER_ENDING.length);
}

/**
 * The endings one moment has, such as `F.mp4`, `R.mp4`, `.gps`. Equal sets are one object, so that a moment costs a
 * number and a reference: a large library has some dozen different sets.
 */
export interface EndingSet {
  /** Sorted by code unit. */
  readonly endings: readonly string[];
  /** Those of failure markers. */
  readonly markers: readonly string[];
  /** Number of videos among them. */
  readonly videos: number;
}

/** The names in one folder. A moment is kept as a number, see `momentNumber`. */
export interface FolderNames {
  /** Relative to the root, empty for the root itself. */
  readonly path: string;
  readonly moments: Map<number, EndingSet>;
}

/**
 * Recordings' files by folder, in memory only. A name is split into its moment and its ending. The moment becomes a
 * number and the ending is stored once for all: 200,000 names as text would fill the memory a small NAS has for the
 * whole program.
 */
export class NameIndex {
  /** Every ending seen, by its hash. */
  readonly #endings = new Map<number, string>();
  /** Days that exist on a calendar, `YYYYMMDD`. */
  readonly #days = new Set<number>();
  readonly #sets = new Map<string, EndingSet>();
  readonly #empty: EndingSet = this.#intern([]);
  /**
   * Each set with its successors when an ending is added, so that listing a folder allocates nothing for a usual file.
   */
  readonly #grown = new Map<EndingSet, Map<string, EndingSet>>();
  /** A moment is in one folder; only copies and changed groupings put it in several. */
  readonly #places = new Map<number, FolderNames | FolderNames[]>();
  /** The moments that changed last, each at the place of the version it made. */
  readonly #recent = new Float64Array(RECENT);
  #videos = 0;
  #version = 0;

  /** Grows with every change of what lies where. */
  get version(): number {
    return this.#version;
  }

  /** The moments that changed since a version, some more than once; null when they are too many to be remembered. */
  changedSince(version: number): readonly number[] | null {
    const count = this.#version - version;
    return count > RECENT ? null : Array.from({ length: count }, (_, at) => this.#recent[(version + at) % RECENT] ?? 0);
  }

  /** Number of known videos, each folder's counted. */
  get videos(): number {
    return this.#videos;
  }

  /**
   * Adds a name to a listing in the making, which no reader sees yet.
   * @returns `"foreign"` for a name that is no recording's, `"impossible"` for a video's with a date that never was
   */
  collect(name: string, into: Map<number, EndingSet>): "taken" | "foreign" | "impossible" {
    // Read once: a library has hundreds of thousands of names.
    const ordinal = ordinalOf(name);
    const moment = momentOf(name, ordinal);
    if (moment < 0) return readRecordingName(name) === "impossible" ? "impossible" : "foreign";
    const present = into.get(moment);
    let ending = this.#knownEnding(name, ordinal);
    // The rules for names judge beginning and ending separately. A known half so needs no second reading, and most
    // names make no garbage at all.
    if (ending === undefined || (present === undefined && !this.#isPossible(moment))) {
      if (!isIndexed(name)) return readRecordingName(name) === "impossible" ? "impossible" : "foreign";
      ending = endingOf(name);
      this.#endings.set(endingHash(name, ordinal), ending);
    }
    into.set(moment, this.#plus(present ?? this.#empty, ending));
    return "taken";
  }

  /** The set without the name's ending, or null when nothing is left. */
  without(name: string, set: EndingSet): EndingSet | null {
    const rest = set.endings.filter((ending) => ending !== endingOf(name));
    return rest.length === 0 ? null : this.#intern(rest);
  }

  /** Makes a folder hold exactly `set` for a moment; null for nothing of it. */
  put(folder: FolderNames, moment: number, set: EndingSet | null): void {
    const before = folder.moments.get(moment);
    if (before === (set ?? undefined)) return;
    this.#videos += (set?.videos ?? 0) - (before?.videos ?? 0);
    this.#recent[this.#version++ % RECENT] = moment;
    if (set === null) {
      folder.moments.delete(moment);
      this.#leave(folder, moment);
    } else {
      folder.moments.set(moment, set);
      if (before === undefined) this.#enter(folder, moment);
    }
  }

  /** The folder holding the name; of several the one whose path sorts last. Null when there is none. */
  folderOf(name: string): string | null {
    const ending = endingOf(name);
    return this.#best(momentNumber(name), (set) => set.endings.includes(ending))?.path ?? null;
  }

  /** True when some folder holds the first 17 characters of `name` followed by `ending`. */
  hasBeside(name: string, ending: string): boolean {
    return this.hasAt(momentNumber(name), ending);
  }

  /** True when some folder holds a file of this moment with this ending. */
  hasAt(moment: number, ending: string): boolean {
    const places = this.#places.get(moment);
    if (places === undefined) return false;
    if (!Array.isArray(places)) return places.moments.get(moment)?.endings.includes(ending) ?? false;
    return places.some((folder) => folder.moments.get(moment)?.endings.includes(ending));
  }

  /** The folder holding anything of a moment, chosen as in `folderOf`, and what it holds. */
  find(key: string): { path: string; set: EndingSet } | null {
    const moment = momentNumber(key);
    const folder = this.#best(moment, () => true);
    const set = folder?.moments.get(moment);
    return folder && set ? { path: folder.path, set } : null;
  }

  #best(moment: number, suits: (set: EndingSet) => boolean): FolderNames | null {
    const places = this.#places.get(moment);
    if (places === undefined) return null;
    let best: FolderNames | null = null;
    for (const folder of Array.isArray(places) ? places : [places]) {
      const set = folder.moments.get(moment);
      if (set && suits(set) && (best === null || folder.path > best.path)) best = folder;
    }
    return best;
  }

  #enter(folder: FolderNames, moment: number): void {
    const places = this.#places.get(moment);
    if (places === undefined) this.#places.set(moment, folder);
    else if (Array.isArray(places)) places.push(folder);
    else this.#places.set(moment, [places, folder]);
  }

  #leave(folder: FolderNames, moment: number): void {
    const places = this.#places.get(moment);
    const rest = Array.isArray(places) ? places.filter((other) => other !== folder) : [];
    const [first] = rest;
    if (first === undefined) this.#places.delete(moment);
    else this.#places.set(moment, rest.length === 1 ? first : rest);
  }

  #plus(set: EndingSet, ending: string): EndingSet {
    let grown = this.#grown.get(set);
    if (grown === undefined) {
      grown = new Map();
      this.#grown.set(set, grown);
    }
    let result = grown.get(ending);
    if (result === undefined) {
      result = set.endings.includes(ending) ? set : this.#intern([...set.endings, ending].sort());
      grown.set(ending, result);
    }
    return result;
  }

  #knownEnding(name: string, ordinal: number): string | undefined {
    const ending = this.#endings.get(endingHash(name, ordinal));
    return ending !== undefined && hasEnding(name, ending, ordinal) ? ending : undefined;
  }

  /** As `isPossibleMoment`, which is asked once a day; false sends a name to the full reading. */
  #isPossible(moment: number): boolean {
    const day = dayOfMoment(moment);
    if (this.#days.has(day)) return true;
    if (!isPossibleMoment(`${String(day).padStart(8, "0")}_000000`)) return false;
    this.#days.add(day);
    return true;
  }

  #intern(endings: readonly string[]): EndingSet {
    const text = endings.join("|");
    let set = this.#sets.get(text);
    if (set === undefined) {
      const markers = endings.filter((ending) => ending.endsWith(MARKER_ENDING));
      const videos = endings.filter((ending) => ending.endsWith(".mp4")).length;
      set = { endings, markers, videos };
      this.#sets.set(text, set);
    }
    return set;
  }
}

/** True for the name of a recording's artifact or of the failure marker of one. */
export function isIndexed(name: string): boolean {
  return parseArtifact(name.endsWith(MARKER_ENDING) ? fileOfMarker(name) : name) !== null;
}
