import { AwsV4Signer } from "aws4fetch";
import { boundedBytes } from "../../bounded_body.ts";
import type { Clock } from "../../clock.ts";
import { faultOf } from "../../domain/offsite/bucket_problem.ts";
import { messageOf } from "../../log.ts";
import { BucketError } from "./bucket_error.ts";
import { value } from "./xml_values.ts";

/** Place of a bucket, and who asks. */
export interface BucketLogin {
  /** With its scheme and without a path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Certificates that are trusted in place of the public ones, as PEM. */
  readonly authority: string | null;
}

export interface BucketRequest {
  readonly method: "GET" | "PUT" | "POST" | "HEAD" | "DELETE";
  /** Name of the object; empty for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
}

/** Time without a byte after which a server is given up. */
export const SILENCE_MS = 60_000;
/** A line slower than this is taken for silence. */
const SLOWEST_BYTES_PER_S = 16 * 1024;
/** The most that is read of a refusal. */
const MOST_OF_REFUSAL = 64 * 1024;
const TLS_CODES = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ISSUER/;

/** Asks a bucket, and returns answers that went well. */
export class AskBucket {
  readonly #login: BucketLogin;
  readonly #clock: Clock;
  readonly #silenceMs: number;
  /** Keys of a day, which take four hashes. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(login: BucketLogin, { clock, silenceMs = SILENCE_MS }: { clock: Clock; silenceMs?: number }) {
    this.#login = login;
    this.#clock = clock;
    this.#silenceMs = silenceMs;
  }

  /** @throws BucketError; the signal's reason when that aborts */
  async send(request: BucketRequest): Promise<Response> {
    const { signal } = request;
    signal.throwIfAborted();
    const late = new AbortController();
    const over = new AbortController();
    const length = request.body?.length ?? 0;
    // A request tells nothing of how much of its body has gone.
    const patience = this.#silenceMs + (length / SLOWEST_BYTES_PER_S) * 1000;
    this.#clock.sleep(patience, over.signal).then(
      () => late.abort(),
      () => {},
    );
    let answer: Response;
    try {
      answer = await this.#fetch(request, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw late.signal.aborted
        ? new BucketError("busy", `no answer in ${Math.round(patience / 1000)} s`)
        : failureOf(error);
    } finally {
      over.abort();
    }
    if (answer.ok) return answer;
    throw await this.#refusal(answer, request);
  }

  /** All of an answer, within a limit. @throws BucketError */
  async read(answer: Response, limit: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const tooLong = () => new BucketError("refused", `an answer of more than ${limit} bytes`);
    return await boundedBytes(this.pieces(answer, signal), limit, tooLong);
  }

  /** The pieces of an answer; silence and cuts end it. @throws BucketError */
  async *pieces(answer: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const reader = answer.body?.getReader();
    if (reader === undefined) return;
    let isOver = false;
    try {
      while (true) {
        const over = new AbortController();
        const silent = this.#clock.sleep(this.#silenceMs, AbortSignal.any([signal, over.signal])).then(
          () => "silent" as const,
          () => "ended" as const,
        );
        const next = await Promise.race([reader.read(), silent]).finally(() => over.abort());
        if (signal.aborted) throw signal.reason;
        if (next === "silent") throw new BucketError("busy", `silence of ${this.#silenceMs / 1000} s in an answer`);
        if (next === "ended") continue;
        if (next.done) {
          isOver = true;
          return;
        }
        yield next.value;
      }
    } catch (error) {
      if (signal.aborted || error instanceof BucketError) throw error;
      throw failureOf(error);
    } finally {
      if (!isOver) await reader.cancel().catch(() => {});
    }
  }

  async #fetch({ method, key = "", query = {}, headers = {}, body }: BucketRequest, signal: AbortSignal) {
    const { endpoint, bucket, region, accessKey, secretKey, authority } = this.#login;
    const path = key === "" ? encoded(bucket) : `${encoded(bucket)}/${key.split("/").map(encoded).join("/")}`;
    const search = Object.entries(query).map(([name, text]) => `${encoded(name)}=${encoded(text)}`);
    const url = `${endpoint.replace(/\/$/, "")}/${path}${search.length === 0 ? "" : `?${search.join("&")}`}`;
    const { "x-amz-checksum-sha256": known } = headers;
    // Hashing a part takes as long as reading it.
    const hash =
      known === undefined
        ? new Bun.CryptoHasher("sha256").update(body ?? "").digest("hex")
        : Buffer.from(known, "base64").toString("hex");
    const signer = new AwsV4Signer({
      method,
      url,
      headers: { ...headers, "x-amz-content-sha256": hash },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: "s3",
      region,
      datetime: new Date(this.#clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, ""),
      cache: this.#signingKeys,
    });
    const signed = await signer.sign();
    return await fetch(signed.url, {
      method,
      headers: signed.headers,
      ...(body && { body }),
      // Else an answer could send the keys' signature to another host, or unpack to any size.
      redirect: "manual",
      decompress: false,
      signal,
      ...(authority !== null && { tls: { ca: authority } }),
    });
  }

  async #refusal(answer: Response, { method, signal }: BucketRequest): Promise<BucketError> {
    const type = answer.headers.get("content-type") ?? "";
    const text = method === "HEAD" ? "" : await this.#startOf(answer, signal);
    // Answers to HEAD have no content, and servers write any type into them.
    const isPage = (method !== "HEAD" && /html/i.test(type)) || /^\s*<(?:!doctype html|html)/i.test(text);
    const code = isPage ? "" : (value(text, "Code") ?? "");
    const message = isPage ? "" : (value(text, "Message") ?? "");
    const fault = faultOf({ status: answer.status, code, message, isPage });
    return new BucketError(
      fault,
      `status ${answer.status}${code && `, ${code}`}${message && `: ${message.slice(0, 200)}`}`,
    );
  }

  /** The beginning of a refusal. */
  async #startOf(answer: Response, signal: AbortSignal): Promise<string> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const piece of this.pieces(answer, signal)) {
        pieces.push(piece);
        length += piece.length;
        if (length >= MOST_OF_REFUSAL) break;
      }
    } catch (error) {
      if (signal.aborted) throw error;
    }
    return new TextDecoder().decode(Buffer.concat(pieces).subarray(0, MOST_OF_REFUSAL));
  }
}

/** The form that signatures count on, in which more is escaped than addresses need. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Names that are not known, and doors that are closed, stay so for longer than seconds. */
const AWAY = /^(?:ConnectionRefused|ECONNREFUSED|FailedToOpenSocket|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|DNS)/;

function failureOf(error: unknown): BucketError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const detail = code === "" ? messageOf(error) : code;
  if (TLS_CODES.test(code)) return new BucketError("certificate", detail);
  if (AWAY.test(code) || /Unable to connect/i.test(messageOf(error))) return new BucketError("away", detail);
  return new BucketError("busy", detail);
}
