import { dayOfMoment, dayText, momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import type { Only } from "../../domain/viewer/list_filter.ts";
import { isEverything, isOfKind, type ListFilter } from "../../domain/viewer/list_filter.ts";
import type { ViewerDay } from "../../domain/viewer/viewer_schema.ts";
import type { Segment } from "../../store/library/recording_files.ts";
import type { PendingDeletions } from "../retention/pending_deletions.ts";
import type { ViewedRecordings } from "./viewed_recordings.ts";

export interface ListParts {
  readonly viewed: Pick<ViewedRecordings, "days" | "day" | "daysWith">;
  readonly deletions: Pick<PendingDeletions, "due" | "rules" | "kept">;
}

/** Days with such clips and how many they have, newest first. */
export async function listDays(parts: ListParts, filter: ListFilter): Promise<readonly ViewerDay[]> {
  const { viewed } = parts;
  if (isEverything(filter)) return await viewed.days();
  if (filter.only === null) return await viewed.daysWith(({ key, parts }) => isOfKind(filter, key, parts.cameras));
  // This refreshes the library.
  const known = new Set((await viewed.days()).map(({ date }) => date));
  const counts = new Map<number, number>();
  for (const [moment, cameras] of await momentsOf(parts, filter.only)) {
    if (!isOfKind(filter, momentKey(moment), cameras)) continue;
    const day = dayOfMoment(moment);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts]
    .sort(([one], [other]) => other - one)
    .map(([day, count]) => ({ date: dayText(day), count }))
    .filter(({ date }) => known.has(date));
}

/** Such clips of a day (`YYYY-MM-DD`), newest first; of the newest day that has some for null. */
export async function listDay(
  parts: ListParts,
  filter: ListFilter,
  date: string | null,
): Promise<{ date: string; segments: readonly Segment[] } | null> {
  const { viewed } = parts;
  if (isEverything(filter)) return await viewed.day(date);
  const wanted = date ?? (await listDays(parts, filter))[0]?.date;
  const day = wanted === undefined ? null : await viewed.day(wanted);
  if (day === null) return null;
  const isListed = await listedBy(parts, filter);
  const segments = day.segments.filter(isListed);
  return segments.length === 0 ? null : { date: day.date, segments };
}

/** Makes the test for clips on a list with this filter. */
export async function listedBy(parts: ListParts, filter: ListFilter): Promise<(segment: Segment) => boolean> {
  const moments = filter.only === null ? null : await momentsOf(parts, filter.only);
  return ({ key, parts }) =>
    isOfKind(filter, key, parts.cameras) && (moments === null || moments.has(momentNumber(key)));
}

/** Counts all kept clips. */
export async function keptCount(parts: ListParts): Promise<number> {
  const days = await listDays(parts, { types: [], cameras: [], only: "kept" });
  return days.reduce((sum, { count }) => sum + count, 0);
}

/** With the letters of their cameras. */
async function momentsOf({ deletions }: ListParts, only: Only): Promise<ReadonlyMap<number, string>> {
  const due = only === "due" ? await deletions.due(deletions.rules) : null;
  const found = only === "kept" ? await deletions.kept() : due === null ? [] : [...due.age, ...due.room];
  const moments = new Map<number, string>();
  for (const { moment, set } of found) {
    if (set.videos === 0) continue;
    const videos = set.endings.filter((ending) => ending.endsWith(".mp4"));
    moments.set(moment, videos.map((ending) => ending.charAt(0)).join(""));
  }
  return moments;
}
