import type { BucketFault } from "../../domain/offsite/bucket_problem.ts";
import { BucketError } from "./bucket_error.ts";
import type { AskBucket } from "./ask_bucket.ts";
import { elements, escaped, value } from "./xml_values.ts";

/** Pages of lists have at most 1,000 names of at most 1,024 bytes, which may be escaped threefold. */
const MOST_OF_LIST = 8 * 1024 * 1024;
const MOST_OF_ANSWER = 64 * 1024;

/** Answers for an upload that is gone, and of servers that end uploads by themselves alone. */
const ENDED: readonly BucketFault[] = ["no_upload", "no_object", "unsupported"];

/** Refusals that may have another reason than their status says. */
const WORDLESS: readonly BucketFault[] = ["no_right", "wrong_key", "refused", "redirect"];

/** Metadata that carries the hash of what lies at home. */
const HOME_HASH = "x-amz-meta-sha256";

export interface BucketObject {
  readonly key: string;
  readonly bytes: number;
}

/** An object as the bucket tells of it. */
export interface ObjectFacts {
  readonly bytes: number;
  /** Hash of what lies at home; null for an object that another program has stored. */
  readonly homeHash: string | null;
}

/** Bytes with their hash in base64. */
export interface HashedBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
}

export interface UploadPart {
  readonly number: number;
  readonly etag: string;
  readonly bytes: number;
}

export interface OpenUpload {
  readonly key: string;
  readonly id: string;
  /** Epoch milliseconds; null where the server does not tell. */
  readonly begunAt: number | null;
}

/** One bucket that speaks S3. All of it throws `BucketError`, and the signal's reason when that aborts. */
export class Bucket {
  readonly #ask: AskBucket;
  /** False once the server has refused a condition. Callers ask for the name before they store it. */
  #knowsConditions = true;
  /** False once the server has refused a checksum by SHA-256: from then on it gets the older one, by MD5. */
  #knowsChecksums = true;

  constructor(ask: AskBucket) {
    this.#ask = ask;
  }

  /** Stores an object in one piece. One of that name is never written over: the fault is `taken`. */
  async put(
    key: string,
    content: Uint8Array<ArrayBuffer> | HashedBytes,
    homeHash: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { bytes: body, sha256: hash } = withHash(content);
    await this.#asKnown("condition", async () => {
      const headers = { ...this.#condition, [HOME_HASH]: homeHash, ...this.#checked(body, hash) };
      const answer = await this.#ask.send({ method: "PUT", key, headers, body, signal });
      await this.#drained(answer, { body, hash }, signal);
    });
  }

  /** @throws BucketError, `no_object` where there is none */
  async head(key: string, signal: AbortSignal): Promise<ObjectFacts> {
    const { headers } = await this.#ask.send({ method: "HEAD", key, signal }).catch(async (error: unknown) => {
      // Its refusals have no words. Those of a list tell whether it is the key, the region or the clock.
      if (error instanceof BucketError && WORDLESS.includes(error.fault)) await this.#listNothing(signal);
      throw error;
    });
    return { bytes: Number(headers.get("content-length") ?? Number.NaN), homeHash: headers.get(HOME_HASH) };
  }

  /** Asks for a list whose content does not matter. @throws BucketError with the reason in the words of the server */
  async #listNothing(signal: AbortSignal): Promise<void> {
    const query = { "list-type": "2", "max-keys": "1" };
    const answer = await this.#ask.send({ method: "GET", query, signal });
    await answer.body?.cancel();
  }

  /** Begins an object in parts, and returns the id of its upload. */
  async begin(key: string, homeHash: string, signal: AbortSignal): Promise<string> {
    const answer = await this.#asKnown("checksum", () => {
      const algorithm = this.#knowsChecksums && { "x-amz-checksum-algorithm": "SHA256" };
      const headers = { [HOME_HASH]: homeHash, ...algorithm };
      return this.#text({ method: "POST", key, query: { uploads: "" }, headers, signal });
    });
    return required(answer, "UploadId");
  }

  /** Sends a part, the first is number 1, and returns its tag. */
  async part(
    { key, id, number }: { readonly key: string; readonly id: string; readonly number: number },
    content: Uint8Array<ArrayBuffer> | HashedBytes,
    signal: AbortSignal,
  ): Promise<{ readonly etag: string; readonly sha256: string }> {
    const query = { partNumber: String(number), uploadId: id };
    const { bytes: body, sha256: hash } = withHash(content);
    const etag = await this.#asKnown("checksum", async () => {
      const headers = this.#checked(body, hash);
      const answer = await this.#ask.send({ method: "PUT", key, query, headers, body, signal });
      return await this.#drained(answer, { body, hash }, signal);
    });
    return { etag, sha256: hash };
  }

  /** Makes the object of its parts. One of that name is never written over: the fault is `taken`. */
  async complete(
    { key, id }: { readonly key: string; readonly id: string },
    parts: readonly { readonly number: number; readonly etag: string; readonly sha256: string }[],
    signal: AbortSignal,
  ): Promise<void> {
    const query = { uploadId: id };
    const answer = await this.#asKnown("condition", () => {
      const rows = parts.map(({ number, etag, sha256: hash }) => {
        const checksum = this.#knowsChecksums ? `<ChecksumSHA256>${hash}</ChecksumSHA256>` : "";
        return `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag)}</ETag>${checksum}</Part>`;
      });
      const body = new TextEncoder().encode(`<CompleteMultipartUpload>${rows.join("")}</CompleteMultipartUpload>`);
      const headers = { ...this.#condition, "content-type": "application/xml" };
      return this.#text({ method: "POST", key, query, headers, body, signal });
    });
    // The status is sent before the server knows whether it goes well.
    const code = value(answer, "Code");
    if (/<Error[ >]/.test(answer)) throw new BucketError(code === "PreconditionFailed" ? "taken" : "busy", `${code}`);
    required(answer, "ETag");
  }

  /** Ends an upload; one that is gone is no fault. */
  async abort({ key, id }: { readonly key: string; readonly id: string }, signal: AbortSignal): Promise<void> {
    try {
      const answer = await this.#ask.send({ method: "DELETE", key, query: { uploadId: id }, signal });
      await answer.body?.cancel();
    } catch (error) {
      if (error instanceof BucketError && ENDED.includes(error.fault)) return;
      throw error;
    }
  }

  /** Parts of an upload that the bucket has. */
  async parts({ key, id }: { readonly key: string; readonly id: string }, signal: AbortSignal): Promise<UploadPart[]> {
    const parts: UploadPart[] = [];
    for (let after: string | null = null; ; ) {
      const query = { uploadId: id, ...(after !== null && { "part-number-marker": after }) };
      const page = await this.#text({ method: "GET", key, query, signal });
      for (const part of elements(page, "Part"))
        parts.push({
          number: Number(value(part, "PartNumber")),
          etag: value(part, "ETag") ?? "",
          bytes: Number(value(part, "Size")),
        });
      const next = value(page, "IsTruncated") === "true" ? value(page, "NextPartNumberMarker") : null;
      // A server that repeats itself would keep us for ever.
      if (next === null || next === after) return parts;
      after = next;
    }
  }

  /** All objects below a prefix, page by page. */
  async *list(prefix: string, signal: AbortSignal): AsyncGenerator<BucketObject[]> {
    for (let after: string | null = null; ; ) {
      const query = {
        "list-type": "2",
        "encoding-type": "url",
        prefix,
        ...(after !== null && { "continuation-token": after }),
      };
      const page = await this.#text({ method: "GET", query, signal });
      if (!page.includes("<ListBucketResult")) throw new BucketError("page", "a list was asked for");
      const isEncoded = value(page, "EncodingType") === "url";
      yield elements(page, "Contents").map((row) => ({
        key: decoded(value(row, "Key") ?? "", isEncoded),
        bytes: Number(value(row, "Size")),
      }));
      const next = value(page, "IsTruncated") === "true" ? value(page, "NextContinuationToken") : null;
      if (next === null || next === after) return;
      after = next;
    }
  }

  /** Uploads below a prefix that are neither complete nor ended. */
  async uploads(prefix: string, signal: AbortSignal): Promise<OpenUpload[]> {
    const found: OpenUpload[] = [];
    for (let after: { readonly key: string; readonly id: string } | null = null; ; ) {
      const query: Record<string, string> = { uploads: "", prefix, "encoding-type": "url" };
      if (after !== null) Object.assign(query, { "key-marker": after.key, "upload-id-marker": after.id });
      const page = await this.#text({ method: "GET", query, signal });
      const isEncoded = value(page, "EncodingType") === "url";
      for (const row of elements(page, "Upload")) {
        const begunAt = Date.parse(value(row, "Initiated") ?? "");
        found.push({
          key: decoded(value(row, "Key") ?? "", isEncoded),
          id: value(row, "UploadId") ?? "",
          begunAt: Number.isNaN(begunAt) ? null : begunAt,
        });
      }
      if (value(page, "IsTruncated") !== "true") return found;
      const next = {
        key: decoded(value(page, "NextKeyMarker") ?? "", isEncoded),
        id: value(page, "NextUploadIdMarker") ?? "",
      };
      if (next.key === after?.key && next.id === after.id) return found;
      after = next;
    }
  }

  /** Pieces of an object, from a place in it on. @throws BucketError, also when another place is answered */
  async *get(key: string, from: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const headers = from === 0 ? {} : { range: `bytes=${from}-` };
    const answer = await this.#ask.send({ method: "GET", key, headers, signal });
    const begins = /^bytes ([0-9]+)-/.exec(answer.headers.get("content-range") ?? "")?.[1];
    if (from > 0 && (answer.status !== 206 || Number(begins) !== from)) {
      await answer.body?.cancel();
      throw new BucketError("refused", `no part from ${from} on: status ${answer.status}`);
    }
    yield* this.#ask.pieces(answer, signal);
  }

  /** Does something with all that the server knows; what it refuses is left out from then on. */
  async #asKnown<T>(has: "condition" | "checksum", work: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await work();
      } catch (error) {
        const isUnknown = error instanceof BucketError && error.fault === "unsupported";
        if (!isUnknown || !this.#knowLess(has, error.detail)) throw error;
      }
  }

  /** Returns false when there is nothing more to leave out. */
  #knowLess(has: "condition" | "checksum", words: string): boolean {
    if (has === "condition" && this.#knowsConditions && !/x-amz-checksum/i.test(words)) this.#knowsConditions = false;
    else if (this.#knowsChecksums) this.#knowsChecksums = false;
    else return false;
    return true;
  }

  /** Header for what must not be there yet. */
  get #condition(): Readonly<Record<string, string>> {
    return this.#knowsConditions ? { "if-none-match": "*" } : {};
  }

  /** Header by which the server proves that it got the bytes that were sent. */
  #checked(body: Uint8Array, hash: string): Readonly<Record<string, string>> {
    if (this.#knowsChecksums) return { "x-amz-checksum-sha256": hash };
    return { "content-md5": new Bun.CryptoHasher("md5").update(body).digest("base64") };
  }

  async #text(request: Parameters<AskBucket["send"]>[0]): Promise<string> {
    const answer = await this.#ask.send(request);
    const limit = request.method === "GET" ? MOST_OF_LIST : MOST_OF_ANSWER;
    const text = new TextDecoder().decode(await this.#ask.read(answer, limit, request.signal));
    const isPage = /html/i.test(answer.headers.get("content-type") ?? "") || /^\s*<(?:!doctype html|html)/i.test(text);
    if (isPage) throw new BucketError("page", `status ${answer.status}`);
    return text;
  }

  /** Tag of what was stored, where it is the one of these bytes. */
  async #drained(
    answer: Response,
    { body, hash }: { readonly body: Uint8Array; readonly hash: string },
    signal: AbortSignal,
  ): Promise<string> {
    const text = new TextDecoder().decode(await this.#ask.read(answer, MOST_OF_ANSWER, signal));
    if (/^\s*<(?:!doctype html|html)/i.test(text)) throw new BucketError("page", `status ${answer.status}`);
    const etag = answer.headers.get("etag") ?? "";
    const stored = answer.headers.get("x-amz-checksum-sha256");
    if (etag === "") throw new BucketError("damaged", "no ETag");
    const isOther =
      stored === null
        ? // With encryption of the provider's own, tags are not the MD5 of the bytes.
          isMd5(etag) && answer.headers.get("x-amz-server-side-encryption") === null && etag !== `"${md5(body)}"`
        : stored !== hash;
    if (isOther) throw new BucketError("damaged", `other bytes were stored: ${etag}`);
    return etag;
  }
}

function isMd5(etag: string): boolean {
  return /^"[0-9a-f]{32}"$/.test(etag);
}

function md5(body: Uint8Array): string {
  return new Bun.CryptoHasher("md5").update(body).digest("hex");
}

function withHash(content: Uint8Array<ArrayBuffer> | HashedBytes): HashedBytes {
  if (!(content instanceof Uint8Array)) return content;
  return { bytes: content, sha256: new Bun.CryptoHasher("sha256").update(content).digest("base64") };
}

function decoded(text: string, isEncoded: boolean): string {
  if (!isEncoded) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function required(answer: string, name: string): string {
  const found = value(answer, name);
  if (found === null || found === "") throw new BucketError("busy", `an answer without ${name}`);
  return found;
}
