import { counted } from "../text/format.ts";

/** The value of no choice: nothing is deleted until a user has made one. */
export const DECIDE_LATER = "later";

/** Keep times that the first run offers, by value of `retention.keep`; the shortest first. */
export const KEEP_CHOICES = [
  ["2w", "2 weeks"],
  ["30d", "1 month"],
  ["1y", "1 year"],
] as const;

/** One answer to how long recordings are kept. */
export interface KeepOption {
  readonly value: string;
  readonly label: string;
  /** Consequence for the recordings that are here. */
  readonly meaning: string;
}

/** Recordings that are here before the first run, and the choices for them. */
export interface KeepQuestion {
  readonly recordings: number;
  readonly options: readonly KeepOption[];
  /** The `value` that is chosen. */
  readonly chosen: string;
}

/**
 * The question how long recordings are kept.
 * @param older by value of a choice, how many of those that are here are older
 * @param trashDays how long deleted ones can be restored; 0 for not at all
 */
export function keepQuestion(recordings: number, older: ReadonlyMap<string, number>, trashDays: number): KeepQuestion {
  const goes = trashDays === 0 ? "deleted for good" : `moved to the trash for ${counted(trashDays, "day")}`;
  const meaning = (count: number) => {
    if (count === 0) return "None of those here is older.";
    const which =
      count === recordings ? "All of those here are" : `${counted(count, "older one")} ${count === 1 ? "is" : "are"}`;
    return `${which} ${goes} by the next scheduled run.`;
  };
  return {
    recordings,
    options: [
      { value: DECIDE_LATER, label: "Decide later", meaning: "Nothing is deleted until you have." },
      { value: "", label: "Keep all of them", meaning: "Nothing is deleted by itself." },
      ...KEEP_CHOICES.map(([value, label]) => ({ value, label, meaning: meaning(older.get(value) ?? 0) })),
    ],
    chosen: DECIDE_LATER,
  };
}
