import {
  baseOfMoment,
  dayNumber,
  dayOfMoment,
  hasNoAge,
  letterOfMoment,
  TYPE_LETTERS,
} from "../recordings/moment_number.ts";
import { isSelected } from "../recordings/selection_codes.ts";
import { classOfMoment, contextOf, type DueRules, isPastKeeping } from "../retention/due_recordings.ts";
import { keepClassOf } from "../retention/keep_times.ts";

/** The rules by which listed recordings are chosen to come home: of the plan of a run, and of every count of them. */
export interface ChoosingRules extends DueRules {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Moments that users marked as kept; none when left out. */
  readonly kept?: ReadonlySet<number>;
  /** Moments that users want whatever these rules say; none when left out. */
  readonly anyway?: ReadonlySet<number>;
}

/**
 * A function that gives the rule that leaves a recording out, or null; whether it was deleted here is asked apart from this.
 * @param spared bases of what lives as long as an event beside it, see `sparedBy`
 */
export function chooserOf(
  { cutoffs, include, exclude, kept, anyway }: ChoosingRules,
  spared: ReadonlySet<number>,
): (moment: number, direction: string) => "retention" | "selection" | null {
  // Compares by letter, so that none of 50,000 recordings costs a text.
  const firstKept = Array.from(TYPE_LETTERS, (letter) => dayNumber(cutoffs[keepClassOf(letter)]));
  return (moment, direction) => {
    if (anyway?.has(moment)) return null;
    const letter = letterOfMoment(moment);
    const isPast = dayOfMoment(moment) < (firstKept[letter] ?? 0) && !hasNoAge(moment);
    if (isPast && !spared.has(baseOfMoment(moment)) && !kept?.has(moment)) return "retention";
    return isSelected(TYPE_LETTERS[letter] ?? "", direction, include, exclude) ? null : "selection";
  };
}

/**
 * Bases of recordings that live as long as an event beside them.
 * @param moments gives the moments at home when all chosen recordings have come, so that nothing is fetched only to be
 * deleted; not asked where no event spares anything
 */
export function sparedBy(rules: ChoosingRules, moments: () => ReadonlySet<number>): ReadonlySet<number> {
  if (!sparesContext(rules)) return new Set();
  const { cutoffs, eventContext, kept } = rules;
  const isAnchor = (moment: number) =>
    isEventMoment(moment) && (!isPastKeeping(moment, cutoffs) || kept?.has(moment) === true);
  return contextOf(Float64Array.from(moments()).sort(), isAnchor, eventContext);
}

/** True when events are kept, or kept longer than others, and spare the recordings around them. */
function sparesContext({ cutoffs, eventContext, kept }: ChoosingRules): boolean {
  const { event } = cutoffs;
  const isLonger = Object.values(cutoffs).some((cutoff) => cutoff !== null && (event === null || event < cutoff));
  const isKept = () => event !== null && kept?.values().some(isEventMoment) === true;
  return eventContext > 0 && (isLonger || isKept());
}

function isEventMoment(moment: number): boolean {
  return classOfMoment(moment) === "event";
}
