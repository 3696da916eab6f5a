import type { Clock } from "../../clock.ts";
import type { RunEnding } from "../../domain/runs/run_ending.ts";
import {
  type FileEnd,
  idleSnapshot,
  JobProgress,
  type ReceivedFile,
  type Snapshot,
} from "../../domain/sync/job_progress.ts";
import type { JobCounts } from "../../domain/sync/recording_counts.ts";
import { Topic } from "../../topic.ts";
import type { Failure } from "./failure_of_error.ts";

/** Publishes the progress of jobs. @param bootId by which readers see that the process is another one */
export function progressTopic(bootId: string = crypto.getRandomValues(new Uint8Array(16)).toHex()): Topic<Snapshot> {
  return new Topic(idleSnapshot(bootId));
}

/** Changes are published at most this often; the last value always is. */
const PUBLISH_MS = 200;

/**
 * Publishes the progress of one job. Changes are only noted, which costs nothing on the path of the bytes; a ticker
 * turns them into a snapshot five times a second.
 */
export class ProgressReport {
  readonly progress: JobProgress;
  readonly topic: Topic<Snapshot>;
  /** Files that came home and have their names; set with each of them. */
  readonly files = new Topic(0);
  readonly #bootId: string;
  readonly #clock: Clock;
  readonly #recordings: () => JobCounts | null;
  readonly #ended = new AbortController();
  #dirty = false;

  /** @param options.recordings what to publish beside the job's own figures; nothing when left out */
  constructor(options: {
    jobId: string;
    bootId: string;
    topic: Topic<Snapshot>;
    clock: Clock;
    recordings?: () => JobCounts | null;
  }) {
    this.progress = new JobProgress(options.jobId, options.clock.now() / 1000);
    this.topic = options.topic;
    this.#bootId = options.bootId;
    this.#clock = options.clock;
    this.#recordings = options.recordings ?? (() => null);
    this.publish();
    void this.#tick();
  }

  /** Notes that something changed; it is published within 200 ms. */
  changed(): void {
    this.#dirty = true;
  }

  /** The camera answered for the current file: its body starts at `offset` of `total` bytes. */
  opened(offset: number, total: number | null): void {
    this.progress.opened(offset, total);
    this.#dirty = true;
  }

  /** Adds bytes of the current file that came in. */
  chunk(bytes: number): void {
    this.progress.chunk(bytes);
    this.#dirty = true;
  }

  /** A file that came has its name, or failed to get it. */
  settled(file: ReceivedFile, end: FileEnd): void {
    this.progress.settled(file, end);
    this.#dirty = true;
    this.files.set(this.progress.filesCompleted);
  }

  /** Publishes at once: for changes of phase and state. */
  publish(): void {
    // First, since counting may find that it has changed.
    const recordings = this.#recordings();
    this.#dirty = false;
    const snapshot = this.progress.snapshot(this.#bootId, this.topic.value.seq + 1, this.#clock.elapsed());
    this.topic.set({ ...snapshot, recordings });
  }

  /** Publishes the terminal state. Call it when history and metrics are written. */
  finish(failure: Failure | null, ending: RunEnding): void {
    this.#ended.abort();
    this.progress.finished(failure, ending);
    this.publish();
  }

  async #tick(): Promise<void> {
    try {
      for (;;) {
        await this.#clock.sleep(PUBLISH_MS, this.#ended.signal);
        if (this.#dirty) this.publish();
      }
    } catch {
      // ended
    }
  }
}
