import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { parseArtifact } from "../../domain/recordings/recording_name.ts";
import { isSliceEnd, nextTurn } from "../../turns.ts";
import { type EndingSet, type FolderNames, isIndexed, type NameIndex } from "./name_index.ts";

/** The coarsest timestamps in use, those of FAT, step by 2 s. */
const RACY_MS = 2000;

/** Names that a listing in the making has found so far, and changes by this process since it was begun. */
export interface FolderScan {
  readonly children: string[];
  readonly moments: Map<number, EndingSet>;
  readonly partials: Set<string>;
  readonly notes: { name: string; added: boolean }[];
}

/** Stamp of a folder from outside; any difference shows that it has to be listed again. */
export interface FolderStamp {
  /** Nanoseconds. A restore from a backup or `rsync -t` sets it back to what it was. */
  readonly mtimeNs: bigint;
  /** Nanoseconds; the disk sets it itself with every change, and a program cannot. */
  readonly ctimeNs: bigint;
  /** Another one when the folder was replaced by another of its name. */
  readonly ino: bigint;
}

/** One folder of the library: what is in it, and whether it has to be listed again. */
export class Folder implements FolderNames {
  /** Relative to the root, empty for the root itself. */
  readonly path: string;
  readonly moments = new Map<number, EndingSet>();
  /** Artifact names with a partial here; looked for in the root only. */
  partials: ReadonlySet<string> = new Set();
  /** Names of the folders in it. */
  children: readonly string[] = [];
  /** The refresh that last found it. */
  round = -1;
  readonly #names: NameIndex;
  /** Null until it was listed once. */
  #stamp: FolderStamp | null = null;
  /** On the clock that never jumps: when that stamp was first seen. */
  #stampSeenAt = 0;
  /** False when a file may have been added later within the tick of that stamp. */
  #settled = false;
  #listing: FolderScan | null = null;

  constructor(path: string, names: NameIndex) {
    this.path = path;
    this.#names = names;
  }

  /** True when its last listing can be trusted to be what a folder of this stamp holds. */
  isCurrent(stamp: FolderStamp): boolean {
    return this.#settled && this.#isSame(stamp);
  }

  /**
   * Calls `list` to fill a new listing, then makes it the content; without one the folder becomes empty.
   * The stamp must have been read before; `now` and `elapsed` are the clock's.
   * Rejects as `list` does, leaving the content as it was.
   */
  async list(
    stamp: FolderStamp,
    now: number,
    elapsed: number,
    list: (into: FolderScan) => Promise<void>,
  ): Promise<void> {
    if (!this.#isSame(stamp)) this.#stampSeenAt = elapsed;
    const { mtimeNs, ctimeNs, ino } = stamp;
    this.#stamp = { mtimeNs, ctimeNs, ino };
    this.#settled = false;
    await this.#replace(list);
    // Old enough by the wall clock, or known to us for long enough: the disk's own clock may be ahead of ours.
    const changedAt = Math.max(Number(mtimeNs / 1_000_000n), Number(ctimeNs / 1_000_000n));
    this.#settled = changedAt + RACY_MS <= now || elapsed - this.#stampSeenAt >= RACY_MS;
  }

  #isSame({ mtimeNs, ctimeNs, ino }: FolderStamp): boolean {
    const known = this.#stamp;
    return known !== null && known.mtimeNs === mtimeNs && known.ctimeNs === ctimeNs && known.ino === ino;
  }

  /** Takes everything out of the index. */
  async clear(): Promise<void> {
    await this.#replace(async () => {});
  }

  /** True for names that `take` keeps. */
  understands(name: string): boolean {
    const artifact = this.#partialOf(name);
    return artifact === null ? isIndexed(name) : parseArtifact(artifact) !== null;
  }

  /** Takes a file of a listing; false for a video whose date never was. Names of no recording are ignored. */
  take(name: string, into: FolderScan): boolean {
    const artifact = this.#partialOf(name);
    if (artifact === null) return this.#names.collect(name, into.moments) !== "impossible";
    if (parseArtifact(artifact) !== null) into.partials.add(artifact);
    return true;
  }

  /** A file was written or removed by ourselves; true when that was news. Holds against a listing under way. */
  note(name: string, added: boolean): boolean {
    const artifact = this.#partialOf(name);
    if (!this.understands(name)) return false;
    this.#listing?.notes.push({ name, added });
    if (this.#listing) this.#apply(name, added, this.#listing);
    if (artifact !== null) {
      const partials = new Set(this.partials);
      if (partials.has(artifact) === added) return false;
      if (added) partials.add(artifact);
      else partials.delete(artifact);
      this.partials = partials;
      return true;
    }
    const moment = momentNumber(name);
    const before = this.moments.get(moment);
    const one = { moments: new Map(before ? [[moment, before]] : []), partials: new Set<string>() };
    this.#apply(name, added, one);
    this.#names.put(this, moment, one.moments.get(moment) ?? null);
    return this.moments.get(moment) !== before;
  }

  async #replace(list: (into: FolderScan) => Promise<void>): Promise<void> {
    const listing: FolderScan = { children: [], moments: new Map(), partials: new Set(), notes: [] };
    this.#listing = listing;
    try {
      await list(listing);
      // The listing may be older than what this process did meanwhile.
      for (const { name, added } of listing.notes) this.#apply(name, added, listing);
      this.children = listing.children;
      this.partials = listing.partials;
      // In slices, each of which leaves every moment whole; what we do in between goes to both sides.
      let handled = 0;
      for (const [moment, set] of listing.moments) {
        this.#names.put(this, moment, set);
        if (isSliceEnd(++handled)) await nextTurn();
      }
      for (const moment of this.moments.keys()) {
        if (!listing.moments.has(moment)) this.#names.put(this, moment, null);
        if (isSliceEnd(++handled)) await nextTurn();
      }
    } finally {
      this.#listing = null;
    }
  }

  #apply(name: string, added: boolean, to: Pick<FolderScan, "moments" | "partials">): void {
    const artifact = this.#partialOf(name);
    if (artifact !== null) {
      if (added) to.partials.add(artifact);
      else to.partials.delete(artifact);
    } else if (added) {
      this.#names.collect(name, to.moments);
    } else {
      const moment = momentNumber(name);
      const set = to.moments.get(moment);
      const rest = set ? this.#names.without(name, set) : null;
      if (rest) to.moments.set(moment, rest);
      else to.moments.delete(moment);
    }
  }

  #partialOf(name: string): string | null {
    return this.path === "" && name.startsWith(".") ? name.slice(1) : null;
  }
}
