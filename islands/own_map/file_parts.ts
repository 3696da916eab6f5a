import type { RangeResponse, Source } from "pmtiles";
import { NO_CONNECTION, Refusal, refusalOf } from "../browser/client.ts";

/** Tiles and lists of tiles are far smaller: a length that is greater stands in a damaged file. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_UNPACKED = 16 * 1024 * 1024;
const GZIP = 2;
const OUTSIDE = 416;

export class BadMapFile extends Error {}
export class OtherMapFile extends Error {}

/** The parts of the browser that are used; tests pass their own. */
export type AskFile = (address: string, init: RequestInit) => Promise<Response>;

/** The own map file, read in parts. It must stay the file that it was at first. */
export class FileParts implements Source {
  readonly #address: string;
  readonly #ask: AskFile;
  #etag: string | null = null;

  constructor(address: string, ask: AskFile = (asked, init) => fetch(asked, init)) {
    this.#address = address;
    this.#ask = ask;
  }

  getKey(): string {
    return this.#address;
  }

  /** @throws BadMapFile, OtherMapFile, or the refusal of the service */
  async getBytes(from: number, length: number): Promise<RangeResponse> {
    if (!(from >= 0 && length > 0 && length <= MOST_BYTES)) throw new BadMapFile();
    // The browser would keep parts of a file that is another one by now.
    const init: RequestInit = { headers: { range: `bytes=${from}-${from + length - 1}` }, cache: "no-store" };
    const answer = await this.#ask(this.#address, init).catch(() => null);
    if (answer === null) throw new Refusal("NO_CONNECTION", NO_CONNECTION);
    if (!answer.ok && answer.status !== OUTSIDE) throw refusalOf(await answer.json().catch(() => null), answer.status);
    const etag = answer.headers.get("etag");
    if (this.#etag !== null && etag !== this.#etag) throw new OtherMapFile();
    if (answer.status === OUTSIDE) throw new BadMapFile();
    this.#etag = etag;
    const data = await answer.arrayBuffer();
    // The beginning is asked for before it is known how long the file is.
    if (data.byteLength < length && from > 0) throw new BadMapFile();
    return { data };
  }
}

/** Unpacks a part, whose first bytes do not tell how large that becomes. @throws BadMapFile */
export async function unpacked(data: ArrayBuffer, compression: number): Promise<ArrayBuffer> {
  if (compression !== GZIP) return data;
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    for await (const piece of piecesOf(stream)) {
      bytes += piece.byteLength;
      if (bytes > MOST_UNPACKED) throw new BadMapFile();
      pieces.push(piece);
    }
  } catch {
    throw new BadMapFile();
  }
  return await new Blob(pieces).arrayBuffer();
}

/** Not every browser lets a loop run over a stream. */
async function* piecesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    void reader.cancel().catch(() => {});
  }
}
