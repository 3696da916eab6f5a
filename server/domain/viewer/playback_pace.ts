/** Milliseconds to measure: less says nothing of a browser that just begins. */
const MEASURED_MS = 3000;
/** Share of the wanted rate below which people see the difference. */
const ENOUGH = 0.8;
/** Rate up to which no hint is shown: people do not see the difference between fast and twice as fast. */
const PLAIN_RATE = 1;

/** Measures how fast playing really goes, while it plays. */
export class PlaybackPace {
  #last: { readonly now: number; readonly time: number } | null = null;
  #rate = 0;
  #wall = 0;
  #played = 0;

  /**
   * Takes a reading: milliseconds, and seconds on the trip's clock.
   * @returns the rate at which it really plays when that is clearly less than wanted, null when it keeps up, undefined
   * while not enough has been seen
   */
  see(now: number, time: number, rate: number): number | null | undefined {
    const before = this.#last;
    this.#last = { now, time };
    if (rate !== this.#rate) {
      this.forget();
      this.#last = { now, time };
      this.#rate = rate;
      return null;
    }
    if (before === null || rate <= PLAIN_RATE) return undefined;
    const wall = now - before.now;
    const played = time - before.time;
    // A user has jumped, or the player has passed over a time without a recording.
    if (played < 0 || played > ((wall * rate) / 1000) * 2 + 1) return undefined;
    this.#wall += wall;
    this.#played += played;
    if (this.#wall < MEASURED_MS) return undefined;
    const real = (this.#played * 1000) / this.#wall;
    this.#wall = 0;
    this.#played = 0;
    return real < rate * ENOUGH ? real : null;
  }

  /** Playing has stopped: the next play is measured anew. */
  forget(): void {
    this.#last = null;
    this.#wall = 0;
    this.#played = 0;
  }
}

/** `Playing at about 6×. The browser or the network cannot keep up with 16×.` */
export function paceInWords(real: number, rate: number): string {
  const about = real < 2 ? Math.round(real * 10) / 10 : Math.round(real);
  return `Playing at about ${about}×. The browser or the network cannot keep up with ${rate}×.`;
}
