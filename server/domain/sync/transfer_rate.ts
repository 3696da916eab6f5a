/** Time until a change of speed shows fully in the displayed rate. */
const SMOOTHING_MS = 3000;

/** Bytes per second, smoothed over a few seconds, from timestamped byte counts. */
export class TransferRate {
  #started: number;
  #at: number;
  #pending = 0;
  #total = 0;
  #rate = 0;

  /** @param at milliseconds on a clock that never goes back */
  constructor(at: number) {
    this.#started = at;
    this.#at = at;
  }

  add(bytes: number): void {
    this.#pending += bytes;
    this.#total += bytes;
  }

  /** The rate at `at`; call it at the display's pace, each call closes one sample. */
  read(at: number): number {
    const passed = at - this.#at;
    if (passed < 1) return this.#rate;
    const sample = (this.#pending * 1000) / passed;
    const age = at - this.#started;
    // The plain average is the better estimate until the window is full.
    this.#rate =
      age < SMOOTHING_MS
        ? (this.#total * 1000) / age
        : this.#rate + (sample - this.#rate) * (1 - Math.exp(-passed / SMOOTHING_MS));
    this.#at = at;
    this.#pending = 0;
    return this.#rate;
  }
}
