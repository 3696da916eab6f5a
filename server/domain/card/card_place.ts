import type { ListedStanding } from "../sync/recording_counter.ts";
import { type CardParts, LEFT_ON_CARD, type LeftOnCard } from "./safe_to_format.ts";

/** Part of the card that a listed recording belongs to. */
export type CardPlace = Exclude<keyof CardParts, "left_out"> | LeftOnCard;

/** In the order in which they are shown. */
export const CARD_PLACES = [
  "home",
  "not_checked",
  "coming",
  "unreadable",
  "unknown",
  ...LEFT_ON_CARD,
] as const satisfies readonly CardPlace[];

/** Facts about a listed recording beside its standing. */
export interface PlaceFacts {
  /** The checksums of its video and the files beside it were taken. */
  readonly isChecked: boolean;
  /** A file of it that is at home is known to be damaged. */
  readonly isDamaged: boolean;
  /** The camera could not deliver it the last time. */
  readonly isFailing: boolean;
  /** The camera answered that it has no byte. */
  readonly isEmpty: boolean;
  /** A user does not wait for it any more. */
  readonly isGivenUp: boolean;
}

/** Finds the part of the card that a recording belongs to; null for an empty one, which has nothing to lose. */
export function placeOf(standing: ListedStanding, facts: PlaceFacts): CardPlace | null {
  switch (standing) {
    case "gone":
      // A recording that the camera lists but does not have was overwritten since, or cannot be read.
      return facts.isEmpty ? null : toCome({ ...facts, isFailing: true });
    case "home":
      if (facts.isDamaged) return toCome(facts);
      return facts.isChecked ? "home" : "not_checked";
    case "waiting":
      return toCome(facts);
    case "growing":
      return "coming";
    default:
      return standing;
  }
}

/** Files that can be read again come, also after they were given up. */
function toCome({ isFailing, isGivenUp }: PlaceFacts): CardPlace {
  if (!isFailing) return "coming";
  return isGivenUp ? "given_up" : "unreadable";
}

/** @param counts by place; what is left out counts as none */
export function partsOf(counts: Readonly<Partial<Record<CardPlace, number>>>): CardParts {
  const of = (place: CardPlace) => counts[place] ?? 0;
  return {
    home: of("home"),
    not_checked: of("not_checked"),
    coming: of("coming"),
    unreadable: of("unreadable"),
    unknown: of("unknown"),
    left_out: {
      retention: of("retention"),
      selection: of("selection"),
      deleted: of("deleted"),
      unwanted: of("unwanted"),
      given_up: of("given_up"),
    },
  };
}
