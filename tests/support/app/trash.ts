import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TrashProps } from "../../../islands/trash/trash_props.ts";
import type { TrashDayHead, TrashedRecording } from "../../../server/domain/retention/deletion.ts";
import type { DeletionCause } from "../../../server/domain/retention/deletion_cause.ts";

const DAY_MS = 86_400_000;

/** A recording in the trash: a test gives the values it needs, and all others are the usual ones. */
export function trashed(key: string, more: Partial<TrashedRecording> = {}): TrashedRecording {
  const deleted_at = more.deleted_at ?? "2026-06-01T08:00:00.000Z";
  return {
    key,
    deleted_at,
    purge_at: new Date(Date.parse(deleted_at) + 7 * DAY_MS).toISOString(),
    bytes: 100_000_000,
    cause: "age",
    by: null,
    why: "Older than 2 weeks",
    recordings: 1,
    thumb: null,
    ...more,
  };
}

/** Keys of one day, a minute apart, newest first. */
export function keysOf(count: number, type = "N"): string[] {
  const stamp = (at: number) =>
    new Date(Date.UTC(2026, 4, 10) + at * 60_000).toISOString().replaceAll(/[-:]|\..*/g, "");
  return Array.from({ length: count }, (_, at) => `${stamp(count - 1 - at).replace("T", "_")}_${type}`);
}

/** A day of the trash with all its recordings, of which only the first few are shown. */
export function dayOf(date: string, all: readonly TrashedRecording[], shown = 3): TrashDayHead {
  const purges = all.map(({ purge_at }) => purge_at).toSorted();
  return {
    date,
    recordings: all.slice(0, shown),
    entries: all.length,
    amount: {
      recordings: all.reduce((sum, { recordings }) => sum + recordings, 0),
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    purge_from: purges[0] ?? "",
    purge_to: purges.at(-1) ?? "",
  };
}

/** The page's data for these days. */
export function contentsOf(days: readonly TrashDayHead[], more: Partial<TrashProps> = {}): TrashProps {
  const sum = (of: (day: TrashDayHead) => number) => days.reduce((all, day) => all + of(day), 0);
  const [first] = days;
  return {
    totals: {
      recordings: sum(({ amount }) => amount.recordings),
      bytes: sum(({ amount }) => amount.bytes),
      entries: sum(({ entries }) => entries),
      days: 7,
      next: first ? { at: first.purge_from, recordings: first.amount.recordings } : null,
    },
    isRecorded: false,
    days,
    moreDays: 0,
    unknown: null,
    isPaused: false,
    problem: null,
    now: Date.parse("2026-06-07T10:15:00Z"),
    zone: "UTC",
    ...more,
  };
}

/** Time and cause of a deletion. */
export interface Deletion {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly cause?: DeletionCause;
  readonly by?: string;
}

/** The folder of the trash for a deletion, with its head: what is put there lies in the trash. */
export function trashFolder(destination: string, { at, cause = "age", by }: Deletion): string {
  const stamp = new Date(at).toISOString().replaceAll(/[-:.]/g, "");
  const folder = join(destination, ".dashdock", "trash", `${stamp}-${cause}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "list"), `${JSON.stringify({ by: by ?? null, keep: { normal: "2w", parking: "1w" } })}\n`);
  return folder;
}

/** Lays videos into the trash as an earlier deletion has left them. */
export function putInTrash(destination: string, deletion: Deletion, names: readonly string[], size = 1000): void {
  const folder = trashFolder(destination, deletion);
  for (const name of names) {
    writeFileSync(join(folder, name), "");
    // A hole, which takes no room on the disk.
    if (size > 0) truncateSync(join(folder, name), size);
  }
}
