import { formatSeconds } from "../text/format.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { dayOf, isoDay, shortDateOf, wallOf } from "../text/zone_time.ts";
import type { CoverageOfDay } from "./coverage_schema.ts";

/** A day as the map takes it. */
export type MappedDay = Pick<CoverageOfDay, "date" | "recorded" | "driven_minutes" | "lost" | "lost_minutes">;

/** Step of the scale for a day: 0 for a day without driving. */
export type Heat = 0 | 1 | 2 | 3 | 4;

export interface HeatDay {
  readonly date: string;
  readonly heat: Heat;
  readonly isLost: boolean;
  readonly isToday: boolean;
  /** `Tue 10 Nov: 1 h 38 min driven, 23 min lost` */
  readonly label: string;
}

export type HeatPlace = HeatDay | "untracked" | null;

export interface HeatWeek {
  /** Its Monday: `9 Nov`. */
  readonly name: string;
  /** From Monday to Sunday; `untracked` before anything is known, null outside of the time that is shown. */
  readonly days: readonly HeatPlace[];
}

export interface HeatMap {
  readonly weeks: readonly HeatWeek[];
  /** Meaning of each step of the scale, from none on: `to 45 min`. */
  readonly steps: readonly string[];
  readonly hasLost: boolean;
}

const DAY_MS = 86_400_000;
const IN_A_WEEK = 7;

/** Ends of the steps in minutes, by the longest day: for short ways, for most cars, for those who drive all day. */
const SCALES: readonly { readonly longest: number; readonly ends: readonly [number, number, number] }[] = [
  { longest: 45, ends: [10, 20, 30] },
  { longest: 300, ends: [45, 80, 120] },
  { longest: Number.POSITIVE_INFINITY, ends: [120, 240, 480] },
];

interface HeatMapOf {
  readonly days: readonly MappedDay[];
  /** First and last day on the map; the last is tomorrow where the camera's clock is ahead. */
  readonly from: string;
  readonly to: string;
  /** Nothing is known of days before this one. */
  readonly since: string;
  readonly today: string;
  readonly format?: TimeFormat;
}

/** Lays days out in weeks that begin on Monday. */
export function heatMapOf({ days, from, to, since, today, format = USUAL_FORMAT }: HeatMapOf): HeatMap {
  const byDate = new Map(days.map((day) => [day.date, day]));
  const newest = newestDay(days, to, today);
  const longest = days.reduce((most, { driven_minutes }) => Math.max(most, driven_minutes), 0);
  const scale = SCALES.find((each) => longest <= each.longest)?.ends ?? [0, 0, 0];
  const year = wallOf(Date.parse(today)).year;
  const placeAt = (ms: number): HeatPlace => {
    const date = isoDay(ms);
    if (date < from || date > to) return null;
    if (date < since) return "untracked";
    const day = byDate.get(date) ?? { date, recorded: 0, driven_minutes: 0, lost: 0, lost_minutes: 0 };
    return {
      date,
      heat: heatOf(day.driven_minutes, scale),
      isLost: day.lost > 0,
      isToday: date === today,
      label: `${dayOf(wallOf(ms), year, format)}: ${date > newest ? "nothing recorded so far" : drivenInWords(day)}`,
    };
  };
  const weeks: HeatWeek[] = [];
  for (let monday = mondayOf(Date.parse(from)); monday <= Date.parse(to); monday += IN_A_WEEK * DAY_MS)
    weeks.push({
      name: shortDateOf(wallOf(monday), format),
      days: Array.from({ length: IN_A_WEEK }, (_, at) => placeAt(monday + at * DAY_MS)),
    });
  const hasLost = days.some(({ lost }) => lost > 0);
  return { weeks, steps: ["None", ...scale.map((end) => `to ${stepInWords(end)}`), "more"], hasLost };
}

/**
 * Returns the newest day of a time of which it is known what was recorded. Recordings of the days after it may still be
 * on the card of a car that has not come home since.
 */
export function newestDay(days: readonly Pick<MappedDay, "date" | "recorded">[], to: string, today: string): string {
  return to < today ? to : (days.findLast(({ recorded }) => recorded > 0)?.date ?? "");
}

/** The day at a place of the map, where there is one. */
export function dayAt(places: readonly HeatPlace[], at: number): HeatDay | null {
  const place = places[at];
  return typeof place === "object" ? place : null;
}

function mondayOf(ms: number): number {
  return ms - ((new Date(ms).getUTCDay() + 6) % IN_A_WEEK) * DAY_MS;
}

function heatOf(minutes: number, scale: readonly [number, number, number]): Heat {
  if (minutes <= 0) return 0;
  const step = scale.findIndex((end) => minutes <= end);
  return (step < 0 ? 4 : step + 1) as Heat;
}

function drivenInWords({ driven_minutes: minutes, lost, lost_minutes }: MappedDay): string {
  const driven = minutes > 0 ? `${minutesInWords(minutes)} driven` : "not driven";
  if (lost === 0) return driven;
  return `${driven}, ${lost_minutes > 0 ? `${minutesInWords(lost_minutes)} lost` : "something lost"}`;
}

/** `23 min`, `1 h 38 min`; something short is a minute. */
export function minutesInWords(minutes: number): string {
  return formatSeconds(Math.max(1, Math.round(minutes)) * 60);
}

/** Whole hours from two on: `80 min`, `2 h`. */
function stepInWords(minutes: number): string {
  return minutes % 60 === 0 && minutes >= 120 ? `${minutes / 60}\u00a0h` : `${minutes}\u00a0min`;
}
