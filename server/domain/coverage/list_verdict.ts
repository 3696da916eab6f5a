/** A list that the camera has sent, against the recordings that its card is known to hold. */
export interface ListComparison {
  /** Number of recordings that the card is known to hold. */
  readonly known: number;
  /** Length of its last good list; null before the first. */
  readonly before: number | null;
  readonly now: number;
  /** Number of those that are known and in it. */
  readonly kept: number;
  /** Number of those now that are known of another card. */
  readonly ofOtherCard: number;
  /** Number of those now that are known of this card, and were missing before. */
  readonly back: number;
  /** Something in it was never seen, and is older than the newest that the card is known to hold. */
  readonly hasOlder: boolean;
  /** It lacks something, and has more lines that are no recordings than lists had before. */
  readonly isOdd: boolean;
  /** It ends before the newest that the card is known to hold, of which no camera records over. */
  readonly endsBefore: boolean;
  /** Number of short lists in a row before it. */
  readonly shortLists: number;
}

/**
 * `good`: what it lacks is not on the card any more. `suspect`: nothing follows from what it lacks; so does nothing from
 * one that is `short`. `returned`: it is of a card that was in the camera before. `same_card`: so it is, and what was
 * taken for another card is the same one. `formatted` and `other_card`: the card was formatted, or is another one.
 */
export type ListVerdict = "good" | "suspect" | "short" | "returned" | "same_card" | "formatted" | "other_card";

/** A list of less than this part of the one before, with none of it, is of an emptied card. */
const EMPTIED = 0.8;
/** A list of less than this part, with some of it, is cut short. */
const SHORT = 0.5;
/** So many short lists in a row are no accident. */
const MOST_SHORT = 3;

/**
 * Judges a list. A camera records over its oldest recordings, so that its card stays full and has the newest: a list that
 * is much shorter, or ends earlier, is cut short, or of a card that was emptied. Recordings that are all others, and some
 * of them older than those that were there, are of another card.
 */
export function verdictOf(list: ListComparison): ListVerdict {
  const { known, now, kept, ofOtherCard, back, hasOlder, isOdd, endsBefore, shortLists } = list;
  const before = list.before ?? known;
  if (now === 0 || isOdd) return "suspect";
  if (ofOtherCard > 0) return kept > 0 ? "same_card" : "returned";
  if (known === 0) return "good";
  const isShort = now < before * SHORT;
  if (kept > 0 && isShort) return shortLists + 1 < MOST_SHORT ? "short" : "formatted";
  if (kept > 0) return endsBefore ? "suspect" : "good";
  if (back > 0) return "good";
  if (hasOlder) return "other_card";
  return now < before * EMPTIED ? "formatted" : "good";
}
