/** A list that the camera has sent, against the recordings that its card is known to hold. */
export interface ListComparison {
  /** Number of recordings that the card is known to hold. */
  readonly before: number;
  readonly now: number;
  /** Number of those that are in both. */
  readonly kept: number;
  /** Number of those now that are known of another card. */
  readonly ofOtherCard: number;
  /** Number of those now that are known of this card, and were missing before. */
  readonly back: number;
  /** Something in it was never seen, and is older than the newest that the card is known to hold. */
  readonly hasOlder: boolean;
  /** A line of it is no recording, and the newest that was known is not in it: it may be cut off. */
  readonly isCut: boolean;
}

/**
 * `good`: what it lacks is not on the card any more. `suspect`: nothing follows from what it lacks. `returned`: it is of
 * a card that was in the camera before. `formatted` and `other_card`: the card was formatted, or is another one.
 */
export type ListVerdict = "good" | "suspect" | "returned" | "formatted" | "other_card";

/** A list of less than this part of what the card held, with none of it, is of an emptied card. */
const EMPTIED = 0.8;
/** A list of less than this part, with some of it, is cut short. */
const SHORT = 0.5;

/**
 * Judges a list. A camera records over its oldest recordings, so that its card stays full: a much shorter list is cut
 * short, or of a card that was emptied. Recordings that are all others, and some of them older than those that were
 * there, are of another card.
 */
export function verdictOf(list: ListComparison): ListVerdict {
  const { before, now, kept, ofOtherCard, back, hasOlder, isCut } = list;
  if (now === 0 || isCut) return "suspect";
  if (before === 0) return ofOtherCard > 0 ? "returned" : "good";
  if (kept > 0) return now < before * SHORT ? "suspect" : "good";
  if (ofOtherCard > 0) return "returned";
  if (back > 0) return "good";
  if (hasOlder) return "other_card";
  return now < before * EMPTIED ? "formatted" : "good";
}
