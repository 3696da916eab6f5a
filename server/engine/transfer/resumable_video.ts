import type { OpenedBody } from "../../dashcam/opened.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import type { ByteSpan } from "../../dashcam/request.ts";
import type { Mp4State } from "../../domain/recordings/mp4_boxes.ts";
import {
  hasChanged,
  isProven,
  NO_VALIDATORS,
  type PartialRecord,
  type Validators,
} from "../../store/destination/partial_records.ts";
import { type DownloadParts, type Outcome, openPart, type Ranged } from "./transfer_outcome.ts";
import { VideoWriting, type Writing } from "./video_writing.ts";

/** Most times in one run that a video is followed when it grows while it is fetched. */
const CONTINUATIONS = 3;
/** Bytes at the start of a video that a camera may rewrite when it closes the file. */
const REWRITTEN_HEAD = 1024 * 1024;
/** A partial of this many bytes is compared with the camera before it is continued, and so many of its last ones. */
const COMPARED_FROM = 256 * 1024;
const OVERLAP = 64 * 1024;
/**
 * For shorter videos, a length alone is noted only when they are left unfinished: a note costs as much as a short file.
 */
const NOTED_FROM = 1024 * 1024;
/** A video whose boxes do not end with the file is taken as it is when it has not changed for this long. */
const UNCHANGED_MS = 10 * 60_000;

/** One try to bring a video home, resumed from where its partial ends. */
export class ResumableVideo {
  readonly #parts: DownloadParts;
  readonly #video: VideoWriting;
  readonly #newest: boolean;
  readonly #signal: AbortSignal;
  #known: PartialRecord | null;
  /** Bytes that were here before. */
  readonly #before: number;
  /** Some of the bytes came in an earlier request, when the file may have been another. */
  #pieced: boolean;
  /** It grew between these requests: the camera was writing it then, and has since written behind them and its head. */
  #hasGrown: boolean;
  /** Bytes of an earlier run of which nothing but the structure can show that they are this file's. */
  #unproven = false;
  /** All bytes were asked for in this try, and those that were here already were the same. */
  #confirmed = false;
  /** A note of this file lies beside the partials, as it does when bytes are put in the place of others. */
  #noted: boolean;
  #isNotedNow = false;
  /** The validators of the latest whole answer. */
  #validators: Validators | null = null;

  constructor(parts: DownloadParts, file: { name: string; newest: boolean }, signal: AbortSignal) {
    this.#parts = parts;
    this.#video = new VideoWriting(parts, file.name, signal);
    this.#newest = file.newest;
    this.#signal = signal;
    this.#before = this.#video.size;
    this.#pieced = this.#before > 0;
    this.#known = this.#before > 0 ? parts.records.read(file.name) : null;
    this.#noted = this.#known !== null;
    this.#hasGrown = this.#known !== null && this.#known.total === null;
  }

  /** By how many bytes the partial has grown. */
  get gained(): number {
    return this.#parts.recordings.partialSize(this.#video.name) - this.#before;
  }

  async run(): Promise<Outcome> {
    let outcome: Outcome | null = null;
    try {
      outcome = await this.#run();
      return outcome;
    } finally {
      if (outcome?.kind !== "received") {
        this.#noteBegun();
        this.#video.close();
      }
    }
  }

  async #run(): Promise<Outcome> {
    const first = this.#video.size === 0 ? await this.#fetchWhole("replace") : await this.#resume();
    if (first !== "whole") return first;
    if (this.#newest && (await this.#isGrowing())) return { kind: "growing" };
    let state = await this.#video.judge();
    const isTorn = state === "unfinished" && this.#pieced;
    if (state !== "whole" && (this.#unproven || (isTorn && this.#video.size <= REWRITTEN_HEAD))) {
      const again = await this.#fetchWhole("confirm");
      if (again !== "whole") return again;
      state = await this.#video.judge();
    } else if (isTorn && this.#hasGrown) {
      state = await this.#mendHead();
    }
    // Boxes that do not end with the file: the camera only paused in writing it, or promised too small a length.
    if (state === "unfinished" && (await this.#isUnsettled())) return { kind: "growing" };
    return {
      kind: "received",
      name: this.#video.name,
      size: this.#video.size,
      partial: async () => this.#video.open(),
      isNoted: this.#noted,
    };
  }

  /** Brings what is missing behind the partial, if it is of the file that the camera has now. */
  async #resume(): Promise<Outcome | "whole"> {
    const known = this.#known;
    if (known?.unfinished?.size === this.#video.size) {
      // All of it came and did not look whole. That it is longer now would not make it another file.
      this.#known = { ...known, total: null };
      // It is asked for again when it has had time to change, and not before.
      const age = this.#parts.clock.now() - known.unfinished.at;
      if (age < 0 || age >= UNCHANGED_MS) return await this.#fetchWhole("confirm");
      if (!(await this.#hasChangedSince())) return { kind: "growing" };
      this.#noteGrowth(this.#known);
    }
    if (this.#video.size >= COMPARED_FROM) return await this.#compareAndResume();
    // A power cut leaves zeros where bytes had not reached the disk; so short a file is soon here again.
    return this.#video.endsInZeros() ? await this.#fetchWhole("confirm") : await this.#fetchRest();
  }

  /** Asks for the last bytes of the partial again, and goes on only behind what is the same. */
  async #compareAndResume(): Promise<Outcome | "whole"> {
    const opened = await this.#openPart({ from: this.#video.size - OVERLAP, to: this.#video.size });
    if (opened.kind !== "body") return await this.#fetchWhole(this.#isTooLong(opened) ? "replace" : "confirm");
    if (opened.start === 0) return await this.#receiveWhole(opened, "confirm");
    if (hasChanged(this.#known, opened.validators)) {
      opened.close();
      return await this.#fetchWhole("replace");
    }
    const isSame = await this.#video.endsAs(opened, OVERLAP);
    if (isSame === null) return await this.#fetchWhole("confirm");
    if (!isSame || (opened.total !== null && opened.total < this.#video.size)) return await this.#fetchWhole("replace");
    // All bytes were here already: only the last step was missing when the earlier run ended.
    return opened.total === this.#video.size ? "whole" : await this.#fetchRest();
  }

  /** Brings the bytes behind the partial; the whole file when the camera leaves no other way. */
  async #fetchRest(): Promise<Outcome | "whole"> {
    const offset = this.#video.size;
    const opened = await this.#openPart({ from: offset });
    if (opened.kind === "beyond" && opened.total === offset) {
      this.#unproven = offset < COMPARED_FROM;
      return "whole";
    }
    if (opened.kind !== "body") return await this.#fetchWhole(this.#isTooLong(opened) ? "replace" : "confirm");
    if (hasChanged(this.#known, opened.validators)) {
      opened.close();
      return await this.#fetchWhole("replace");
    }
    if (opened.start === 0) return await this.#receiveWhole(opened, "confirm");
    this.#unproven = offset < COMPARED_FROM && !isProven(this.#known, opened.validators);
    await this.#video.receive(opened, "append");
    // Nothing came although something was promised: a way to refuse ranges, too.
    if (this.#video.size === offset && opened.total !== offset) return await this.#fetchWhole("confirm");
    await this.#requireWhole(opened.total);
    return "whole";
  }

  /** The bytes here are longer than the file, and so belong to another one. */
  #isTooLong(opened: Ranged): boolean {
    return opened.kind === "beyond" && opened.total !== null && opened.total < this.#video.size;
  }

  async #fetchWhole(writing: Writing): Promise<Outcome | "whole"> {
    const opened = await this.#parts.dashcam.open(this.#video.name, { from: 0 }, this.#signal);
    switch (opened.kind) {
      case "absent":
        if (opened.status === 404) return { kind: "absent" };
        throw new DashcamProblem("http", `the camera answered with status ${opened.status}`, opened.status);
      case "empty":
        return { kind: "empty" };
      case "body":
        return await this.#receiveWhole(opened, writing);
      default:
        throw new DashcamProblem("http", "the camera's answer does not fit the request for the whole file", 416);
    }
  }

  async #receiveWhole(opened: OpenedBody, writing: Writing): Promise<"whole" | { kind: "empty" }> {
    this.#validators = opened.validators;
    const { etag, lastModified, total } = opened.validators;
    const isOther = writing === "confirm" && hasChanged(this.#known, opened.validators);
    // Before the bytes: a kill must not leave a partial of which nothing is known that could be.
    const isWorthIt = etag !== null || lastModified !== null || (total ?? 0) > NOTED_FROM;
    if (this.#video.size === 0 && isWorthIt) this.#note(opened.validators, null);
    this.#noted ||= writing === "replace" && this.#video.size > 0;
    await this.#video.receive(opened, isOther ? "replace" : writing);
    if (await this.#video.isNothing(opened)) return { kind: "empty" };
    await this.#requireWhole(opened.total);
    // Only now: a body without a length may have ended early, and what lies behind is then the best there is.
    this.#video.open().cutTail();
    this.#unproven = false;
    this.#pieced = false;
    this.#confirmed = true;
    return "whole";
  }

  #openPart(span: ByteSpan): Promise<Ranged> {
    return openPart(this.#parts.dashcam, this.#video.name, span, this.#signal);
  }

  /**
   * Checks that all promised bytes are here; without a promise the video's own structure must show it.
   * @throws DashcamProblem when they are not, or more than these
   */
  async #requireWhole(total: number | null): Promise<void> {
    const { size } = this.#video;
    if (total === null ? (await this.#video.judge()) === "whole" : size === total) return;
    if (total === null) throw new DashcamProblem("cut", "the camera closed the connection before the file was whole");
    if (size < total) throw new DashcamProblem("cut", `the camera sent ${size} of ${total} bytes`);
    this.#video.empty();
    throw new DashcamProblem("http", "the camera sent more of the file than it says there is");
  }

  /**
   * Asks for bytes behind those here, and takes them if there are more. The newest video may be the one being recorded,
   * and a broken one may be longer than was promised. True when the file outgrew the bytes here. No byte more is no
   * growth.
   */
  async #isGrowing(): Promise<boolean> {
    for (let round = 0; round < CONTINUATIONS; round++) {
      let opened: Ranged;
      try {
        opened = await this.#openPart({ from: this.#video.size });
      } catch (error) {
        if (!(error instanceof DashcamProblem) || (error.isConnection && !this.#newest)) throw error;
        return false; // it could not be asked
      }
      if (opened.kind !== "body") return false;
      const before = this.#video.size;
      const isLonger = opened.total === null ? opened.start > 0 : opened.total > before;
      // Before the bytes: what was promised first is no proof of anything any more. A short one is not compared later, so
      // what names the file now has to do; a long one may go on growing under other names.
      if (isLonger) this.#noteGrowth(before < COMPARED_FROM ? { ...opened.validators, total: null } : NO_VALIDATORS);
      if (opened.start === 0) {
        opened.close(); // the camera ignores ranges, but has named the length
        return isLonger;
      }
      await this.#video.receive(opened, "append");
      if (this.#video.size === before) return false;
      this.#pieced = true;
      if (opened.total !== null) await this.#requireWhole(opened.total);
    }
    return true;
  }

  /** True when the camera has more of it now, or less, which is then another file. */
  async #hasChangedSince(): Promise<boolean> {
    const opened = await this.#openPart({ from: this.#video.size });
    if (opened.kind !== "body") return this.#isTooLong(opened);
    opened.close();
    return opened.total === null || opened.total > this.#video.size;
  }

  /** It has grown since it was begun: only this is known of what is here, which is compared the next time. */
  #noteGrowth(validators: Validators): void {
    this.#hasGrown = true;
    this.#validators = validators;
    this.#note(validators, null);
  }

  /**
   * A video that does not look whole stays a partial until two runs at least ten minutes apart saw the same bytes.
   * True when it has to wait, or has grown.
   */
  async #isUnsettled(): Promise<boolean> {
    const before = this.#video.size;
    if (!this.#newest && (await this.#isGrowing())) return true;
    // More came, and that was all of it: with the rest, and the head that belongs to it, it may be whole.
    const isMore = this.#video.size > before;
    if (isMore && ((await this.#video.judge()) !== "unfinished" || (await this.#mendHead()) !== "unfinished"))
      return false;
    const now = this.#parts.clock.now();
    const seen = this.#known?.unfinished;
    const isSame = seen?.size === this.#video.size && this.#confirmed && !this.#video.hasDiffered;
    if (isSame && now - seen.at >= UNCHANGED_MS) return false;
    const at = isSame && seen.at <= now ? seen.at : now;
    this.#note(this.#validators ?? NO_VALIDATORS, { size: this.#video.size, at });
    return true;
  }

  /**
   * A camera rewrites the start of a video when it closes it. If a video that grew between the requests does not hold
   * together, its head is from before that: it is fetched once more. Length alone has already been checked.
   */
  async #mendHead(): Promise<Mp4State> {
    const opened = await this.#parts.dashcam.open(this.#video.name, { from: 0 }, this.#signal);
    if (opened.kind === "body") await this.#video.rewriteHead(opened, REWRITTEN_HEAD);
    return await this.#video.judge();
  }

  #note({ etag, lastModified, total }: Validators, unfinished: PartialRecord["unfinished"]): void {
    this.#isNotedNow = this.#parts.records.write(this.#video.name, { etag, lastModified, total, unfinished });
    this.#noted ||= this.#isNotedNow;
  }

  /** Notes the validators of the bytes that are left unfinished, if they are all of that answer. */
  #noteBegun(): void {
    if (this.#isNotedNow || this.#video.size === 0 || this.#validators === null || !this.#video.isOfOneAnswer) return;
    this.#note(this.#validators, null);
  }
}
