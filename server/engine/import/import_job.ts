import type { Clock } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import type { ImportState } from "../../domain/import/import_schema.ts";
import type { RunEnding } from "../../domain/runs/run_ending.ts";
import { causeOf, type Log } from "../../log.ts";
import { type Failure, StopRequested, UNEXPECTED } from "../transfer/failure_of_error.ts";
import { ProgressReport, progressTopic } from "../transfer/progress_report.ts";
import { ImportTally } from "./import_tally.ts";

/** Source of an import, and its camera. */
export interface AskedImport {
  /** The folder, without links in its path. */
  readonly folder: string;
  /** The same below the folder that may be imported from. */
  readonly path: string;
  /** The folders of all cameras' recordings. */
  readonly homes: readonly string[];
}

/** Imports one folder. */
export type RunImport = (
  asked: AskedImport,
  of: { readonly report: ProgressReport; readonly tally: ImportTally },
  signal: AbortSignal,
) => Promise<{ readonly failure: Failure | null; readonly ending: RunEnding }>;

interface ImportJobParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly bootId: string;
  readonly run: RunImport;
}

/** The import of a folder: one at a time, and how the last one ended. */
export class ImportJob {
  readonly #parts: ImportJobParts;
  readonly #topic: ReturnType<typeof progressTopic>;
  readonly #closing = new AbortController();
  #path: string | null = null;
  #tally = new ImportTally();
  #stopping: AbortController | null = null;
  #running: Promise<void> | null = null;

  constructor(parts: ImportJobParts) {
    this.#parts = parts;
    this.#topic = progressTopic(parts.bootId);
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  get state(): ImportState {
    const { step, recordings, files, present, toCompare, compared, left } = this.#tally;
    return {
      ...this.#topic.value,
      path: this.#path,
      step: this.#running === null ? null : step,
      recordings_imported: recordings,
      files_imported: files,
      files_present: present,
      files_to_compare: toCompare,
      files_compared: compared,
      left: left.all,
    };
  }

  /** Starts an import and returns its id at once. @throws AppError IMPORT_RUNNING with the running one's id */
  start(asked: AskedImport): string {
    if (this.#running !== null || this.#closing.signal.aborted)
      throw new AppError("IMPORT_RUNNING", "An import is already running", {
        current_job_id: this.#topic.value.job_id,
      });
    const jobId = crypto.getRandomValues(new Uint8Array(16)).toHex();
    const { boot_id: bootId } = this.#topic.value;
    this.#path = asked.path;
    this.#tally = new ImportTally();
    const report = new ProgressReport({ jobId, bootId, topic: this.#topic, clock: this.#parts.clock });
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.#running = this.#carryOut(asked, report, stopping.signal);
    return jobId;
  }

  /** Asks the running import to stop; returns its id. @throws AppError IMPORT_NOT_RUNNING */
  stop(): string {
    if (this.#stopping === null) throw new AppError("IMPORT_NOT_RUNNING", "No import is running");
    this.#stopping.abort(new StopRequested());
    return this.#topic.value.job_id;
  }

  /** Resolves when no import is running. */
  async ended(): Promise<void> {
    await this.#running;
  }

  /** Stops the running import, keeping its partial, and starts no other. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopping?.abort(new StopRequested("service"));
    await this.#running;
  }

  async #carryOut(asked: AskedImport, report: ProgressReport, signal: AbortSignal): Promise<void> {
    const { log, run } = this.#parts;
    let failure: Failure | null = UNEXPECTED;
    let ending: RunEnding = "failed";
    try {
      // The request that began it gets the id before anything happens.
      await Promise.resolve();
      ({ failure, ending } = await run(asked, { report, tally: this.#tally }, signal));
    } catch (error) {
      log.error("import", `Unexpected: ${causeOf(error)}`);
    }
    this.#running = null;
    this.#stopping = null;
    report.finish(failure, ending);
  }
}
