import type { Clock } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { type RunEnding, runEnding } from "../../domain/runs/run_ending.ts";
import { idleSnapshot, type Snapshot } from "../../domain/sync/job_progress.ts";
import type { JobCounts } from "../../domain/sync/recording_counts.ts";
import { causeOf, type Log } from "../../log.ts";
import type { Topic } from "../../topic.ts";
import { StopRequested, UNEXPECTED } from "../transfer/failure_of_error.ts";
import { ProgressReport } from "../transfer/progress_report.ts";
import type { SyncResult } from "./sync.ts";
import type { Trigger } from "./sync_rules.ts";

/** Does one run, with its row in the history and its metrics. */
export type RunJob = (trigger: Trigger, report: ProgressReport, signal: AbortSignal) => Promise<SyncResult>;

/** Time that the end of a job stays visible before it is idle again. */
const SHOWN_MS = 10_000;

/** The one job: idle, running, completed or failed, and after ten seconds idle again. */
export class Job {
  /** The state of the job; every change is published here. */
  readonly topic: Topic<Snapshot>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #run: RunJob;
  readonly #closing = new AbortController();
  #stopping: AbortController | null = null;
  #running: Promise<void> | null = null;
  readonly #recordings: () => JobCounts | null;
  #report: ProgressReport | null = null;

  /** @param parts.recordings how much of what the camera has is at home; unknown when left out */
  constructor(parts: {
    clock: Clock;
    log: Log;
    topic: Topic<Snapshot>;
    run: RunJob;
    recordings?: () => JobCounts | null;
  }) {
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#run = parts.run;
    this.#recordings = parts.recordings ?? (() => null);
    this.topic = parts.topic;
  }

  get snapshot(): Snapshot {
    return this.topic.value;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Publishes how many recordings are at home, when that has changed: at once at rest, with the next change while one runs. */
  recount(): void {
    this.#report?.changed();
    if (this.#report) return;
    const recordings = this.#recordings();
    if (JSON.stringify(recordings) === JSON.stringify(this.snapshot.recordings)) return;
    this.topic.set({ ...this.snapshot, seq: this.snapshot.seq + 1, recordings });
  }

  /** Starts a run and returns its id at once. @throws AppError SYNC_ALREADY_RUNNING with the running job's id */
  start(trigger: Trigger): string {
    if (this.#running || this.#closing.signal.aborted)
      throw new AppError("SYNC_ALREADY_RUNNING", "A sync is already running", {
        current_job_id: this.snapshot.job_id,
      });
    const jobId = crypto.getRandomValues(new Uint8Array(16)).toHex();
    const stopping = new AbortController();
    const report = new ProgressReport({
      jobId,
      bootId: this.snapshot.boot_id,
      topic: this.topic,
      clock: this.#clock,
      recordings: this.#recordings,
    });
    this.#report = report;
    this.#stopping = stopping;
    this.#running = this.#carryOut(jobId, trigger, report, stopping.signal);
    return jobId;
  }

  /** Asks the running job to stop; returns its id. @throws AppError SYNC_NOT_RUNNING */
  stop(): string {
    if (!this.#running || !this.#stopping) throw new AppError("SYNC_NOT_RUNNING", "No sync is running");
    this.#stopping.abort(new StopRequested());
    return this.snapshot.job_id;
  }

  /** Resolves when no job is running. */
  async ended(): Promise<void> {
    await this.#running;
  }

  /** Stops the running job, keeping its partial, and starts no other. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopping?.abort(new StopRequested("service"));
    await this.#running;
  }

  async #carryOut(jobId: string, trigger: Trigger, report: ProgressReport, signal: AbortSignal): Promise<void> {
    let failure: SyncResult["failure"] = UNEXPECTED;
    let ending: RunEnding = "failed";
    try {
      // The request that began it gets the id before anything happens.
      await Promise.resolve();
      const result = await this.#run(trigger, report, signal);
      failure = result.failure;
      ending = runEnding(result.run);
    } catch (error) {
      this.#log.error("sync", `Unexpected: ${causeOf(error)}`);
    }
    // Before the end is published: a subscriber may start the next job from its listener.
    this.#running = null;
    this.#stopping = null;
    this.#report = null;
    report.finish(failure, ending);
    void this.#becomeIdle(jobId);
  }

  async #becomeIdle(jobId: string): Promise<void> {
    try {
      await this.#clock.sleep(SHOWN_MS, this.#closing.signal);
    } catch {
      return;
    }
    if (!this.#running && this.snapshot.job_id === jobId)
      this.topic.set({
        ...idleSnapshot(this.snapshot.boot_id, this.snapshot.seq + 1),
        recordings: this.snapshot.recordings,
      });
  }
}
