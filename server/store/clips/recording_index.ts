import type { Clock } from "../../clock.ts";
import { dayOfMoment, dayText, momentNumber } from "../../domain/recordings/moment_number.ts";
import { baseOf } from "../../domain/recordings/recording_name.ts";
import type { TelemetryFacts } from "../../domain/viewer/clip_facts.ts";
import type { RecentRecordings, ViewerDay } from "../../domain/viewer/viewer_schema.ts";
import { isSliceEnd, nextTurn } from "../../turns.ts";
import type { Library } from "../library/library.ts";
import { DrivingTimes, LibraryCounter, type LibraryFigures } from "../library/library_counts.ts";
import { partsOf, type Segment, type SegmentParts } from "../library/recording_files.ts";
import { ClipFacts } from "./clip_facts.ts";
import { type RecentVideo, RecentVideos } from "./recent_videos.ts";
import { bySegmentTime, SegmentDays } from "./segment_days.ts";
import type { VideoFacts } from "./video_facts.ts";

/** Greatest age of the last refresh for the viewer: each page of it asks several times. */
const VIEWER_AGE_MS = 2000;

/** A day's segments; sorted when it is read. */
interface Day {
  readonly segments: Segment[];
  isSorted: boolean;
}

interface Index {
  /** The library's when building began. */
  readonly version: number;
  readonly segments: SegmentDays;
  readonly counter: LibraryCounter;
}

/**
 * The viewer's view of the library: the recordings of one moment, by day. Changes by this program show at once, since
 * they are noted in the library. Changes by another program show within seconds, when the library is refreshed.
 */
export class RecordingIndex {
  readonly #library: Library;
  readonly #facts: ClipFacts;
  readonly #recent: RecentVideos;
  /** A library has some dozen different sets of endings, each one object. */
  readonly #parts = new WeakMap<readonly string[], { parts: SegmentParts | null }>();
  readonly #driving: DrivingTimes;
  #figures: { readonly of: Index; readonly figures: LibraryFigures } | null = null;
  #index: Index | null = null;
  #building: Promise<Index> | null = null;

  /** @param parts with what clips are read with, when it is there already, and what is called when `recent` has more to tell */
  constructor(parts: { library: Library; clock: Clock; facts?: ClipFacts; recentIsRead?: () => void }) {
    this.#library = parts.library;
    this.#facts = parts.facts ?? new ClipFacts({ root: parts.library.root, clock: parts.clock });
    this.#driving = new DrivingTimes(this.#facts.lengthOf);
    this.#recent = new RecentVideos({
      root: parts.library.root,
      clock: parts.clock,
      late: parts.recentIsRead ?? (() => {}),
    });
  }

  /** The destination folder, below which the paths of segments lie. */
  get root(): string {
    return this.#library.root;
  }

  /** Days with segments and how many, newest first. */
  async days(): Promise<readonly ViewerDay[]> {
    return (await this.inDays()).counts;
  }

  /** All segments by day. @param maxAgeMs how old the last look at the folders may be */
  async inDays(maxAgeMs = VIEWER_AGE_MS): Promise<SegmentDays> {
    return (await this.#current(maxAgeMs)).segments;
  }

  /** All segments, counted by day, type and camera. */
  async figures(): Promise<LibraryFigures> {
    const index = await this.#current(VIEWER_AGE_MS);
    return this.#figuresOf(index);
  }

  /** All segments, newest first. */
  async all(): Promise<Iterable<Segment>> {
    return (await this.inDays()).newestFirst();
  }

  /** The segments of a day (`YYYY-MM-DD`), newest first; of the newest day for null. Null when there are none. */
  async day(date: string | null): Promise<{ date: string; segments: readonly Segment[] } | null> {
    return (await this.inDays()).day(date);
  }

  /** The segment with this key (`YYYYMMDD_HHMMSS_T`), of several folders the last by path; null when there is none. */
  async find(key: string): Promise<Segment | null> {
    // The dashboard's clips are those of the folders now: a link to one of them leads to it.
    return (await this.inDays()).find(key) ?? (await this.inDays(0)).find(key);
  }

  /** The segments from one key to another, both included, oldest first; not more than so many. */
  async between(from: string, to: string, most: number): Promise<Segment[]> {
    return (await this.inDays()).between(from, to, most);
  }

  /** Sizes and lengths, as far as they are known within a twentieth of a second; the rest is read in the background. */
  facts(segments: readonly Segment[]): Promise<VideoFacts[]> {
    return this.#facts.videos(segments);
  }

  /** The same of tracks and forces; null for what is not known yet. */
  telemetryFacts(segments: readonly Segment[]): Promise<(TelemetryFacts | null)[]> {
    return this.#facts.telemetry(segments);
  }

  /** The videos written last, latest first, and how many videos there are in all; of the folders as they are now. */
  async recent(limit: number): Promise<RecentRecordings> {
    const index = await this.#current();
    await this.#recent.follow(index.version, index.segments.newestFirst());
    const isThere = ({ folder, name }: RecentVideo) => this.#library.hasIn(name, folder);
    const recordings = this.#recent.latest(limit, this.#library.version, isThere).map(({ folder, name, mtimeMs }) => {
      return { filename: name, mtime: mtimeMs / 1000, path: folder === "" ? name : `${folder}/${name}` };
    });
    return { recordings, total: this.#library.recordingCount };
  }

  /**
   * The base name (`YYYYMMDD_HHMMSS`) and the key of the newest segment, null when there is none, and how many videos
   * there are; now.
   */
  async newest(): Promise<{ base: string | null; key: string | null; total: number }> {
    const index = await this.#current();
    const [segment] = index.segments.newestFirst();
    return {
      base: segment ? baseOf(segment.key) : null,
      key: segment?.key ?? null,
      total: this.#library.recordingCount,
    };
  }

  /** The index of the library as it was at most so long ago, beside what we did since. Callers share one building. */
  async #current(maxAgeMs = 0): Promise<Index> {
    await this.#library.refreshIfOlder(maxAgeMs);
    const wanted = this.#library.version;
    let index = this.#index;
    // Twice at most: one that was under way already may have begun before the change.
    for (let turn = 0; turn < 2 && (index === null || index.version < wanted); turn++) {
      this.#building ??= this.#build().finally(() => {
        this.#building = null;
      });
      index = await this.#building;
    }
    return index ?? this.#build();
  }

  async #build(): Promise<Index> {
    const { version } = this.#library;
    const days = new Map<number, Day>();
    const counter = new LibraryCounter();
    let handled = 0;
    for (const { key, folder, endings } of this.#library.groups()) {
      if (isSliceEnd(++handled)) await nextTurn();
      const parts = this.#partsOf(endings);
      if (parts === null) continue;
      const moment = momentNumber(key);
      const date = dayOfMoment(moment);
      counter.add(date, moment, parts.cameras);
      let day = days.get(date);
      if (day === undefined) {
        day = { segments: [], isSorted: false };
        days.set(date, day);
      }
      day.segments.push({ key, folder, parts });
    }
    const dates = [...days.keys()].sort((one, other) => other - one);
    const counts = dates.map((date) => ({ date: dayText(date), count: days.get(date)?.segments.length ?? 0 }));
    const segments = new SegmentDays({ dates, counts, of: (date) => sortedDay(days.get(date)) });
    const index = { version, segments, counter };
    this.#index = index;
    // They come in a moment, and the figures with them.
    void this.#facts.readLengths();
    this.#figuresOf(index);
    return index;
  }

  #figuresOf(index: Index): LibraryFigures {
    const changed = this.#facts.takeChangedDays();
    this.#driving.forget(changed);
    if (this.#figures?.of !== index || changed.length > 0)
      this.#figures = { of: index, figures: index.counter.figures(index.segments.dates, this.#driving) };
    return this.#figures.figures;
  }

  #partsOf(endings: readonly string[]): SegmentParts | null {
    const known = this.#parts.get(endings);
    if (known) return known.parts;
    const parts = partsOf(endings);
    this.#parts.set(endings, { parts });
    return parts;
  }
}

function sortedDay(day: Day | undefined): readonly Segment[] {
  if (day === undefined) return [];
  if (!day.isSorted) {
    day.segments.sort(bySegmentTime);
    day.isSorted = true;
  }
  return day.segments;
}
