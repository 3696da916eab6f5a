import type { Socket } from "node:net";

/** One request as it came over the wire. */
export interface WireRequest {
  method: string;
  /** The target as sent, undecoded. */
  path: string;
  /** The `Range` header. */
  range: string | null;
  headers: ReadonlyMap<string, string>;
  body: Uint8Array;
  /** True when the client wants the connection to stay. */
  keepsAlive: boolean;
}

/** Returns the body of a request as text; null without one. */
export function bodyText({ body }: WireRequest): string | null {
  return body.length === 0 ? null : new TextDecoder().decode(body);
}

/** True when this is found in a request's path, or in the path and the body behind it, which names the file. */
export function isFound(match: RegExp, path: string, body: string | null): boolean {
  return path.search(match) >= 0 || (body !== null && `${path} ${body}`.search(match) >= 0);
}

/** A camera's server is small: longer headers or bodies than this end the connection. */
const MAX_HEAD = 16 * 1024;
const MAX_BODY = 64 * 1024;
/**
 * An early end overtakes bytes that are still on their way, and clients throw away those they have not read by then.
 * Several short waits: a busy machine that holds this process up takes one of them, and the client has the others.
 */
const WAITS_BEFORE_END = 10;
const BEFORE_END_MS = 3;

/**
 * One accepted connection: reads requests, writes exact bytes, ends as asked. Raw sockets, because a server library
 * would repair the very mistakes that shall be shown.
 */
export class Wire {
  readonly number: number;
  /** Aborted as soon as the client has hung up or the connection was ended here. */
  readonly gone: AbortSignal;
  readonly #socket: Socket;
  readonly #left = new AbortController();
  #buffer: Uint8Array = new Uint8Array(0);
  #wake: (() => void) | null = null;

  constructor(socket: Socket, number: number) {
    this.#socket = socket;
    this.number = number;
    this.gone = this.#left.signal;
    socket.setNoDelay(true);
    socket.on("data", (bytes: Uint8Array) => {
      this.#buffer = joined(this.#buffer, bytes);
      if (this.#buffer.length > MAX_HEAD + MAX_BODY) this.destroy();
      this.#stir();
    });
    // Without a listener a reset by the client would end the process.
    socket.on("error", () => this.destroy());
    // A client that has ended its half is taken to have hung up: no camera client half-closes.
    socket.on("end", () => this.destroy());
    socket.on("close", () => this.#leave());
  }

  /** The next request; null when the client has hung up or does not send HTTP. */
  async next(): Promise<WireRequest | null> {
    for (;;) {
      const end = indexOfBlankLine(this.#buffer);
      if ((end < 0 ? this.#buffer.length : end) > MAX_HEAD) return null;
      if (end >= 0) {
        const request = readHead(new TextDecoder("latin1").decode(this.#buffer.subarray(0, end)));
        const length = Number(request?.headers.get("content-length") ?? 0);
        if (request === null || !(length >= 0 && length <= MAX_BODY)) return null;
        if (this.#buffer.length >= end + 4 + length) {
          const body = this.#buffer.slice(end + 4, end + 4 + length);
          this.#buffer = this.#buffer.slice(end + 4 + length);
          return { ...request, body };
        }
      }
      if (this.gone.aborted) return null;
      await this.#stirred();
    }
  }

  /** Writes, and resolves when the system has taken it all; false when the client has hung up. */
  async write(bytes: Uint8Array | string): Promise<boolean> {
    if (this.gone.aborted) return false;
    let taken = false;
    this.#socket.write(bytes, () => {
      taken = true;
      this.#stir();
    });
    while (!taken && !this.gone.aborted) await this.#stirred();
    return !this.gone.aborted;
  }

  /** Ends the connection in good order (FIN) after what was written. */
  finish(): void {
    this.#socket.end();
  }

  /** Ends the connection in good order though more was promised, after the client had a moment to read. */
  async breakOff(): Promise<void> {
    await this.#letRead();
    this.finish();
  }

  /** Ends the connection with a reset (RST), after the client had a moment to read. */
  async reset(): Promise<void> {
    await this.#letRead();
    if (!this.#socket.destroyed) this.#socket.resetAndDestroy();
    this.#leave();
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#socket.destroy();
    this.#leave();
  }

  /** Resolves when the client has hung up, or the connection was ended here. */
  async untilGone(): Promise<void> {
    while (!this.gone.aborted) await this.#stirred();
  }

  /** Waits `ms`, or until the client has hung up; false when it has. */
  wait(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.gone.aborted) return resolve(false);
      const done = () => {
        clearTimeout(timer);
        this.gone.removeEventListener("abort", done);
        resolve(!this.gone.aborted);
      };
      const timer = setTimeout(done, ms);
      this.gone.addEventListener("abort", done);
    });
  }

  async #letRead(): Promise<void> {
    for (let waits = 0; waits < WAITS_BEFORE_END; waits++) if (!(await this.wait(BEFORE_END_MS))) return;
  }

  #leave(): void {
    if (!this.gone.aborted) this.#left.abort();
    this.#stir();
  }

  /** Only one task works on a connection at a time, so one waiter is enough. */
  #stirred(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #stir(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}

function readHead(text: string): Omit<WireRequest, "body"> | null {
  const [first = "", ...lines] = text.split("\r\n");
  const match = /^([A-Z]+) (\S+) HTTP\/1\.([01])$/.exec(first);
  if (!match) return null;
  const [, method = "", path = "", minor = ""] = match;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const wish = headers.get("connection")?.toLowerCase() ?? "";
  const keepsAlive = minor === "1" ? wish !== "close" : wish === "keep-alive";
  return { method, path, range: headers.get("range") ?? null, headers, keepsAlive };
}

function indexOfBlankLine(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) {
    if (bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) return at;
  }
  return -1;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
