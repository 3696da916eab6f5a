import { inTime } from "../settings/camera_key.ts";
import { distinct, keyOf } from "./viewer_address.ts";
import type { DayRecordings, DayTrips, TripSummary, ViewerDay, ViewerRecording } from "./viewer_schema.ts";

/** Days of one or several cameras as a list shows them: each day once, with the clips of all. */
export function daysTogether(days: readonly ViewerDay[]): readonly ViewerDay[] {
  if (days.every(({ camera }) => camera === undefined)) return days;
  const counts = new Map<string, number>();
  for (const { date, count } of days) counts.set(date, (counts.get(date) ?? 0) + count);
  return [...counts].map(([date, count]) => ({ date, count }));
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
