import {
  baseOfMoment,
  dayNumber,
  dayOfMoment,
  hasNoAge,
  letterOfMoment,
  TYPE_LETTERS,
} from "../recordings/recording_name.ts";
import { isSelected } from "../recordings/selection_codes.ts";
import { classOfMoment, contextOf, type DueRules, isPastKeeping } from "../retention/due_recordings.ts";

/** The rules by which listed recordings are chosen to come home: of the plan of a run, and of every count of them. */
export interface ChoosingRules extends DueRules {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * A function that gives the rule that leaves a recording out, or null; whether it was deleted here is asked apart from this.
 * @param spared bases of what lives as long as an event beside it, see `sparedAmong`
 */
export function chooserOf(
  { cutoffs, include, exclude }: ChoosingRules,
  spared: ReadonlySet<number>,
): (moment: number, direction: string) => "retention" | "selection" | null {
  // By letter, so that none of 50,000 recordings costs a text.
  const firstKept = Array.from(TYPE_LETTERS, (_, at) => dayNumber(cutoffs[classOfMoment(at)]));
  return (moment, direction) => {
    const letter = letterOfMoment(moment);
    const isPast = dayOfMoment(moment) < (firstKept[letter] ?? 0) && !hasNoAge(moment);
    if (isPast && !spared.has(baseOfMoment(moment))) return "retention";
    return isSelected(TYPE_LETTERS[letter] ?? "", direction, include, exclude) ? null : "selection";
  };
}

/** Whether events are kept longer than others and spare what was recorded around them. */
export function sparesContext({ cutoffs, eventContext }: ChoosingRules): boolean {
  const { event } = cutoffs;
  const isLonger = Object.values(cutoffs).some((cutoff) => cutoff !== null && (event === null || event < cutoff));
  return isLonger && eventContext > 0;
}

/** Bases of recordings that live as long as an event beside them, among these moments. */
export function sparedAmong(
  moments: ReadonlySet<number>,
  { cutoffs, eventContext }: ChoosingRules,
): ReadonlySet<number> {
  const isAnchor = (moment: number) => classOfMoment(moment) === "event" && !isPastKeeping(moment, cutoffs);
  return contextOf(Float64Array.from(moments).sort(), isAnchor, eventContext);
}
