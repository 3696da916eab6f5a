import { isDay } from "../recordings/camera_clock.ts";
import type { DateOrder, TimeFormat } from "../text/time_format.ts";
import { isoDay } from "../text/zone_time.ts";

/** Time that was typed to look for: a day, a time of day, or both. */
export interface SoughtTime {
  /** `YYYY-MM-DD`; null for the day on show. */
  readonly date: string | null;
  /** Seconds since the day's midnight; null for the day as a whole. */
  readonly seconds: number | null;
}

/** The days by which a typed one is judged. */
export interface SearchDays {
  /** Today, `YYYY-MM-DD`. */
  readonly today: string;
  /** Order of day and month in `3/4`: 3 April or 4 March. */
  readonly order?: DateOrder;
}

/** A time and a day as they may be typed, in the reader's own format. */
export function examplesOf({ hours, order }: TimeFormat): { readonly clock: string; readonly day: string } {
  return { clock: hours === 24 ? "14:30" : "2:30\u00a0pm", day: order === "dmy" ? "20 Nov" : "Nov 20" };
}

const MONTHS: readonly string[] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: readonly string[] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/** Fewest letters of a shortened weekday; two letters could as well be a word. */
const SHORTEST_WEEKDAY = 3;
const WEEKDAY = /^(?:(last|this|on) )?([a-z]{3,9})\.?$/;
const DAY_MS = 86_400_000;
const CLOCK = /^(\d{1,2})(?:[:.h]?(\d{2})(?:[:.](\d{2}))?)?\s*(?:([ap])\.?m\.?)?$/;

/**
 * Reads what people type to find a time: `14:30`, `2:30 pm`, `20 Nov`, `2026-11-20 08:15`, `yesterday 18:00`, `last Friday`.
 * A day without a year, and a weekday, is the last one that has been. Null when it is none of these.
 */
export function soughtTime(text: string, days: SearchDays): SoughtTime | null {
  const words = text.trim().toLowerCase().replaceAll(",", " ").replace(/\s+/g, " ");
  if (words === "" || words.length > 40) return null;
  const only = clockOf(words);
  const whole = dateOf(words, days);
  if (only !== null) return { date: null, seconds: only };
  if (whole !== null) return { date: whole, seconds: null };
  // A time stands first or last; `pm` may stand apart from it.
  for (let at = words.indexOf(" "); at >= 0; at = words.indexOf(" ", at + 1)) {
    const before = words.slice(0, at);
    const after = words.slice(at + 1).replace(/^at /, "");
    for (const [day, clock] of [
      [before, after],
      [after, before],
    ] as const) {
      const date = dateOf(day, days);
      const seconds = clockOf(clock);
      if (date !== null && seconds !== null) return { date, seconds };
    }
  }
  return null;
}

function clockOf(text: string): number | null {
  const [, hours = "", minutes, seconds = "0", half] = CLOCK.exec(text) ?? [];
  // A number alone is as likely a day.
  if (hours === "" || (minutes === undefined && half === undefined)) return null;
  let hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (half === "p" ? 12 : 0);
  }
  const minute = Number(minutes ?? 0);
  const second = Number(seconds);
  return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : null;
}

function dateOf(text: string, { today, order = "dmy" }: SearchDays): string | null {
  if (text === "today") return today;
  if (text === "yesterday") return daysBefore(today, 1);
  if (text === "the day before yesterday" || text === "day before yesterday") return daysBefore(today, 2);
  const ago = /^(\d{1,3}) days? ago$/.exec(text);
  if (ago) return daysBefore(today, Number(ago[1]));
  const weekday = weekdayOf(text, today);
  if (weekday !== null) return weekday;
  const iso = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})$/.exec(text);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const yearFirst = /^(\d{4}) ([a-z]{3,9} \d{1,2})$/.exec(text);
  const spoken = yearFirst ? `${yearFirst[2]} ${yearFirst[1]}` : text;
  const named = /^(?:[a-z]{2,9} )?(?:(\d{1,2})\.? ([a-z]{3,9})|([a-z]{3,9}) (\d{1,2}))(?: (\d{4}))?$/.exec(spoken);
  const european = /^(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}))?$/.exec(text);
  const [, one, other, last] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(text) ?? [];
  const slashed = order === "dmy" ? [one, other] : [other, one];
  const [day, month, year] = named
    ? [named[1] ?? named[4], monthOf(named[2] ?? named[3] ?? ""), named[5]]
    : european
      ? [european[1], Number(european[2]), european[3]]
      : one === undefined
        ? []
        : [slashed[0], Number(slashed[1]), last];
  if (day === undefined || month === undefined || month === 0) return null;
  if (year !== undefined) return dayOf(Number(year), month, Number(day));
  const thisYear = Number(today.slice(0, 4));
  const here = dayOf(thisYear, month, Number(day));
  return here !== null && here <= today ? here : dayOf(thisYear - 1, month, Number(day));
}

/** `Friday` is today on a Friday, `last Friday` is a week ago then. */
function weekdayOf(text: string, today: string): string | null {
  const [, which, name = ""] = WEEKDAY.exec(text) ?? [];
  const wanted = name.length < SHORTEST_WEEKDAY ? -1 : WEEKDAYS.findIndex((day) => day.startsWith(name));
  if (wanted < 0) return null;
  const now = (new Date(Date.parse(today)).getUTCDay() + 6) % 7;
  const back = (now - wanted + 7) % 7;
  return daysBefore(today, back === 0 && which === "last" ? 7 : back);
}

function daysBefore(today: string, days: number): string {
  return isoDay(Date.parse(today) - days * DAY_MS);
}

function monthOf(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3)) + 1;
}

function dayOf(year: number, month: number, day: number): string | null {
  const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  return isDay(text) ? text : null;
}
