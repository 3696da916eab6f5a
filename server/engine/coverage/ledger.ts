import { existsSync } from "node:fs";
import type { CardAnswer, RecordingState } from "../../domain/coverage/recording_state.ts";
import type { Visit } from "../../domain/plan/visit.ts";
import type { LedgerRows } from "../../store/config/ledger_rows.ts";
import { FileInTheWay } from "../../store/destination/destination_problem.ts";
import type { TrashBatch } from "../../store/destination/trash_batch.ts";
import { whenAsked } from "../../when_asked.ts";
import { DiskFull } from "../transfer/failure_of_error.ts";
import type { Outcome } from "../transfer/transfer_outcome.ts";
import type { CardQuestion } from "./cards.ts";
import type { LedgerNews, LedgerParts } from "./ledger_parts.ts";
import type { OpenLedger } from "./open_ledger.ts";

/** Files that came or failed within a run are written down when they are so many: the library remembers some more. */
const MOST_NEWS = 128;

export interface LedgerSources extends Omit<LedgerParts, "file"> {
  /** Path of `ledger.db`. */
  readonly path: string;
}

/**
 * The ledger: what has become of every recording that the camera ever listed, or that was found at home. It is told of
 * the camera's lists and of files, and looks at the library for all else. No work here fails a run: what cannot be
 * written is found again later. All that reads and writes it is loaded when there is one, or one is begun.
 */
export class Ledger {
  readonly #parts: LedgerSources;
  readonly #news: LedgerNews = { troubles: new Map(), sizes: new Map(), leavings: new Map(), touched: new Set() };
  readonly #open = whenAsked(async () => {
    const { path, clock, log } = this.#parts;
    const { OpenLedger } = await import("./open_ledger.ts");
    const { LedgerFile } = await import("../../store/config/ledger.ts");
    return new OpenLedger({ ...this.#parts, file: new LedgerFile({ path, clock, log }) }, this.#news);
  });
  #isClosed = false;

  constructor(parts: LedgerSources) {
    this.#parts = parts;
  }

  /** True when the last list is in the ledger, and a good one. Before, it is not known if its card is another one. */
  get hasTaken(): boolean {
    return this.#open.opened?.hasTaken ?? false;
  }

  /** Trouble with its file, as a sentence; null when there is none. A full disk is told of the whole config folder. */
  get trouble(): string | null {
    return this.#open.opened?.trouble ?? null;
  }

  /** Brings a ledger that is there up to date at the start. @param isPaused syncing is paused now */
  async begin(isPaused: boolean): Promise<void> {
    await (await this.#there())?.begin(isPaused);
  }

  /** Takes the list that a run has got, and that is believed. @param strangeLines lines of it that are no recordings */
  async takeList(strangeLines: number): Promise<void> {
    // At once where it is open: from now on it is not known if its card is another one.
    if (!this.#isClosed) await (this.#open.opened ?? (await this.#open())).takeList(strangeLines);
  }

  /** Notes what became of a video that a run has asked the camera for. */
  noteOutcome(name: string, outcome: Outcome): void {
    const { troubles, sizes } = this.#news;
    if (outcome.kind === "received") sizes.set(name, outcome.size);
    else if (outcome.kind === "empty") troubles.set(name, "failing");
    else if (outcome.kind === "failed" && !(outcome.problem instanceof FileInTheWay))
      troubles.set(name, outcome.problem instanceof DiskFull ? "disk" : "failing");
    else return;
    if (sizes.size + troubles.size >= MOST_NEWS) this.#open.opened?.settleSoon();
  }

  /** Notes a deletion that has just been done. */
  noteDeleted({ cause, by, at }: TrashBatch, moments: Iterable<number>): void {
    for (const moment of moments) this.#news.leavings.set(moment, { cause, by, at });
  }

  /** Notes that files of these moments at home are damaged, or whole again. */
  noteChanged(moments: Iterable<number>): void {
    for (const moment of moments) this.#news.touched.add(moment);
  }

  /** Notes that syncing is paused from now on, or goes on. */
  async notePause(isPaused: boolean): Promise<void> {
    await (await this.#there())?.notePause(isPaused);
  }

  /** Brings the ledger up to date with everything that has happened. Never rejects. */
  async settle(): Promise<void> {
    await (await this.#there())?.settle();
  }

  /**
   * Brings the ledger up to date and reads of it; null while there is none.
   * @throws AppError LEDGER_UNUSABLE
   */
  async read<T>(read: (rows: LedgerRows) => T): Promise<T | null> {
    return (await (await this.#there())?.read(read)) ?? null;
  }

  /** The visits that had not ended by then, epoch milliseconds. */
  visits(since: number): readonly Visit[] {
    return this.#parts.visits(since);
  }

  /** The question what has become of the card; null while there is none. @throws AppError LEDGER_UNUSABLE */
  async question(): Promise<CardQuestion | null> {
    return (await (await this.#there())?.question()) ?? null;
  }

  /**
   * Answers the question.
   * @returns whether there was one
   * @throws AppError LEDGER_UNUSABLE
   */
  async answer(answer: CardAnswer, by: string | null): Promise<boolean> {
    return (await (await this.#there())?.answer(answer, by)) ?? false;
  }

  /**
   * Returns what has become of a recording, by the name of its video; null when it was never seen. @throws AppError
   * LEDGER_UNUSABLE
   */
  async stateOf(name: string): Promise<RecordingState | null> {
    return (await (await this.#there())?.stateOf(name)) ?? null;
  }

  /** Resolves when all that goes on has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#open.ifAsked())?.close();
  }

  /** The ledger that there is; null while there is none. */
  async #there(): Promise<OpenLedger | null> {
    const { opened } = this.#open;
    if (opened?.exists ?? (!this.#isClosed && existsSync(this.#parts.path))) return await this.#open();
    return null;
  }
}
