import type { TrashDayHead } from "../../server/domain/retention/deletion.ts";
import type { TrashTotals } from "../../server/domain/retention/trash_text.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";

/** Props as the server drew them; the island goes on with them. */
export interface TrashProps {
  readonly totals: TrashTotals;
  /** Very many are told by the day they were recorded on, else by the day of deletion. */
  readonly isRecorded: boolean;
  /**
   * Days in the order in which they leave, each with its first entries. Days of recording have all entries, or none
   * yet.
   */
  readonly days: readonly TrashDayHead[];
  /** Number of further days. */
  readonly moreDays: number;
  /** Sentence about the last known contents while the contents are not known; null while they are. */
  readonly unknown: string | null;
  /** The schedule is: nothing leaves by age. */
  readonly isPaused: boolean;
  /** Reason why nothing is deleted just now, as a sentence; null when nothing is in the way. */
  readonly problem: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly zone: ZoneTime | string;
}
