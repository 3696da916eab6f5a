import type { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Clock } from "../../clock.ts";
import { type Log, messageOf } from "../../log.ts";
import { isFull, setDatabaseAside } from "../damaged_database.ts";
import { errorCode } from "../error_code.ts";
import type { SameFolder } from "./destination_place.ts";
import { DestinationProblem } from "./destination_problem.ts";
import { makeOwnFolder } from "./own_folder.ts";
import { isSumsDamage, NewerSums, openSums, SUMS_PATH, SumsInTheWay, type SumsMode } from "./sums_database.ts";
import { SumRows } from "./sums_rows.ts";

const LOGGER = "checksums";
/** The file is closed when it was not asked for so long: its pages are memory, and a disk may be unmounted. */
const IDLE_MS = 10_000;
const FULL = "checksums cannot be written down: the disk of the recordings is full";

/** Checksums cannot be read or written now; the message is a sentence without a full stop. */
export class SumsUnusable extends Error {
  override readonly name = "SumsUnusable";
  /** Another program is writing them just now, so that it is worth trying again. */
  readonly isBusy: boolean;

  constructor(message: string, isBusy = false) {
    super(message);
    this.isBusy = isBusy;
  }
}

/**
 * The checksums of the files in a destination, in `.dashdock/sums.db`. They are opened when they are asked for and closed
 * when they are idle. A damaged file is set aside, and a new one begins. One that a newer program has written is left
 * alone.
 */
export class SumsFile {
  readonly #root: string;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #place: SameFolder;
  #open: { readonly db: Database; readonly rows: SumRows } | null = null;
  readonly #closing = new AbortController();
  #isWaiting = false;
  #usedAt = 0;
  /** Reason that it cannot be used until the next start; null while it may be. */
  #refusal: string | null = null;
  #problem: string | null = null;
  #setAside: string | null = null;

  constructor({ root, clock, log, place }: { root: string; clock: Clock; log: Log; place: SameFolder }) {
    this.#root = root;
    this.#path = join(root, SUMS_PATH);
    this.#clock = clock;
    this.#log = log;
    this.#place = place;
  }

  /** True when there are checksums, also ones that cannot be used. */
  get exists(): boolean {
    return this.#open !== null || existsSync(this.#path);
  }

  /** Another text when the file was written since, also by another program; empty while there is none. */
  get stamp(): string {
    try {
      const found = statSync(this.#path, { throwIfNoEntry: false });
      return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : "";
    } catch {
      return "";
    }
  }

  /** Reason that they could not be used the last time, as a sentence without a full stop; null when they could. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Name of the damaged file that this one has taken the place of since the start; null for none. */
  get setAside(): string | null {
    return this.#setAside;
  }

  /**
   * Reads, without waiting for anything else. @returns `none` when there are no checksums
   * @throws SumsUnusable
   */
  read<T>(work: (rows: SumRows) => T, none: T): T {
    return this.#use(() => (this.exists ? work(this.#opened("read")) : none));
  }

  /** Changes all that the work changes, or nothing; after `prepare`. @throws SumsUnusable */
  change<T>(work: (rows: SumRows) => T): T {
    return this.#use(() => {
      this.#place.requireSame();
      const rows = this.#opened("change");
      const result = rows.together(() => work(rows));
      this.#problem = null;
      return result;
    });
  }

  /** Makes the folder of the file in a destination that has none yet. @throws SumsUnusable */
  async prepare(): Promise<void> {
    if (this.exists) return;
    try {
      this.#place.requireSame();
      await makeOwnFolder(this.#root);
    } catch (error) {
      // Without a code it says what lies in the way, or that the folder is another one.
      if (errorCode(error) !== "" || error instanceof DestinationProblem) throw this.#judged(error);
      throw this.#noted(`checksums cannot be written down: ${messageOf(error)}`);
    }
  }

  /** Closes the file, whose folder may be another one when it is asked for next. */
  release(): void {
    this.#refusal = null;
    this.#problem = null;
    this.#setAside = null;
    this.#end();
  }

  close(): void {
    this.#closing.abort();
    this.#end();
  }

  #opened(mode: SumsMode): SumRows {
    if (this.#open === null) {
      const db = openSums(this.#root, mode);
      this.#open = { db, rows: new SumRows(db) };
    }
    return this.#open.rows;
  }

  #use<T>(work: () => T): T {
    if (this.#closing.signal.aborted) throw new SumsUnusable("Dashdock is stopping");
    if (this.#refusal !== null) throw new SumsUnusable(this.#refusal);
    for (let isAgain = false; ; isAgain = true) {
      try {
        const result = work();
        this.#closeWhenIdle();
        return result;
      } catch (error) {
        const judged = this.#judged(error);
        // A new file has begun in the place of a damaged one.
        if (judged !== null || isAgain) throw judged ?? error;
      }
    }
  }

  /** The error to throw; null when the file was damaged and was set aside. */
  #judged(error: unknown): unknown {
    const code = errorCode(error);
    const isOurs = error instanceof NewerSums || error instanceof SumsInTheWay || error instanceof DestinationProblem;
    // Errors of the work itself say nothing about the file.
    if (!isOurs && code === "" && !isSumsDamage(error)) return error;
    this.#end();
    if (error instanceof DestinationProblem) return new SumsUnusable(error.message);
    if (error instanceof SumsInTheWay) return this.#noted(messageOf(error));
    if (error instanceof NewerSums) {
      this.#refusal = `${SUMS_PATH} was written by a newer Dashdock (${error.message}); use that one, or move the file away`;
      return this.#noted(this.#refusal);
    }
    if (isSumsDamage(error)) return this.#beginAnew(messageOf(error));
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return new SumsUnusable("another program is writing checksums", true);
    if (isFull(error) || code === "ENOSPC") return this.#noted(FULL);
    if (/^SQLITE_READONLY|^EROFS|^EACCES|^EPERM/.test(code))
      return this.#noted(`checksums cannot be written down: ${SUMS_PATH} is read-only for this user`);
    return this.#noted(`${SUMS_PATH} cannot be used (${code}); check the disk of the recordings`);
  }

  #beginAnew(why: string): SumsUnusable | null {
    try {
      this.#place.requireSame();
      const aside = setDatabaseAside(this.#path, this.#clock.now());
      this.#setAside = basename(aside);
      this.#log.error(LOGGER, `the checksums were damaged (${why}); they are kept as ${aside}, and are taken anew`);
      return null;
    } catch (error) {
      return this.#noted(
        `${SUMS_PATH} is damaged and cannot be moved away (${errorCode(error)}); check the disk of the recordings`,
      );
    }
  }

  #noted(problem: string): SumsUnusable {
    if (problem !== this.#problem) this.#log.warning(LOGGER, problem);
    this.#problem = problem;
    return new SumsUnusable(problem);
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
