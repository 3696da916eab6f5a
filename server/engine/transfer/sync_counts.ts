import type { Clock } from "../../clock.ts";
import { typeOf } from "../../domain/recordings/recording_name.ts";
import type { FailureCause } from "../../domain/runs/failure_cause.ts";
import type { FileCounts } from "../../domain/runs/run.ts";
import { nothingLeftOut } from "../../domain/runs/run.ts";
import {
  type ErrorSpan,
  type FailedFile,
  MOST_FAILED_FILES,
  MOST_NAMES,
  type RunNotes,
} from "../../domain/runs/run_detail.ts";
import type { Plan, PlannedFile } from "../../domain/sync/download_plan.ts";
import type { FileEnd } from "../../domain/sync/job_progress.ts";
import { failureOf } from "./failure_of_error.ts";
import type { FileProblem, Outcome } from "./transfer_outcome.ts";

/** Counts the outcomes of one run's files, for its summary line and its row in history. */
export class SyncCounts {
  completed = 0;
  failed = 0;
  bytes = 0;
  /** Recordings whose video came home. */
  videos = 0;
  /** The first of the files that failed, and why; all are counted. */
  readonly failures: FailedFile[] = [];
  /** At home already, and waiting after a failure. */
  present = 0;
  blocked = 0;
  /** Companions the camera does not provide. */
  absent = 0;
  /** As many more that were not asked for, since the camera has answered so before. */
  known = 0;
  /** Companions that were not asked for, since their video may still be being recorded. */
  held = 0;
  /** Listed recordings that no rule let through. */
  leftOut = nothingLeftOut();
  /** Videos: empty on the card, overwritten there meanwhile, still being recorded. */
  readonly empty: string[] = [];
  readonly vanished: string[] = [];
  readonly growing: string[] = [];
  /** Moments that retention moved to the trash, how many recordings they are, and their bytes. */
  removed = 0;
  deleted = { recordings: 0, bytes: 0 };

  /** Recordings that were to come and of which nothing has become yet, by the name of the video. */
  readonly #waiting = new Set<string>();
  #leftOutNames: Plan["leftOutNames"] = { retention: [], selection: [], deleted: [] };
  /** The first of the videos that came home, and how many of each kind did. */
  readonly #brought: string[] = [];
  readonly #kinds: Record<string, number> = {};
  readonly #errors = new Map<FailureCause, ErrorSpan>();
  readonly #clock: Pick<Clock, "now">;
  #listedAt: number | null = null;
  #planned = 0;
  #failedVideos = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** The camera's list is there. */
  listed(): void {
    this.#listedAt = this.#clock.now();
  }

  /** Takes the counts that are known with the plan: these files need no transfer. */
  planned({ files, present, blocked, absent, leftOut, leftOutNames }: Plan): void {
    this.#leftOutNames = leftOutNames;
    for (const { kind, recording } of files) if (kind === "mp4") this.#waiting.add(recording.name);
    this.#planned = this.#waiting.size;
    this.present = present;
    this.blocked = blocked;
    this.known = absent;
    this.leftOut = leftOut;
  }

  /** The counts that a run keeps for its detail. */
  get counts(): FileCounts {
    const { videos, present, blocked, held, empty, vanished, growing } = this;
    const absent = this.absent + this.known;
    const ofVideos = { empty: empty.length, vanished: vanished.length, growing: growing.length };
    const { planned, failed } = { planned: this.#planned, failed: this.#failedVideos };
    return { planned, failed, videos, present, blocked, absent, held, ...ofVideos };
  }

  /** The first of the recordings by what became of them, and when things happened. */
  get notes(): RunNotes {
    const { empty, vanished, growing } = this;
    const first = (names: Iterable<string>) => [...names].slice(0, MOST_NAMES).sort();
    const { retention, selection, deleted } = this.#leftOutNames;
    return {
      waiting: first(this.#waiting),
      empty: first(empty),
      vanished: first(vanished),
      growing: first(growing),
      retention: first(retention),
      selection: first(selection),
      deleted: first(deleted),
      brought: [...this.#brought].sort(),
      kinds: { ...this.#kinds },
      listed_at: this.#listedAt,
      errors: [...this.#errors.values()],
    };
  }

  /** Counts one file; returns how it counts in the job's progress. */
  count(file: PlannedFile, outcome: Outcome): FileEnd {
    const isVideo = file.kind === "mp4";
    if (isVideo) this.#waiting.delete(file.recording.name);
    switch (outcome.kind) {
      case "received":
      case "listed":
        this.completed++;
        if (isVideo) this.videos++;
        if (isVideo && outcome.kind === "received") this.#noteBrought(outcome.name);
        return "completed";
      case "failed":
        this.failed++;
        if (isVideo) this.#failedVideos++;
        this.#noteFailure(file.names[0], outcome.problem);
        return "failed";
      case "absent":
        if (isVideo) this.vanished.push(file.recording.name);
        else this.absent++;
        return "absent";
      case "empty":
        if (isVideo) this.empty.push(file.recording.name);
        else this.absent++;
        return "absent";
      case "growing":
        if (isVideo) this.growing.push(file.recording.name);
        else this.held++;
        return "skipped";
      case "deleted":
        return "skipped";
    }
  }
  #noteBrought(name: string): void {
    if (this.#brought.length < MOST_NAMES) this.#brought.push(name);
    const letter = typeOf(name);
    this.#kinds[letter] = (this.#kinds[letter] ?? 0) + 1;
  }

  #noteFailure(name: string, problem: FileProblem): void {
    const { reason, cause, message } = failureOf(problem);
    if (this.failures.length < MOST_FAILED_FILES) this.failures.push({ name, reason, cause, message });
    const now = { at: this.#clock.now(), name, after: this.videos };
    const { count, first } = this.#errors.get(cause) ?? { count: 0, first: now };
    this.#errors.set(cause, { cause, count: count + 1, first, last: now });
  }
}
