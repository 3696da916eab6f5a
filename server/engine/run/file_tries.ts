import { DashcamProblem } from "../../dashcam/problem.ts";
import type { PlannedFile } from "../../domain/sync/download_plan.ts";
import { FileGone } from "../../store/destination/destination_problem.ts";
import { CompanionLimits } from "../transfer/companion_limits.ts";
import { downloadWithRoom } from "../transfer/download.ts";
import type { DownloadParts, Outcome } from "../transfer/transfer_outcome.ts";
import { awaitCamera, MOST_ABSENCES, PROGRESS_BYTES, retriesOf } from "../transfer/wait_limits.ts";
import type { BringHomeParts } from "./bring_home_parts.ts";

/** A companion may be asked for ahead of its video; what cannot be had at first waits for the end of the queue. */
export type Turn = "ahead" | "first" | "last";

/** Number of videos in a row that bring nothing. After these, the camera answers but sends nothing. */
const MOST_FRUITLESS_FILES = 5;

/**
 * Decides how often a file is tried. When the camera answers with a server error, such as 500, the file has one more
 * try. Then it is skipped, and the run goes on.
 */
export class FileTries {
  readonly #parts: BringHomeParts & DownloadParts;
  /** Called when the camera was away in the middle of a file: its card may be another one. */
  readonly #cameraWasAway: () => void;
  readonly companions: CompanionLimits;
  #fruitlessFiles = 0;

  constructor(parts: BringHomeParts & DownloadParts, cameraWasAway: () => void) {
    this.#parts = parts;
    this.#cameraWasAway = cameraWasAway;
    this.companions = new CompanionLimits(parts, parts.planned, parts.signal);
  }

  /** From here on it tries what waited at the end of the queue. */
  startOver(): void {
    this.#fruitlessFiles = 0;
    this.companions.tryOneMore();
  }

  /**
   * Tries until the file is here, cannot be had, or has to wait.
   * @throws the signal's reason, DashcamProblem when the camera stays away, DiskFull and the file system's errors
   */
  async bring(file: PlannedFile, turn: Turn): Promise<Outcome | "later"> {
    const { rules, waitLimits, clock, signal, makeRoom } = this.#parts;
    let fruitless = 0;
    let serverErrors = 0;
    let absences = 0;
    for (;;) {
      // Not for a thumbnail.
      const outcome = await downloadWithRoom(this.#parts, file, turn === "ahead" ? null : makeRoom, signal);
      if (outcome.kind !== "failed") {
        this.#fruitlessFiles = 0;
        if (file.kind !== "mp4") this.companions.fruitless = 0;
        const mayEnd = outcome.kind === "growing" && file.newest && rules.priority !== "date";
        return mayEnd && turn === "first" ? "later" : outcome;
      }
      if (turn === "ahead") {
        const { problem } = outcome;
        if (problem instanceof DashcamProblem && (problem.isConnection || problem.kind === "too-slow")) {
          this.companions.noteFruitless(problem);
          await awaitCamera(this.#parts, waitLimits, signal);
        }
        return "later";
      }
      const { problem, gained } = outcome;
      // It may come at the end, unless a user has deleted its recording.
      if (problem instanceof FileGone && turn === "first") return "later";
      if (!(problem instanceof DashcamProblem)) return outcome;
      // A damaged sector sometimes reads at the second try.
      if ((problem.status ?? 0) >= 500 && serverErrors++ === 0) continue;
      if (file.kind !== "mp4" && problem.kind === "too-slow") this.companions.noteFruitless(problem);
      if (!problem.isPassing) return outcome;
      fruitless = gained >= PROGRESS_BYTES ? 0 : fruitless + 1;
      if (gained > 0) this.#fruitlessFiles = 0;
      if (fruitless === 0) continue;
      const before = file.kind === "mp4" ? this.#fruitlessFiles : this.companions.fruitless;
      if (fruitless > retriesOf(problem, turn, before, waitLimits)) {
        if ((await this.companions.awaitCamera(file)) === "left") return "later";
        return this.#giveUp(file, problem, turn) ?? outcome;
      }
      const pauseMs = waitLimits.retryMs[fruitless - 1] ?? 0;
      if (pauseMs > 0) await clock.sleep(pauseMs, signal);
      // A camera that was away is no fault of the file's.
      const answer = await this.companions.awaitCamera(file);
      if (answer === "left") return "later";
      if (answer === "answers") continue;
      this.#cameraWasAway();
      if (absences++ < MOST_ABSENCES) fruitless = 0;
    }
  }

  /** Tries brought nothing, though the camera answers. @throws its problem after too many such videos in a row */
  #giveUp(file: PlannedFile, problem: DashcamProblem, turn: Turn): "later" | null {
    if (file.kind !== "mp4") this.companions.noteFruitless(problem);
    else if (++this.#fruitlessFiles >= MOST_FRUITLESS_FILES) throw problem;
    return turn === "first" ? "later" : null;
  }
}
