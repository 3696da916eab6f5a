import { DashcamProblem, problemOf } from "./problem.ts";

/** How long a conversation with the camera may take, in milliseconds. There is no limit on the whole. */
export interface Patience {
  /** To connect and get the first byte of an answer. */
  answerMs: number;
  /** Between two pieces of a body. */
  silenceMs: number;
}

/** A body's silence is looked for so many times within the limit. */
const SILENCE_LOOKS = 20;

/**
 * Gives the memory of a piece back at once. Left to the collector, tens of megabytes of them would lie about, and
 * every new piece would be written to memory the processor has not seen lately.
 */
export function release(piece: Uint8Array): void {
  if (piece.buffer instanceof ArrayBuffer) piece.buffer.transfer(0);
}

/** An answer whose body is still to be read. Close it in every case; reading to the end closes it too. */
export interface CameraAnswer {
  status: number;
  header(name: string): string | null;
  /** The next piece of the body, null at its end. Throws DashcamProblem, or the signal's reason when stopped. */
  read(): Promise<Uint8Array | null>;
  close(): void;
}

/**
 * One HTTP request to the camera with the built-in `fetch`. Redirects are not followed: what answers may not send us
 * elsewhere. Bodies are taken as they are on the wire.
 * @throws DashcamProblem when no answer came; the signal's reason when stopped
 */
export async function request(
  url: string,
  init: { method?: string; headers?: Record<string, string>; patience: Patience; signal?: AbortSignal | undefined },
): Promise<CameraAnswer> {
  const { patience, signal } = init;
  signal?.throwIfAborted();
  const controller = new AbortController();
  let cause: unknown = null;
  const abort = (reason: unknown) => {
    cause ??= reason;
    controller.abort();
  };
  const stop = () => abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(
    () => abort(new DashcamProblem("timeout", "the camera did not answer in time")),
    patience.answerMs,
  );
  const done = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  };

  let response: Response;
  try {
    response = await fetch(url, {
      method: init.method ?? "GET",
      headers: init.headers ?? {},
      redirect: "manual",
      decompress: false,
      signal: controller.signal,
    });
  } catch (error) {
    done();
    throw cause ?? problemOf(error, "connect");
  }
  clearTimeout(timer);

  const reader = response.body?.getReader() ?? null;
  let open = true;
  const close = () => {
    if (!open) return;
    open = false;
    done();
    // An unread body would keep its connection busy for ever.
    controller.abort();
    reader?.cancel().catch(() => {});
  };
  // One timer watches the whole body; arming one for each piece would cost more than reading it. Only the time spent
  // waiting for the camera counts: while our disk is the slow one, nobody is silent.
  let pieces = 0;
  let seen = 0;
  let waiting = false;
  let quietLooks = 0;
  const look = () => {
    if (!waiting || pieces !== seen) quietLooks = 0;
    else if (++quietLooks >= SILENCE_LOOKS)
      return abort(new DashcamProblem("silence", "the camera stopped sending in the middle of a file"));
    seen = pieces;
    timer = setTimeout(look, patience.silenceMs / SILENCE_LOOKS);
  };
  timer = reader ? setTimeout(look, patience.silenceMs / SILENCE_LOOKS) : undefined;
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    close,
    async read() {
      if (!open || !reader) {
        close();
        return null;
      }
      try {
        waiting = true;
        const { value, done: ended } = await reader.read();
        waiting = false;
        pieces++;
        if (!ended && value) return value;
        // Read to its end: the connection goes back to be used again.
        open = false;
        done();
        return null;
      } catch (error) {
        close();
        throw cause ?? problemOf(error, "body");
      }
    },
  };
}

/** A body of at most `limit` bytes as text, whole. @throws DashcamProblem `too-long` past the limit, or what broke */
export async function readText(answer: CameraAnswer, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (let piece = await answer.read(); piece !== null; piece = await answer.read()) {
    length += piece.length;
    if (length > limit) {
      answer.close();
      throw new DashcamProblem("too-long", "the camera's answer is far longer than it can be");
    }
    text += decoder.decode(piece, { stream: true });
    release(piece);
  }
  return text + decoder.decode();
}
