import { DashcamProblem, problemOf } from "./problem.ts";
import { request } from "./request.ts";

/** Limits of a single look at an address. */
export interface LookOptions {
  /** Milliseconds until the answer begins, and between two pieces of it. */
  readonly answerMs: number;
  /** Milliseconds for the whole body: bytes that come later are not looked at. */
  readonly bodyMs: number;
  /** Bytes of the body. */
  readonly most: number;
}

/** An answer as it came, whatever it is. */
export interface Looked {
  readonly status: number;
  readonly body: Uint8Array;
  /** Reason why the body is no longer than this. */
  readonly ended: "whole" | "most" | "late";
}

/** Connects and hangs up: whether something takes connections at a port. @throws DashcamProblem, the signal's reason */
export async function knock(url: string, answerMs: number, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url);
  // Only a check of a camera knocks, and loading this takes as long as a tenth of the whole start.
  const { connect } = await import("node:net");
  await new Promise<void>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 80) });
    const timer = setTimeout(() => end(new DashcamProblem("timeout", "nothing took the connection")), answerMs);
    const stop = () => end(signal.reason);
    const end = (cause: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      socket.destroy();
      if (cause === null) resolve();
      else reject(cause);
    };
    signal.addEventListener("abort", stop, { once: true });
    socket.once("connect", () => end(null));
    socket.on("error", (error) => end(problemOf(error, "connect")));
  });
}

/**
 * Tells whether a port takes connections, by one that is closed again at once: nothing is sent. Takes less memory than a
 * knock, which says what went wrong. What comes later than `answerMs` is closed, too. @throws the signal's reason
 */
export async function accepts(url: string, answerMs: number, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), answerMs);
  const stop = () => resolve(false);
  signal.addEventListener("abort", stop, { once: true });
  Bun.connect({
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || 80),
    socket: {
      open(socket) {
        socket.end();
        resolve(true);
      },
      // Handlers without which Bun takes no socket.
      data() {},
      error() {},
    },
  }).catch(() => resolve(false));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    signal.throwIfAborted();
  }
}

/** One request that takes any answer, and reads a bounded part of it. @throws DashcamProblem, the signal's reason */
export async function look(
  url: string,
  { answerMs, bodyMs, most }: LookOptions,
  wire: { readonly headers: Record<string, string>; readonly slowest: { bytes: number; windowMs: number } },
  signal: AbortSignal,
): Promise<Looked> {
  const late = new AbortController();
  const waitLimits = { answerMs, silenceMs: Math.min(answerMs, bodyMs), slowest: wire.slowest };
  const answer = await request(url, {
    headers: wire.headers,
    waitLimits,
    signal: AbortSignal.any([signal, late.signal]),
  });
  const timer = setTimeout(() => late.abort(late), bodyMs);
  const pieces: Uint8Array[] = [];
  let length = 0;
  const looked = (ended: Looked["ended"]): Looked => ({
    status: answer.status,
    body: Buffer.concat(pieces).subarray(0, most),
    ended,
  });
  try {
    for (let piece = await answer.read(); piece !== null; piece = await answer.read()) {
      pieces.push(piece);
      length += piece.length;
      if (length > most) return looked("most");
    }
    return looked("whole");
  } catch (error) {
    if (error === late) return looked("late");
    throw error;
  } finally {
    clearTimeout(timer);
    answer.close();
  }
}
