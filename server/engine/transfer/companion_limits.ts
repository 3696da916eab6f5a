import { DashcamProblem } from "../../dashcam/problem.ts";
import type { PlannedFile } from "../../domain/sync/download_plan.ts";
import { asSentence } from "../../domain/text/format.ts";
import type { FetchParts } from "./transfer_outcome.ts";
import { awaitCamera } from "./wait_limits.ts";

/**
 * Number of companions in a row that the camera breaks off. Then the others are left for another run, and the videos
 * come.
 */
const MOST_FRUITLESS = 3;
/** Each of these takes a minute or more, in which videos could come: they count twice. */
const LONG: ReadonlySet<DashcamProblem["kind"]> = new Set(["silence", "too-slow"]);

/** Bears with a camera that does not send companions for a limited time: trouble with them never fails a run. */
export class CompanionLimits {
  readonly #parts: Pick<FetchParts, "dashcam" | "clock" | "waitLimits" | "log">;
  readonly #signal: AbortSignal;
  #videosLeft: number;
  /** Companions in a row of which the camera broke off, or was silent. */
  fruitless = 0;

  constructor(
    parts: Pick<FetchParts, "dashcam" | "clock" | "waitLimits" | "log">,
    planned: readonly PlannedFile[],
    signal: AbortSignal,
  ) {
    this.#parts = parts;
    this.#signal = signal;
    this.#videosLeft = planned.filter(({ kind }) => kind === "mp4").length;
  }

  /** The camera did not send one of them for this reason. */
  noteFruitless({ kind }: DashcamProblem): void {
    this.fruitless += LONG.has(kind) ? 2 : 1;
  }

  /** The rest of them come with another run. */
  get isOver(): boolean {
    return this.fruitless >= MOST_FRUITLESS;
  }

  /** One more of them shows whether the camera sends companions by now. */
  tryOneMore(): void {
    if (this.fruitless !== Number.POSITIVE_INFINITY) this.fruitless = Math.min(this.fruitless, MOST_FRUITLESS - 1);
  }

  videoEnded(): void {
    this.#videosLeft--;
  }

  /**
   * As `awaitCamera`, after trouble with a file; `left` when a camera that had sent all videos is away before their
   * companions came.
   */
  async awaitCamera({ kind }: PlannedFile): Promise<"answers" | "answers again" | "left"> {
    const { waitLimits, log } = this.#parts;
    try {
      return await awaitCamera(this.#parts, waitLimits, this.#signal);
    } catch (error) {
      if (kind === "mp4" || this.#videosLeft > 0 || !(error instanceof DashcamProblem)) throw error;
      log.info("sync", `${asSentence(error.message)} What is left to come beside the videos comes another time.`);
      this.fruitless = Number.POSITIVE_INFINITY;
      return "left";
    }
  }
}
