import { shown } from "../text/shown.ts";

const UNIT_MS = { s: 1000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 365 * 86_400_000 } as const;
const UNIT_WORDS = { s: "second", h: "hour", d: "day", w: "week", y: "year" } as const;
type Unit = keyof typeof UNIT_MS;

/** Units a retry delay may use, and those an age in whole days may use. */
export const DELAY_UNITS = "shdwy";
export const AGE_UNITS = "dwy";

/** Stands for a time to keep recordings: they are never deleted. */
export const ALWAYS = "always";

interface Duration {
  count: number;
  /** Unit as it was given; null for a number alone, which counts days. */
  unit: Unit | null;
  ms: number;
}

/**
 * Reads `<count>[unit]`, count at least 1, no unit meaning days and a year 365 of them: `30s`, `12h`, `3`, `2w`, `1y`.
 * The unit may be written out, `2 weeks`, and its case does not matter.
 * @param units the unit letters allowed here
 * @throws RangeError with a sentence for the user
 */
export function parseDuration(text: string, units: string = DELAY_UNITS): Duration {
  const match = /^([0-9]{1,9})\s*([a-z]*)$/i.exec(text.trim());
  const unit = match?.[2] ? unitOf(match[2]) : null;
  const count = Number(match?.[1] ?? 0);
  if (unit === undefined || count < 1 || !units.includes(unit ?? "d")) {
    const letters = [...units].map((letter) => `${letter} (${UNIT_WORDS[letter as Unit]}s)`).join(", ");
    throw new RangeError(
      `Cannot read ${shown(text)} as a duration: expected a whole number from 1 and one of ${letters}`,
    );
  }
  return { count, unit, ms: count * UNIT_MS[unit ?? "d"] };
}

/** The unit of its letter or its word, in singular or plural; undefined for none. Each word begins with its letter. */
function unitOf(letters: string): Unit | undefined {
  const word = letters.toLowerCase();
  const unit = word.charAt(0) as Unit;
  const name = UNIT_WORDS[unit];
  return [unit, name, `${name}s`].includes(word) && name ? unit : undefined;
}

/** The one way a duration is stored: `2 Weeks` → `2w`. A number alone stays one. @throws as `parseDuration` */
export function shortDuration(text: string, units: string = DELAY_UNITS): string {
  const { count, unit } = parseDuration(text, units);
  return `${count}${unit ?? ""}`;
}

/** The duration in words: `2w` → `2 weeks`. */
export function durationInWords(text: string, units: string = DELAY_UNITS): string {
  const { count, unit } = parseDuration(text, units);
  return `${count} ${UNIT_WORDS[unit ?? "d"]}${count === 1 ? "" : "s"}`;
}
