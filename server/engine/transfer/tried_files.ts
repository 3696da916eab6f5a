import { DashcamProblem } from "../../dashcam/problem.ts";
import { type Failures, noFailures } from "../../domain/runs/failure_reason.ts";
import type { PlannedFile } from "../../domain/sync/download_plan.ts";
import { failureOf } from "./failure_of_error.ts";
import type { SyncCounts } from "./sync_counts.ts";
import { type FileProblem, NoRoom, NoRoomForEndless } from "./transfer_outcome.ts";

/** Number of videos in a row that do not fit, and bytes of room that are too few: then nothing fits. */
const MOST_MISFITS = 10;
const NO_ROOM_BYTES = 1024 * 1024;
const SEVERAL = 3;
/** Such an answer is about the camera or what is in between, not about the file: it is busy, or wants a sign-in. */
const NOT_OF_THE_FILE: ReadonlySet<number> = new Set([401, 403, 429, 502, 503, 504]);

/** Problems of one run's files. They show if the files, the camera or the disk are at fault. */
export class TriedFiles {
  readonly #counts: Pick<SyncCounts, "completed" | "failed" | "absent">;
  readonly failures: Failures = noFailures();
  /** Failures that are to be remembered, once it is known that it is not the camera that fails as a whole. */
  readonly #toMark: { name: string; folder: string; isOfFile: boolean }[] = [];
  #lastProblem: FileProblem | null = null;
  #videosTried = 0;
  #videosFailed = 0;
  #misfits = 0;
  #misfit: NoRoom | null = null;
  #largest = 0;

  constructor(counts: Pick<SyncCounts, "completed" | "failed" | "absent">) {
    this.#counts = counts;
  }

  /** Several videos were tried and all failed: the camera is in trouble, not they. */
  get isCameraInTrouble(): boolean {
    return this.#videosTried >= SEVERAL && this.#videosFailed === this.#videosTried;
  }

  /** The last problem; null where only companions had one, which fails no run. */
  get lastProblem(): FileProblem | null {
    return this.#videosTried === 0 ? null : this.#lastProblem;
  }

  get #cameNothing(): boolean {
    return this.#counts.completed + this.#counts.absent === 0;
  }

  /** A video did not fail: then what did is not the camera's as a whole. */
  get mayBeMarked(): boolean {
    return !this.isCameraInTrouble && this.#videosTried > this.#videosFailed;
  }

  /**
   * Takes the files to mark now. When nothing came at all, it may be a hiccup. Then it takes only those with an answer
   * about the file itself: after other marks, every run would ask for everything.
   */
  takeMarks(): readonly { name: string; folder: string }[] {
    const taken = this.#toMark.splice(0);
    const isPerhapsHiccup = this.#videosTried === 0 && this.#cameNothing;
    return isPerhapsHiccup ? taken.filter(({ isOfFile }) => isOfFile) : taken;
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
    this.#lastProblem = problem;
    this.failures[failureOf(problem).reason]++;
  }

  /** @throws DiskFull when nothing fits any more */
  failed(file: PlannedFile, problem: FileProblem): void {
    this.countFailure(problem);
    if (problem instanceof NoRoom) {
      if (file.kind !== "mp4") return;
      if (problem instanceof NoRoomForEndless)
        this.#toMark.push({ name: file.names[0], folder: file.folder, isOfFile: true });
      this.#misfit = problem;
      if (++this.#misfits >= MOST_MISFITS || problem.room < NO_ROOM_BYTES) throw problem;
    } else if (problem instanceof DashcamProblem && (problem.kind === "http" || problem.kind === "redirect"))
      this.#toMark.push({
        name: file.names[0],
        folder: file.folder,
        isOfFile: problem.kind === "http" && !NOT_OF_THE_FILE.has(problem.status ?? 0),
      });
  }

  /**
   * Throws when nothing fits any more: no file came after the one that did not fit, and another as large as those
   * before would not fit. Otherwise that file has failed alone.
   * @throws DiskFull
   */
  requireRoom(): void {
    if (this.#misfit && this.#misfits > 0 && this.#misfit.room < (this.#largest || Infinity)) throw this.#misfit;
  }
}
