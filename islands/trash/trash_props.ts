import type { TrashDayHead } from "../../server/domain/retention/deletion.ts";
import type { TrashTotals } from "../../server/domain/retention/trash_text.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";

/** What the server drew, and what the island goes on with. */
export interface TrashProps {
  readonly totals: TrashTotals;
  /** Very many are told by the day they were recorded on, else by the day of deletion. */
  readonly isRecorded: boolean;
  /** What leaves first comes first; of each day the first entries. Those of recording have all entries, or none yet. */
  readonly days: readonly TrashDayHead[];
  /** How many further days there are. */
  readonly moreDays: number;
  /** What the trash holds is not known: what is known of it from before, as a sentence; null while it is known. */
  readonly unknown: string | null;
  /** The schedule is: nothing leaves by age. */
  readonly isPaused: boolean;
  /** Why nothing is deleted just now, as a sentence; null when nothing is in the way. */
  readonly problem: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly zone: ZoneTime | string;
}
