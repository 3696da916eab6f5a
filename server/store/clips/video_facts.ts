import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { findServedFile } from "../library/opened_file.ts";
import { endingsOf, frontFirst, pathOf, type Segment, type SegmentParts } from "../library/recording_files.ts";
import type { FactsDatabase } from "./facts_database.ts";
import type { HeaderFacts, Video } from "./header_facts.ts";

/** Facts that only a segment's files show. */
export interface VideoFacts extends HeaderFacts {
  /** All its videos together; null until known. */
  readonly sizeBytes: number | null;
}

interface Known extends VideoFacts {
  readonly parts: SegmentParts;
  /** The mtimes of the videos in one number: while that and the size stay the same, the rest does. */
  readonly stamp: number;
  /** On the clock that never jumps. */
  readonly lookedAt: number;
}

const UNKNOWN: VideoFacts = {
  sizeBytes: null,
  durationSeconds: null,
  codecs: null,
  embedded: { gps: false, gsensor: false, thumbnail: null },
};
/** Requests to the disk at once: enough for one disk, and few enough to leave it to others. */
const WIDTH = 4;
/** Segments remembered: more than a large card's worth, in some five megabytes. */
const MOST_KNOWN = 25_000;
/** More than a day has; a journey of weeks has lengths for its first segments only. */
const MOST_AT_ONCE = 4000;
/** Videos do not change in place, but a person may replace one. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Sizes and lengths of videos, read when a page shows them and remembered while the files stay as they are.
 * No page waits for a slow disk: what is not known in good time is read in the background.
 */
export class VideoFactsReader {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();
  readonly #pending = new Map<string, Promise<void>>();
  /** Last in, first out: what was asked for last is what a page waits for. */
  readonly #queue: { segment: Segment; done: () => void }[] = [];
  readonly #database: FactsDatabase | null;
  readonly #learned: (moment: number, durationSeconds: number) => void;
  #working = 0;

  /** @param parts with the file in which what was read is kept; null to keep it in memory only */
  constructor(parts: {
    root: string;
    clock: Clock;
    database: FactsDatabase | null;
    /** The length of a clip has been read. */
    learned: (moment: number, durationSeconds: number) => void;
  }) {
    this.#root = parts.root;
    this.#clock = parts.clock;
    this.#database = parts.database;
    this.#learned = parts.learned;
  }

  /** Returns the facts known of a segment right now. */
  of(segment: Segment): VideoFacts {
    const known = this.#known.get(pathOf(segment, ""));
    return known?.parts === segment.parts ? known : UNKNOWN;
  }

  /** Reads those not known yet; resolves when all are or the time is over; the rest goes on in the background. */
  async learn(segments: readonly Segment[], budgetMs: number): Promise<void> {
    const oldest = this.#clock.elapsed() - LOOK_AGAIN_MS;
    const looks: Promise<void>[] = [];
    // Backwards, so that the first is the last in.
    for (const segment of segments.slice(0, MOST_AT_ONCE).reverse()) {
      // Still on the camera: there is no file to look at.
      if (segment.parts.videos.length === 0) continue;
      const known = this.#known.get(pathOf(segment, ""));
      if (known?.parts !== segment.parts) looks.push(this.#enqueue(segment));
      else if (known.lookedAt < oldest) void this.#enqueue(segment);
    }
    if (looks.length === 0) return;
    const over = new AbortController();
    const late = this.#clock.sleep(budgetMs, over.signal).catch(() => {});
    await Promise.race([Promise.all(looks), late]);
    over.abort();
  }

  /** Reads a clip's facts into the database, and leaves nothing of it in memory. */
  async store(segment: Segment): Promise<void> {
    await this.#read(pathOf(segment, ""), segment, false);
  }

  #enqueue(segment: Segment): Promise<void> {
    const key = pathOf(segment, "");
    const pending = this.#pending.get(key);
    if (pending) return pending;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pending.set(key, promise);
    this.#queue.push({ segment, done: resolve });
    if (this.#working < WIDTH) void this.#work();
    return promise;
  }

  async #work(): Promise<void> {
    this.#working++;
    for (let next = this.#queue.pop(); next; next = this.#queue.pop()) {
      const key = pathOf(next.segment, "");
      try {
        await this.#read(key, next.segment, true);
      } catch {
        // Removed, or the disk refuses: it stays unknown, and the next call tries again.
        this.#known.delete(key);
      }
      this.#pending.delete(key);
      next.done();
    }
    this.#working--;
  }

  async #read(key: string, segment: Segment, remembers: boolean): Promise<void> {
    const { parts } = segment;
    let sizeBytes = 0;
    let stamp = 0;
    const videos: Video[] = [];
    for (const { direction, ending } of frontFirst(segment)) {
      const path = pathOf(segment, ending);
      const { size, mtimeMs } = await this.#find(path);
      videos.push({ path, size, mtimeMs, direction, ending });
      sizeBytes += size;
      stamp = stamp * 2 + mtimeMs;
    }
    const lookedAt = this.#clock.elapsed();
    const known = this.#known.get(key);
    if (known?.stamp === stamp && known.sizeBytes === sizeBytes) {
      this.#known.set(key, { ...known, parts, lookedAt });
      return;
    }
    const stored = this.#database?.videos(key);
    const version = `${stamp} ${sizeBytes}`;
    if (stored?.stamp === version) {
      if (remembers) this.#remember(key, { parts, stamp, sizeBytes, lookedAt, ...stored.headers });
      return;
    }
    // Readers of videos are loaded with the first one: the start waits for none of it.
    const { headersOf } = await import("./header_facts.ts");
    const headers = await headersOf(this.#root, videos);
    const { durationSeconds } = headers;
    if (remembers) this.#remember(key, { parts, stamp, sizeBytes, lookedAt, ...headers });
    const moment = momentNumber(segment.key);
    if (durationSeconds !== null) this.#learned(moment, durationSeconds);
    this.#database?.putVideos({
      path: key,
      moment,
      endings: endingsOf(parts),
      stamp: version,
      sizeBytes,
      durationSeconds,
      headers,
    });
  }

  /** A video's size and time. @throws Error when it is gone, no file, or a link out of the destination */
  async #find(path: string): Promise<{ size: number; mtimeMs: number }> {
    const place = join(this.#root, path);
    const found = await lstat(place);
    if (found.isFile()) return found;
    const target = found.isSymbolicLink() ? await findServedFile(this.#root, path) : null;
    if (target === null) throw new Error(`${place} is no file`);
    return { size: target.size, mtimeMs: target.modifiedMs };
  }

  #remember(key: string, known: Known): void {
    this.#known.delete(key);
    this.#known.set(key, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
  }
}
