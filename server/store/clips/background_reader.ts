import { type Clock, within } from "../../clock.ts";
import { pathOf, type Segment, type SegmentParts } from "../library/recording_files.ts";

interface ReaderParts<Item> {
  /** Number of items that are read at once. */
  readonly width: number;
  /** Never rejects. */
  readonly read: (item: Item) => Promise<void>;
  /** Called when nothing is left to be read. */
  readonly ended?: () => void;
}

/** Reads items in the background. The one that was added last is read first: a page waits for it. */
export class BackgroundReader<Item extends object> {
  readonly #parts: ReaderParts<Item>;
  #queue: Item[] = [];
  #working = 0;
  #end: PromiseWithResolvers<void> | null = null;

  constructor(parts: ReaderParts<Item>) {
    this.#parts = parts;
  }

  get isBusy(): boolean {
    return this.#working > 0 || this.#queue.length > 0;
  }

  /** Puts an item in front of all others; it is read after the next `start`. */
  add(item: Item): void {
    this.#queue.push(item);
  }

  start(): void {
    while (this.#working < this.#parts.width && this.#queue.length > 0) void this.#work();
  }

  /** Resolves when nothing is left to be read. */
  async done(): Promise<void> {
    if (!this.isBusy) return;
    this.#end ??= Promise.withResolvers();
    await this.#end.promise;
  }

  /** Leaves the items that are still to be read. */
  takeAll(): readonly Item[] {
    const left = this.#queue;
    this.#queue = [];
    return left;
  }

  async #work(): Promise<void> {
    this.#working++;
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) await this.#parts.read(next);
    this.#working--;
    if (this.#working > 0) return;
    this.#parts.ended?.();
    this.#end?.resolve();
    this.#end = null;
  }
}

/** Facts of a segment that are in memory. */
interface Looked {
  /** Parts that the segment had then. */
  readonly parts: SegmentParts;
  /** Time of the look, on the clock that never jumps. */
  readonly lookedAt: number;
}

interface SegmentFactsParts {
  readonly clock: Clock;
  readonly width: number;
  /** Segments that are remembered; the oldest are forgotten. */
  readonly mostKnown: number;
  /** Reads a segment's files, and calls `remember`. */
  readonly read: (segment: Segment) => Promise<void>;
  readonly ended?: () => void;
}

/** Files do not change in place, but a person may replace one. */
const LOOK_AGAIN_MS = 30_000;

/** Facts about the files of segments, read when a list shows them and remembered while the files stay as they are. */
export class SegmentFacts<Known extends Looked> {
  readonly #clock: Clock;
  readonly #mostKnown: number;
  readonly #known = new Map<string, Known>();
  readonly #pending = new Map<string, Promise<void>>();
  readonly #reader: BackgroundReader<{ readonly segment: Segment; readonly done: () => void }>;
  #isClosed = false;

  constructor({ clock, width, mostKnown, read, ended }: SegmentFactsParts) {
    this.#clock = clock;
    this.#mostKnown = mostKnown;
    this.#reader = new BackgroundReader({
      width,
      ...(ended && { ended }),
      read: async ({ segment, done }) => {
        const key = pathOf(segment, "");
        // Removed, or the disk refuses: it stays unknown, and the next call tries again.
        await read(segment).catch(() => this.#known.delete(key));
        this.#pending.delete(key);
        done();
      },
    });
  }

  /** Returns the facts that are known of a segment right now, as long as it has the same parts. */
  of(segment: Segment): Known | null {
    const known = this.latest(segment);
    return known?.parts === segment.parts ? known : null;
  }

  /** Returns the facts that were read last, whatever has become of the files. */
  latest(segment: Segment): Known | null {
    return this.#known.get(pathOf(segment, "")) ?? null;
  }

  remember(segment: Segment, known: Known): void {
    const key = pathOf(segment, "");
    this.#known.delete(key);
    this.#known.set(key, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#mostKnown) break;
      this.#known.delete(oldest);
    }
  }

  /** Reads those not known yet; resolves when all are or the time is over; the rest goes on in the background. */
  async learn(segments: readonly Segment[], budgetMs: number): Promise<void> {
    const oldest = this.#clock.elapsed() - LOOK_AGAIN_MS;
    const looks: Promise<void>[] = [];
    // Backwards, so that the first is the last in.
    for (const segment of segments.toReversed()) {
      const known = this.of(segment);
      if (known === null) looks.push(this.#look(segment));
      else if (known.lookedAt < oldest) void this.#look(segment);
    }
    if (looks.length > 0) await within(this.#clock, budgetMs, Promise.all(looks));
  }

  /** Leaves the segments that are still to be read. */
  close(): void {
    this.#isClosed = true;
    for (const { done } of this.#reader.takeAll()) done();
    this.#pending.clear();
  }

  #look(segment: Segment): Promise<void> {
    const key = pathOf(segment, "");
    const pending = this.#pending.get(key);
    if (pending) return pending;
    if (this.#isClosed) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pending.set(key, promise);
    this.#reader.add({ segment, done: resolve });
    this.#reader.start();
    return promise;
  }
}
