import type { ViewerDay } from "../../domain/api/viewer_schema.ts";
import { dayOfMoment, dayText, momentNumber } from "../../domain/recordings/recording_name.ts";
import type { Only } from "../../domain/viewer/viewer_address.ts";
import type { Segment } from "../../store/library/recording_files.ts";
import type { RecordingIndex } from "../../store/library/recording_index.ts";
import type { RetentionOutlook } from "./retention_outlook.ts";

export interface OnlyParts {
  readonly segments: Pick<RecordingIndex, "days" | "day">;
  readonly deletions: Pick<RetentionOutlook, "due" | "rules" | "kept">;
}

/** Days with such recordings and how many moments they have, newest first. */
export async function onlyDays(parts: OnlyParts, only: Only): Promise<readonly ViewerDay[]> {
  // This refreshes the library.
  const known = new Set((await parts.segments.days()).map(({ date }) => date));
  const counts = new Map<number, number>();
  for (const moment of await momentsOf(parts, only)) {
    const day = dayOfMoment(moment);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts]
    .sort(([one], [other]) => other - one)
    .map(([day, count]) => ({ date: dayText(day), count }))
    .filter(({ date }) => known.has(date));
}

/** Such recordings of a day (`YYYY-MM-DD`), newest first; of the newest day that has some for null. */
export async function onlyDay(
  parts: OnlyParts,
  only: Only,
  date: string | null,
): Promise<{ date: string; segments: readonly Segment[] } | null> {
  const wanted = date ?? (await onlyDays(parts, only))[0]?.date;
  const day = wanted === undefined ? null : await parts.segments.day(wanted);
  if (day === null) return null;
  const moments = await momentsOf(parts, only);
  const segments = day.segments.filter(({ key }) => moments.has(momentNumber(key)));
  return segments.length === 0 ? null : { date: day.date, segments };
}

async function momentsOf({ deletions }: OnlyParts, only: Only): Promise<ReadonlySet<number>> {
  const due = only === "due" ? await deletions.due(deletions.rules) : null;
  const found = only === "kept" ? await deletions.kept() : due === null ? [] : [...due.age, ...due.room];
  return new Set(found.filter(({ set }) => set.videos > 0).map(({ moment }) => moment));
}
