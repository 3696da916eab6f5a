import { DashcamProblem } from "../../dashcam/problem.ts";
import { formatBytes } from "../../domain/text/format.ts";
import type { Reservation } from "./disk_reservations.ts";
import { type DownloadParts, NoRoomForEndless, requireRoom } from "./transfer_outcome.ts";

type Parts = Pick<DownloadParts, "reserve" | "maxVideoBytes">;

/** After so many bytes of a video whose end is not known the disk is asked for room again: others fill it, too. */
const ASKED_EVERY = 16 * 1024 * 1024;

/** A body has no end, or another than the camera says: nothing of it is worth its room. */
export class EndlessBody extends DashcamProblem {
  override name = "EndlessBody";
  constructor(message: string) {
    super("http", message);
  }
}

/** Bounds the growth of a video while a body comes, whatever the camera promises or sends, and has room for it. */
export class BodyBounds {
  readonly #parts: Parts;
  readonly #total: number | null;
  #allowed: number;
  #size: number;
  #reservation: Reservation | null;

  private constructor(
    parts: Parts,
    body: { total: number | null; here: number; allowed: number },
    reservation: Reservation | null,
  ) {
    this.#parts = parts;
    this.#total = body.total;
    this.#allowed = body.allowed;
    this.#size = body.here;
    this.#reservation = reservation;
  }

  /**
   * The bounds of a body of which `here` bytes are on the disk already.
   * @throws NoRoom, EndlessBody for a length that no video has
   */
  static async of(parts: Parts, total: number | null, here: number): Promise<BodyBounds> {
    const { maxVideoBytes } = parts;
    if (total === null) return new BodyBounds(parts, { total, here, allowed: Math.min(here, maxVideoBytes) }, null);
    if (total > maxVideoBytes)
      throw new EndlessBody(`the camera names a length of ${formatBytes(total)}; ${mostOf(parts)}`);
    const reservation = await requireRoom(parts, total - here);
    return new BodyBounds(parts, { total, here, allowed: total }, reservation);
  }

  /** Bytes of the file that may be written without asking. */
  get allowed(): number {
    return this.#allowed;
  }

  /** Notes that the file has so many bytes on the disk now. */
  grewTo(size: number): void {
    if (size <= this.#size) return;
    this.#reservation?.wrote(size - this.#size);
    this.#size = size;
  }

  /** Gives back the room that the body did not take. */
  end(): void {
    this.#reservation?.end();
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
    const more = bytes - this.#allowed;
    const { reservation } = await this.#parts.reserve(more, more + ASKED_EVERY);
    if (reservation === null) throw new NoRoomForEndless(this.#allowed);
    this.#allowed = Math.min(maxVideoBytes, this.#allowed + reservation.left);
    if (this.#reservation === null) this.#reservation = reservation;
    else this.#reservation.add(reservation);
  }
}

const mostOf = ({ maxVideoBytes }: Parts) =>
  `no video of more than ${formatBytes(maxVideoBytes)} is downloaded (sync.max_video_gb)`;
