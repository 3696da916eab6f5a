import { USUAL_FRAME_SECONDS } from "./frames.ts";

/** A step of unknown length is looked for in parts of this length: no dashcam films more pictures a second. */
const PROBE_SECONDS = 1 / 60;
/** Two times closer than this are those of one picture. */
const SAME_SECONDS = 0.001;
/** A picture seen farther than this from the video's time belongs to before a seek. */
const NEAR_SECONDS = 0.25;
/** Pictures farther apart are no neighbours. */
const LONGEST_FRAME_SECONDS = 0.2;

/** A step under way: from a time of the video, so many pictures on or back, by a seek to its target. */
interface Step {
  readonly from: number;
  readonly by: number;
  target: number;
}

/** Goes to the picture before or after the one that is seen, however long a picture of this video lasts. */
export class FrameSteps {
  /** Seconds from one picture to the next; a usual length until it was measured. */
  length: number = USUAL_FRAME_SECONDS;
  #isMeasured = false;
  /** Beginning of the picture that is seen, in seconds of its video; null while that is not known. */
  #seenAt: number | null = null;
  /** Time that the last step sought: the picture seen there was found by it, however far it begins before that. */
  #sought: number = Number.NaN;
  #step: Step | null = null;

  /** Another video leads: nothing of it has been seen yet. */
  forget(): void {
    this.#seenAt = null;
    this.#step = null;
    this.#sought = Number.NaN;
  }

  /**
   * A picture of the leading video is seen.
   * @param at its time in the video; null for the same one as before
   * @param between seconds since the one before it, where none was left out
   * @param isSeeking a seek is under way: the picture may be of before it, or of another seek before that
   * @returns where to seek because the wanted picture has not been reached, or null
   */
  seen(at: number | null, between: number | null, isSeeking = false): number | null {
    if (between !== null) this.#measured(between);
    this.#seenAt = at ?? this.#seenAt;
    const step = this.#step;
    if (step === null) return null;
    if (at === null || !isReached(step, at)) return isSeeking ? null : this.#farther(step);
    if (Math.abs(step.by) === 1 && !this.#isMeasured) this.#measured(Math.abs(at - step.from));
    this.#step = null;
    return null;
  }

  /** The video is sent somewhere: what else than a step sends it ends the step. */
  sent(to: number): void {
    if (this.#step?.target !== to) this.#step = null;
  }

  /** @param now seconds at which the video is @returns where the picture lies that is so many on (or back) */
  wanted(by: number, now: number): number {
    const step = this.#step;
    // The picture of the step before is still on its way.
    if (step !== null && Math.sign(step.by) === Math.sign(by)) return this.#farther(step);
    const isNear = Math.abs((this.#seenAt ?? now) - now) < NEAR_SECONDS || Math.abs(this.#sought - now) < SAME_SECONDS;
    const from = isNear ? (this.#seenAt ?? now) : now;
    // Into the middle of a picture: its beginning is often rounded to the one before.
    const target =
      by > 0 && !this.#isMeasured ? from + by * PROBE_SECONDS * 1.05 : from + by * this.length + this.length / 2;
    this.#step = { from, by, target };
    this.#sought = target;
    return target;
  }

  #farther(step: Step): number {
    const gone = Math.abs(step.target - step.from);
    // Films of key frames have seconds between two pictures.
    const part = gone > LONGEST_FRAME_SECONDS ? gone / 2 : this.#isMeasured ? this.length : PROBE_SECONDS;
    step.target += Math.sign(step.by) * part;
    this.#sought = step.target;
    return step.target;
  }

  #measured(seconds: number): void {
    if (seconds <= SAME_SECONDS || seconds > LONGEST_FRAME_SECONDS) return;
    this.length = seconds;
    this.#isMeasured = true;
  }
}

/** True when a picture that begins at this time is another one than where the step began, and no later than it wanted. */
function isReached({ from, by, target }: Step, at: number): boolean {
  return at <= target + SAME_SECONDS && (by > 0 ? at > from + SAME_SECONDS : at < from - SAME_SECONDS);
}
