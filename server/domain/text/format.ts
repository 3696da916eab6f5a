import { MONTHS } from "./calendar_names.ts";
import { remember } from "./memoize.ts";

const NBSP = "\u00a0";
const NARROW = "\u202f";

/** Decimal units, one decimal at most: `999 B`, `1.2 kB`, `52 MB`, `4.2 GB`. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  for (const unit of ["B", "kB", "MB", "GB"]) {
    if (value < 999.5) return `${decimal(value, unit === "B")}${NBSP}${unit}`;
    value /= 1000;
  }
  return `${decimal(value, false)}${NBSP}TB`;
}

/** A part of a whole, both in the unit of the whole: `2.6 of 9.1 GB`. */
export function formatBytesOf(done: number, all: number): string {
  const [, unit = "B"] = formatBytes(all).split(NBSP);
  const size = 1000 ** ["B", "kB", "MB", "GB", "TB"].indexOf(unit);
  return `${decimal(Math.max(0, done) / size, unit === "B")} of ${formatBytes(all)}`;
}

function decimal(value: number, whole: boolean): string {
  return whole || value >= 99.95 ? String(Math.round(value)) : (Math.round(value * 10) / 10).toString();
}

/** Bytes per second: `12 MB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

/** Whole numbers grouped by narrow no-break spaces: `3 918`. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=([0-9]{3})+$)/g, NARROW);
}

/** `1 file`, `3 918 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)}${NBSP}${count === 1 ? one : many}`;
}

/** A length of time, the two largest units at most: `45 s`, `9 min`, `1 h 05 min`, `3 d 4 h`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole}${NBSP}s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${minutes}${NBSP}min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}${NBSP}h ${String(minutes % 60).padStart(2, "0")}${NBSP}min`;
  return `${Math.floor(hours / 24)}${NBSP}d ${hours % 24}${NBSP}h`;
}

/** How long ago, in whole units: `just now`, `59 min ago`, `1 h ago`, `1 d ago`. The future counts as now. */
export function agoInWords(seconds: number): string {
  if (!(seconds >= 60)) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)}${NBSP}min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}${NBSP}h ago`;
  return `${formatCount(Math.floor(seconds / 86_400))}${NBSP}d ago`;
}

/** How long until something, to the second: `in 45 s`, `in 9 min`; `now` when its time has come. */
export function aheadInWords(seconds: number): string {
  return seconds >= 0.5 ? `in ${formatSeconds(seconds)}` : "now";
}

/** How long something took, in a sentence: `in 38 s`, `in under a second`. */
export function withinInWords(seconds: number): string {
  return seconds >= 0.5 ? `in ${formatSeconds(seconds)}` : "in under a second";
}

/** What a clock on the wall of the zone shows at a moment in epoch milliseconds: `07:45`. */
export function formatClock(ms: number, timeZone: string): string {
  const { hour, minute } = wallParts(ms, timeZone);
  return `${hour}:${minute}`;
}

/** The day of a moment: `Sat 21 Nov`, with the year when it is not the year of `now`. */
export function formatDay(ms: number, timeZone: string, now: number): string {
  const { weekday, day, month, year } = wallParts(ms, timeZone);
  const date = `${weekday} ${Number(day)}${NBSP}${month}`;
  return year === wallParts(now, timeZone).year ? date : `${date} ${year}`;
}

/** A date with its year: `3 Mar 2027`. */
export function formatDate(ms: number, timeZone: string): string {
  const { day, month, year } = wallParts(ms, timeZone);
  return `${Number(day)}${NBSP}${month} ${year}`;
}

/** The length of a video as players show it: `0:45`, `1:00`, `1:02:03`. */
export function formatLength(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** The day as people say it: `Today, Sat 21 Nov`, `Tomorrow, …`, `Yesterday, …`, else the day alone. */
export function dayInWords(ms: number, timeZone: string, now: number): string {
  const day = formatDay(ms, timeZone, now);
  const word = DAY_WORDS[dayNumber(ms, timeZone) - dayNumber(now, timeZone)];
  return word === undefined ? day : `${word}, ${day}`;
}
const DAY_WORDS: Readonly<Record<number, string>> = { [-1]: "Yesterday", 0: "Today", 1: "Tomorrow" };

/** A moment in full, as a title: `2026-11-21 07:45:02 AEDT`. */
export function formatMoment(ms: number, timeZone: string): string {
  const { year, monthNumber, day, hour, minute, second } = wallParts(ms, timeZone);
  return `${year}-${monthNumber}-${day} ${hour}:${minute}:${second} ${zoneName(ms, timeZone)}`;
}

/** What people there call the zone at that moment: `CEST`, `UTC`; where English has no short name, `Asia/Tokyo`. */
export function zoneName(ms: number, timeZone: string): string {
  for (const format of zoneFormats(timeZone)) {
    const name = format.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
    if (/^[A-Z]+$/.test(name)) return name;
  }
  return timeZone;
}
/** Each knows the short names of its own part of the world, and says `GMT+2` for the others. */
const ZONE_LOCALES: readonly string[] = ["en-GB", "en-US", "en-AU"];
const zoneFormats = remember((timeZone) =>
  ZONE_LOCALES.map((locale) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" })),
);

interface WallParts {
  readonly weekday: string;
  readonly year: string;
  /** `Jan`, and beside it `01`. */
  readonly month: string;
  readonly monthNumber: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
}

function wallParts(ms: number, timeZone: string): WallParts {
  const found: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of wallFormat(timeZone).formatToParts(ms)) found[type] = value;
  const { weekday = "", year = "", month = "", day = "", hour = "", minute = "", second = "" } = found;
  const monthNumber = String(MONTHS.indexOf(month) + 1).padStart(2, "0");
  return { weekday, year, month, monthNumber, day, hour, minute, second };
}
const wallFormat = remember(
  (timeZone) =>
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      weekday: "short",
      year: "numeric",
      month: "short",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    }),
);

/** Days are counted on the wall: those of a clock change are not 24 hours long. */
export function dayNumber(ms: number, timeZone: string): number {
  const { year, monthNumber, day } = wallParts(ms, timeZone);
  return Date.UTC(Number(year), Number(monthNumber) - 1, Number(day)) / 86_400_000;
}

/** Words as a sentence: with a capital and a full stop, unless they end like one; nothing stays nothing. */
export function asSentence(words: string): string {
  return words && `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?!]$/.test(words) ? "" : "."}`;
}
