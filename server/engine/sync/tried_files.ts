import { DashcamProblem } from "../../dashcam/problem.ts";
import { type Failures, noFailures } from "../../domain/runs/run.ts";
import type { PlannedFile } from "../../domain/sync/download_plan.ts";
import { failureOf } from "./failure.ts";
import type { SyncCounts } from "./sync_counts.ts";
import { type FileProblem, NoRoom } from "./transfer.ts";

/** So many videos in a row that do not fit, or so little room left: then nothing fits. */
const [MOST_MISFITS, NO_ROOM_BYTES] = [10, 1024 * 1024];
const SEVERAL = 3;

/** What went wrong with the files of one run, and whether it is them, the camera or the disk. */
export class TriedFiles {
  readonly #counts: Pick<SyncCounts, "completed" | "failed" | "absent">;
  readonly failures: Failures = noFailures();
  lastProblem: FileProblem | null = null;
  /** Failures that are to be remembered, once it is known that it is not the camera that fails as a whole. */
  readonly toMark: { name: string; folder: string }[] = [];
  #videosTried = 0;
  #videosFailed = 0;
  #misfits = 0;
  #misfit: NoRoom | null = null;
  #largest = 0;

  constructor(counts: Pick<SyncCounts, "completed" | "failed" | "absent">) {
    this.#counts = counts;
  }

  /** Several files were tried and all failed: the camera is in trouble, not they. Videos decide, if any were tried. */
  get isCameraInTrouble(): boolean {
    const { completed, failed, absent } = this.#counts;
    if (this.#videosTried === 0) return failed >= SEVERAL && completed + absent === 0;
    return this.#videosTried >= SEVERAL && this.#videosFailed === this.#videosTried;
  }

  /** A video did not fail: then what did is not the camera's as a whole. */
  get mayBeMarked(): boolean {
    return !this.isCameraInTrouble && this.#videosTried > this.#videosFailed;
  }

  videoTried(hasFailed: boolean): void {
    this.#videosTried++;
    if (hasFailed) this.#videosFailed++;
    else this.#misfits = 0;
  }

  videoCame(size: number): void {
    this.videoTried(false);
    this.#largest = Math.max(this.#largest, size);
  }

  countFailure(problem: FileProblem): void {
    this.lastProblem = problem;
    this.failures[failureOf(problem).reason]++;
  }

  /** @throws DiskFull when nothing fits any more */
  failed(file: PlannedFile, problem: FileProblem): void {
    this.countFailure(problem);
    if (problem instanceof NoRoom) {
      if (file.kind !== "mp4") return;
      this.#misfit = problem;
      if (++this.#misfits >= MOST_MISFITS || problem.room < NO_ROOM_BYTES) throw problem;
    } else if (problem instanceof DashcamProblem && (problem.kind === "http" || problem.kind === "redirect"))
      this.toMark.push({ name: file.names[0], folder: file.folder });
  }

  /**
   * What did not fit has failed alone, unless nothing that came after it did fit, nor another like those before would.
   * @throws DiskFull
   */
  requireRoom(): void {
    if (this.#misfit && this.#misfits > 0 && this.#misfit.room < (this.#largest || Infinity)) throw this.#misfit;
  }
}
