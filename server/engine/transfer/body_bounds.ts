import { DashcamProblem } from "../../dashcam/problem.ts";
import { formatBytes } from "../../domain/text/format.ts";
import { type DownloadParts, NoRoomForEndless, requireRoom } from "./transfer_outcome.ts";

type Parts = Pick<DownloadParts, "roomLeft" | "maxVideoBytes">;

/** After so many bytes of a video whose end is not known the disk is asked for room again: others fill it, too. */
const ASKED_EVERY = 16 * 1024 * 1024;

/** A body has no end, or another than the camera says: nothing of it is worth its room. */
export class EndlessBody extends DashcamProblem {
  override name = "EndlessBody";
  constructor(message: string) {
    super("http", message);
  }
}

/** Bounds the growth of a video while a body comes, whatever the camera promises or sends. */
export class BodyBounds {
  readonly #parts: Parts;
  readonly #total: number | null;
  #allowed: number;

  private constructor(parts: Parts, total: number | null, allowed: number) {
    this.#parts = parts;
    this.#total = total;
    this.#allowed = allowed;
  }

  /**
   * The bounds of a body of which `here` bytes are on the disk already.
   * @throws NoRoom, EndlessBody for a length that no video has
   */
  static async of(parts: Parts, total: number | null, here: number): Promise<BodyBounds> {
    if (total === null) return new BodyBounds(parts, null, Math.min(here, parts.maxVideoBytes));
    if (total > parts.maxVideoBytes)
      throw new EndlessBody(`the camera names a length of ${formatBytes(total)}; ${mostOf(parts)}`);
    await requireRoom(parts, total - here);
    return new BodyBounds(parts, total, total);
  }

  /** Bytes of the file that may be written without asking. */
  get allowed(): number {
    return this.#allowed;
  }

  /**
   * Asks for more than is allowed, up to so many bytes of the file.
   * @throws EndlessBody, NoRoomForEndless when that is too much
   */
  async extend(bytes: number): Promise<void> {
    const { maxVideoBytes } = this.#parts;
    if (this.#total !== null) throw new EndlessBody("the camera sent more of the file than it says there is");
    if (bytes > maxVideoBytes)
      throw new EndlessBody(`the camera names no length and sends without an end; ${mostOf(this.#parts)}`);
    const room = (await this.#parts.roomLeft()) - (bytes - this.#allowed);
    if (room < 0) throw new NoRoomForEndless(this.#allowed);
    this.#allowed = Math.min(maxVideoBytes, bytes + Math.min(room, ASKED_EVERY));
  }
}

const mostOf = ({ maxVideoBytes }: Parts) =>
  `no video of more than ${formatBytes(maxVideoBytes)} is downloaded (sync.max_video_gb)`;
