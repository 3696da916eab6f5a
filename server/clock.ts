import { uptime } from "node:os";

/** Time as an argument: what reads the time, or waits, is given a clock. */
export interface Clock {
  /** Wall time in epoch milliseconds. It may jump; never subtract two of these to get a duration. */
  now(): number;
  /** Milliseconds since an arbitrary start; never goes back. For rates, durations and throttles. */
  elapsed(): number;
  /**
   * Time like `elapsed`, from another start, and going on while the machine sleeps; left out where that is not known.
   */
  uptime?(): number;
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  uptime: () => uptime() * 1000,
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      signal?.addEventListener("abort", stop, { once: true });
    });
  },
};

/** Milliseconds since an arbitrary start, which setting the clock does not change. */
export function steadyTime(clock: Clock): number {
  return clock.uptime?.() ?? clock.elapsed();
}

/** Resolves when the work has ended or the time is over; the work goes on then. */
export async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const late = clock.sleep(ms, over.signal).catch(() => {});
  await Promise.race([work, late]);
  over.abort();
}
