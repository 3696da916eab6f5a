import { dayOfMoment, dayText } from "../recordings/moment_number.ts";
import { typeOf } from "../recordings/recording_name.ts";
import type { TrashDayHead, TrashedRecording } from "./deletion.ts";
import { TRASH_CAUSES, type TrashCause } from "./deletion_cause.ts";
import { KEEP_CLASSES, type KeepClass, keepClassOf } from "./keep_times.ts";

/** Number of clips of each kind. */
export type KindCounts = Readonly<Record<KeepClass, number>>;
export type CauseCounts = Readonly<Record<TrashCause, number>>;

/** Clips in the trash of one day of recording, by the camera's clock, earliest first. */
export interface RecordedDay extends TrashDayHead {
  readonly kinds: KindCounts;
  readonly causes: CauseCounts;
}

/** Kinds and causes of the clips that are shown; an empty list means all. */
export interface TrashFilter {
  readonly kinds: readonly KeepClass[];
  readonly causes: readonly TrashCause[];
}

export const ALL_OF_TRASH: TrashFilter = { kinds: [], causes: [] };

/** The day of the camera's clock on which a clip was recorded, `YYYY-MM-DD`. */
export function recordedOn(key: string): string {
  return `${key.slice(0, 4)}-${key.slice(4, 6)}-${key.slice(6, 8)}`;
}

/** The minute in which a clip was recorded, as a field for a time has it: `YYYY-MM-DDTHH:MM`. */
export function recordedAt(key: string): string {
  return `${recordedOn(key)}T${key.slice(9, 11)}:${key.slice(11, 13)}`;
}

/** Clips by the day they were recorded on, earliest first. */
export function byRecordedDay(recordings: readonly TrashedRecording[]): RecordedDay[] {
  const days = new Map<string, TrashedRecording[]>();
  for (const one of recordings.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const date = recordedOn(one.key);
    const day = days.get(date);
    if (day) day.push(one);
    else days.set(date, [one]);
  }
  return [...days].map(([date, list]) => dayOf(date, list));
}

/** A clip in the trash as the disk has it. */
export interface TrashedClip {
  readonly key: string;
  readonly moment: number;
  readonly videos: number;
  readonly bytes: number;
  /** `at` in epoch milliseconds. */
  readonly batch: { readonly at: number; readonly cause: TrashCause };
}

/**
 * Counts clips by the day they were recorded on, as `byRecordedDay` does, earliest first. It makes no row for a clip: a
 * page shows only the days of 20,000 of them.
 * @param lifetimeMs how long a clip lies in the trash
 */
export function recordedDayHeads(clips: Iterable<TrashedClip>, lifetimeMs: number): RecordedDay[] {
  const days = new Map<number, DayCount>();
  for (const { key, moment, videos, bytes, batch } of clips) {
    const date = dayOfMoment(moment);
    let day = days.get(date);
    if (day === undefined) {
      const [kinds, causes] = [counters(KEEP_CLASSES), counters(TRASH_CAUSES)];
      day = { kinds, causes, entries: 0, recordings: 0, bytes: 0, first: batch.at, last: batch.at };
      days.set(date, day);
    }
    day.kinds[keepClassOf(typeOf(key))]++;
    day.causes[batch.cause]++;
    day.entries++;
    day.recordings += videos;
    day.bytes += bytes;
    day.first = Math.min(day.first, batch.at);
    day.last = Math.max(day.last, batch.at);
  }
  const isoOf = (at: number) => new Date(at + lifetimeMs).toISOString();
  return [...days]
    .sort(([one], [other]) => one - other)
    .map(([date, { kinds, causes, entries, recordings, bytes, first, last }]) => ({
      ...{ date: dayText(date), recordings: [], entries, amount: { recordings, bytes }, kinds, causes },
      ...{ purge_from: isoOf(first), purge_to: isoOf(last) },
    }));
}

interface DayCount {
  readonly kinds: Record<KeepClass, number>;
  readonly causes: Record<TrashCause, number>;
  entries: number;
  recordings: number;
  bytes: number;
  /** When the first and the last of them were deleted, epoch milliseconds. */
  first: number;
  last: number;
}

/** The days as far as the filter shows them; of a day whose clips are not known yet nothing is left out. */
export function filteredDays(days: readonly RecordedDay[], filter: TrashFilter): readonly RecordedDay[] {
  if (filter.kinds.length + filter.causes.length === 0) return days;
  const isShown = ({ key, cause }: TrashedRecording) =>
    (filter.kinds.length === 0 || filter.kinds.includes(keepClassOf(typeOf(key)))) &&
    (filter.causes.length === 0 || filter.causes.includes(cause));
  return days.flatMap((day) => {
    if (day.recordings.length < day.entries) return [day];
    const shown = day.recordings.filter(isShown);
    return shown.length === day.recordings.length ? [day] : shown.length === 0 ? [] : [dayOf(day.date, shown)];
  });
}

/** Counts the clips of these days by kind and by cause. */
export function countsOf(days: readonly RecordedDay[]): { readonly kinds: KindCounts; readonly causes: CauseCounts } {
  const kinds = counters(KEEP_CLASSES);
  const causes = counters(TRASH_CAUSES);
  for (const day of days) {
    for (const kind of KEEP_CLASSES) kinds[kind] += day.kinds[kind];
    for (const cause of TRASH_CAUSES) causes[cause] += day.causes[cause];
  }
  return { kinds, causes };
}

function dayOf(date: string, recordings: readonly TrashedRecording[]): RecordedDay {
  const kinds = counters(KEEP_CLASSES);
  const causes = counters(TRASH_CAUSES);
  const amount = { recordings: 0, bytes: 0 };
  let from = "";
  let to = "";
  for (const { key, cause, recordings: videos, bytes, purge_at: purge } of recordings) {
    kinds[keepClassOf(typeOf(key))]++;
    causes[cause]++;
    amount.recordings += videos;
    amount.bytes += bytes;
    if (from === "" || purge < from) from = purge;
    if (purge > to) to = purge;
  }
  const days = { purge_from: from, purge_to: to };
  return { date, recordings: [...recordings], entries: recordings.length, amount, kinds, causes, ...days };
}

function counters<T extends string>(names: readonly T[]): Record<T, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<T, number>;
}
