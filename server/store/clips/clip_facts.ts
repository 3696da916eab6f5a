import type { Clock } from "../../clock.ts";
import { dayOfMoment } from "../../domain/recordings/moment_number.ts";
import type { TelemetryFacts } from "../../domain/viewer/clip_facts.ts";
import { nextTurn } from "../../turns.ts";
import { pathOf, type Segment } from "../library/recording_files.ts";
import type { FactsDatabase } from "./facts_database.ts";
import { TelemetryFactsReader } from "./telemetry_facts.ts";
import { TelemetryFiles } from "./telemetry_files.ts";
import { type VideoFacts, VideoFactsReader } from "./video_facts.ts";

export interface ClipFactsParts {
  readonly root: string;
  readonly clock: Clock;
  /** Those that what is shown is read with. */
  readonly telemetry?: TelemetryFiles;
  /** Database for facts that were read; without it they stay in memory only. */
  readonly database?: FactsDatabase;
  /** Time that an opened day waits for facts from files; the rest is in the next answer. */
  readonly budgetMs?: number;
}

const BUDGET_MS = 50;

/** Facts that only a look into the files of clips tells: read once, and kept while the files stay as they are. */
export class ClipFacts {
  readonly #videos: VideoFactsReader;
  readonly #telemetry: TelemetryFactsReader;
  readonly #database: FactsDatabase | null;
  readonly #budgetMs: number;
  /** Lengths of videos, in seconds, by the clip as a number. */
  readonly #lengths = new Map<number, number>();
  /** Days of which further lengths have come to be known. */
  readonly #changedDays = new Set<number>();
  #reading: Promise<void> | null = null;

  constructor({
    root,
    clock,
    telemetry = new TelemetryFiles({ root }),
    database,
    budgetMs = BUDGET_MS,
  }: ClipFactsParts) {
    this.#database = database ?? null;
    this.#budgetMs = budgetMs;
    this.#videos = new VideoFactsReader({
      root,
      clock,
      database: this.#database,
      learned: (moment, seconds) => this.#note(moment, seconds),
    });
    this.#telemetry = new TelemetryFactsReader({
      clock,
      files: telemetry,
      database: this.#database,
      durationOf: (segment) =>
        this.#videos.of(segment).durationSeconds ??
        this.#database?.videos(pathOf(segment, ""))?.durationSeconds ??
        null,
      hasEmbedded: (segment) => this.#hasEmbedded(segment),
    });
  }

  /** Sizes and lengths, as far as they are known within the budget; the rest is read in the background. */
  async videos(segments: readonly Segment[]): Promise<VideoFacts[]> {
    await this.#videos.learn(segments, this.#budgetMs);
    return segments.map((segment) => this.#videos.of(segment));
  }

  /** The same of tracks and forces; null for what is not known yet. */
  async telemetry(segments: readonly Segment[]): Promise<(TelemetryFacts | null)[]> {
    await this.#telemetry.learn(segments, this.#budgetMs);
    return segments.map((segment) => this.#telemetry.of(segment));
  }

  /** Reads all of a clip into the database, and leaves nothing of it in memory. */
  async store(segment: Segment): Promise<void> {
    await this.#videos.store(segment);
    const { gps, gsensor } = segment.parts;
    if (gps !== null || gsensor !== null || this.#hasEmbedded(segment)) await this.#telemetry.store(segment);
  }

  /** The length of a clip's video in seconds; null while it is not known. */
  lengthOf = (moment: number): number | null => this.#lengths.get(moment) ?? null;

  /** Takes over the lengths that the database has. */
  readLengths(): Promise<void> {
    this.#reading ??= this.#readLengths();
    return this.#reading;
  }

  /** Days of which lengths were learned since it was asked the last time, as numbers. */
  takeChangedDays(): number[] {
    const days = [...this.#changedDays];
    this.#changedDays.clear();
    return days;
  }

  close(): void {
    this.#telemetry.close();
    this.#database?.close();
  }

  #hasEmbedded(segment: Segment): boolean {
    const known = this.#videos.of(segment);
    const headers = known.codecs === null ? this.#database?.videos(pathOf(segment, ""))?.headers : known;
    return headers !== undefined && (headers.embedded.gps || headers.embedded.gsensor);
  }

  async #readLengths(): Promise<void> {
    for (const slice of this.#database?.lengths() ?? []) {
      for (const { moment, durationSeconds } of slice) this.#note(moment, durationSeconds);
      await nextTurn();
    }
  }

  #note(moment: number, seconds: number): void {
    if (this.#lengths.get(moment) === seconds) return;
    this.#lengths.set(moment, seconds);
    this.#changedDays.add(dayOfMoment(moment));
  }
}
