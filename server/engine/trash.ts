import type { TrashOverview } from "../domain/deletion.ts";

/** The trash as its page shows it first: every day of deletion with its first few entries. */
export async function trashOverview(_parts: object, _entriesPerDay = 3): Promise<TrashOverview> {
  return { recordings: 0, bytes: 0, days: 7, by_day: [], entries: 0, next: null };
}
