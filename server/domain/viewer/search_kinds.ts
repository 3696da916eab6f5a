import { TYPES } from "../recordings/recording_codes.ts";
import { type ListFilter, NO_FILTER } from "./list_filter.ts";

/** A kind of clips that can be looked for. */
export interface SoughtKind {
  readonly title: string;
  /** Clips of it. */
  readonly count: number;
  /** The list that has them alone. */
  readonly filter: ListFilter;
}

/** Fewest letters that are looked for. */
const SHORTEST = 2;
/** Further words by which a kind is found. */
const WORDS: Readonly<Record<string, string>> = {
  B: "braking brake",
  I: "knock bump hit",
  A: "accelerating speeding up",
  T: "turning turn swerve",
  O: "speeding fast",
  P: "parked",
};

/**
 * Kinds of which there are clips and whose name has all that was typed, the most serious first.
 * @param types letter to how many clips @param isEvent tells it of a letter
 */
export function soughtKinds(
  typed: string,
  types: Readonly<Record<string, number>>,
  isEvent: (type: string) => boolean,
): SoughtKind[] {
  const letters = Object.keys(types).filter((letter) => (types[letter] ?? 0) > 0);
  const kind = (title: string, of: readonly string[], more = ""): SoughtKind[] => {
    const count = of.reduce((sum, letter) => sum + (types[letter] ?? 0), 0);
    return count > 0 && isMeant(typed, `${title} ${more}`)
      ? [{ title, count, filter: { ...NO_FILTER, types: of } }]
      : [];
  };
  const names: readonly (readonly [string, string])[] = Object.entries(TYPES);
  return [
    ...kind("Events", letters.filter(isEvent).sort(), "moments"),
    // An event of this very type: all together have a row of their own.
    ...names.flatMap(([letter, name]) => (letter === "E" ? [] : kind(name, [letter], WORDS[letter]))),
  ];
}

/** True when the clips with a bookmark are looked for. */
export function meansKept(typed: string): boolean {
  return isMeant(typed, "kept protected bookmarked");
}

function isMeant(typed: string, text: string): boolean {
  const words = typed.trim().toLowerCase().split(/\s+/);
  const here = text.toLowerCase().split(/\s+/);
  return typed.trim().length >= SHORTEST && words.every((word) => here.some((one) => one.startsWith(word)));
}
