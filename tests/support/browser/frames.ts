import type { Client } from "../app/client.ts";

/** One server-sent event. */
export interface Frame {
  event: string;
  data: Record<string, unknown>;
}

/** The frames of an event stream, one after the other; closing it hangs up. */
export class Frames implements AsyncDisposable {
  readonly response: Response;
  /** Comment lines so far, such as `keepalive`. */
  readonly comments: string[] = [];
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder = new TextDecoder();
  #text = "";

  private constructor(response: Response) {
    this.response = response;
    this.#reader = response.body?.getReader();
  }

  static async open(client: Client, path: string): Promise<Frames> {
    return new Frames(await client.fetch(path));
  }

  /** Frames of an answer to another request than a plain one. */
  static of(response: Response): Frames {
    return new Frames(response);
  }

  /** The next frame; null when the stream has ended. */
  async next(): Promise<Frame | null> {
    for (;;) {
      const block = await this.#block();
      if (block === null) return null;
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event !== undefined && data !== undefined) return { event, data: JSON.parse(data) };
      this.comments.push(block);
    }
  }

  /** The next block of any kind, comments included; null when the stream has ended. */
  async #block(): Promise<string | null> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return block;
      }
      const part = await this.#reader?.read().catch(() => undefined);
      if (!part?.value) return null;
      this.#text += this.#decoder.decode(part.value, { stream: true });
    }
  }

  /** The first frame of which this is true. @throws when the stream ends before */
  async until(isIt: (data: Record<string, unknown>) => boolean): Promise<Frame> {
    for (;;) {
      const frame = await this.next();
      if (frame === null) throw new Error("the stream ended before such a frame came");
      if (isIt(frame.data)) return frame;
    }
  }

  /** Resolves when the service ends the stream. */
  async ended(): Promise<void> {
    while ((await this.next()) !== null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader?.cancel().catch(() => {});
  }
}

/** Resolves when a line of the service's log matches, also one that was written before. */
export async function logged(client: Client, line: RegExp): Promise<string> {
  await using frames = await Frames.open(client, "/api/logs/stream");
  let found = "";
  await frames.until((data) => {
    const lines = data["lines"] as { message: string }[];
    found = lines.find(({ message }) => line.test(message))?.message ?? "";
    return found !== "";
  });
  return found;
}

/** Resolves with the first snapshot on the progress stream of which this is true; of the first camera, or of this one. */
export async function progressed(
  client: Client,
  isIt: (snapshot: Record<string, unknown>) => boolean,
  camera?: string,
): Promise<Record<string, unknown>> {
  const path = "/api/sync/progress/stream";
  await using frames = await Frames.open(client, camera === undefined ? path : `${path}?camera=${camera}`);
  return (await frames.until(isIt)).data;
}
