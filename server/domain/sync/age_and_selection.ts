import { baseOfMoment, letterOfMoment, TYPE_LETTERS } from "../recordings/moment_number.ts";
import { isSelected } from "../recordings/selection_codes.ts";
import { classOfMoment, contextOf, type DueRules } from "../retention/due_recordings.ts";
import { pastKeepTime } from "../retention/past_keep_time.ts";

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
  const isPast = pastKeepTime(cutoffs);
  return (moment, direction) => {
    if (anyway?.has(moment)) return null;
    if (isPast(moment) && !spared.has(baseOfMoment(moment)) && !kept?.has(moment)) return "retention";
    return isSelected(TYPE_LETTERS[letterOfMoment(moment)] ?? "", direction, include, exclude) ? null : "selection";
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
  const isPast = pastKeepTime(cutoffs);
  const isAnchor = (moment: number) => isEventMoment(moment) && (!isPast(moment) || kept?.has(moment) === true);
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
