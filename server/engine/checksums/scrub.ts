import { messageOf } from "../../log.ts";
import { SumsUnusable } from "../../store/destination/sums.ts";
import { whenAsked } from "../../when_asked.ts";
import type { ScrubParts } from "./scrub_parts.ts";

const LOGGER = "checksums";
/** The start, and the first pages, have the disk to themselves. */
const FIRST_MS = 60_000;
/** Between two looks in memory at what is due. */
const LOOK_MS = 60_000;
const DAY_MS = 86_400_000;
/** Time after which a disk that refused checksums is tried again. */
const REFUSED_MS = 3_600_000;

/**
 * Reads every file of the recordings again once in so many days, in the background: those first that were read longest
 * ago, and before them those whose checksums were never taken. It goes on where it was, also after a restart. While
 * nothing is due, the disk is left alone.
 */
export class Scrub {
  readonly #parts: ScrubParts;
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;
  /** The library, and the file of checksums, as they were when all files had some; empty before. */
  #completeAt = "";
  /** Wall time at which the next file is due; 0 while that is not known. */
  #dueAt = 0;
  #daysThen = 0;
  /** On the clock that never jumps: what cannot be written down is not read before then. */
  #notBefore = 0;
  /** Loaded when there is something to read. */
  readonly #reading = whenAsked(async () => {
    const { ScrubReading } = await import("./scrub_reading.ts");
    return new ScrubReading(this.#parts);
  });

  constructor(parts: ScrubParts) {
    this.#parts = parts;
  }

  start(): void {
    const { signal } = this.#closing;
    const look = async () => {
      await this.#parts.clock.sleep(FIRST_MS, signal);
      for (;;) {
        await this.#look(signal);
        await this.#parts.clock.sleep(LOOK_MS, signal);
      }
    };
    this.#running ??= look().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  /** Another text when recordings have come or gone, or a damaged file of checksums was begun anew. */
  get #stand(): string {
    const { library, checksums } = this.#parts;
    return `${library.version} ${checksums.trouble ?? ""}`;
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { clock, log, library, days, isHere, isBusy, checksums, during } = this.#parts;
    if (isBusy() || checksums.isTaking || !library.available) return;
    if (clock.elapsed() < this.#notBefore) return;
    if (days() !== this.#daysThen) this.#dueAt = 0;
    this.#daysThen = days();
    // A clock that was set back says nothing about what is due.
    const isAhead = this.#dueAt > clock.now() + days() * DAY_MS;
    const isDue = days() > 0 && (clock.now() >= this.#dueAt || isAhead);
    // Only now: what asks the disk each minute keeps it from sleeping.
    if ((this.#stand === this.#completeAt && !isDue) || !isHere()) return;
    if (this.#isEmpty) {
      this.#completeAt = this.#stand;
      this.#dueAt = clock.now() + DAY_MS;
      return;
    }
    try {
      await during(() => this.#round(signal));
    } catch (error) {
      if (signal.aborted) throw error;
      // It was said already.
      if (error instanceof SumsUnusable) this.#notBefore = clock.elapsed() + (error.isBusy ? 0 : REFUSED_MS);
      else log.warning(LOGGER, `Recordings were not read: ${messageOf(error)}`);
    } finally {
      await checksums.rest();
      if (checksums.sums.isRefused) this.#notBefore = clock.elapsed() + REFUSED_MS;
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { checksums, refusal, days } = this.#parts;
    if ((await refusal()) !== null) return;
    // Damage that another program has found.
    checksums.refresh();
    const stand = this.#stand;
    const reading = await this.#reading();
    if (!(await reading.readLacking(signal))) return;
    this.#completeAt = stand;
    if (days() > 0) this.#dueAt = await reading.readDue(signal, this.#dueAt);
  }

  /** True when no file is at home, and none ever was. */
  get #isEmpty(): boolean {
    const { library, checksums } = this.#parts;
    for (const { moments } of library.folderContents) if (moments.size > 0) return false;
    return !checksums.exist;
  }
}
