import type { Clock } from "../../clock.ts";
import { nextTurn, Turns } from "../../turns.ts";
import { endingsOf, pathOf, type Segment } from "../library/recording_files.ts";
import type { FactsDatabase } from "./facts_database.ts";

interface Parts {
  readonly clock: Clock;
  readonly database: FactsDatabase;
  /** All clips there are, newest first. */
  readonly segments: () => Promise<Iterable<Segment>>;
  /** Reads a clip's files into the database. */
  readonly store: (segment: Segment) => Promise<void>;
  /** Cameras fill one after the other. */
  readonly turns?: Turns | undefined;
  /** Called when all that is there has been looked through. */
  readonly ended?: (() => void) | undefined;
}

/** For each millisecond of work so many of rest: a few percent of a processor. */
const REST = 25;
const SHORTEST_REST_MS = 5;
/** Number of clips that are looked up in the database at once. */
const SLICE = 200;

/** Fills the database in the background, newest clips first, so that lists and the calendar need not read files. */
export class FactsFiller {
  readonly #parts: Parts;
  #ending = new AbortController();
  #filling: Promise<void> | null = null;
  #isAskedAgain = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads what is not known yet, after a while. Never rejects. */
  start(waitMs = 0): void {
    // Facts that cannot be kept would be read from the recordings after each run again.
    if (this.#ending.signal.aborted || !this.#parts.database.isInUse) return;
    this.#isAskedAgain = this.#filling !== null;
    this.#filling ??= this.#run(waitMs).finally(() => {
      this.#filling = null;
      if (this.#isAskedAgain) this.start();
    });
  }

  /** Resolves when nothing is left to be read, or it was ended. */
  async done(): Promise<void> {
    while (this.#filling) await this.#filling;
  }

  async close(): Promise<void> {
    this.#isAskedAgain = false;
    this.#ending.abort();
    await this.done();
  }

  async #run(waitMs: number): Promise<void> {
    const { clock, turns = new Turns(1), ended } = this.#parts;
    const { signal } = this.#ending;
    try {
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      await turns.run(() => this.#fillAll(), signal);
      ended?.();
    } catch {
      // Ended, or the folder is not there now; what is not known is read when it is shown.
    }
  }

  /** @throws when it is ended, or the folder is not there */
  async #fillAll(): Promise<void> {
    const { database } = this.#parts;
    const there = new Set<string>();
    let slice: Segment[] = [];
    for (const segment of await this.#parts.segments()) {
      there.add(pathOf(segment, ""));
      slice.push(segment);
      if (slice.length < SLICE) continue;
      await this.#fill(slice);
      slice = [];
    }
    await this.#fill(slice);
    for (const _ of database.prune((path) => there.has(path))) await this.#rest(2);
    database.flush();
  }

  async #fill(slice: readonly Segment[]): Promise<void> {
    const { clock, database, store } = this.#parts;
    const began = clock.elapsed();
    const unknown = slice.filter((segment) => !this.#isKnown(segment));
    await this.#rest(clock.elapsed() - began);
    for (const segment of unknown) {
      const start = clock.elapsed();
      // Removed meanwhile, or the disk refuses.
      await store(segment).catch(() => null);
      await this.#rest(clock.elapsed() - start);
    }
    if (unknown.length > 0) database.flush();
  }

  #isKnown(segment: Segment): boolean {
    const { database } = this.#parts;
    const path = pathOf(segment, "");
    const endings = endingsOf(segment.parts);
    const { gps, gsensor } = segment.parts;
    if (database.videos(path)?.endings !== endings) return false;
    return (gps === null && gsensor === null) || database.telemetry(path)?.endings === endings;
  }

  /** @throws when it is ended */
  async #rest(workedMs: number): Promise<void> {
    await nextTurn();
    await this.#parts.clock.sleep(Math.max(SHORTEST_REST_MS, workedMs * REST), this.#ending.signal);
  }
}
