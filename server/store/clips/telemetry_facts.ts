import type { Clock } from "../../clock.ts";
import type { TelemetryFacts } from "../../domain/viewer/clip_facts.ts";
import { nextTurn } from "../../turns.ts";
import { endingsOf, pathOf, type Segment, type SegmentParts } from "../library/recording_files.ts";
import type { FactsDatabase } from "./facts_database.ts";
import type { TelemetryFiles } from "./telemetry_files.ts";

interface Known {
  readonly parts: SegmentParts;
  readonly facts: TelemetryFacts;
  /** On the clock that never jumps. */
  readonly lookedAt: number;
}

interface Parts {
  readonly clock: Clock;
  readonly files: TelemetryFiles;
  /** Database for facts that were read; null to keep them in memory only. */
  readonly database: FactsDatabase | null;
  /** The length of a clip's video, as far as it is known. */
  readonly durationOf: (segment: Segment) => number | null;
  /** True when telemetry is in the clip's videos, as far as that is known. */
  readonly hasEmbedded: (segment: Segment) => boolean;
}

/** Facts of a clip without telemetry files. */
const NOTHING: TelemetryFacts = {
  runs: null,
  box: null,
  strongestG: null,
  rest: null,
  strongest: null,
};
/** Clips remembered, in some five megabytes. */
const MOST_KNOWN = 10_000;
/** Files do not change in place, but a person may replace one. */
const LOOK_AGAIN_MS = 30_000;

/** Sums up the telemetry of clips, read when a list shows them and kept while the files stay as they are. */
export class TelemetryFactsReader {
  readonly #parts: Parts;
  readonly #known = new Map<string, Known>();
  readonly #pending = new Map<string, Promise<void>>();
  /** Last in, first out: what was asked for last is what a page waits for. */
  readonly #queue: { segment: Segment; done: () => void }[] = [];
  #isWorking = false;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the facts known of a clip right now; null when there are none. */
  of(segment: Segment): TelemetryFacts | null {
    const { parts } = segment;
    if (parts.gps === null && parts.gsensor === null && !this.#parts.hasEmbedded(segment)) return NOTHING;
    const known = this.#known.get(pathOf(segment, ""));
    return known?.parts === parts ? known.facts : null;
  }

  /** Reads those not known yet; resolves when all are or the time is over; the rest goes on in the background. */
  async learn(segments: readonly Segment[], budgetMs: number): Promise<void> {
    const oldest = this.#parts.clock.elapsed() - LOOK_AGAIN_MS;
    const looks: Promise<void>[] = [];
    // Backwards, so that the first is the last in.
    for (const segment of segments.toReversed()) {
      if (this.of(segment) === null) looks.push(this.#enqueue(segment));
      else if ((this.#known.get(pathOf(segment, ""))?.lookedAt ?? oldest) < oldest) void this.#enqueue(segment);
    }
    if (looks.length === 0) return;
    const over = new AbortController();
    const late = this.#parts.clock.sleep(budgetMs, over.signal).catch(() => {});
    await Promise.race([Promise.all(looks), late]);
    over.abort();
  }

  /** Reads a clip's facts into the database, and leaves nothing of it in memory. */
  async store(segment: Segment): Promise<void> {
    await this.#read(segment, false);
  }

  /** Leaves the clips that are still to be read. */
  close(): void {
    this.#isClosed = true;
    for (const { done } of this.#queue.splice(0)) done();
    this.#pending.clear();
  }

  #enqueue(segment: Segment): Promise<void> {
    const key = pathOf(segment, "");
    const pending = this.#pending.get(key);
    if (pending) return pending;
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#isClosed) return Promise.resolve();
    this.#pending.set(key, promise);
    this.#queue.push({ segment, done: resolve });
    if (!this.#isWorking) void this.#work();
    return promise;
  }

  /** One after the other: working a clip out takes the processor, of which others need some, too. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let next = this.#queue.pop(); next; next = this.#queue.pop()) {
      await this.#read(next.segment, true).catch(() => null);
      this.#pending.delete(pathOf(next.segment, ""));
      next.done();
      await nextTurn();
    }
    this.#isWorking = false;
    this.#parts.database?.flush();
  }

  async #read(segment: Segment, remembers: boolean): Promise<void> {
    const { files, database, clock, durationOf } = this.#parts;
    const path = pathOf(segment, "");
    const stamps = await files.stamps([segment]);
    const [stamp] = stamps;
    const duration = durationOf(segment);
    const version = `${stamp?.gps?.version} ${stamp?.gsensor?.version} ${duration}`;
    const stored = database?.telemetry(path);
    let facts = stored?.stamp === version ? stored.facts : null;
    if (facts === null) {
      const { telemetryFacts } = await import("../../domain/viewer/clip_facts.ts");
      const [read] = await files.read(stamps, remembers);
      facts = read ? telemetryFacts(read, duration) : NOTHING;
      database?.putTelemetry({ path, endings: endingsOf(segment.parts), stamp: version, facts });
    }
    if (!remembers) return;
    this.#known.delete(path);
    this.#known.set(path, { parts: segment.parts, facts, lookedAt: clock.elapsed() });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
  }
}
