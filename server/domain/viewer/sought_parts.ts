import { type SearchDays, type SoughtTime, soughtTime } from "./time_search.ts";

/** A part of the day, in seconds since its midnight; the night goes on into the next day. */
export interface DayPart {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Parts of a day that are looked for. */
export interface SoughtPart extends DayPart {
  /** `YYYY-MM-DD`; null for any day. */
  readonly date: string | null;
}

/** Readings of what was typed, as times. */
export interface SoughtTimes {
  readonly times: readonly SoughtTime[];
  /** Days of which only the weekday counts, `YYYY-MM-DD`: where one has no clips, the one before is meant. */
  readonly weekdays: readonly string[];
  readonly parts: readonly SoughtPart[];
}

const HOUR = 3600;
export const DAY_PARTS: readonly DayPart[] = [
  { name: "morning", from: 5 * HOUR, to: 10 * HOUR },
  { name: "afternoon", from: 12 * HOUR, to: 17 * HOUR },
  { name: "evening", from: 17 * HOUR, to: 22 * HOUR },
  { name: "night", from: 22 * HOUR, to: 29 * HOUR },
];
const DAYS: readonly string[] = ["today", "yesterday"];
const WEEKDAYS: readonly string[] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/** Fewest letters of a word that is not typed to its end. */
const SHORTEST = 2;

/**
 * Reads times of what was typed so far: `tue 17:40`, `yesterday evening`, `mornings`, and the beginnings of such words,
 * such as `mo` for Monday and for mornings.
 */
export function soughtTimes(typed: string, days: SearchDays): SoughtTimes {
  const text = typed.trim().toLowerCase().replaceAll(",", " ").replace(/\s+/g, " ");
  const begun = (words: readonly string[]) =>
    words.filter((word) => isBegun(word, text)).flatMap((word) => soughtTime(word, days) ?? []);
  const weekdays = begun(WEEKDAYS).flatMap(({ date }) => date ?? []);
  const exact = weekdays.length > 0 ? null : soughtTime(text, days);
  if (exact !== null) return { times: [exact], weekdays: [], parts: [] };
  return { times: begun(DAYS), weekdays, parts: partsOf(text, days) };
}

function partsOf(text: string, days: SearchDays): SoughtPart[] {
  if (text === "last night") return partsOf("yesterday night", days);
  if (text === "tonight") return partsOf("today night", days);
  const at = text.lastIndexOf(" ");
  const word = text.slice(at + 1).replace(/s$/, "");
  const before = text
    .slice(0, Math.max(0, at))
    .replace(/(?:^| )(?:in|on|of|at)?(?: ?the)?$/, "")
    .trim();
  const parts = DAY_PARTS.filter(({ name }) => isBegun(name, word));
  if (before === "" || parts.length === 0) return parts.map((part) => ({ ...part, date: null }));
  const day = soughtTime(before === "this" ? "today" : before, days);
  if (day === null || day.date === null || day.seconds !== null) return [];
  return parts.map((part) => ({ ...part, date: day.date }));
}

function isBegun(word: string, typed: string): boolean {
  return typed.length >= SHORTEST && word.startsWith(typed);
}
