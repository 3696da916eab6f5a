import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, within } from "../../clock.ts";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { nameOf } from "../../domain/recordings/recording_name.ts";
import { isSliceEnd, nextTurn } from "../../turns.ts";
import { pathOf, type Segment, type SegmentParts } from "../library/recording_files.ts";
import { BackgroundReader } from "./background_reader.ts";

export interface RecentVideo {
  readonly name: string;
  /** Relative to the destination, empty for the destination itself. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly mtimeMs: number;
}

/** The most a caller may ask for. */
const MOST_ASKED = 50;
/** Kept beyond that, so that deleting some of them does not mean looking at everything again. */
const KEPT = 200;
/** Requests to the disk at once. */
const WIDTH = 4;
/** Longest wait of the first caller. A library is read newest first, so the answer is nearly always right by then. */
const BUDGET_MS = 50;

interface RecentFile {
  readonly segment: Segment;
  readonly ending: string;
}

/** Videos that were written last. The disk is asked about each file once, when it is new here. */
export class RecentVideos {
  readonly #root: string;
  readonly #clock: Clock;
  /** By folder and moment: what was read. Numbers, because a large library has a hundred thousand. */
  #seen = new Map<string, Map<number, SegmentParts>>();
  /** Latest first. */
  #latest: RecentVideo[] = [];
  #version = -1;
  /** Version of the library in which all of `#latest` are. */
  #checkedIn = -1;
  readonly #reader = new BackgroundReader<RecentFile>({ width: WIDTH, read: (file) => this.#read(file) });
  #noting: Promise<void> | null = null;
  /** Videos that were too old to be kept: read again when too many of the kept ones are deleted. */
  #hasDropped = false;
  readonly #late: () => void;
  #isLate = false;

  /** @param late is called when more is known than a caller has waited for */
  constructor(parts: { root: string; clock: Clock; late: () => void }) {
    this.#root = parts.root;
    this.#clock = parts.clock;
    this.#late = parts.late;
  }

  /** Reads what is new in a version of the library; what takes longer than a moment goes on in the background. */
  async follow(version: number, segments: Iterable<Segment>): Promise<void> {
    // Once more for a caller that has joined the noting of an older version.
    for (let turn = 0; turn < 2 && version !== this.#version; turn++) {
      this.#noting ??= this.#note(version, segments).finally(() => {
        this.#noting = null;
      });
      await this.#noting;
    }
    if (!this.#reader.isBusy) return;
    this.#reader.start();
    await within(this.#clock, BUDGET_MS, this.#reader.done());
    if (!this.#reader.isBusy || this.#isLate) return;
    this.#isLate = true;
    void this.#reader.done().then(() => {
      this.#isLate = false;
      this.#late();
    });
  }

  /**
   * At most `limit` of those that are still there, latest first.
   * @param version of the library in which `isThere` looks: while it stays, what was found there is there
   */
  latest(limit: number, version: number, isThere: (video: RecentVideo) => boolean): RecentVideo[] {
    if (version !== this.#checkedIn) this.#latest = this.#latest.filter(isThere);
    this.#checkedIn = version;
    if (this.#hasDropped && this.#latest.length < MOST_ASKED) this.#forget();
    return this.#latest.slice(0, limit);
  }

  /** Everything is read again the next time a page asks. */
  #forget(): void {
    this.#seen = new Map();
    this.#version = -1;
    this.#hasDropped = false;
  }

  async #note(version: number, segments: Iterable<Segment>): Promise<void> {
    let handled = 0;
    const seen = new Map<string, Map<number, SegmentParts>>();
    const fresh: RecentFile[] = [];
    for (const segment of segments) {
      if (isSliceEnd(++handled)) await nextTurn();
      const { key, folder, parts } = segment;
      let moments = seen.get(folder);
      if (moments === undefined) {
        moments = new Map();
        seen.set(folder, moments);
      }
      const moment = momentNumber(key);
      moments.set(moment, parts);
      if (this.#seen.get(folder)?.get(moment) === parts) continue;
      for (const ending of parts.all) fresh.push({ segment, ending });
    }
    this.#seen = seen;
    this.#version = version;
    for (const file of fresh.reverse()) this.#reader.add(file);
  }

  async #read({ segment, ending }: RecentFile): Promise<void> {
    const found = await stat(join(this.#root, pathOf(segment, ending))).catch(() => null);
    if (found) this.#take({ name: nameOf(segment.key, ending), folder: segment.folder, mtimeMs: found.mtimeMs });
  }

  #take(video: RecentVideo): void {
    this.#checkedIn = -1;
    const latest = this.#latest;
    const before = latest.findIndex(({ name, folder }) => name === video.name && folder === video.folder);
    if (before >= 0) latest.splice(before, 1);
    const at = latest.findIndex((other) => isLater(video, other));
    latest.splice(at < 0 ? latest.length : at, 0, video);
    if (latest.length <= KEPT) return;
    latest.length = KEPT;
    this.#hasDropped = true;
  }
}

function isLater(one: RecentVideo, other: RecentVideo): boolean {
  return one.mtimeMs === other.mtimeMs ? one.name > other.name : one.mtimeMs > other.mtimeMs;
}
