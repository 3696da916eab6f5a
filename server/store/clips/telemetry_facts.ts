import type { Clock } from "../../clock.ts";
import type { TelemetryFacts } from "../../domain/viewer/clip_facts.ts";
import { nextTurn } from "../../turns.ts";
import { endingsOf, pathOf, type Segment, type SegmentParts } from "../library/recording_files.ts";
import { SegmentFacts } from "./background_reader.ts";
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
  startUtc: null,
};
/** Clips remembered, in some five megabytes. */
const MOST_KNOWN = 10_000;
/** Sums up the telemetry of clips, read when a list shows them and kept while the files stay as they are. */
export class TelemetryFactsReader {
  readonly #parts: Parts;
  readonly #facts: SegmentFacts<Known>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#facts = new SegmentFacts({
      clock: parts.clock,
      // One after the other: working a clip out takes the processor, of which others need some, too.
      width: 1,
      mostKnown: MOST_KNOWN,
      read: async (segment) => {
        await this.#read(segment, true).catch(() => {});
        await nextTurn();
      },
      ended: () => parts.database?.flush(),
    });
  }

  /** Returns the facts known of a clip right now; null when there are none. */
  of(segment: Segment): TelemetryFacts | null {
    return this.#hasTelemetry(segment) ? (this.#facts.of(segment)?.facts ?? null) : NOTHING;
  }

  /** Reads those not known yet; resolves when all are or the time is over; the rest goes on in the background. */
  learn(segments: readonly Segment[], budgetMs: number): Promise<void> {
    return this.#facts.learn(
      segments.filter((segment) => this.#hasTelemetry(segment)),
      budgetMs,
    );
  }

  /** Reads a clip's facts into the database, and leaves nothing of it in memory. */
  async store(segment: Segment): Promise<void> {
    await this.#read(segment, false);
  }

  /** Leaves the clips that are still to be read. */
  close(): void {
    this.#facts.close();
  }

  #hasTelemetry(segment: Segment): boolean {
    const { gps, gsensor } = segment.parts;
    return gps !== null || gsensor !== null || this.#parts.hasEmbedded(segment);
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
    if (remembers) this.#facts.remember(segment, { parts: segment.parts, facts, lookedAt: clock.elapsed() });
  }
}
