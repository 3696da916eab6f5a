import type { TrashDayHead, TrashedRecording } from "../../server/domain/retention/deletion.ts";

/** Chosen entries of one day: these, or all but these, whether they have been fetched or not. */
export interface DayChoice {
  readonly isAll: boolean;
  readonly keys: ReadonlySet<string>;
}

/** Chosen entries, by day of deletion; a day without a choice is not in it. */
export type Choice = ReadonlyMap<string, DayChoice>;

export const NOTHING: ReadonlyMap<string, DayChoice> = new Map();

/** Amount of a choice: rows, videos, and their bytes. */
export interface Chosen {
  readonly entries: number;
  readonly recordings: number;
  readonly bytes: number;
}

export function isChosen(choice: Choice, date: string, key: string): boolean {
  const day = choice.get(date);
  return day !== undefined && day.keys.has(key) !== day.isAll;
}

/** With the whole day, or without any of it. */
export function withDay(choice: Choice, date: string, on: boolean): Choice {
  const next = new Map(choice);
  if (on) next.set(date, { isAll: true, keys: new Set() });
  else next.delete(date);
  return next;
}

/** With some entries of a day, or without them. */
export function withKeys(
  choice: Choice,
  { date, entries }: TrashDayHead,
  keys: readonly string[],
  on: boolean,
): Choice {
  const { isAll, keys: named } = choice.get(date) ?? { isAll: false, keys: new Set<string>() };
  const left = new Set(named);
  for (const key of keys) {
    if (on === isAll) left.delete(key);
    else left.add(key);
  }
  // All but all are none; all of them are the day.
  const isWhole = left.size >= entries;
  if (left.size === 0 || isWhole) return withDay(choice, date, isWhole !== isAll);
  return new Map(choice).set(date, { isAll, keys: left });
}

/**
 * Takes out of a choice the entries that an action has worked on, also those that it could not move. Entries that were
 * chosen while it went on stay.
 * @param before the choice as the action began
 */
export function withoutWorkedOn(
  choice: Choice,
  before: Choice,
  list: readonly { readonly date: string; readonly recording: TrashedRecording }[],
  days: readonly TrashDayHead[],
): Choice {
  let left = choice;
  for (const day of days) {
    const now = left.get(day.date);
    const then = before.get(day.date);
    if (now === undefined || then === undefined) continue;
    const isThere = new Set(day.recordings.map(({ key }) => key));
    const keysHere = (keys: Iterable<string>) => [...keys].filter((key) => isThere.has(key));
    if (now.isAll && then.isAll) {
      // Entries that came to the day meanwhile are not chosen. Those are that were left out at first.
      const added = keysHere(then.keys).filter((key) => !now.keys.has(key));
      left = withKeys(withDay(left, day.date, false), day, added, true);
    } else {
      const worked = list.filter(({ date }) => date === day.date).map(({ recording }) => recording.key);
      left = withKeys(left, day, keysHere(worked), false);
    }
  }
  return left;
}

/** Tells if all, some or none of a day are chosen. */
export function partOf(choice: Choice, date: string): "all" | "some" | "none" {
  const day = choice.get(date);
  if (day === undefined) return "none";
  return day.isAll && day.keys.size === 0 ? "all" : "some";
}

/** Adds up what is chosen. Entries that are named have been fetched, so their sizes are known. */
export function amountOf(choice: Choice, days: readonly TrashDayHead[]): Chosen {
  const sum = { entries: 0, recordings: 0, bytes: 0 };
  for (const { date, entries, amount, recordings } of days) {
    const day = choice.get(date);
    if (day === undefined) continue;
    const named = recordings.filter(({ key }) => day.keys.has(key));
    const part = sumOf(named);
    sum.entries += day.isAll ? entries - part.entries : part.entries;
    sum.recordings += day.isAll ? amount.recordings - part.recordings : part.recordings;
    sum.bytes += day.isAll ? amount.bytes - part.bytes : part.bytes;
  }
  return sum;
}

export function sumOf(list: readonly TrashedRecording[]): Chosen {
  const sum = { entries: list.length, recordings: 0, bytes: 0 };
  for (const { recordings, bytes } of list) {
    sum.recordings += recordings;
    sum.bytes += bytes;
  }
  return sum;
}

/** The entries from one row to another in the order in which they are shown, both included, by day. */
export function between(
  days: readonly TrashDayHead[],
  from: string,
  to: string,
): { readonly day: TrashDayHead; readonly keys: readonly string[] }[] {
  const rows = days.flatMap(({ date, recordings }) => recordings.map(({ key }) => rowOf(date, key)));
  const one = rows.indexOf(from);
  const other = rows.indexOf(to);
  if (one < 0 || other < 0) return [];
  const wanted = new Set(rows.slice(Math.min(one, other), Math.max(one, other) + 1));
  return days
    .map((day) => ({
      day,
      keys: day.recordings.map(({ key }) => key).filter((key) => wanted.has(rowOf(day.date, key))),
    }))
    .filter(({ keys }) => keys.length > 0);
}

/** Names a row: a recording may have been deleted twice, on two days. */
export function rowOf(date: string, key: string): string {
  return `${date}/${key}`;
}
