import { inTime, MAIN_CAMERA, splitKey } from "../settings/camera_key.ts";
import { distinct, keyOf } from "./viewer_address.ts";
import type { Calendar, DayRecordings, DayTrips, TripSummary, ViewerDay, ViewerRecording } from "./viewer_schema.ts";

/** A day of the list, once for all cameras. */
export interface ListedDay {
  readonly date: string;
  /** Clips of all cameras. */
  readonly count: number;
  /** The ids of the cameras that have clips of it; left out where all days are of one camera. */
  readonly cameras?: readonly string[];
}

/** Days of one or several cameras as a list shows them: each day once, with the clips of all. */
export function daysTogether(days: readonly ViewerDay[]): readonly ListedDay[] {
  if (new Set(days.map(({ camera }) => camera)).size < 2) return days.map(({ date, count }) => ({ date, count }));
  const found = new Map<string, { date: string; count: number; cameras: string[] }>();
  for (const { date, count, camera = MAIN_CAMERA } of days) {
    const day = found.get(date) ?? { date, count: 0, cameras: [] };
    day.count += count;
    day.cameras.push(camera);
    found.set(date, day);
  }
  return [...found.values()];
}

/** True for a day with clips of the camera that this key is of, as far as the list knows. */
export function isDayOf({ cameras }: ListedDay, key: string): boolean {
  return cameras === undefined || cameras.includes(splitKey(key).camera ?? MAIN_CAMERA);
}

type CalendarDay = Calendar["days"][number];

/** Days of the calendar: each day once, with the sums of all cameras. */
export function calendarTogether(days: readonly CalendarDay[]): CalendarDay[] {
  const found = new Map<string, CalendarDay>();
  for (const { date, count, events, driving_seconds: seconds } of days) {
    const before = found.get(date);
    found.set(date, {
      date,
      count: count + (before?.count ?? 0),
      events: events + (before?.events ?? 0),
      driving_seconds: seconds + (before?.driving_seconds ?? 0),
    });
  }
  return [...found.values()];
}

/** Clips of each camera, by its id: how many its days have. */
export function clipsByCamera(days: readonly ViewerDay[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { camera = MAIN_CAMERA, count } of days) found.set(camera, (found.get(camera) ?? 0) + count);
  return found;
}

/** Recordings of a day, of one or several cameras, newest first. */
export function recordingsTogether(days: DayRecordings["days"]): ViewerRecording[] {
  const [first, ...others] = days.map(({ recordings }) => distinct(recordings));
  if (others.length === 0) return first ?? [];
  return [first ?? [], ...others].flat().sort((one, other) => inTime(keyOf(other), keyOf(one)));
}

/** Trips of a day, of one or several cameras, newest first; those that began on an earlier day come last. */
export function tripsTogether(days: DayTrips["days"]): TripSummary[] {
  const before = days.flatMap((day) => day.before ?? []);
  const trips = days.flatMap((day) => day.trips);
  if (days.length > 1) for (const list of [trips, before]) list.sort((one, other) => inTime(begin(other), begin(one)));
  return [...trips, ...before];
}

function begin({ clips: [first = ""] }: TripSummary): string {
  return first;
}

interface Dated {
  readonly date: string;
}

/** Items of several cameras by day, newest first; those of one day in the order of the cameras. */
export function newestFirst<T extends Dated>(items: readonly T[]): T[] {
  return items.toSorted((one, other) => (one.date < other.date ? 1 : one.date > other.date ? -1 : 0));
}

/** Items of the newest day: without a date each camera answers with its own newest day. */
export function ofNewestDay<T extends Dated>(items: readonly T[]): T[] {
  const [newest] = newestFirst(items);
  return items.filter(({ date }) => date === newest?.date);
}

/** Adds numbers of the same name. */
export function summed(numbers: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [name, value] of numbers.flatMap((one) => Object.entries(one)))
    sums.set(name, (sums.get(name) ?? 0) + value);
  return Object.fromEntries(sums);
}
