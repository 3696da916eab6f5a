/** Time as an argument: what reads the time, or waits, is given a clock. */
export interface Clock {
  /** Wall time in epoch milliseconds. It may jump; never subtract two of these to get a duration. */
  now(): number;
  /** Milliseconds since an arbitrary start; never goes back. For rates, durations and throttles. */
  elapsed(): number;
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
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
