import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { findServedFile } from "../library/opened_file.ts";
import { endingsOf, frontFirst, pathOf, type Segment, type SegmentParts } from "../library/recording_files.ts";
import { SegmentFacts } from "./background_reader.ts";
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
/**
 * Sizes and lengths of videos, read when a page shows them and remembered while the files stay as they are.
 * No page waits for a slow disk: what is not known in good time is read in the background.
 */
export class VideoFactsReader {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #facts: SegmentFacts<Known>;
  readonly #database: FactsDatabase | null;
  readonly #learned: (moment: number, durationSeconds: number) => void;

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
    this.#facts = new SegmentFacts({
      clock: parts.clock,
      width: WIDTH,
      mostKnown: MOST_KNOWN,
      read: (segment) => this.#read(segment, true),
    });
  }

  /** Returns the facts known of a segment right now. */
  of(segment: Segment): VideoFacts {
    return this.#facts.of(segment) ?? UNKNOWN;
  }

  /** Reads those not known yet; resolves when all are or the time is over; the rest goes on in the background. */
  learn(segments: readonly Segment[], budgetMs: number): Promise<void> {
    // Without videos at home there is no file to look at.
    const shown = segments.slice(0, MOST_AT_ONCE).filter(({ parts }) => parts.videos.length > 0);
    return this.#facts.learn(shown, budgetMs);
  }

  /** Reads a clip's facts into the database, and leaves nothing of it in memory. */
  async store(segment: Segment): Promise<void> {
    await this.#read(segment, false);
  }

  async #read(segment: Segment, remembers: boolean): Promise<void> {
    const { parts } = segment;
    const key = pathOf(segment, "");
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
    const known = this.#facts.latest(segment);
    if (known?.stamp === stamp && known.sizeBytes === sizeBytes) {
      this.#facts.remember(segment, { ...known, parts, lookedAt });
      return;
    }
    const stored = this.#database?.videos(key);
    const version = `${stamp} ${sizeBytes}`;
    if (stored?.stamp === version) {
      if (remembers) this.#facts.remember(segment, { parts, stamp, sizeBytes, lookedAt, ...stored.headers });
      return;
    }
    // Readers of videos are loaded with the first one: the start waits for none of it.
    const { headersOf } = await import("./header_facts.ts");
    const headers = await headersOf(this.#root, videos);
    const { durationSeconds } = headers;
    if (remembers) this.#facts.remember(segment, { parts, stamp, sizeBytes, lookedAt, ...headers });
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
}
