/** The fate of a recording. `unknown`: the folder that may hold it cannot be read. */
export const RECORDING_STATES = [
  "home",
  "coming",
  "left_out",
  "lost",
  "deleted",
  "trash",
  "damaged",
  "unknown",
] as const;
export type RecordingState = (typeof RECORDING_STATES)[number];

/** Causes of a loss, in the order in which they count when several fit; without one that fits it is `unknown`. */
export const LOSS_CAUSES = ["failing", "disk", "paused", "rate", "short_visit", "away", "unknown"] as const;
export type LossCause = (typeof LOSS_CAUSES)[number];

/**
 * Causes of a deletion: a rule for age or room, by hand, outside of this program, or with the card that was formatted.
 */
export const LEAVING_CAUSES = ["age", "room", "hand", "outside", "formatted"] as const;
export type LeavingCause = (typeof LEAVING_CAUSES)[number];

/**
 * Causes that a recording that is to come has not come yet, where one is known: it lies on a card that is not in the
 * camera.
 */
const WAITING_CAUSES = ["other_card"] as const;

export const STATE_CAUSES = [...LOSS_CAUSES, ...LEAVING_CAUSES, ...WAITING_CAUSES] as const;
export type StateCause = (typeof STATE_CAUSES)[number];

/** Rules that leave a recording on the camera: its age, its type or direction, or a user who does not need it. */
export const LEFT_OUT_RULES = ["retention", "selection", "unwanted"] as const;
export type LeftOutRule = (typeof LEFT_OUT_RULES)[number];

/** Answers to the question what has become of the card. */
export const CARD_ANSWERS = ["formatted", "other_card", "lost"] as const;
export type CardAnswer = (typeof CARD_ANSWERS)[number];
