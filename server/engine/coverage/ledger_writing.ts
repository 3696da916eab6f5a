import { countsOf } from "../../domain/coverage/day_counts.ts";
import { dayText } from "../../domain/recordings/moment_number.ts";
import type { LedgerFile } from "../../store/config/ledger.ts";
import type { LedgerRow } from "../../store/config/ledger_rows.ts";
import { nextTurn } from "../../turns.ts";
import type { LedgerParts } from "./ledger_parts.ts";
import { withLossCauses } from "./loss_causes.ts";

/** Rows written at once: some two milliseconds. */
const SLICE = 500;

/** Writes rows, a slice at a time. Recordings that have just been lost get their causes. */
export async function writeRows(
  parts: Pick<LedgerParts, "file" | "history" | "visits">,
  rows: readonly LedgerRow[],
  now: number,
): Promise<void> {
  const { file } = parts;
  const caused = await withLossCauses(parts, rows, now);
  for (let at = 0; at < caused.length; at += SLICE) {
    const slice = caused.slice(at, at + SLICE);
    file.change((ledger) => ledger.save(slice));
    await nextTurn();
  }
}

/** Counts the days anew of which recordings have changed, one at a time. */
export async function countDays(file: LedgerFile): Promise<void> {
  for (;;) {
    const [day] = file.use((ledger) => ledger.oldDays(1));
    if (day === undefined) return;
    file.change((ledger) => {
      const counts = countsOf(dayText(day), ledger.ofDay(day));
      ledger.setDay(day, counts.lost, JSON.stringify(counts));
    });
    await nextTurn();
  }
}
