import { LISTS_THAT_DECIDE } from "../../domain/coverage/judgement.ts";
import { type ListVerdict, verdictOf } from "../../domain/coverage/list_verdict.ts";
import { hasNoAge } from "../../domain/recordings/moment_number.ts";
import type { CameraList } from "../../domain/sync/camera_list.ts";
import type { LedgerFile } from "../../store/config/ledger.ts";
import { BEFORE_ALL, type LedgerRow, type RecordingId } from "../../store/config/ledger_rows.ts";
import { isSliceEnd, nextTurn } from "../../turns.ts";
import { compareIds, newRow, type RowJudge } from "./row_judge.ts";

/** Rows read at once. */
const SLICE = 1000;

/** A list against what its card is known to hold. */
interface Scanned {
  readonly verdict: ListVerdict;
  /** The card that its recordings are known of, when it is of another one than was thought. */
  readonly otherCard: number | null;
  /** Rows that the card is known to hold, and that the list has, where they are others now. */
  readonly changed: readonly LedgerRow[];
  /** Rows that the card is known to hold, and that the list lacks. */
  readonly lacking: readonly LedgerRow[];
  /** Rows of this list that the card was not known to hold, with their places in it. */
  readonly fresh: readonly { readonly row: LedgerRow; readonly place: number }[];
}

export interface ListPassParts {
  readonly file: LedgerFile;
  readonly judge: RowJudge;
  readonly list: CameraList;
  readonly now: number;
}

/** Compares a list with the recordings of a card, and judges those that are in both. It writes nothing. */
export async function scanList(parts: ListPassParts, card: number, isCutOff: boolean): Promise<Scanned> {
  const { file, judge, list } = parts;
  const changed: LedgerRow[] = [];
  const lacking: LedgerRow[] = [];
  const unknown: number[] = [];
  let before = 0;
  let place = 0;
  const upTo = (id: RecordingId | null) => {
    while (place < list.size && (id === null || compareIds(idAt(list, place), id) < 0)) unknown.push(place++);
  };
  let last: LedgerRow | null = null;
  for (;;) {
    const from: RecordingId = last ?? BEFORE_ALL;
    const rows: readonly LedgerRow[] = file.use((ledger) => ledger.onCardAfter(card, from, SLICE));
    for (const row of rows) {
      before++;
      upTo(row);
      if (place < list.size && compareIds(idAt(list, place), row) === 0) {
        const next = judge.now(isOnCard(row), place++);
        if (next !== row) changed.push(next);
      } else lacking.push(row);
    }
    last = rows.at(-1) ?? null;
    if (rows.length < SLICE) break;
    await nextTurn();
  }
  upTo(null);
  const newest = last;
  const fresh: { row: LedgerRow; place: number }[] = [];
  const isFirst = file.use((ledger) => ledger.isEmpty());
  const others = new Map<number, number>();
  let back = 0;
  let hasOlder = false;
  for (const at of unknown) {
    const id = idAt(list, at);
    const known = isFirst ? null : file.use((ledger) => ledger.find(id));
    if (known?.isListed && known.card !== null) others.set(known.card, (others.get(known.card) ?? 0) + 1);
    else if (known?.card != null) back++;
    else if (known === null && newest !== null && id.moment < newest.moment && !hasNoAge(id.moment)) hasOlder = true;
    fresh.push({ row: known ?? newRow(id, parts.now), place: at });
    if (isSliceEnd(fresh.length)) await nextTurn();
  }
  const [other] = [...others].sort(([, one], [, two]) => two - one)[0] ?? [];
  const comparison = {
    before,
    now: list.size,
    kept: before - lacking.length,
    ofOtherCard: others.get(other ?? -1) ?? 0,
    back,
    hasOlder,
    isCut: isCutOff && newest !== null && lacking.some((row) => compareIds(row, newest) === 0),
  };
  return { verdict: verdictOf(comparison), otherCard: other ?? null, changed, lacking, fresh };
}

/** The row of a recording that the camera lists. */
function isOnCard(row: LedgerRow): LedgerRow {
  return row.missing === 0 ? row : { ...row, missing: 0, missingSince: null, lastSeen: null };
}

/** The row of a recording that this card was not known to hold, as it is now. */
export function freshRow({ judge }: ListPassParts, { row, place }: Scanned["fresh"][number], card: number): LedgerRow {
  return judge.now({ ...row, isListed: true, card, missing: 0, missingSince: null, lastSeen: null }, place);
}

/** The row of a recording that a good list lacks, as it is now. @param seen when a list had it last, if one ago */
export function missingRow({ judge, now }: ListPassParts, row: LedgerRow, seen: number | null): LedgerRow {
  const missing = row.missing + 1;
  const [missingSince, lastSeen] = row.missing === 0 ? [now, seen] : [row.missingSince, row.lastSeen];
  return judge.now({ ...row, missing, missingSince, lastSeen, isListed: missing < LISTS_THAT_DECIDE }, -1);
}

function idAt(list: CameraList, place: number): RecordingId {
  return { moment: list.momentAt(place), ending: list.endingAt(place) };
}
