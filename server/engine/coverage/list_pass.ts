import { LISTS_THAT_DECIDE } from "../../domain/coverage/judgement.ts";
import { knownSince } from "../../domain/coverage/known_since.ts";
import { type ListVerdict, verdictOf } from "../../domain/coverage/list_verdict.ts";
import { baseOfMoment, firstOfBase, hasNoAge } from "../../domain/recordings/moment_number.ts";
import type { CameraList } from "../../domain/sync/camera_list.ts";
import { BEFORE_ALL, type LedgerRow, type RecordingId } from "../../store/config/ledger_rows.ts";
import { isSliceEnd, nextTurn } from "../../turns.ts";
import type { Cards } from "./cards.ts";
import type { LedgerParts } from "./ledger_parts.ts";
import { writeRows } from "./ledger_writing.ts";
import { compareIds, newRow, type RowJudge } from "./row_judge.ts";

/** Rows read, and written, at once. */
const SLICE = 500;

/** A recording of the list that the card was not known to hold, and its place there. */
interface FreshRow {
  readonly row: LedgerRow;
  readonly place: number;
}

/** A list against what its card is known to hold. */
interface Scanned {
  readonly verdict: ListVerdict;
  /** The card that its recordings are known of, when it is of another one than was thought. */
  readonly otherCard: number | null;
  /** Rows that the card is known to hold, and that the list has, where they are others now. */
  readonly changed: readonly LedgerRow[];
  /** Rows that the card is known to hold, and that the list lacks. */
  readonly lacking: readonly LedgerRow[];
  readonly fresh: readonly FreshRow[];
}

export interface ListPassParts extends Pick<LedgerParts, "file" | "history" | "visits"> {
  readonly cards: Cards;
  readonly judge: RowJudge;
  readonly list: CameraList;
  /** Lines of it that are no recordings. */
  readonly strangeLines: number;
  readonly now: number;
}

/** Takes a list: compares it with what the card is known to hold, and decides about what it lacks. */
export class ListPass {
  readonly #parts: ListPassParts;

  constructor(parts: ListPassParts) {
    this.#parts = parts;
  }

  /** @returns whether the list is to be believed in what it lacks, too */
  async run(): Promise<boolean> {
    const { cards, list, strangeLines, now } = this.#parts;
    const size = { size: list.size, strangeLines };
    let found = await this.#scan();
    if (found.otherCard !== null && (found.verdict === "returned" || found.verdict === "same_card")) {
      cards.goBackTo(found.otherCard, found.verdict === "same_card");
      found = await this.#scan();
    }
    const { verdict } = found;
    if (verdict === "formatted" || verdict === "other_card") {
      cards.begin(verdict, now, size);
      // Nothing is known of the new card: all that it holds is added.
      found = await this.#scan();
    }
    // By the last list that had what this one lacks.
    const card = cards.current;
    const seen = cards.known(card)?.lastSeen ?? null;
    await this.#write(found.changed, (row) => row);
    await this.#write(found.fresh, (one) => this.#freshRow(one, card));
    if (verdict === "good") {
      await this.#forgetRenamed(found.lacking);
      const missing = found.lacking.filter((row) => !this.#isRenamed(row));
      await this.#write(missing, (row) => this.#missingRow(row, seen));
    }
    if (verdict === "short") cards.sawShortList();
    // An empty one hides nothing.
    if (verdict === "short" || verdict === "suspect") return list.size === 0;
    cards.saw(now, size, () => knownSince(list));
    return true;
  }

  /** Compares the list with the recordings of the card, and judges those that are in both. It writes nothing. */
  async #scan(): Promise<Scanned> {
    const { file, judge, list, cards, strangeLines } = this.#parts;
    const card = cards.current;
    const changed: LedgerRow[] = [];
    const lacking: LedgerRow[] = [];
    const unknown: number[] = [];
    let known = 0;
    let place = 0;
    const upTo = (id: RecordingId | null) => {
      while (place < list.size && (id === null || compareIds(idAt(list, place), id) < 0)) unknown.push(place++);
    };
    let newest: LedgerRow | null = null;
    for (;;) {
      const from: RecordingId = newest ?? BEFORE_ALL;
      const rows: readonly LedgerRow[] = file.use((ledger) => ledger.onCardAfter(card, from, SLICE));
      for (const row of rows) {
        known++;
        upTo(row);
        if (place < list.size && compareIds(idAt(list, place), row) === 0) {
          const next = judge.now(isOnCard(row), place++);
          if (next !== row) changed.push(next);
        } else lacking.push(row);
      }
      newest = rows.at(-1) ?? newest;
      if (rows.length < SLICE) break;
      await nextTurn();
    }
    upTo(null);
    const { fresh, ofCards, back, hasOlder } = await this.#lookUp(unknown, newest);
    const [otherCard = null, ofOtherCard = 0] = [...ofCards].sort(([, one], [, two]) => two - one)[0] ?? [];
    const before = cards.known(card);
    const verdict = verdictOf({
      known,
      before: before?.size ?? null,
      now: list.size,
      kept: known - lacking.length,
      ofOtherCard,
      back,
      hasOlder,
      isOdd: lacking.length > 0 && strangeLines > (before?.strangeLines ?? 0),
      // By the second: a recording may have got another type since.
      endsBefore: newest !== null && baseOfMoment(list.momentAt(list.size - 1)) < baseOfMoment(newest.moment),
      shortLists: before?.shortLists ?? 0,
    });
    return { verdict, otherCard, changed, lacking, fresh };
  }

  /** Finds what is known of recordings that the card was not known to hold. */
  async #lookUp(places: readonly number[], newest: RecordingId | null) {
    const { file, list, now } = this.#parts;
    const fresh: FreshRow[] = [];
    const ofCards = new Map<number, number>();
    let back = 0;
    let hasOlder = false;
    const newestKnown = file.use((ledger) => ledger.newestMoment());
    for (const place of places) {
      const id = idAt(list, place);
      const known = id.moment > newestKnown ? null : file.use((ledger) => ledger.find(id));
      if (known?.isListed && known.card !== null) ofCards.set(known.card, (ofCards.get(known.card) ?? 0) + 1);
      else if (known?.card != null) back++;
      else if (known === null && newest !== null && id.moment < newest.moment && !hasNoAge(id.moment)) hasOlder = true;
      fresh.push({ row: known ?? newRow(id, now), place });
      if (isSliceEnd(fresh.length)) await nextTurn();
    }
    return { fresh, ofCards, back, hasOlder };
  }

  #freshRow({ row, place }: FreshRow, card: number): LedgerRow {
    const onCard = { isListed: true, card, missing: 0, missingSince: null, lastSeen: null };
    return this.#parts.judge.now({ ...row, ...onCard }, place);
  }

  /** The row of a recording that a good list lacks, as it is now. @param seen when a list had it last, if one ago */
  #missingRow(row: LedgerRow, seen: number | null): LedgerRow {
    const missing = row.missing + 1;
    const [missingSince, lastSeen] = row.missing === 0 ? [this.#parts.now, seen] : [row.missingSince, row.lastSeen];
    return this.#parts.judge.now(
      { ...row, missing, missingSince, lastSeen, isListed: missing < LISTS_THAT_DECIDE },
      -1,
    );
  }

  async #forgetRenamed(lacking: readonly LedgerRow[]): Promise<void> {
    const renamed = lacking.filter((row) => this.#isRenamed(row));
    if (renamed.length > 0) this.#parts.file.change((ledger) => ledger.remove(renamed));
  }

  /** True when the list has this recording as another type: an event makes one of a drive. */
  #isRenamed({ moment, ending, homeAt }: LedgerRow): boolean {
    const { list } = this.#parts;
    if (homeAt !== null) return false;
    const [from] = list.rangeOf(firstOfBase(moment));
    for (let at = from; at < list.size && baseOfMoment(list.momentAt(at)) === baseOfMoment(moment); at++)
      if (list.endingAt(at) === ending) return true;
    return false;
  }

  /** Makes rows of some things at a time, and writes them. */
  async #write<T>(things: readonly T[], rowOf: (thing: T) => LedgerRow): Promise<void> {
    for (let at = 0; at < things.length; at += SLICE)
      await writeRows(this.#parts, things.slice(at, at + SLICE).map(rowOf), this.#parts.now);
  }
}

/** The row of a recording that the camera lists. */
function isOnCard(row: LedgerRow): LedgerRow {
  return row.missing === 0 ? row : { ...row, missing: 0, missingSince: null, lastSeen: null };
}

function idAt(list: CameraList, place: number): RecordingId {
  return { moment: list.momentAt(place), ending: list.endingAt(place) };
}
