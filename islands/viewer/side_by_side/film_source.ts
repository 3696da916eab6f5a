import { CustomSource } from "mediabunny";
import { CannotMake, REFUSALS } from "./refusals.ts";

/** Bytes asked for at once: the service answers so much with its length, and holds no stream for it. */
const PART_BYTES = 1024 * 1024;
/** Bytes of a film that are kept: pictures and sound of one time lie near each other. */
const CACHE_BYTES = 16 * 1024 * 1024;
const TRIES = 5;
const PAUSE_MS = 1500;
const TOO_MANY = 503;

/** The parts of the browser that are used; tests pass their own. */
export interface Asking {
  readonly ask: (address: string, init: RequestInit) => Promise<Response>;
  readonly pause: (ms: number) => Promise<void>;
}

const BROWSER: Asking = {
  ask: (address, init) => fetch(address, init),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** A film that is read in parts, as they are needed. It must stay the film that it was at first. */
export class FilmParts {
  readonly #address: string;
  readonly #signal: AbortSignal;
  readonly #asking: Asking;
  #etag: string | null = null;

  constructor(address: string, signal: AbortSignal, asking: Asking = BROWSER) {
    this.#address = address;
    this.#signal = signal;
    this.#asking = asking;
  }

  /** A source for a reader of films of so many bytes. */
  source(bytes: number): CustomSource {
    return new CustomSource({
      getSize: () => bytes,
      read: (from, to) => this.#stream(from, to),
      maxCacheSize: CACHE_BYTES,
      prefetchProfile: "network",
    });
  }

  /** The bytes from one place to another, the latter not included. @throws CannotMake */
  async read(from: number, to: number): Promise<Uint8Array> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#ask(from, to);
      if (answer instanceof Uint8Array) return answer;
      if (tries === TRIES) throw new CannotMake(answer);
      await this.#asking.pause(PAUSE_MS * tries);
    }
  }

  /** @returns the bytes, or why they did not come where asking again may help */
  async #ask(from: number, to: number): Promise<Uint8Array | string> {
    const headers = { range: `bytes=${from}-${to - 1}`, accept: "application/json" };
    try {
      const answer = await this.#asking.ask(this.#address, { headers, signal: this.#signal });
      if (answer.status === TOO_MANY) return await messageOf(answer);
      if (answer.status === 401) throw new CannotMake(REFUSALS.signedOut);
      if (answer.status === 404) throw new CannotMake(REFUSALS.gone);
      if (answer.status === 409) throw new CannotMake(await messageOf(answer));
      const etag = answer.headers.get("etag");
      this.#etag ??= etag;
      if (answer.status !== 206 || etag !== this.#etag) throw new CannotMake(REFUSALS.changed);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return bytes.length === to - from ? bytes : REFUSALS.noAnswer;
    } catch (error) {
      // A connection that was cut is made again; what the user ended is over.
      if (error instanceof CannotMake || this.#signal.aborted) throw error;
      return REFUSALS.noAnswer;
    }
  }

  #stream(from: number, to: number): ReadableStream<Uint8Array> {
    let at = from;
    return new ReadableStream({
      pull: async (controller) => {
        const end = Math.min(to, at + PART_BYTES);
        controller.enqueue(await this.read(at, end));
        at = end;
        if (at >= to) controller.close();
      },
    });
  }
}

async function messageOf(answer: Response): Promise<string> {
  const told: unknown = await answer.json().catch(() => null);
  const words = typeof told === "object" && told !== null && "error" in told ? told.error : null;
  return typeof words === "string" ? words : REFUSALS.unexpected;
}
