import type { Pace } from "./expected_sizes.ts";
import { TransferRate } from "./transfer_rate.ts";

/** One companion that took longer was waited for, which says nothing about the others. */
const MOST_COMPANION_MS = 5000;
/** A camera sends its first bytes from a buffer: less time than this gives no rate to go by. */
const FIRST_MS = 1000;
/** Milliseconds in which the rate of the last runs is the better one. */
const SETTLING_MS = 4000;
/** Less time with videos than this tells nothing about the next run. */
const TELLING_MS = 1000;

/**
 * Speed of videos, and time for companions, each measured by the time that went to its own kind. In a phase of many
 * small files the camera is asked more than it sends. That says nothing about the time that videos will take.
 */
export class TransferPace {
  readonly #rate = new TransferRate(0);
  #videoMs = 0;
  #videoBytes = 0;
  #companionMs = 0;
  #companions = 0;
  #isVideo: boolean | null = null;
  #at = 0;
  /** Time at which the current file began, and what of it has come since. */
  #since = 0;
  #fileBytes = 0;
  readonly #rates: number[] = [];

  /** A file begins, and the one before it has ended. `at`: milliseconds on a clock that never goes back. */
  began(isVideo: boolean, at: number): void {
    this.#advance(at);
    if (this.#isVideo === false) {
      this.#companions++;
      this.#companionMs += Math.min(at - this.#since, MOST_COMPANION_MS);
    }
    this.#endVideo(at);
    this.#isVideo = isVideo;
    this.#since = at;
  }

  /** The last file has ended, and none begins. */
  ended(at: number): void {
    this.#advance(at);
    this.#endVideo(at);
    this.#isVideo = null;
  }

  /** Bytes per second at which each video came that has ended, in order. */
  get rates(): readonly number[] {
    return this.#rates;
  }

  chunk(bytes: number): void {
    if (!this.#isVideo) return;
    this.#rate.add(bytes);
    this.#videoBytes += bytes;
    this.#fileBytes += bytes;
  }

  /**
   * Returns the videos' speed at present; null before there is something to go by.
   * @param before speed in the last runs; null when nothing is known of them
   */
  bytesPerSecond(at: number, before: number | null): number | null {
    this.#advance(at);
    const now = this.#rate.read(this.#videoMs);
    const isEarly = this.#videoBytes === 0 || this.#videoMs < (before === null ? FIRST_MS : SETTLING_MS);
    return isEarly ? before : now;
  }

  /** Seconds for one companion; null before one has ended. */
  get companionSeconds(): number | null {
    return this.#companions === 0 ? null : this.#companionMs / this.#companions / 1000;
  }

  /** Pace of the whole run, for the next one; null when too little came. */
  get mean(): Pace | null {
    if (this.#videoMs < TELLING_MS || this.#videoBytes === 0) return null;
    return {
      bytesPerSecond: (this.#videoBytes * 1000) / this.#videoMs,
      companionSeconds: this.companionSeconds,
    };
  }

  #endVideo(at: number): void {
    const passed = at - this.#since;
    if (this.#isVideo && this.#fileBytes > 0 && passed > 0) this.#rates.push((this.#fileBytes * 1000) / passed);
    this.#fileBytes = 0;
  }

  #advance(at: number): void {
    const passed = at - this.#at;
    this.#at = at;
    if (this.#isVideo) this.#videoMs += passed;
  }
}
