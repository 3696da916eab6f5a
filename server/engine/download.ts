import type { Clock } from "../clock.ts";
import type { Dashcam, Opened } from "../dashcam/camera.ts";
import { DashcamProblem } from "../dashcam/problem.ts";
import { release } from "../dashcam/request.ts";
import { formatBytes } from "../domain/format.ts";
import { judgeMp4 } from "../domain/mp4.ts";
import type { PlannedFile } from "../domain/plan.ts";
import type { ArtifactKind } from "../domain/recording.ts";
import type { Partial } from "../store/partial.ts";
import { FileInTheWay, type Recordings } from "../store/recordings.ts";
import { DiskFull } from "./failure.ts";

export interface DownloadParts {
  dashcam: Dashcam;
  recordings: Recordings;
  clock: Clock;
  /** Bytes that may still be written; asked when a file's size becomes known. */
  roomLeft(): Promise<number>;
  /** Hears of the transfer as it goes. */
  heard: { opened(offset: number, total: number | null): void; chunk(bytes: number): void };
}

/** How the attempt to bring one file home ended. What ends the whole run is thrown instead. */
export type Outcome =
  | { kind: "completed"; name: string; size: number }
  /** The camera does not have it: normal for a companion, overwritten meanwhile for a video. */
  | { kind: "absent" }
  /** Listed, but empty on the card. */
  | { kind: "empty" }
  /** Still being recorded: what is here stays a partial and is continued in the next run. */
  | { kind: "growing" }
  /** The camera's doing, or something at home that is in the way of just this file. */
  | { kind: "failed"; problem: DashcamProblem | FileInTheWay; received: number };

/** How often a video that grows under our hands is followed in one run. */
const CONTINUATIONS = 3;
/** How often a file is asked for again at once. */
const RETRIES = 4;
/** What a camera may rewrite at the start of a video when it closes it. */
const HEAD_BYTES = 1024 * 1024;
/** The longest the download loop keeps the event loop to itself. */
const TURN_MS = 5;

/**
 * Brings one file home: asks from where the partial ends, appends what comes, and gives it its final name only when
 * all promised bytes are on the disk. Tries the file's possible names in turn, and a server error once more.
 * @throws the signal's reason, DiskFull, and the file system's errors; each of them keeps the partial
 */
export async function download(parts: DownloadParts, file: PlannedFile, signal: AbortSignal): Promise<Outcome> {
  let outcome: Outcome = { kind: "absent" };
  for (const name of file.names) {
    outcome = await attempt(parts, file, name, signal);
    for (let again = 0; again < RETRIES && outcome.kind === "failed" && isWorthRetrying(outcome, again); again++)
      outcome = await attempt(parts, file, name, signal);
    const isAbsent = outcome.kind === "absent" || (outcome.kind === "empty" && file.kind !== "mp4");
    if (!isAbsent) break;
  }
  return outcome;
}

async function attempt(parts: DownloadParts, file: PlannedFile, name: string, signal: AbortSignal): Promise<Outcome> {
  const transfer = new Transfer(parts, file, name, signal);
  try {
    // Before the bytes come, not after them.
    if (file.folder) parts.recordings.checkFolder(file.folder);
    return await transfer.run();
  } catch (error) {
    if (error instanceof DashcamProblem || error instanceof FileInTheWay)
      return { kind: "failed", problem: error, received: transfer.received };
    throw error;
  } finally {
    transfer.close();
  }
}

class Transfer {
  readonly #parts: DownloadParts;
  readonly #file: PlannedFile;
  readonly #name: string;
  readonly #signal: AbortSignal;
  #partial: Partial | null = null;
  #size: number;
  /** Some of the bytes came in an earlier request, when the file may have been another. */
  #pieced: boolean;
  /** Bytes that came in this attempt. */
  received = 0;

  constructor(parts: DownloadParts, file: PlannedFile, name: string, signal: AbortSignal) {
    this.#parts = parts;
    this.#file = file;
    this.#name = name;
    this.#signal = signal;
    this.#size = parts.recordings.partialSize(name);
    this.#pieced = this.#size > 0;
  }

  close(): void {
    this.#partial?.close();
  }

  async run(): Promise<Outcome> {
    const first = await this.#fetchFromPartial();
    if (first !== "whole") return first;
    const partial = this.#openPartial();
    if (this.#file.kind === "mp4") {
      const { newest } = this.#file;
      if (newest && (await this.#isGrowing())) return { kind: "growing" };
      if (this.#pieced) await this.#mendHead(partial);
      // Boxes that do not end with the file: the camera only paused in writing it, or promised too small a length.
      if ((await this.#isUnfinished()) && (newest || (await this.#isGrowing()))) return { kind: "growing" };
    }
    await this.#parts.recordings.finish(partial, this.#file.folder);
    return { kind: "completed", name: this.#name, size: this.#size };
  }

  /** Brings the rest of the file, starting over when the camera's answer leaves no other way. */
  async #fetchFromPartial(): Promise<Outcome | "whole"> {
    let offset = this.#size;
    for (let attempts = 0; attempts < 2; attempts++) {
      const opened = await this.#open(offset);
      switch (opened.kind) {
        case "absent":
          if (this.#file.kind === "mp4" && opened.status !== 404)
            throw new DashcamProblem("http", `the camera answered with status ${opened.status}`, opened.status);
          return { kind: "absent" };
        case "empty":
          return { kind: "empty" };
        case "body":
          await this.#receive(opened);
          return "whole";
        case "beyond":
          // All bytes were here already: only the last step was missing when the earlier run ended.
          if (offset > 0 && opened.total === offset) return "whole";
          break;
        case "misplaced":
          break;
      }
      if (offset === 0) break;
      // What is here stays until the whole file really comes: the camera may leave before.
      offset = 0;
    }
    throw new DashcamProblem("http", "the camera's answer does not fit the request for the whole file", 416);
  }

  #open(offset: number): Promise<Opened> {
    return this.#parts.dashcam.open(this.#name, offset, this.#signal);
  }

  #openPartial(): Partial {
    this.#partial ??= this.#parts.recordings.openPartial(this.#name, this.#size);
    return this.#partial;
  }

  /** Writes a body from where it starts and checks that the file is then all that was promised. */
  async #receive(body: Extract<Opened, { kind: "body" }>): Promise<void> {
    try {
      if (body.total !== null) await this.#checkRoom(body.total - this.#size);
      const partial = this.#openPartial();
      if (body.start !== partial.size) {
        partial.rewind();
        this.#pieced = false;
      }
      this.#size = partial.size;
      this.#parts.heard.opened(this.#size, body.total);
      await this.#pump(body, partial);
      partial.cutTail();
    } finally {
      body.close();
    }
    if (body.total === null ? await this.#isWholeByItself() : this.#size === body.total) return;
    throw new DashcamProblem(
      "cut",
      body.total === null
        ? "the camera closed the connection before the file was whole"
        : `the camera sent ${this.#size} of ${body.total} bytes`,
    );
  }

  async #pump(body: Extract<Opened, { kind: "body" }>, partial: Partial): Promise<void> {
    const { clock, heard } = this.#parts;
    let turnEnds = clock.elapsed() + TURN_MS;
    for (let piece = await body.read(); piece !== null; piece = await body.read()) {
      if (partial.size === 0 && isWebPage(piece))
        throw new DashcamProblem("http", "a web page came instead of the file; does a camera answer at this address?");
      const waiting = partial.append(piece);
      if (waiting) await waiting;
      this.#size = partial.size;
      this.received += piece.length;
      heard.chunk(piece.length);
      release(piece);
      if (clock.elapsed() < turnEnds) continue;
      // A fast camera would keep this loop in microtasks and starve timers and other requests.
      await new Promise(setImmediate);
      this.#signal.throwIfAborted();
      turnEnds = clock.elapsed() + TURN_MS;
    }
  }

  async #checkRoom(bytes: number): Promise<void> {
    const room = await this.#parts.roomLeft();
    if (bytes > room)
      throw new DiskFull(
        `the next file needs ${formatBytes(bytes)} and the disk has ${formatBytes(room)} left; free space or lower retention`,
      );
  }

  /** Nothing promised a length: the file's own structure must show that it is whole. */
  async #isWholeByItself(): Promise<boolean> {
    const partial = this.#openPartial();
    return hasWholeStructure(this.#file.kind, this.#size, (offset, length) => partial.readAt(offset, length));
  }

  /**
   * The newest video may be the one being recorded, and a broken one may be longer than was promised: asks for what lies
   * behind the bytes we have, and takes it if there is more. True when it outgrew us.
   */
  async #isGrowing(): Promise<boolean> {
    for (let round = 0; round < CONTINUATIONS; round++) {
      let opened: Opened;
      try {
        opened = await this.#open(this.#size);
      } catch (error) {
        if (!(error instanceof DashcamProblem) || (error.isConnection && !this.#file.newest)) throw error;
        return false; // it could not be asked
      }
      if (opened.kind !== "body") return false;
      if (opened.start === 0) {
        opened.close(); // the camera ignores ranges, but has told the length
        return opened.total !== null && opened.total > this.#size;
      }
      this.#pieced = true;
      await this.#receive(opened);
    }
    return true;
  }

  async #isUnfinished(): Promise<boolean> {
    const partial = this.#openPartial();
    return (await judgeMp4(this.#size, (offset, length) => partial.readAt(offset, length))) === "unfinished";
  }

  /**
   * A camera rewrites the start of a video when it closes it. If a video that came in several requests does not hold
   * together, its head is from before that: it is fetched once more. Length alone has already been checked.
   */
  async #mendHead(partial: Partial): Promise<void> {
    if (!(await this.#isUnfinished())) return;
    const opened = await this.#open(0);
    if (opened.kind !== "body") return;
    try {
      let at = 0;
      for (let piece = await opened.read(); piece !== null && at < HEAD_BYTES; piece = await opened.read()) {
        const part = piece.subarray(0, Math.min(HEAD_BYTES, this.#size) - at);
        await partial.overwrite(part, at);
        at += part.length;
      }
    } finally {
      opened.close();
    }
  }
}

/**
 * A damaged sector sometimes reads at the second try. And when a connection breaks right behind its first bytes,
 * `fetch` may drop them with the error: another try or two mostly bring something to go on from.
 */
function isWorthRetrying({ problem, received }: Extract<Outcome, { kind: "failed" }>, again: number): boolean {
  if (!(problem instanceof DashcamProblem)) return false;
  return (again === 0 && (problem.status ?? 0) >= 500) || (problem.kind === "reset" && received === 0);
}

/** Routers and captive portals answer anything with a page. */
function isWebPage(piece: Uint8Array): boolean {
  return /^\s*<(!doctype|html)/i.test(String.fromCharCode(...piece.subarray(0, 64)));
}

/** Whether a file that came without a length is whole, as far as its format can tell. */
async function hasWholeStructure(
  kind: ArtifactKind,
  size: number,
  readAt: (offset: number, length: number) => Promise<Uint8Array>,
): Promise<boolean> {
  if (size === 0) return false;
  switch (kind) {
    case "mp4":
      return (await judgeMp4(size, readAt)) === "whole";
    case "thm": {
      const end = await readAt(size - 2, 2);
      return end[0] === 0xff && end[1] === 0xd9; // JPEG's end-of-image marker
    }
    case "3gf":
      return size % 10 === 0;
    case "gps": {
      const [last] = await readAt(size - 1, 1);
      return last === 0x0a || last === 0x0d;
    }
  }
}
