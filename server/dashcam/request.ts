import { boundedBytes, boundedPieces } from "../bounded_body.ts";
import { DashcamProblem, isDiskError, problemOf } from "./problem.ts";

/** Times that a conversation with the camera may take, in milliseconds. There is no limit on the whole. */
export interface AnswerLimits {
  /** Time to connect and get the first byte of an answer. */
  answerMs: number;
  /** Time between two pieces of a body. */
  silenceMs: number;
  /** A body that brings fewer bytes than this in so much time of waiting is given up: it would hold up all others. */
  slowest: { bytes: number; windowMs: number };
}

/** Bytes of a file: all from `from` on, or up to, not including, `to`. */
export interface ByteSpan {
  from: number;
  to?: number;
}

/** The header for a part of a file; none for the whole. */
export function rangeHeader({ from, to }: ByteSpan): Record<string, string> {
  if (from === 0 && to === undefined) return {};
  return { Range: `bytes=${from}-${to === undefined ? "" : to - 1}` };
}

/** 1 KiB/s over a minute. */
export const SLOWEST = { bytes: 60 * 1024, windowMs: 60_000 } as const;
/** Milliseconds between two checks of a body: often enough for live progress, and for a silence limit of a test. */
const CHECK_MS = 200;
const CHECKS_WITHIN_SILENCE = 20;
/** Pieces below this cost less to leave to the collector than to give back one by one. */
const LARGE_PIECE = 64 * 1024;

/**
 * Gives the memory of a large piece back at once. The collector would leave tens of megabytes of them behind. Then
 * every new piece would be written to memory that the processor has not seen lately.
 */
export function release(piece: Uint8Array): void {
  if (piece.length >= LARGE_PIECE && piece.buffer instanceof ArrayBuffer) piece.buffer.transfer(0);
}

/**
 * An answer whose body is still to be read, in one of three ways. Close it in every case; reading to the end closes it
 * too. All three throw DashcamProblem, or the signal's reason when stopped.
 */
export interface CameraAnswer {
  status: number;
  header(name: string): string | null;
  /**
   * The next piece of the body, null at its end.
   * @param gatherMs how long bytes may gather before: time in which they are waited for, as in reading itself
   */
  read(gatherMs?: number): Promise<Uint8Array | null>;
  /**
   * Reads the whole body at once, for small ones: bytes that came before it broke are lost. The silence limit is for
   * all of it.
   */
  bytes(): Promise<Uint8Array>;
  /**
   * Writes the body to the end of an open file without a detour through this program's memory. Bytes that came before
   * it broke are in the file. @throws the file system's errors as they are
   */
  pour(into: PouredFile): Promise<void>;
  close(): void;
}

export interface PouredFile {
  descriptor: number;
  /** Bytes that have reached the file since pouring began. */
  grown(): number;
  /** Called now and then with `grown`, and how late the check was: the time that disk work held the event loop. */
  onCheck(grown: number, lateMs: number): void;
}

/**
 * One HTTP request to the camera with the built-in `fetch`. Redirects are not followed: what answers may not send us
 * elsewhere. Bodies are taken as they are on the wire.
 * @throws DashcamProblem when no answer came; the signal's reason when stopped
 */
export async function request(
  url: string,
  init: {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    waitLimits: AnswerLimits;
    signal?: AbortSignal | undefined;
  },
): Promise<CameraAnswer> {
  const { waitLimits, signal } = init;
  signal?.throwIfAborted();
  const controller = new AbortController();
  let cause: unknown = null;
  const abort = (reason: unknown) => {
    cause ??= reason;
    controller.abort();
  };
  const stop = () => abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(
    () => abort(new DashcamProblem("timeout", "the camera did not answer in time")),
    waitLimits.answerMs,
  );
  const watch = new BodyWatch(waitLimits, abort);
  let isOpen = true;
  const done = () => {
    isOpen = false;
    clearTimeout(timer);
    watch.stop();
    signal?.removeEventListener("abort", stop);
  };

  let response: Response;
  try {
    response = await fetch(url, {
      method: init.method ?? "GET",
      headers: init.headers ?? {},
      ...(init.body !== undefined && { body: init.body }),
      redirect: "manual",
      decompress: false,
      signal: controller.signal,
    });
  } catch (error) {
    done();
    throw cause ?? problemOf(error, "connect");
  }
  clearTimeout(timer);

  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  const close = () => {
    if (!isOpen) return;
    done();
    // An unread body would keep its connection busy for ever.
    controller.abort();
    (reader ?? response.body)?.cancel().catch(() => {});
  };
  /** Ends the answer as its body ended, and throws why when it broke. */
  const taking = async <T>(body: Promise<T>): Promise<T> => {
    try {
      return await body;
    } catch (error) {
      close();
      throw cause ?? (isDiskError(error) ? error : problemOf(error, "body"));
    }
  };
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    close,
    async read(gatherMs = 0) {
      reader ??= (isOpen && response.body?.getReader()) || null;
      if (!isOpen || !reader) {
        close();
        return null;
      }
      watch.begin();
      watch.isWaiting = true;
      if (gatherMs > 0) await Bun.sleep(gatherMs);
      const { value, done: ended } = await taking(reader.read());
      watch.isWaiting = false;
      if (!ended && value) {
        watch.bytes += value.length;
        return value;
      }
      // Read to its end: the connection goes back to be used again.
      done();
      return null;
    },
    async bytes() {
      watch.begin();
      watch.isWaiting = true;
      const bytes = await taking(response.bytes());
      done();
      return bytes;
    },
    async pour({ descriptor, grown, onCheck: look }) {
      watch.isWaiting = true;
      watch.begin((lateMs) => {
        watch.bytes = grown();
        look(watch.bytes, lateMs);
      });
      await taking(Bun.write(Bun.file(descriptor), response));
      done();
    },
  };
}

/**
 * Checks a body now and then: whether anything came, and enough of it. One timer for the whole body; arming one for
 * each piece would cost more than reading it. Only the time spent waiting for the camera counts: while our disk is the
 * slow one, the camera is not silent.
 */
class BodyWatch {
  bytes = 0;
  isWaiting = false;
  readonly #waitLimits: AnswerLimits;
  readonly #abort: (reason: DashcamProblem) => void;
  readonly #stepMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #seen = 0;
  #quietMs = 0;
  #windowMs = 0;
  #windowBytes = 0;
  #checkedAt = 0;
  #onCheck: ((lateMs: number) => void) | null = null;

  constructor(waitLimits: AnswerLimits, abort: (reason: DashcamProblem) => void) {
    this.#waitLimits = waitLimits;
    this.#abort = abort;
    this.#stepMs = Math.min(CHECK_MS, waitLimits.silenceMs / CHECKS_WITHIN_SILENCE);
  }

  /** Starts checking; a second call does nothing. */
  begin(onCheck: ((lateMs: number) => void) | null = null): void {
    if (this.#timer !== undefined) return;
    this.#onCheck = onCheck;
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #arm(): void {
    this.#checkedAt = performance.now();
    this.#timer = setTimeout(() => this.#check(), this.#stepMs);
  }

  #check(): void {
    this.#onCheck?.(performance.now() - this.#checkedAt - this.#stepMs);
    if (this.isWaiting && this.bytes === this.#seen) this.#quietMs += this.#stepMs;
    else this.#quietMs = 0;
    this.#seen = this.bytes;
    if (this.isWaiting) this.#windowMs += this.#stepMs;
    const problem = this.#problem();
    if (problem) this.#abort(problem);
    else this.#arm();
  }

  #problem(): DashcamProblem | null {
    const { silenceMs, slowest } = this.#waitLimits;
    if (this.#quietMs >= silenceMs)
      return new DashcamProblem("silence", "the camera stopped sending in the middle of a file");
    if (this.#windowMs < slowest.windowMs) return null;
    if (this.bytes - this.#windowBytes < slowest.bytes)
      return new DashcamProblem("too-slow", "the camera sent less than 1 KiB a second for a minute");
    this.#windowMs = 0;
    this.#windowBytes = this.bytes;
    return null;
  }
}

/** The pieces of an answer's body; closes the answer. */
async function* piecesOf(answer: CameraAnswer): AsyncGenerator<Uint8Array> {
  try {
    for (let piece = await answer.read(); piece !== null; piece = await answer.read()) yield piece;
  } finally {
    answer.close();
  }
}

function tooLong(): DashcamProblem {
  return new DashcamProblem("too-long", "the camera's answer is far longer than it can be");
}

/** A body of at most `limit` bytes. @throws DashcamProblem `too-long` past the limit, or what broke */
export function readBytes(answer: CameraAnswer, limit: number): Promise<Uint8Array> {
  return boundedBytes(piecesOf(answer), limit, tooLong);
}

/** A body of at most `limit` bytes as text. @throws DashcamProblem `too-long` past the limit, or what broke */
export async function readText(answer: CameraAnswer, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of boundedPieces(piecesOf(answer), limit, tooLong)) {
    text += decoder.decode(piece, { stream: true });
    release(piece);
  }
  return text + decoder.decode();
}

/** @throws DashcamProblem `redirect` when the answer leads elsewhere */
export function refuseRedirect(answer: CameraAnswer): void {
  if (answer.status >= 300 && answer.status < 400)
    throw new DashcamProblem(
      "redirect",
      `what answers there sent us elsewhere (status ${answer.status}); cameras never do, and redirects are not followed`,
      answer.status,
    );
}
