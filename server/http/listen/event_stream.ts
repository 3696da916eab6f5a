import type { Clock } from "../../clock.ts";
import type { HttpApp } from "../request/http_app.ts";
import type { Caller } from "../request/request_context.ts";

const LOGGER = "http";
/** At most five frames a second. */
const GAP_MS = 200;
const KEEPALIVE_MS = 30_000;
/** A client that reads nothing for this long has hung up. */
const STALLED_MS = 60_000;

const HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** Data of several frames that are sent together, for a source that has news of several things. */
export class SeveralFrames {
  readonly data: readonly unknown[];

  constructor(data: readonly unknown[]) {
    this.data = data;
  }
}

/** Source of a stream's frames. */
export interface StreamSource {
  /** Calls `changed` whenever `next` has something new; returns the way to stop it. */
  subscribe(changed: () => void): () => void;
  /**
   * The data of the next frame: everything since the last call, merged. First called when the stream begins. Undefined:
   * nothing. `SeveralFrames` are sent one after the other, and the pause follows the last.
   */
  next(): unknown;
  /** True when the frame that `next` gave last was the last of all; a source without it goes on for ever. */
  isOver?(): boolean;
}

type StreamParts = Pick<HttpApp, "clock" | "log" | "settings" | "sessions" | "keys" | "streams">;

/**
 * Answers with a stream of server-sent events, JSON in each. It ends when the client hangs up, or when the service
 * stops. It ends, too, when the client would no longer be let in, and when the source is over.
 * @throws AppError TOO_MANY_STREAMS
 */
export function eventStream(
  context: Caller,
  app: StreamParts,
  { event, source }: { readonly event: string; readonly source: StreamSource },
): Response {
  const { request } = context;
  // Neither will ever read, so no slot may wait for it.
  if (request.method === "HEAD" || request.signal.aborted) return new Response(null, { headers: HEADERS });
  const writer = new FrameWriter(app.clock, event, source, () => context.isStillAdmitted);
  const release = app.streams.take(() => writer.close(), context.streamOwner);
  context.connection.keepOpen();
  const unsubscribe = [
    source.subscribe(() => writer.changed()),
    app.settings.onChange(() => writer.wake()),
    app.sessions.onEnd(() => writer.wake()),
    app.keys.onEnd(() => writer.wake()),
  ];
  const hangUp = () => writer.close();
  request.signal.addEventListener("abort", hangUp);
  writer.onClose(() => {
    release();
    for (const stop of unsubscribe) stop();
    request.signal.removeEventListener("abort", hangUp);
  });
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      writer.write(controller).catch((error) => {
        app.log.error(LOGGER, `The stream of ${event} broke off: ${error instanceof Error ? error.stack : error}`);
        writer.close();
      });
    },
    pull: () => writer.wake(),
    cancel: hangUp,
  });
  return new Response(body, { headers: HEADERS });
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** Writes frames as they become due; sleeps in between. */
class FrameWriter {
  readonly #clock: Clock;
  readonly #event: string;
  readonly #source: StreamSource;
  readonly #isAdmitted: () => boolean;
  readonly #encoder = new TextEncoder();
  #controller: Controller | null = null;
  #sleeping: AbortController | null = null;
  #afterClose: (() => void) | null = null;
  #isClosed = false;
  #hasNews = true;
  /** By the clock's elapsed time: when the last frame and the last bytes of any kind went out. */
  #frameAt = Number.NEGATIVE_INFINITY;
  #sentAt: number;

  constructor(clock: Clock, event: string, source: StreamSource, isAdmitted: () => boolean) {
    this.#clock = clock;
    this.#event = event;
    this.#source = source;
    this.#isAdmitted = isAdmitted;
    this.#sentAt = clock.elapsed();
  }

  onClose(listener: () => void): void {
    this.#afterClose = listener;
  }

  /** The source has something new. */
  changed(): void {
    // Until the frame that is due has gone out, more news changes nothing.
    if (this.#hasNews) return;
    this.#hasNews = true;
    this.wake();
  }

  /** Ends the pause between two frames: something happened that may change what is due. */
  wake(): void {
    this.#sleeping?.abort();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.wake();
    this.#afterClose?.();
    try {
      this.#controller?.close();
    } catch {
      // The client closed it first.
    }
  }

  /** Writes until the stream is closed. */
  async write(controller: Controller): Promise<void> {
    this.#controller = controller;
    while (!this.#isClosed) {
      if (!this.#isAdmitted()) return this.close();
      const now = this.#clock.elapsed();
      const hasRoom = (controller.desiredSize ?? 0) > 0;
      if (!hasRoom) {
        if (now - this.#sentAt >= STALLED_MS) return this.close();
        await this.#sleep(this.#sentAt + STALLED_MS - now);
      } else if (this.#hasNews) {
        if (now - this.#frameAt < GAP_MS) await this.#sleep(this.#frameAt + GAP_MS - now);
        else this.#writeFrame(controller, now);
      } else if (this.#source.isOver?.() === true) {
        return this.close();
      } else if (now - this.#sentAt >= KEEPALIVE_MS) {
        this.#send(controller, ": keepalive\n\n", now);
      } else {
        await this.#sleep(this.#sentAt + KEEPALIVE_MS - now);
      }
    }
  }

  #writeFrame(controller: Controller, now: number): void {
    this.#hasNews = false;
    const next = this.#source.next();
    const frames = next instanceof SeveralFrames ? next.data : next === undefined ? [] : [next];
    if (frames.length === 0) return;
    this.#frameAt = now;
    const text = frames.map((data) => `event: ${this.#event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
    this.#send(controller, text, now);
  }

  #send(controller: Controller, text: string, now: number): void {
    this.#sentAt = now;
    controller.enqueue(this.#encoder.encode(text));
  }

  async #sleep(ms: number): Promise<void> {
    const sleeping = new AbortController();
    this.#sleeping = sleeping;
    await this.#clock.sleep(ms, sleeping.signal).catch(() => {});
    this.#sleeping = null;
  }
}
