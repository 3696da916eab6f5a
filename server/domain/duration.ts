const UNIT_MS = { s: 1000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const UNIT_WORDS = { s: "second", h: "hour", d: "day", w: "week" } as const;
type Unit = keyof typeof UNIT_MS;

/** Units a retry delay may use, and those an age in whole days may use. */
export const DELAY_UNITS = "shdw";
export const AGE_UNITS = "dw";

interface Duration {
  count: number;
  unit: Unit;
  ms: number;
}

/**
 * Reads `<count>[unit]`, count at least 1, no unit meaning days: `30s`, `12h`, `3`, `2w`.
 * @param units the unit letters allowed here
 * @throws RangeError with a sentence for the user
 */
export function parseDuration(text: string, units: string = DELAY_UNITS): Duration {
  const match = /^([0-9]{1,9})([a-z]?)$/.exec(text.trim());
  const unit = (match?.[2] || "d") as Unit;
  const count = Number(match?.[1] ?? 0);
  if (!match || count < 1 || !units.includes(unit)) {
    const letters = [...units].map((letter) => `${letter} (${UNIT_WORDS[letter as Unit]}s)`).join(", ");
    throw new RangeError(`Cannot read "${text}" as a duration: expected a whole number from 1 and one of ${letters}`);
  }
  return { count, unit, ms: count * UNIT_MS[unit] };
}

/** The duration in words: `2w` → `2 weeks`. */
export function durationInWords(text: string, units: string = DELAY_UNITS): string {
  const { count, unit } = parseDuration(text, units);
  return `${count} ${UNIT_WORDS[unit]}${count === 1 ? "" : "s"}`;
}
