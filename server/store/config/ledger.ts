import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { type Log, messageOf } from "../../log.ts";
import { isFull, setDatabaseAside } from "../damaged_database.ts";
import { errorCode } from "../error_code.ts";
import { isLedgerDamage, NewerLedger, openLedger } from "./ledger_database.ts";
import { LedgerRows } from "./ledger_rows.ts";

const LOGGER = "ledger";
const FULL =
  "What becomes of recordings cannot be written down: the disk of the config folder is full. Free some space there.";
/** The file is closed when it was not asked for so long: its pages are memory that an idle service does without. */
const IDLE_MS = 10_000;

/** The file was damaged and has begun anew: what is under way begins anew, too. */
export class LedgerBegunAnew extends Error {
  override name = "LedgerBegunAnew";
}

/**
 * The ledger of all recordings, in `ledger.db`. It is opened when it is asked for and closed when it is idle. A damaged
 * file is set aside. One that a newer program has written is left alone.
 */
export class LedgerFile {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #log: Log;
  #open: { readonly db: Database; readonly rows: LedgerRows } | null = null;
  readonly #closing = new AbortController();
  #isWaiting = false;
  #usedAt = 0;
  /** Reason that it cannot be used until the next start; null while it may be. */
  #refusal: string | null = null;
  #setAside: string | null = null;
  #problem: string | null = null;

  constructor({ path, clock, log }: { path: string; clock: Clock; log: Log }) {
    this.#path = path;
    this.#clock = clock;
    this.#log = log;
  }

  /** True when there is a ledger, also one that cannot be used. */
  get exists(): boolean {
    return this.#open !== null || existsSync(this.#path);
  }

  /** Reason that it could not be used the last time, as a sentence; null when it could. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The disk was full when it was to be written last, as that of the settings and the history. */
  get isFull(): boolean {
    return this.#problem === FULL;
  }

  /** Name of the damaged file that this one has taken the place of since the start; null for none. */
  get setAside(): string | null {
    return this.#setAside;
  }

  /**
   * Works with its rows, without waiting for anything else.
   * @throws AppError LEDGER_UNUSABLE, LedgerBegunAnew
   */
  use<T>(work: (rows: LedgerRows) => T): T {
    if (this.#closing.signal.aborted) throw unusable("Dashdock is stopping.");
    if (this.#refusal !== null) throw unusable(this.#refusal);
    try {
      const result = work(this.#opened());
      if (this.#problem !== FULL) this.#problem = null;
      this.#closeWhenIdle();
      return result;
    } catch (error) {
      throw this.#judged(error);
    }
  }

  /** As `use`, for changes: all of them are done, or none. */
  change<T>(work: (rows: LedgerRows) => T): T {
    const result = this.use((rows) => rows.together(() => work(rows)));
    this.#problem = null;
    return result;
  }

  close(): void {
    this.#closing.abort();
    this.#end();
  }

  #opened(): LedgerRows {
    if (this.#open === null) {
      const db = openLedger(this.#path);
      this.#open = { db, rows: new LedgerRows(db) };
    }
    return this.#open.rows;
  }

  #judged(error: unknown): unknown {
    // Errors of the work itself say nothing about the file.
    const code = errorCode(error);
    if (!(error instanceof NewerLedger) && !code.startsWith("SQLITE")) return error;
    this.#end();
    if (error instanceof NewerLedger) {
      this.#refusal = `ledger.db was written by a newer Dashdock (${error.message}). Use that one, or move the file away.`;
      return this.#noted(this.#refusal);
    }
    if (isLedgerDamage(error)) return this.#beginAnew(messageOf(error));
    if (isFull(error)) return this.#noted(FULL);
    return this.#noted(`ledger.db cannot be used (${code}). Check the config folder.`);
  }

  #beginAnew(why: string): Error {
    try {
      const aside = setDatabaseAside(this.#path, this.#clock.now());
      this.#setAside = basename(aside);
      this.#log.error(LOGGER, `the ledger was damaged (${why}); it is kept as ${aside}, a new one begins`);
      return new LedgerBegunAnew(why);
    } catch (error) {
      return this.#noted(
        `ledger.db is damaged and cannot be moved away (${errorCode(error)}). Check the config folder.`,
      );
    }
  }

  #noted(problem: string): AppError {
    if (problem !== this.#problem) this.#log.warning(LOGGER, problem);
    this.#problem = problem;
    return unusable(problem);
  }

  #closeWhenIdle(): void {
    this.#usedAt = this.#clock.elapsed();
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const wait = async () => {
      for (let left = IDLE_MS; left > 0; left = this.#usedAt + IDLE_MS - this.#clock.elapsed())
        await this.#clock.sleep(left, this.#closing.signal);
      this.#isWaiting = false;
      this.#end();
    };
    wait().catch(() => {});
  }

  #end(): void {
    const open = this.#open;
    this.#open = null;
    try {
      open?.db.close();
    } catch {
      // The file is damaged, or its disk has left.
    }
  }
}

function unusable(message: string): AppError {
  return new AppError("LEDGER_UNUSABLE", message);
}
