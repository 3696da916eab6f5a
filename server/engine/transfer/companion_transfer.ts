import type { Companion } from "../../dashcam/generation.ts";
import type { OpenedBody } from "../../dashcam/opened.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import { isDoubtfulType, isOtherAnswer } from "../../domain/recordings/answer_kind.ts";
import { hasItsEnd, readsAs } from "../../domain/recordings/companion_content.ts";
import type { PartialFile } from "../../store/destination/partial_file.ts";
import type { Reservation } from "./disk_reservations.ts";
import { type DownloadParts, notTheFile, type Outcome, requireRoom } from "./transfer_outcome.ts";

/** A companion of this many bytes and less is taken in one piece. */
const SMALL_BODY = 256 * 1024;
/** Companions are kept in memory until they are whole; the largest known is a tenth of this. */
const LARGEST_COMPANION = 64 * 1024 * 1024;

/** A thumbnail, GPS or g-sensor file: small, and always fetched anew. */
export class CompanionTransfer {
  readonly #parts: DownloadParts;
  readonly #file: Companion;
  readonly #signal: AbortSignal;
  /** Room for it, until it is on the disk; null when the camera did not say how long it is. */
  #reservation: Reservation | null = null;

  constructor(parts: DownloadParts, file: Companion, signal: AbortSignal) {
    this.#parts = parts;
    this.#file = file;
    this.#signal = signal;
  }

  /** Always 0: the bytes stay in memory until the companion is whole. */
  readonly gained = 0;

  async run(): Promise<Outcome> {
    let outcome: Outcome | null = null;
    try {
      outcome = await this.#run();
      return outcome;
    } finally {
      if (outcome?.kind !== "received") this.#reservation?.end();
    }
  }

  async #run(): Promise<Outcome> {
    const body = await this.#open();
    if (body.kind !== "body") return body;
    if (body.total !== null) await this.#requireRoom(body, body.total);
    this.#parts.listener.opened(0, body.total);
    const content = await this.#take(body);
    // Without a length it is known only now that there is none.
    if (content.length === 0) return { kind: "empty" };
    const isText = this.#file.kind === "thm" && isDoubtfulType(body.type) && !readsAs("thm", content);
    if (isText || isOtherAnswer(this.#file.kind, body.type, content)) throw notTheFile();
    if (body.total === null && !(await this.#comesAgain(content)))
      throw new DashcamProblem("cut", "the camera closed the connection before the file was whole");
    const { name, kind } = this.#file;
    const isOpenEnded = !hasItsEnd(kind, content);
    const partial = () => this.#write(content);
    return { kind: "received", name, size: content.length, partial, isNoted: false, isOpenEnded };
  }

  async #write(content: Uint8Array): Promise<PartialFile> {
    const partial = this.#parts.recordings.openPartial(this.#file.name, 0);
    try {
      await partial.append(content);
      this.#reservation?.wrote(content.length);
      return partial;
    } catch (error) {
      partial.close();
      throw error;
    } finally {
      this.#reservation?.end();
    }
  }

  async #open(): Promise<OpenedBody | { kind: "absent" } | { kind: "empty" }> {
    const opened = await this.#parts.dashcam.openCompanion(this.#file, this.#signal);
    switch (opened.kind) {
      case "body":
      case "empty":
        return opened;
      case "absent":
        return { kind: "absent" };
      case "beyond":
      case "misplaced":
        throw new DashcamProblem("http", "the camera's answer does not fit the request for the whole file", 416);
    }
  }

  async #requireRoom(body: OpenedBody, bytes: number): Promise<void> {
    try {
      this.#reservation = await requireRoom(this.#parts, bytes);
    } catch (error) {
      body.close();
      throw error;
    }
  }

  async #take(body: OpenedBody): Promise<Uint8Array> {
    try {
      const content =
        body.total !== null && body.total <= SMALL_BODY ? await this.#takeAtOnce(body) : await inPieces(body);
      this.#parts.listener.chunk(content.length);
      if (body.total !== null && content.length !== body.total)
        throw new DashcamProblem("cut", `the camera sent ${content.length} of ${body.total} bytes`);
      return content;
    } finally {
      body.close();
    }
  }

  /** In one piece bytes are not seen to come: what took too long may only be slow, and is asked for again in pieces. */
  async #takeAtOnce(body: OpenedBody): Promise<Uint8Array> {
    try {
      return await body.bytes();
    } catch (error) {
      if (!(error instanceof DashcamProblem) || error.kind !== "silence") throw error;
      const again = await this.#open();
      if (again.kind !== "body" || again.total !== body.total) throw error;
      try {
        return await inPieces(again);
      } finally {
        again.close();
      }
    }
  }

  /** No length was promised, and the formats have no end mark: whole is what comes the same twice. */
  async #comesAgain(content: Uint8Array): Promise<boolean> {
    const again = await this.#open();
    if (again.kind !== "body") return false;
    return Buffer.compare(await this.#take(again), content) === 0;
  }
}

async function inPieces(body: OpenedBody): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = await body.read(); piece !== null; piece = await body.read()) {
    pieces.push(piece);
    length += piece.length;
    if (length > LARGEST_COMPANION)
      throw new DashcamProblem("too-long", "the camera's answer is far longer than such a file can be");
  }
  return Buffer.concat(pieces);
}
