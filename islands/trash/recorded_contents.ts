import type { TrashDayHead, TrashedRecording } from "../../server/domain/retention/deletion.ts";
import type { Trash } from "../../server/domain/retention/deletion_schema.ts";
import { byRecordedDay, type RecordedDay } from "../../server/domain/retention/trash_days.ts";
import { type Asker, send } from "../browser/client.ts";
import type { TrashProps } from "./trash_props.ts";

/** Longest wait for all entries. */
const WAIT_MS = 60_000;

/** The days by recording; none where they are those of deletion. */
export function recordedDaysOf({ isRecorded, days }: TrashProps): readonly RecordedDay[] {
  return isRecorded ? (days as readonly RecordedDay[]) : [];
}

/** True when all clips of all days are loaded. */
export function isLoaded({ days }: TrashProps): boolean {
  return days.every(({ recordings, entries }) => recordings.length === entries);
}

/** With all clips of the days of recording. @throws Refusal */
export async function loaded(asker: Asker, contents: TrashProps): Promise<TrashProps> {
  return isLoaded(contents) ? contents : { ...contents, days: byRecordedDay(await allEntries(asker)) };
}

/** Adds all clips to contents read just now; the known clips are used while the days say the same. @throws Refusal */
export async function completed(asker: Asker, known: TrashProps, fresh: TrashProps): Promise<TrashProps> {
  const isSame = isLoaded(known) && saidOf(known.days) === saidOf(fresh.days);
  return isSame ? { ...fresh, days: known.days } : await loaded(asker, fresh);
}

/** Everything that lies there. @throws Refusal */
export async function allEntries(asker: Asker): Promise<TrashedRecording[]> {
  const { days } = await send<Trash>("GET /api/trash", undefined, AbortSignal.timeout(WAIT_MS), asker);
  return days.flatMap(({ recordings }) => recordings);
}

function saidOf(days: readonly TrashDayHead[]): string {
  return JSON.stringify(days.map(({ date, entries, amount, purge_from }) => [date, entries, amount, purge_from]));
}
