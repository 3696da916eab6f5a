import { contactsOf, type LossTimes, lossCauseOf } from "../../domain/coverage/loss_cause.ts";
import type { LossCause } from "../../domain/coverage/recording_state.ts";
import type { LedgerRow } from "../../store/config/ledger_rows.ts";
import { isSliceEnd, nextTurn } from "../../turns.ts";
import type { LedgerParts } from "./ledger_parts.ts";

const DAY_MS = 86_400_000;
/** Times before that are not asked for: no card holds recordings for so long that a cause of then would count. */
const MOST_MS = 90 * DAY_MS;
/** Visits by which the usual stay is known. */
const USUAL_FROM_MS = 56 * DAY_MS;
const LEAST_VISITS = 5;

/** Gives rows of recordings that have just been lost their causes; others stay as they are. */
export async function withLossCauses(
  parts: Pick<LedgerParts, "file" | "history" | "visits">,
  rows: readonly LedgerRow[],
  now: number,
): Promise<readonly LedgerRow[]> {
  const isNew = ({ state, cause }: LedgerRow) => state === "lost" && cause === null;
  const lost = rows.filter(isNew);
  if (lost.length === 0) return rows;
  const first = lost.reduce((least, { firstSeen }) => Math.min(least, firstSeen), now);
  const since = Math.max(first, now - MOST_MS);
  const times = timesSince(parts, since, now);
  const caused: LedgerRow[] = [];
  // Recordings that one list had first and another lacked first are lost by one cause.
  const known = new Map<string, LossCause>();
  for (const row of rows) {
    if (isNew(row)) {
      const { firstSeen, missingSince, trouble } = row;
      const key = `${firstSeen} ${missingSince} ${trouble}`;
      const cause = known.get(key) ?? lossCauseOf({ firstSeen, missingSince: missingSince ?? now, trouble }, times);
      known.set(key, cause);
      caused.push({ ...row, cause });
    } else caused.push(row);
    if (isSliceEnd(caused.length)) await nextTurn();
  }
  return caused;
}

function timesSince(
  { file, history, visits }: Pick<LedgerParts, "file" | "history" | "visits">,
  since: number,
  now: number,
): LossTimes {
  const runs = history.since(since / 1000).filter(({ dryRun }) => !dryRun);
  const known = visits(Math.min(since, now - USUAL_FROM_MS));
  const stays = known
    .filter(({ from, to }) => to !== null && from >= now - USUAL_FROM_MS)
    .map(({ seconds }) => seconds)
    .sort((one, other) => one - other);
  return {
    runs,
    visits: known.length > 0 ? known : contactsOf(runs),
    pauses: file.use((ledger) => ledger.pausesSince(since)),
    usualStaySeconds: stays.length < LEAST_VISITS ? null : (stays[stays.length >> 1] ?? null),
  };
}
