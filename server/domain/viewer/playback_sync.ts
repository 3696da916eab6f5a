/** Cameras of one moment are one picture: how a player is kept at the time of the one that leads. */

/** The player whose time counts. */
export interface Leading {
  /** Seconds. */
  readonly time: number;
  readonly rate: number;
  /** `waiting`: it is to play, but the data of a camera has not come yet. */
  readonly state: "running" | "waiting" | "paused";
}

/** A player that is to be at the same time. */
export interface Following {
  readonly time: number;
  /** Length of its own video, which may be shorter; not a number until known. */
  readonly length: number;
  /** It is seeking, or its data has not come yet. */
  readonly isBusy: boolean;
}

export type Correction =
  /** Leave it alone; who leads waits for it. */
  | { readonly kind: "leave" }
  /** Its video is over; the last frame stays. */
  | { readonly kind: "rest" }
  /** Stand still. */
  | { readonly kind: "hold" }
  | { readonly kind: "run"; readonly rate: number }
  | { readonly kind: "seek"; readonly to: number };

/** Further apart than this, at the usual rate, eyes see it, and only a seek helps. */
const MOST_DRIFT_SECONDS = 0.15;
/** Less than a frame: as good as together. */
const TOGETHER_SECONDS = 0.02;
/** Most by which a player may run faster or slower to catch up: people do not see a tenth. */
const MOST_NUDGE = 0.1;

/**
 * Seconds by which players may be apart without a seek. At four times the rate, the same delay makes players four times as
 * far apart, and a seek takes as long as ever.
 */
export function mostDrift(rate: number): number {
  return MOST_DRIFT_SECONDS * Math.max(1, rate);
}

/**
 * Returns the correction that brings a following player to the leading one's time, with as little disturbance as
 * possible.
 */
export function correctionOf(leading: Leading, { time, length, isBusy }: Following): Correction {
  if (leading.time >= length) return { kind: "rest" };
  if (isBusy) return { kind: "leave" };
  const drift = time - leading.time;
  const isSettled = leading.state === "paused";
  const most = isSettled ? TOGETHER_SECONDS : mostDrift(leading.rate);
  if (Math.abs(drift) > most) return { kind: "seek", to: leading.time };
  if (leading.state !== "running") return { kind: "hold" };
  if (Math.abs(drift) <= TOGETHER_SECONDS) return { kind: "run", rate: leading.rate };
  const nudge = Math.max(-MOST_NUDGE, Math.min(MOST_NUDGE, drift));
  // Whole hundredths: a rate that changes with every frame is one more thing for the browser to do.
  return { kind: "run", rate: Math.round(leading.rate * (1 - nudge) * 100) / 100 };
}
