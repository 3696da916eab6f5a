import { momentKey } from "../../domain/recordings/moment_number.ts";
import { type CameraList, VIDEO_ENDINGS } from "../../domain/sync/camera_list.ts";
import { BEFORE_ALL, type LedgerRow, type RecordingId } from "../../store/config/ledger_rows.ts";
import type { Library } from "../../store/library/library.ts";
import { isSliceEnd, nextTurn } from "../../turns.ts";
import type { LedgerParts } from "./ledger_parts.ts";
import { writeRows } from "./ledger_writing.ts";
import { compareIds, newRow, type RowJudge } from "./row_judge.ts";

/** Rows judged at once. */
const SLICE = 500;

export interface ReconcileParts extends Pick<LedgerParts, "file" | "history" | "visits"> {
  readonly library: Pick<Library, "folderContents" | "group" | "recordingCount">;
  readonly judge: RowJudge;
  readonly list: CameraList;
  readonly now: number;
}

/** Brings every recording of the ledger up to date, and adds those that were found at home. */
export async function reconcileAll(parts: ReconcileParts): Promise<void> {
  const { file, judge, list, library } = parts;
  let home = 0;
  let place = 0;
  for (let last: LedgerRow | null = null; ; ) {
    const from: RecordingId = last ?? BEFORE_ALL;
    const rows: readonly LedgerRow[] = file.use((ledger) => ledger.after(from, SLICE));
    const changed: LedgerRow[] = [];
    for (const row of rows) {
      while (place < list.size && compareIds(idAt(list, place), row) < 0) place++;
      const isListed = place < list.size && compareIds(idAt(list, place), row) === 0;
      const next = judge.now(row, isListed ? place : -1);
      if (next !== row) changed.push(next);
      if (next.state === "home" || next.state === "damaged") home++;
    }
    await writeRows(parts, changed, parts.now);
    last = rows.at(-1) ?? null;
    if (rows.length < SLICE) break;
    await nextTurn();
  }
  if (home < library.recordingCount) await addFound(parts);
}

/** Brings the recordings of some moments up to date. */
export async function reconcileSome(parts: ReconcileParts, moments: Iterable<number>): Promise<void> {
  const { file, judge, list, library, now } = parts;
  const changed: LedgerRow[] = [];
  let handled = 0;
  for (const moment of moments) {
    const [from, to] = list.rangeOf(moment);
    const places = new Map<number, number>();
    for (let at = from; at < to; at++) places.set(list.endingAt(at), at);
    const known = file.use((ledger) => ledger.ofMoment(moment));
    const rows = new Map(known.map((row) => [row.ending, row]));
    for (const ending of videosOf(library.group(momentKey(moment))?.endings ?? []))
      if (!rows.has(ending)) rows.set(ending, newRow({ moment, ending }, now));
    for (const row of rows.values()) {
      const next = judge.now(row, places.get(row.ending) ?? -1);
      if (next !== row) changed.push(next);
    }
    if (isSliceEnd(++handled)) await nextTurn();
  }
  await writeRows(parts, changed, parts.now);
}

/** Brings the recordings that the list has up to date, after rules have changed. */
export async function reconcileListed(parts: ReconcileParts): Promise<void> {
  const { file, judge, list } = parts;
  let place = 0;
  for (let last: LedgerRow | null = null; place < list.size; ) {
    const from: RecordingId = last ?? before(idAt(list, 0));
    const rows: readonly LedgerRow[] = file.use((ledger) => ledger.after(from, SLICE));
    const changed: LedgerRow[] = [];
    for (const row of rows) {
      while (place < list.size && compareIds(idAt(list, place), row) < 0) place++;
      if (place >= list.size || compareIds(idAt(list, place), row) !== 0) continue;
      const next = judge.now(row, place++);
      if (next !== row) changed.push(next);
    }
    await writeRows(parts, changed, parts.now);
    last = rows.at(-1) ?? null;
    if (rows.length < SLICE) break;
    await nextTurn();
  }
}

/** Adds recordings that are at home and that no list had. */
async function addFound(parts: ReconcileParts): Promise<void> {
  const { file, library, judge, now } = parts;
  let found: LedgerRow[] = [];
  let handled = 0;
  for (const { moments } of library.folderContents) {
    for (const [moment, { endings }] of moments) {
      for (const ending of videosOf(endings)) {
        const id = { moment, ending };
        if (file.use((ledger) => ledger.find(id)) !== null) continue;
        found.push(judge.now(newRow(id, now), -1));
      }
      if (!isSliceEnd(++handled)) continue;
      await writeRows(parts, found, now);
      found = [];
      await nextTurn();
    }
  }
  await writeRows(parts, found, now);
}

/** The endings of videos among those of a moment, as numbers. */
function videosOf(endings: readonly string[]): number[] {
  return endings.map((ending) => VIDEO_ENDINGS.indexOf(ending)).filter((ending) => ending >= 0);
}

function idAt(list: CameraList, place: number): RecordingId {
  return { moment: list.momentAt(place), ending: list.endingAt(place) };
}

function before({ moment }: RecordingId): RecordingId {
  return { moment, ending: -1 };
}
