import type * as v from "valibot";
import type { SNAPSHOT } from "./job_schema.ts";

/** Reason why the time left is longer than it was. */
export type LongerReason = NonNullable<v.InferOutput<typeof SNAPSHOT>["eta_grew"]>;

/** Least growth of an estimate before it is shown: by a quarter, and by some seconds. */
const LONGER_BY = 1.25;
const LONGER_SECONDS = 5;
/** Milliseconds that it must stay longer: a camera pauses between two files. */
const LONGER_MS = 4000;
/** Growth of the bytes to come that means more to download, and not a slower camera. */
const MORE_BY = 1.02;

/**
 * The time left as it is shown: it falls or stands still. It grows only when the estimate has been longer for a while, and
 * then with the reason, which stays until the time has fallen below what it was.
 */
export class TimeLeft {
  #shown: number | null = null;
  /** Bytes that were to come when the shown time was found. */
  #bytes = 0;
  #longerSince: number | null = null;
  #grew: { readonly from: number; readonly reason: LongerReason } | null = null;

  /** Reason why it is longer than it was; null while it is not. */
  get grew(): LongerReason | null {
    return this.#grew?.reason ?? null;
  }

  /**
   * Takes an estimate, null while there is none; returns what to show.
   * @param bytes that are still to come
   * @param at milliseconds on a clock that never goes back
   */
  take(seconds: number | null, bytes: number, at: number): number | null {
    if (seconds === null) {
      this.#longerSince = null;
      return null;
    }
    const shown = this.#shown;
    if (shown === null || seconds <= shown) return this.#show(seconds, bytes);
    const isLonger = seconds > shown * LONGER_BY && seconds > shown + LONGER_SECONDS;
    if (!isLonger) this.#longerSince = null;
    else this.#longerSince ??= at;
    if (this.#longerSince === null || at - this.#longerSince < LONGER_MS) return shown;
    const reason = bytes > this.#bytes * MORE_BY ? "more" : "slower";
    this.#grew = { from: this.#grew?.from ?? shown, reason };
    return this.#show(seconds, bytes);
  }

  #show(seconds: number, bytes: number): number {
    [this.#shown, this.#bytes, this.#longerSince] = [seconds, bytes, null];
    if (this.#grew !== null && seconds <= this.#grew.from) this.#grew = null;
    return seconds;
  }
}

/** Sentences for the reasons why the time left has grown. */
export const LONGER_WORDS: Readonly<Record<LongerReason, string>> = {
  slower: "The time left grew: the camera sends more slowly.",
  more: "The time left grew: there is more to download.",
};
