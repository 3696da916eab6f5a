import type { OpenedBody } from "../../dashcam/opened.ts";
import { release } from "../../dashcam/request.ts";
import { HEAD_BYTES, isDoubtfulType, isOtherAnswer } from "../../domain/recordings/answer_kind.ts";
import { judgeMp4, type Mp4State } from "../../domain/recordings/mp4_boxes.ts";
import type { PartialFile } from "../../store/destination/partial_file.ts";
import { BodyBounds, EndlessBody } from "./body_bounds.ts";
import { lacksRoom } from "./failure_of_error.ts";
import { type DownloadParts, NoRoomForEndless, notTheFile } from "./transfer_outcome.ts";

/** Way in which a body is written: behind what is here, over it as long as it is the same, or in its place. */
export type Writing = "append" | "confirm" | "replace";

/**
 * Bodies longer than this are poured. A shorter one may have come completely before pouring begins. The runtime then
 * reserves the file's space in a step of its own (`fallocate`), after which the file is longer than the bytes here.
 */
const POURED_FROM = 1024 * 1024;
/**
 * Over Wi-Fi bytes come in packets, and taking each by itself costs more than all else. A link slower than the first
 * figure is therefore read so much at a time: what comes meanwhile waits in the system's own buffers.
 */
const SLOW_LINK = 40_000_000;
const READ_AT_ONCE = 400 * 1024;
const LONGEST_PAUSE_MS = 100;
/** After which a body's rate is a measure of the link. */
const MEASURED_MS = 100;
/** Number of zeros that is no end of a piece of a video. */
const ZEROS = 512;
/** The longest the loop over a body's pieces keeps the event loop to itself. */
const TURN_MS = 5;

/** A video's partial while bytes come in: how they are written, and what they show to be. */
export class VideoWriting {
  readonly name: string;
  readonly #parts: DownloadParts;
  readonly #signal: AbortSignal;
  #partial: PartialFile | null = null;
  #size: number;
  #hasDiffered = false;
  #isOfOneAnswer = false;

  constructor(parts: DownloadParts, name: string, signal: AbortSignal) {
    this.name = name;
    this.#parts = parts;
    this.#signal = signal;
    this.#size = parts.recordings.partialSize(name);
  }

  /** Bytes that are here. */
  get size(): number {
    return this.#size;
  }

  /** True when the bytes here were not those that came. */
  get hasDiffered(): boolean {
    return this.#hasDiffered;
  }

  /** All that is here came with the last whole answer, or was the same: its validators hold for them. */
  get isOfOneAnswer(): boolean {
    return this.#isOfOneAnswer;
  }

  /** The open file; it is opened when it is first needed. */
  open(): PartialFile {
    this.#partial ??= this.#parts.recordings.openPartial(this.name, this.#size);
    return this.#partial;
  }

  close(): void {
    this.#partial?.close();
    this.#partial = null;
  }

  /** Forgets all bytes, and what was noted of them. */
  empty(): void {
    this.open().empty();
    this.#size = 0;
    this.#parts.records.remove(this.name);
  }

  async judge(): Promise<Mp4State> {
    const partial = this.open();
    return await judgeMp4(this.#size, (offset, length) => partial.readAt(offset, length));
  }

  /**
   * Writes a body, whatever its end. The bytes here stay as long as the same bytes come.
   * @throws NoRoom before anything is written, DashcamProblem when the body breaks, has no end or is none of a video
   */
  async receive(body: OpenedBody, writing: Writing): Promise<void> {
    const here = this.#size;
    let bounds: BodyBounds | null = null;
    try {
      bounds = await BodyBounds.of(this.#parts, body.total, here);
      this.#parts.listener.opened(writing === "append" ? here : 0, body.total);
      const isLong = body.total !== null && body.total - here > POURED_FROM;
      const isBehind = here === 0 || writing === "append";
      const { clock, link } = this.#parts;
      const isSlow = link.bytesPerSecond < SLOW_LINK || this.open().isDiskSlow;
      const began = clock.elapsed();
      // Pouring has no time limit: the connection has to show the end.
      const isBounded = body.promised !== null && body.start + body.promised <= bounds.allowed;
      if (isLong && isBounded && isBehind && !isDoubtfulType(body.type) && !isSlow) await this.#pour(body, bounds);
      else await this.#pump(body, writing, bounds);
      if (isLong) link.bytesPerSecond = ((this.#size - here) * 1000) / (clock.elapsed() - began);
    } catch (thrown) {
      // A quota is not told beforehand.
      const isFull = body.total === null && lacksRoom(thrown);
      const error = isFull ? new NoRoomForEndless(this.#size) : thrown;
      if (isFull || error instanceof EndlessBody) await this.#keepNothing();
      throw error;
    } finally {
      this.#hasDiffered ||= this.#partial?.hasDiffered === true;
      bounds?.end();
      // When the body is only shorter than before, the end has not been compared.
      this.#isOfOneAnswer ||= here === 0 || this.#hasDiffered || (writing !== "append" && this.#size > here);
      body.close();
    }
  }

  /** True when a body had no chunk but the last one: the file is empty on the card, and nothing of it stays here. */
  async isNothing(body: OpenedBody): Promise<boolean> {
    if (!body.isChunked || body.total !== null || this.#size > 0) return false;
    await this.#keepNothing();
    return true;
  }

  /** A long body behind what is here, straight into the file. */
  async #pour(body: OpenedBody, bounds: BodyBounds): Promise<void> {
    const partial = this.open();
    const { listener } = this.#parts;
    const before = partial.size;
    let reported = 0;
    const report = (grown: number) => {
      if (grown <= reported) return;
      listener.chunk(grown - reported);
      bounds.grewTo(before + grown);
      reported = grown;
    };
    /** Null until enough has come to decide. */
    let isOther = before === 0 ? null : false;
    const checkHead = (isAll: boolean) => {
      if (isOther !== null || (partial.size < HEAD_BYTES && !isAll)) return;
      isOther = isOtherAnswer("mp4", body.type, partial.head(HEAD_BYTES));
      if (isOther) body.close();
    };
    try {
      await partial.appendBy((descriptor, grown) =>
        body.pour({
          descriptor,
          grown,
          onCheck(bytes, lateMs) {
            report(bytes);
            checkHead(false);
            partial.noteBlocked(lateMs);
          },
        }),
      );
      checkHead(true);
    } finally {
      report(partial.size - before);
      this.#size = partial.size;
      if (isOther) await this.#keepNothing();
    }
    if (isOther) throw notTheFile();
  }

  /** True when the last bytes here are nothing but zeros. */
  endsInZeros(): boolean {
    const length = Math.min(ZEROS, this.#size);
    return this.open()
      .tail(this.#size, length)
      .every((byte) => byte === 0);
  }

  /** True when the last bytes here are those of a body; null when that shows nothing. */
  async endsAs(body: OpenedBody, bytes: number): Promise<boolean | null> {
    let theirs: Uint8Array;
    try {
      theirs = await headOf(body, bytes);
      // Read to its end, the connection can be used again.
      await body.read();
    } finally {
      body.close();
    }
    const ours = await this.open().readAt(this.#size - bytes, bytes);
    // Zeros are what a file holds whose space was only reserved: that they are the same shows nothing.
    const isEmpty = ours.every((byte) => byte === ours[0]);
    return theirs.length < bytes || isEmpty ? null : Buffer.compare(theirs.subarray(0, bytes), ours) === 0;
  }

  /** Writes up to so many first bytes of a body over those that are here, unless it is of something else. */
  async rewriteHead(body: OpenedBody, bytes: number): Promise<void> {
    try {
      const head = await headOf(body, HEAD_BYTES);
      if (body.total !== this.#size || isOtherAnswer("mp4", body.type, head)) return;
      let at = 0;
      for (let piece: Uint8Array | null = head; piece && at < bytes; piece = await body.read()) {
        const part = piece.subarray(0, Math.min(bytes, this.#size) - at);
        await this.open().overwrite(part, at);
        at += part.length;
      }
    } finally {
      body.close();
    }
  }

  /** Piece by piece: where every piece has to be looked at, and while the disk is slow. */
  async #pump(body: OpenedBody, writing: Writing, bounds: BodyBounds): Promise<void> {
    const { clock, listener } = this.#parts;
    const head = body.start === 0 ? await headOf(body, HEAD_BYTES) : new Uint8Array(0);
    // Before anything that is here is written over.
    if (body.start === 0 && isOtherAnswer("mp4", body.type, head)) {
      if (this.#size === 0) this.#parts.records.remove(this.name);
      throw notTheFile();
    }
    const partial = this.open();
    if (writing === "confirm") partial.rewind();
    if (writing === "replace" && this.#size > 0) {
      partial.empty();
      // In this order: what is noted must never be of other bytes than those that are here.
      this.#parts.records.write(this.name, { ...body.validators, unfinished: null });
      this.#isOfOneAnswer = true;
    }
    this.#size = partial.size;
    const began = clock.elapsed();
    let turnEnds = began + TURN_MS;
    let pauseMs = 0;
    for (let piece = head.length > 0 ? head : await body.read(); piece !== null; piece = await body.read(pauseMs)) {
      if (this.#size + piece.length > bounds.allowed) await bounds.extend(this.#size + piece.length);
      const waiting = partial.append(piece);
      if (waiting) await waiting;
      this.#size = partial.size;
      bounds.grewTo(this.#size);
      listener.chunk(piece.length);
      release(piece);
      pauseMs = this.#pauseBefore(body, clock.elapsed() - began);
      if (pauseMs === 0 && clock.elapsed() < turnEnds) continue;
      // A fast camera would keep this loop in microtasks and starve timers and other requests.
      await new Promise(setImmediate);
      this.#signal.throwIfAborted();
      turnEnds = clock.elapsed() + TURN_MS;
    }
  }

  /** Time that bytes may gather before they are read; 0 on a fast link, and near the end of the body. */
  #pauseBefore({ total, start }: OpenedBody, elapsedMs: number): number {
    const rate = (this.#size - start) / elapsedMs;
    if (elapsedMs < MEASURED_MS || rate * 1000 >= SLOW_LINK || total === null) return 0;
    return total - this.#size < 2 * READ_AT_ONCE ? 0 : Math.min(LONGEST_PAUSE_MS, READ_AT_ONCE / rate);
  }

  /** Not a byte of what came stays, nor a note of it. */
  async #keepNothing(): Promise<void> {
    this.close();
    this.#size = 0;
    this.#parts.records.remove(this.name);
    await this.#parts.recordings.discardPartial(this.name);
    this.#parts.roomFreed();
  }
}

/** The first bytes of a body, at least so many unless it is shorter; more when they came in one piece. */
export async function headOf(body: OpenedBody, bytes: number): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < bytes) {
    const piece = await body.read();
    if (piece === null) break;
    head = head.length === 0 ? piece : Buffer.concat([head, piece]);
  }
  return head;
}
