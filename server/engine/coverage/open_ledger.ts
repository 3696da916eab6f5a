import { AppError } from "../../domain/answers/errors.ts";
import { LISTS_THAT_DECIDE } from "../../domain/coverage/judgement.ts";
import type { CardAnswer, RecordingState } from "../../domain/coverage/recording_state.ts";
import { isAcceptable } from "../../domain/status/destination_state.ts";
import { CameraListBuilder } from "../../domain/sync/camera_list.ts";
import { messageOf } from "../../log.ts";
import { LedgerBegunAnew } from "../../store/config/ledger.ts";
import { BEFORE_ALL, type LedgerRow, type LedgerRows, type RecordingId } from "../../store/config/ledger_rows.ts";
import type { TrashEntry } from "../../store/destination/trash_index.ts";
import { nextTurn, Turns } from "../../turns.ts";
import type { JudgedList } from "../listed/known_list.ts";
import { type CardQuestion, Cards, type OpenQuestion } from "./cards.ts";
import type { LedgerNews, LedgerParts } from "./ledger_parts.ts";
import { countDays, writeRows } from "./ledger_writing.ts";
import { ListPass } from "./list_pass.ts";
import { reconcileAll, reconcileListed, reconcileSome } from "./reconcile.ts";
import { idOf, RowJudge } from "./row_judge.ts";

const LOGGER = "ledger";
/** Rows changed at once. */
const SLICE = 500;
/** News of a run is not written down more often, so that many small files come as fast as they can. */
const OFTEN_MS = 10_000;

/** The ledger while there is one: reads and writes it, and brings it up to date with the news and with the library. */
export class OpenLedger {
  readonly #parts: LedgerParts;
  readonly #news: LedgerNews;
  readonly #cards: Cards;
  readonly #turns = new Turns(1);
  /** Everything that the ledger was last brought up to date with; null before the first time, and after trouble. */
  #settled: {
    readonly version: number;
    readonly judged: JudgedList;
    readonly trash: readonly TrashEntry[] | null;
    readonly unreadable: string;
  } | null = null;
  /** Stands for the list while there is none of the camera in use. */
  readonly #noList: JudgedList = {
    list: new CameraListBuilder({ address: "", destination: "" }, 0).list(),
    counter: { ruleAt: () => null, standingAt: () => "gone" },
  };
  #isClosed = false;
  #settledAt = Number.NEGATIVE_INFINITY;
  #hasTaken = false;

  constructor(parts: LedgerParts, news: LedgerNews) {
    this.#parts = parts;
    this.#news = news;
    this.#cards = new Cards(parts);
  }

  /** True when there is one by now, also one that cannot be used. */
  get exists(): boolean {
    return this.#parts.file.exists;
  }

  /** True when the last list is in it, and a good one. */
  get hasTaken(): boolean {
    return this.#hasTaken;
  }

  /** Trouble with its file, as a sentence; null when there is none. A full disk is told of the whole config folder. */
  get trouble(): string | null {
    const { problem, isFull, setAside } = this.#parts.file;
    if (problem !== null && !isFull) return problem;
    if (setAside === null) return null;
    return `The ledger of recordings was damaged and has begun anew. The old one is kept as ${setAside}.`;
  }

  /** Brings a ledger that is there up to date at the start. @param isPaused syncing is paused now */
  async begin(isPaused: boolean): Promise<void> {
    await this.#inTurn(async () => {
      this.#pause(isPaused);
      await this.#settle(false);
    });
  }

  /** Takes the list that a run has got, and that is believed. @param strangeLines lines of it that are no recordings */
  async takeList(strangeLines: number): Promise<void> {
    this.#hasTaken = false;
    await this.#inTurn(async () => {
      const judged = await this.#settle(true);
      if (judged === null || judged === this.#noList) return;
      const isGood = await this.#take(judged, strangeLines);
      if (this.#settled !== null) this.#settled = { ...this.#settled, judged };
      this.#hasTaken = isGood;
      await countDays(this.#parts.file);
    });
  }

  /** Brings it up to date within a run, unless that was just done or is under way. */
  settleSoon(): void {
    const isDue = this.#parts.clock.elapsed() - this.#settledAt >= OFTEN_MS;
    if (isDue && !this.#turns.isBusy) void this.settle();
  }

  /** Notes that syncing is paused from now on, or goes on. */
  async notePause(isPaused: boolean): Promise<void> {
    await this.#inTurn(async () => this.#pause(isPaused));
  }

  /** Brings it up to date with everything that has happened. Never rejects. */
  async settle(): Promise<void> {
    await this.#inTurn(() => this.#settle(false));
  }

  /** Brings it up to date and reads of it. @throws AppError LEDGER_UNUSABLE */
  async read<T>(read: (rows: LedgerRows) => T): Promise<T> {
    return await this.#asked(() => this.#parts.file.use(read));
  }

  /** The question what has become of the card; null while there is none. @throws AppError LEDGER_UNUSABLE */
  async question(): Promise<CardQuestion | null> {
    return await this.#asked(() => {
      const open = this.#cards.question;
      if (open === null) return null;
      const { since, likely, cards } = open;
      const recordings = this.#cards.waitingOn(cards);
      return recordings === 0 ? null : { since, likely, recordings };
    });
  }

  /**
   * Answers the question.
   * @returns whether there was one
   * @throws AppError LEDGER_UNUSABLE
   */
  async answer(answer: CardAnswer, by: string | null): Promise<boolean> {
    if ((await this.question()) === null) return false;
    return await this.#strictly(async () => {
      const open = this.#cards.question;
      if (open === null) return false;
      this.#cards.keepQuestion({ ...open, answer, by });
      await this.#finishAnswer();
      await countDays(this.#parts.file);
      return true;
    });
  }

  /**
   * Returns what has become of a recording, by the name of its video; null when it was never seen. @throws AppError
   * LEDGER_UNUSABLE
   */
  async stateOf(name: string): Promise<RecordingState | null> {
    return await this.#asked(() => this.#parts.file.use((ledger) => ledger.find(idOf(name)))?.state ?? null);
  }

  /** Resolves when all that goes on has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.run(async () => this.#parts.file.close());
  }

  /** Brings it up to date, and reads of it. @throws AppError LEDGER_UNUSABLE */
  async #asked<T>(read: () => T): Promise<T> {
    return await this.#strictly(async () => {
      // A ledger that cannot be written, as on a full disk, can be read as it was.
      await this.#settle(false).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        this.#settled = null;
      });
      return read();
    });
  }

  /** Does work in turn. What goes wrong is told once, by the file, and the work is done again by what comes next. */
  async #inTurn(work: () => Promise<unknown>): Promise<void> {
    try {
      await this.#strictly(work);
    } catch (error) {
      this.#settled = null;
      if (!(error instanceof AppError))
        this.#parts.log.warning(LOGGER, `The ledger is not up to date: ${messageOf(error)}`);
    }
  }

  async #strictly<T>(work: () => Promise<T>): Promise<T> {
    return await this.#turns.run(async () => {
      try {
        return await work();
      } catch (error) {
        this.#settled = null;
        if (!(error instanceof LedgerBegunAnew)) throw error;
        return await work().catch((again: unknown) => {
          throw again instanceof LedgerBegunAnew ? new AppError("LEDGER_UNUSABLE", again.message) : again;
        });
      }
    });
  }

  /**
   * Brings the ledger up to date.
   * @param isListed a list is about to be taken: a ledger is begun when there is none, and the list is left to that
   * @returns the list by which it is, null while it is unknown what is at home
   */
  async #settle(isListed: boolean): Promise<JudgedList | null> {
    const { file, listed, library, destination, retention, clock, damaged } = this.#parts;
    const { troubles, sizes, leavings } = this.#news;
    if (this.#isClosed || !(isListed || file.exists)) return null;
    await this.#finishAnswer();
    // A run has just looked at the folder.
    if (!isListed) await destination.check();
    await listed.counts().catch(() => null);
    const isHomeKnown = library.available || library.rootProblem?.code === "ENOENT";
    // While it is unknown what is at home, nothing is judged.
    if (!isHomeKnown || isAcceptable(destination.standing)) return null;
    const judged = listed.judged ?? this.#noList;
    const trash = await retention.trash.entries().catch(() => null);
    const unreadable = JSON.stringify(library.unreadable);
    const { version } = library.names;
    const before = this.#settled;
    const changed = before === null ? null : library.names.changedSince(before.version);
    const isWhole = before !== null && changed !== null && before.unreadable === unreadable;
    // Asked first: what another program has found is news.
    damaged();
    const isSame = isWhole && changed.length === 0 && before.judged === judged && before.trash === trash;
    if (isSame && !this.#hasNews) return judged;
    const news = { troubles: new Map(troubles), sizes: new Map(sizes), leavings: new Map(leavings) };
    const touched = [...this.#news.touched];
    const now = clock.now();
    const parts = { ...this.#parts, list: judged.list, judged, trash, news, now };
    const judge = new RowJudge(parts);
    if (!isWhole) await reconcileAll({ ...parts, judge });
    else {
      if (before.judged !== judged && !isListed) await reconcileListed({ ...parts, judge });
      const moments = new Set(changed);
      for (const name of [...news.troubles.keys(), ...news.sizes.keys()]) moments.add(idOf(name).moment);
      for (const moment of [...news.leavings.keys(), ...touched]) moments.add(moment);
      if (before.trash !== trash) for (const { moment } of file.use((ledger) => ledger.inTrash())) moments.add(moment);
      await reconcileSome({ ...parts, judge }, moments);
    }
    for (const [name, trouble] of news.troubles) if (troubles.get(name) === trouble) troubles.delete(name);
    for (const [name, size] of news.sizes) if (sizes.get(name) === size) sizes.delete(name);
    for (const [moment, one] of news.leavings) if (leavings.get(moment) === one) leavings.delete(moment);
    for (const moment of touched) this.#news.touched.delete(moment);
    this.#settled = { version, judged, trash, unreadable };
    this.#settledAt = clock.elapsed();
    if (!isListed) await countDays(file);
    return judged;
  }

  get #hasNews(): boolean {
    const { troubles, sizes, leavings, touched } = this.#news;
    return troubles.size + sizes.size + leavings.size + touched.size > 0;
  }

  /** Compares a list with what the card is known to hold, and decides about what it lacks. */
  async #take(judged: JudgedList, strangeLines: number): Promise<boolean> {
    const { retention, clock } = this.#parts;
    const now = clock.now();
    const trash = await retention.trash.entries().catch(() => null);
    const news = { troubles: new Map(), sizes: new Map(), leavings: new Map() };
    const judge = new RowJudge({ ...this.#parts, judged, trash, news, now });
    const parts = { ...this.#parts, cards: this.#cards, judge, list: judged.list, strangeLines, now };
    return await new ListPass(parts).run();
  }

  /** Gives all recordings of a question its answer, also after a kill in the middle. */
  async #finishAnswer(): Promise<void> {
    const open = this.#cards.question;
    if (open?.answer === undefined) return;
    const { file, clock } = this.#parts;
    const now = clock.now();
    for (const card of open.cards) {
      const seen = this.#cards.known(card)?.lastSeen ?? null;
      for (let last: RecordingId = BEFORE_ALL; ; ) {
        const rows = file.use((ledger) => ledger.onCardAfter(card, last, SLICE));
        const answered = rows.flatMap((row) => answeredRow(row, open, seen, now) ?? []);
        await writeRows(this.#parts, answered, now);
        last = rows.at(-1) ?? last;
        if (rows.length < SLICE) break;
        await nextTurn();
      }
    }
    this.#cards.keepQuestion(null);
    this.#settled = null;
  }

  #pause(isPaused: boolean): void {
    const { file, clock } = this.#parts;
    if (!file.exists) return;
    file.change((ledger) => (isPaused ? ledger.beginPause(clock.now()) : ledger.endPause(clock.now())));
  }
}

/** A recording of the card that a question is about, with its answer; null when it stays as it is. */
function answeredRow(
  row: LedgerRow,
  { answer, by = null, since }: OpenQuestion,
  seen: number | null,
  now: number,
): LedgerRow | null {
  const isWaiting = row.state === "coming" || (row.state === "unknown" && row.homeAt === null);
  if (answer === "other_card") return isWaiting ? { ...row, state: "coming", cause: "other_card", at: now } : null;
  const gone = { ...row, isListed: false, lastSeen: row.lastSeen ?? seen };
  if (!isWaiting) return gone;
  if (answer === "formatted") return { ...gone, state: "deleted", cause: "formatted", at: now, by };
  return { ...gone, state: "lost", cause: null, at: now, missing: LISTS_THAT_DECIDE, missingSince: since };
}
