import type { Clock } from "../../clock.ts";
import type { ReadingPace } from "../../store/destination/file_digest.ts";

/** Limits of reading beside other work. */
export interface PaceLimits {
  /** Share of one core, 0 to 1. */
  readonly share: number;
  readonly bytesPerSecond: number;
}

/** The scrub: with what the system takes for reading, a quarter of one core; and 20 MB a second. */
export const SCRUB_LIMITS: PaceLimits = { share: 0.2, bytesPerSecond: 20_000_000 };
/** A check that a user waits for: pages still come at once. */
export const CHECK_LIMITS: PaceLimits = { share: 0.5, bytesPerSecond: Number.POSITIVE_INFINITY };
/** A command that does nothing else. */
export const NO_LIMITS: PaceLimits = { share: 1, bytesPerSecond: Number.POSITIVE_INFINITY };

/** Beside a transfer: a link that is slower than this machine leaves it free, a faster one is not to be held up. */
const FREE_LIMITS: PaceLimits = { share: 0.25, bytesPerSecond: Number.POSITIVE_INFINITY };
const BUSY_LIMITS: PaceLimits = { share: 0.01, bytesPerSecond: Number.POSITIVE_INFINITY };
/** Share of one core that this process takes for all else, from which on it is busy. */
const BUSY_FROM = 0.4;
/** Time over which that is measured. */
const MEASURED_MS = 250;

/** Opening and closing a file takes about so long, beside its bytes. */
export const FILE_MS = 0.2;
/** Shorter waits are put together: a timer has its price, too. */
const LEAST_WAIT_MS = 4;
/** Longest time with no turn for anything else. */
const TURN_MS = 8;

/** Other work went on for longer than a file is held open for it. */
export class ReadingHeldUp extends Error {
  override name = "ReadingHeldUp";
}

/** Time between two looks at the other work, and the longest time that a file is held open for it. */
const LOOK_MS = 1000;
const MOST_HELD_MS = 600_000;

/** Keeps reading below its limits, and gives others their turn. */
export class LimitedPace implements ReadingPace {
  readonly #clock: Clock;
  readonly #limits: () => PaceLimits;
  readonly #isHeld: () => boolean;
  readonly #signal: AbortSignal;
  /** Time that has to go by before more is read. */
  #owed = 0;
  #held = 0;

  /**
   * @param limits asked after each piece
   * @param isHeld true while other work goes on, for which reading waits
   */
  constructor(clock: Clock, limits: () => PaceLimits, signal: AbortSignal, isHeld: () => boolean = () => false) {
    this.#clock = clock;
    this.#limits = limits;
    this.#signal = signal;
    this.#isHeld = isHeld;
  }

  elapsed(): number {
    return this.#clock.elapsed();
  }

  after(bytes: number, busyMs: number): Promise<void> | undefined {
    this.#signal.throwIfAborted();
    if (this.#isHeld()) return this.#heldOpen();
    const { share, bytesPerSecond } = this.#limits();
    this.#held += busyMs;
    this.#owed += Math.max(busyMs / share, (bytes / bytesPerSecond) * 1000) - busyMs;
    if (this.#owed >= LEAST_WAIT_MS) return this.#wait();
    return this.#held < TURN_MS ? undefined : this.#giveWay();
  }

  /** Waits, between two files, until the other work has ended. @throws the signal's reason */
  async free(): Promise<void> {
    while (this.#isHeld()) await this.#clock.sleep(LOOK_MS, this.#signal);
  }

  /** The same in the middle of a file. @throws ReadingHeldUp */
  async #heldOpen(): Promise<void> {
    for (let waited = 0; this.#isHeld(); waited += LOOK_MS) {
      if (waited >= MOST_HELD_MS) throw new ReadingHeldUp("A file was held open for too long");
      await this.#clock.sleep(LOOK_MS, this.#signal);
    }
    this.#owed = 0;
  }

  /** Sleeps as long as is owed; a timer that was late has paid for more. */
  async #wait(): Promise<void> {
    const before = this.#clock.elapsed();
    await this.#clock.sleep(this.#owed, this.#signal);
    this.#owed = Math.max(-LEAST_WAIT_MS, this.#owed - (this.#clock.elapsed() - before));
    this.#held = 0;
  }

  async #giveWay(): Promise<void> {
    this.#held = 0;
    await new Promise(setImmediate);
  }
}

/** Tells how much may be read beside a transfer, by what the process takes for that. */
export class BesideTransfer {
  readonly #clock: Clock;
  readonly #cpuMs: () => number;
  #since: { readonly at: number; readonly cpu: number };
  #limits = BUSY_LIMITS;

  /** @param cpuMs time on all cores that this process has used */
  constructor(clock: Clock, cpuMs: () => number = usedByProcess) {
    this.#clock = clock;
    this.#cpuMs = cpuMs;
    this.#since = { at: clock.elapsed(), cpu: cpuMs() };
  }

  get limits(): PaceLimits {
    const at = this.#clock.elapsed();
    const took = at - this.#since.at;
    if (took < MEASURED_MS) return this.#limits;
    const cpu = this.#cpuMs();
    const others = (cpu - this.#since.cpu) / took - this.#limits.share;
    this.#limits = others < BUSY_FROM ? FREE_LIMITS : BUSY_LIMITS;
    this.#since = { at, cpu };
    return this.#limits;
  }
}

function usedByProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
