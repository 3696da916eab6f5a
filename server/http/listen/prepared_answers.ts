import { gzipped, isCompressedFor } from "./compress.ts";

/** A JSON answer that is dear to make, as it goes out. */
interface Prepared {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer>;
}

/** Bytes remembered: a dozen trips of an hour. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Answers that are dear to make, remembered as bytes by what they are made of; requests for the same one share the work. */
export class PreparedAnswers {
  readonly #known = new Map<string, Promise<Prepared>>();
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  /**
   * Answers with the JSON of what `make` returns, or 304 when the client has it.
   * @param version stands for all that the answer is made of
   */
  async json(request: Request, version: string, make: () => Promise<unknown>): Promise<Response> {
    const tag = `W/"${version}"`;
    // The client asks each time: what it has may be kept, and is not to be trusted.
    const headers = { etag: tag, "cache-control": "private, no-cache", vary: "accept-encoding" };
    const tags = request.headers.get("if-none-match")?.split(",") ?? [];
    if (tags.some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === `"${version}"`)) {
      return new Response(null, { status: 304, headers });
    }
    const { plain, zipped } = await this.#of(version, make);
    const type = { ...headers, "content-type": "application/json" };
    if (isCompressedFor(request)) {
      return new Response(zipped, { headers: { ...type, "content-encoding": "gzip" } });
    }
    return new Response(plain, { headers: type });
  }

  async #of(version: string, make: () => Promise<unknown>): Promise<Prepared> {
    const known = this.#known.get(version);
    if (known) {
      // The last one that was asked for is forgotten last.
      this.#known.delete(version);
      this.#known.set(version, known);
      return await known;
    }
    const preparing = prepare(make);
    this.#known.set(version, preparing);
    try {
      const { plain, zipped } = await preparing;
      this.#sizes.set(version, plain.length + zipped.length);
      this.#bytes += plain.length + zipped.length;
    } catch (error) {
      this.#known.delete(version);
      throw error;
    }
    for (const [oldest, size] of this.#sizes) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#known.delete(oldest);
      this.#sizes.delete(oldest);
      this.#bytes -= size;
    }
    return await preparing;
  }
}

async function prepare(make: () => Promise<unknown>): Promise<Prepared> {
  const plain = new TextEncoder().encode(JSON.stringify(await make()));
  const zipped = await gzipped(plain);
  return { plain, zipped };
}
