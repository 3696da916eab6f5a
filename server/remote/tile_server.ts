import { boundedBytes } from "../bounded_body.ts";
import type { Clock } from "../clock.ts";
import { pictureType } from "../domain/viewer/map_tile.ts";
import { Turns } from "../turns.ts";

/** Reason why there is no picture, as a closed list for programs. */
type TileProblemKind =
  | "unreachable"
  | "timeout"
  | "status"
  | "redirect"
  | "too-long"
  | "no-picture"
  | "resting"
  | "gone";

export class TileProblem extends Error {
  readonly kind: TileProblemKind;
  /** The HTTP status, when there was one. */
  readonly status: number | null;

  /** @param message a whole sentence for people */
  constructor(kind: TileProblemKind, message: string, status: number | null = null) {
    super(message);
    this.name = "TileProblem";
    this.kind = kind;
    this.status = status;
  }
}

export interface TilePicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Type by its first bytes. */
  readonly type: string;
}

/** Times that a tile server may take, in milliseconds. */
export interface TileLimits {
  /** Time to connect and begin an answer. */
  readonly answerMs: number;
  /** Time for a whole picture. */
  readonly wholeMs: number;
  /** Pause after several failures in a row. */
  readonly restMs: number;
}

export const TILE_LIMITS: TileLimits = { answerMs: 5000, wholeMs: 10_000, restMs: 30_000 };

/** A picture of 256 by 256 pixels has some 20 kB. */
export const MOST_TILE_BYTES = 1024 * 1024;
/** Public tile servers ask their users for no more. */
const MOST_AT_ONCE = 2;
/** Failures of the connection in a row that are no accident. */
const MOST_FAILURES = 3;

interface Parts {
  readonly clock: Clock;
  /** Names the program to the tile server, and nothing of its user. */
  readonly userAgent: string;
  readonly waitLimits?: TileLimits;
}

/** Fetches map pictures: few at once, each within limits, and none for a while from a server that does not answer. */
export class TileServer {
  readonly #clock: Clock;
  readonly #userAgent: string;
  readonly #waitLimits: TileLimits;
  readonly #turns = new Turns(MOST_AT_ONCE);
  #failures = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;
  /** The server that the failures are about. */
  #origin = "";

  constructor({ clock, userAgent, waitLimits = TILE_LIMITS }: Parts) {
    this.#clock = clock;
    this.#userAgent = userAgent;
    this.#waitLimits = waitLimits;
  }

  /** @throws TileProblem; the signal's reason when that aborts, also while waiting for its turn */
  async fetch(address: string, signal: AbortSignal): Promise<TilePicture> {
    const { origin, host } = new URL(address);
    if (origin !== this.#origin) this.#forget(origin);
    return await this.#turns.run(() => this.#fetch(address, host, origin, signal), signal);
  }

  async #fetch(address: string, host: string, origin: string, signal: AbortSignal): Promise<TilePicture> {
    try {
      if (this.#clock.elapsed() < this.#restsUntil)
        throw new TileProblem(
          "resting",
          `The tile server ${host} did not answer a moment ago. It is asked again soon.`,
        );
      const picture = await this.#ask(address, host, signal);
      this.#forget(origin);
      return picture;
    } catch (error) {
      if (error instanceof TileProblem && (error.kind === "timeout" || error.kind === "unreachable")) this.#failed();
      throw error;
    }
  }

  #forget(origin: string): void {
    this.#origin = origin;
    this.#failures = 0;
    this.#restsUntil = Number.NEGATIVE_INFINITY;
  }

  #failed(): void {
    this.#failures++;
    if (this.#failures >= MOST_FAILURES) this.#restsUntil = this.#clock.elapsed() + this.#waitLimits.restMs;
  }

  async #ask(address: string, host: string, signal: AbortSignal): Promise<TilePicture> {
    const { answerMs, wholeMs } = this.#waitLimits;
    const controller = new AbortController();
    let cause: unknown = null;
    const abort = (reason: unknown) => {
      cause ??= reason;
      controller.abort();
    };
    const late = () => abort(new TileProblem("timeout", `The tile server ${host} did not answer in time.`));
    const stop = () => abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const timers = [setTimeout(late, wholeMs), setTimeout(late, answerMs)];
    try {
      signal.throwIfAborted();
      const answer = await fetch(address, {
        headers: {
          "user-agent": this.#userAgent,
          accept: "image/png,image/jpeg,image/webp",
          "accept-encoding": "identity",
        },
        // Else an answer could send us to another host, or unpack to any size.
        redirect: "manual",
        decompress: false,
        signal: controller.signal,
      });
      clearTimeout(timers[1]);
      checkStatus(answer.status, host);
      const bytes = await bytesOf(answer, host);
      const type = pictureType(bytes);
      if (type === null) throw new TileProblem("no-picture", `What ${host} sent is no map picture.`);
      return { bytes, type };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (cause !== null) throw cause;
      if (error instanceof TileProblem) throw error;
      throw new TileProblem("unreachable", `The tile server ${host} could not be reached.`);
    } finally {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      // A body that was not read would keep its connection.
      controller.abort();
    }
  }
}

function checkStatus(status: number, host: string): void {
  if (status === 200) return;
  if (status >= 300 && status < 400)
    throw new TileProblem("redirect", `The tile server ${host} sent us elsewhere, which is not followed.`, status);
  throw new TileProblem("status", `The tile server ${host} refused the picture (status ${status}).`, status);
}

/** @throws TileProblem past the limit */
async function bytesOf(answer: Response, host: string): Promise<Uint8Array<ArrayBuffer>> {
  const tooLong = () => new TileProblem("too-long", `What ${host} sent is far longer than a map picture.`);
  if (Number(answer.headers.get("content-length")) > MOST_TILE_BYTES) throw tooLong();
  return answer.body ? await boundedBytes(answer.body, MOST_TILE_BYTES, tooLong) : new Uint8Array();
}
