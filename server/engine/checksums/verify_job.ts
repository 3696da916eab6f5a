import * as v from "valibot";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import {
  type CheckEnding,
  LAST_CHECK,
  type LastCheck,
  MOST_NAMED,
  type VerifyState,
} from "../../domain/checksums/verify_schema.ts";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { endingOf } from "../../domain/recordings/recording_name.ts";
import { counted } from "../../domain/text/format.ts";
import { causeOf, type Log } from "../../log.ts";
import { SumsUnusable } from "../../store/destination/sums.ts";
import { ALL_FILES } from "./library_files.ts";
import { findMissing } from "./missing_files.ts";
import { CHECK_LIMITS, LimitedPace } from "./reading_pace.ts";
import {
  type CheckTally,
  checkRecordings,
  newTally,
  type RecordingCheckParts,
  RecordingsAway,
} from "./recording_check.ts";

export interface VerifyJobParts extends RecordingCheckParts {
  readonly clock: Clock;
  readonly log: Log;
  /** True while a run or an import goes on. */
  readonly isBusy: () => boolean;
  /** Does some work, after which memory is given back. */
  readonly during: (work: () => Promise<void>) => Promise<void>;
}

const LOGGER = "checksums";
/** Named in a fact of the file: the last check. */
export const LAST_CHECK_FACT = "verify";

/** The check of all recordings that a user asked for: one at a time, and how the last one ended. */
export class VerifyJob {
  readonly #parts: VerifyJobParts;
  readonly #closing = new AbortController();
  #stopping: AbortController | null = null;
  #running: Promise<void> | null = null;
  #tally: CheckTally = newTally();
  #startedAt = 0;
  /** The last check of this process; it is here also while it cannot be written down. */
  #last: LastCheck | null = null;

  constructor(parts: VerifyJobParts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  get state(): VerifyState {
    const { checksums, isBusy } = this.#parts;
    const last = this.#lastCheck();
    const isRunning = this.isRunning;
    const known = new Map(checksums.damaged.map(({ path, why }) => [path, why]));
    for (const { path, why } of isRunning ? this.#tally.damaged : []) if (!known.has(path)) known.set(path, why);
    // It is not known which of the unnamed ones are back.
    const missing = isRunning ? [] : this.#stillMissing(last);
    for (const path of missing) known.set(path, "missing");
    const unnamed = isRunning || last === null ? 0 : last.missing_files - last.missing.length;
    const damaged = [...known]
      .map(([path, why]) => ({ path, why }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
    const { checked, total, bytes, taken } = isRunning ? this.#tally : (last ?? newTally());
    return {
      running: isRunning,
      waiting: isRunning && isBusy(),
      checked,
      total,
      bytes,
      taken,
      damaged: damaged.slice(0, MOST_NAMED),
      damaged_files: damaged.length + unnamed,
      not_judged: isRunning ? this.#tally.notJudged.length : (last?.not_judged ?? 0),
      started_at: isRunning ? isoOf(this.#startedAt) : (last?.started_at ?? null),
      finished_at: isRunning ? null : (last?.finished_at ?? null),
      ended: isRunning ? null : (last?.ended ?? null),
      problem: sentenceOf(checksums.problem),
    };
  }

  /** @throws AppError VERIFY_RUNNING */
  start(): void {
    if (this.#running !== null || this.#closing.signal.aborted)
      throw new AppError("VERIFY_RUNNING", "A check of all recordings is running already");
    this.#tally = newTally();
    this.#startedAt = this.#parts.clock.now();
    this.#stopping = new AbortController();
    const { signal } = this.#stopping;
    this.#running = this.#parts
      .during(() => this.#carryOut(signal))
      .finally(() => {
        this.#running = null;
      });
  }

  /** @throws AppError VERIFY_NOT_RUNNING */
  stop(): void {
    if (this.#running === null) throw new AppError("VERIFY_NOT_RUNNING", "No check is running");
    this.#stopping?.abort();
  }

  /** Resolves when no check is running. */
  async ended(): Promise<void> {
    await this.#running;
  }

  /** The missing files were deleted on purpose: they are not looked for any more. @returns how many there were */
  async acceptMissing(): Promise<number> {
    const { checksums, library, isHere } = this.#parts;
    await library.refresh();
    if (!library.available || !isHere()) return 0;
    const { missing } = await findMissing(this.#parts, ALL_FILES);
    checksums.forget(missing);
    const last = this.#lastCheck();
    if (last !== null) this.#keep({ ...last, missing: [], missing_files: 0 });
    return missing.length;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopping?.abort();
    await this.#running;
  }

  async #carryOut(signal: AbortSignal): Promise<void> {
    const { clock, log, isBusy, checksums } = this.#parts;
    const tally = this.#tally;
    const pace = new LimitedPace(clock, () => CHECK_LIMITS, signal, isBusy);
    let ended: CheckEnding = "done";
    log.info(LOGGER, "All recordings are read and compared with their checksums");
    try {
      await checkRecordings(this.#parts, ALL_FILES, tally, pace);
    } catch (error) {
      ended = signal.aborted ? "stopped" : error instanceof RecordingsAway ? "away" : "failed";
      // Trouble with the checksums themselves was told already.
      if (ended === "failed" && !(error instanceof SumsUnusable)) log.error(LOGGER, `Unexpected: ${causeOf(error)}`);
    }
    await checksums.rest();
    const last = lastCheckOf(tally, { startedAt: this.#startedAt, finishedAt: clock.now(), ended });
    // The check before tells what was missing among files that a stop or a disk left unread.
    const before = ended === "done" ? null : this.#lastCheck();
    this.#keep(before === null ? last : { ...last, missing: before.missing, missing_files: before.missing_files });
    const bad = tally.damaged.length;
    const words = `${ENDINGS[ended]}: ${counted(tally.checked, "file")} of ${tally.total} read, ${bad === 0 ? "none" : bad} damaged or missing`;
    const facts = { event: "recordings_checked", checked: tally.checked, damaged: bad };
    if (bad > 0 || ended === "away" || ended === "failed") log.warning(LOGGER, words, facts);
    else log.info(LOGGER, words, facts);
  }

  /** Paths of the last check that are nowhere still. */
  #stillMissing(last: LastCheck | null): string[] {
    const { names } = this.#parts.library;
    const isGone = (path: string) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      return !names.hasAt(momentNumber(name), endingOf(name));
    };
    return last?.missing.filter(isGone) ?? [];
  }

  #lastCheck(): LastCheck | null {
    const text = this.#parts.checksums.sums.read((rows) => rows.fact(LAST_CHECK_FACT), null);
    const found = v.safeParse(v.pipe(v.string(), v.parseJson(), LAST_CHECK), text);
    // A command may have made a later one.
    const kept = found.success ? found.output : null;
    const own = this.#last;
    return kept !== null && (own === null || kept.finished_at > own.finished_at) ? kept : own;
  }

  #keep(last: LastCheck): void {
    this.#last = last;
    this.#parts.checksums.keepFact(LAST_CHECK_FACT, JSON.stringify(last));
  }
}

const ENDINGS: Readonly<Record<CheckEnding, string>> = {
  done: "All recordings were checked",
  stopped: "The check of all recordings was stopped",
  away: "The check of all recordings ended, as their folder is not there",
  failed: "The check of all recordings failed",
};

/** The result of a check as it is kept. */
export function lastCheckOf(
  tally: CheckTally,
  times: { readonly startedAt: number; readonly finishedAt: number; readonly ended: CheckEnding },
): LastCheck {
  const { checked, total, bytes, taken, notJudged, damaged } = tally;
  const missing = damaged.filter(({ why }) => why === "missing").map(({ path }) => path);
  return {
    started_at: isoOf(times.startedAt),
    finished_at: isoOf(times.finishedAt),
    ended: times.ended,
    checked,
    total,
    bytes,
    taken,
    not_judged: notJudged.length,
    missing: missing.slice(0, MOST_NAMED),
    missing_files: missing.length,
  };
}

function sentenceOf(words: string | null): string | null {
  return words === null ? null : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
