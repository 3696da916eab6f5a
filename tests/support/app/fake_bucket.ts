import { createHash, createHmac } from "node:crypto";

/** An object that the bucket has. */
export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly homeHash: string | null;
  /** How often an object of this name was stored. */
  readonly times: number;
}

interface StoredUpload {
  readonly key: string;
  readonly homeHash: string | null;
  readonly begunAt: number;
  readonly parts: Map<number, Uint8Array>;
}

/** A request as the bucket sees it, before it is answered. */
export interface BucketCall {
  readonly method: string;
  /** Name of the object; empty for the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Faults that a bucket may show: each answers in place of the bucket, or returns null to let it answer. `after` answers
 * once the bucket has done what it was asked for, as when a connection breaks then.
 */
export interface BucketFaults {
  instead: ((call: BucketCall) => Response | Promise<Response> | null) | null;
  after: ((call: BucketCall, answer: Response) => Response) | null;
}

export interface FakeBucket extends AsyncDisposable, BucketFaults {
  /** `http://127.0.0.1:PORT`, or `https://localhost:PORT` with a certificate. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, StoredUpload>;
  readonly calls: BucketCall[];
  /** The bucket's own time. */
  now: () => number;
  /** Names in one page of a list. */
  pageLength: number;
  /** Bytes that fit; more is refused. */
  room: number;
  /** False for a server that says nothing about conditions, and writes over. */
  knowsConditions: boolean;
}

/** As PEM. */
interface Tls {
  readonly cert: string;
  readonly key: string;
}

const SKEW_MS = 15 * 60_000;

/** A bucket of our own on loopback that speaks S3, and refuses what is not signed right. */
export function openFakeBucket(
  options: { readonly bucket?: string; readonly region?: string; readonly tls?: Tls } = {},
): FakeBucket {
  let lastUpload = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    ...(options.tls && { tls: options.tls }),
    idleTimeout: 120,
    maxRequestBodySize: 256 * 1024 * 1024,
    async fetch(request) {
      const url = new URL(request.url);
      const [, bucket = "", ...names] = url.pathname.split("/").map(decodeURIComponent);
      const body = new Uint8Array(await request.arrayBuffer());
      const { method, headers } = request;
      const call: BucketCall = { method, key: names.join("/"), query: url.searchParams, headers, body };
      own.calls.push(call);
      const staged = await own.instead?.(call);
      if (staged) return staged;
      const answer = refusal(own, bucket, request, url, body) ?? answered(call);
      return own.after?.(call, answer) ?? answer;
    },
  });
  const own: FakeBucket = {
    endpoint: options.tls ? `https://localhost:${server.port}` : `http://127.0.0.1:${server.port}`,
    bucket: options.bucket ?? "our-dashcam",
    region: options.region ?? "eu-home-1",
    accessKey: "AKEXAMPLE",
    secretKey: "secret/with+signs=",
    objects: new Map(),
    uploads: new Map(),
    calls: [],
    now: Date.now,
    pageLength: 1000,
    room: Number.POSITIVE_INFINITY,
    knowsConditions: true,
    instead: null,
    after: null,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };

  const answered = (call: BucketCall): Response => {
    const { method, key, query, headers, body } = call;
    const id = query.get("uploadId") ?? "";
    if (key === "" && method === "GET") return query.has("uploads") ? listUploads(query) : listObjects(query);
    if (method === "HEAD") {
      const found = own.objects.get(key);
      if (found === undefined) return new Response(null, { status: 404 });
      return new Response(null, {
        headers: { "content-length": String(found.bytes.length), ...metadata(found.homeHash), etag: tag(found.bytes) },
      });
    }
    if (method === "GET" && id !== "") return listParts(key, id, query);
    if (method === "GET") return object(key, headers.get("range"));
    if (method === "DELETE" && id !== "") {
      if (!own.uploads.delete(id)) return bucketRefusal(404, "NoSuchUpload");
      return new Response(null, { status: 204 });
    }
    if (method === "POST" && query.has("uploads")) {
      lastUpload += 1;
      const uploadId = `upload-${lastUpload}`;
      const homeHash = headers.get("x-amz-meta-sha256");
      own.uploads.set(uploadId, { key, homeHash, begunAt: own.now(), parts: new Map() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`);
    }
    if (method === "PUT" && id !== "") {
      const upload = own.uploads.get(id);
      if (upload?.key !== key) return bucketRefusal(404, "NoSuchUpload");
      if (isFull(body.length)) return bucketRefusal(403, "QuotaExceeded");
      upload.parts.set(Number(query.get("partNumber")), body);
      return new Response(null, { headers: { etag: tag(body), "x-amz-checksum-sha256": digest(body, "base64") } });
    }
    if (method === "POST" && id !== "") return complete(key, id, new TextDecoder().decode(body), headers);
    if (method === "PUT") {
      if (isTaken(key, headers)) return bucketRefusal(412, "PreconditionFailed");
      if (isFull(body.length)) return bucketRefusal(403, "QuotaExceeded");
      store(key, body, headers.get("x-amz-meta-sha256"));
      return new Response(null, { headers: { etag: tag(body), "x-amz-checksum-sha256": digest(body, "base64") } });
    }
    return bucketRefusal(501, "NotImplemented");
  };

  const isFull = (more: number): boolean => {
    const used = [...own.objects.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
    return used + more > own.room;
  };
  const isTaken = (key: string, headers: Headers): boolean =>
    own.knowsConditions && headers.get("if-none-match") === "*" && own.objects.has(key);
  const store = (key: string, bytes: Uint8Array, homeHash: string | null) =>
    own.objects.set(key, { bytes, homeHash, times: (own.objects.get(key)?.times ?? 0) + 1 });

  const complete = (key: string, id: string, asked: string, headers: Headers): Response => {
    const upload = own.uploads.get(id);
    if (upload?.key !== key) return bucketRefusal(404, "NoSuchUpload");
    if (isTaken(key, headers)) return bucketRefusal(412, "PreconditionFailed");
    const pieces: Uint8Array[] = [];
    const rows = [...asked.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag>/g)];
    for (const [index, [, number, etag = ""]] of rows.entries()) {
      const part = upload.parts.get(Number(number));
      if (part === undefined || tag(part) !== etag.replaceAll("&#34;", '"')) return bucketRefusal(400, "InvalidPart");
      // Providers differ in what they take; the strictest wants equal parts of 5 MiB or more.
      const isLast = index === rows.length - 1;
      const first = pieces[0]?.length ?? part.length;
      if (!isLast && (part.length < 5 * 1024 * 1024 || part.length !== first))
        return bucketRefusal(400, "EntityTooSmall");
      pieces.push(part);
    }
    own.uploads.delete(id);
    store(key, Buffer.concat(pieces), upload.homeHash);
    return xml(`<CompleteMultipartUploadResult><ETag>"whole-${rows.length}"</ETag></CompleteMultipartUploadResult>`);
  };

  const object = (key: string, range: string | null): Response => {
    const found = own.objects.get(key);
    if (found === undefined) return bucketRefusal(404, "NoSuchKey");
    const headers = { ...metadata(found.homeHash), etag: tag(found.bytes) };
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? Number.NaN);
    const { length } = found.bytes;
    if (Number.isNaN(from)) return new Response(found.bytes.slice(), { headers });
    if (from >= length) return bucketRefusal(416, "InvalidRange");
    return new Response(found.bytes.slice(from), {
      status: 206,
      headers: { ...headers, "content-range": `bytes ${from}-${length - 1}/${length}` },
    });
  };

  const listObjects = (query: URLSearchParams): Response => {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token");
    const keys = [...own.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    const from = after === null ? 0 : keys.findIndex((key) => key > atob(after));
    const page = from < 0 ? [] : keys.slice(from, from + own.pageLength);
    const isCut = from >= 0 && from + page.length < keys.length;
    const rows = page.map(
      (key) =>
        `<Contents><Key>${encodeURIComponent(key)}</Key><Size>${own.objects.get(key)?.bytes.length}</Size></Contents>`,
    );
    const next = isCut ? `<NextContinuationToken>${btoa(page.at(-1) ?? "")}</NextContinuationToken>` : "";
    return xml(
      `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><IsTruncated>${isCut}</IsTruncated>${next}${rows.join("")}</ListBucketResult>`,
    );
  };

  const listUploads = (query: URLSearchParams): Response => {
    const after = query.get("upload-id-marker");
    const prefix = query.get("prefix") ?? "";
    const all = [...own.uploads].filter(([, { key }]) => key.startsWith(prefix));
    const from = after === null ? 0 : all.findIndex(([id]) => id === after) + 1;
    const page = all.slice(from, from + own.pageLength);
    const isCut = from + page.length < all.length;
    const rows = page.map(
      ([id, { key, begunAt }]) =>
        `<Upload><Key>${encodeURIComponent(key)}</Key><UploadId>${id}</UploadId><Initiated>${new Date(begunAt).toISOString()}</Initiated></Upload>`,
    );
    const last = page.at(-1);
    const next =
      isCut && last
        ? `<NextKeyMarker>${encodeURIComponent(last[1].key)}</NextKeyMarker><NextUploadIdMarker>${last[0]}</NextUploadIdMarker>`
        : "";
    return xml(
      `<ListMultipartUploadsResult><EncodingType>url</EncodingType>${next}<IsTruncated>${isCut}</IsTruncated>${rows.join("")}</ListMultipartUploadsResult>`,
    );
  };

  const listParts = (key: string, id: string, query: URLSearchParams): Response => {
    const upload = own.uploads.get(id);
    if (upload?.key !== key) return bucketRefusal(404, "NoSuchUpload");
    const after = Number(query.get("part-number-marker") ?? "0");
    const all = [...upload.parts].filter(([number]) => number > after).sort(([a], [b]) => a - b);
    const page = all.slice(0, own.pageLength);
    const rows = page.map(
      ([number, bytes]) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>${tag(bytes)}</ETag><Size>${bytes.length}</Size></Part>`,
    );
    return xml(
      `<ListPartsResult><IsTruncated>${page.length < all.length}</IsTruncated><NextPartNumberMarker>${page.at(-1)?.[0] ?? 0}</NextPartNumberMarker>${rows.join("")}</ListPartsResult>`,
    );
  };
  return own;
}

/** An answer that breaks off. */
export function cutAnswer(): Response {
  return new Response(
    new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode("<?xml"));
        // With an error that is one, Bun would write it down.
        stream.error(undefined);
      },
    }),
  );
}

/** An answer with the tag of other bytes. */
export function otherTag(answer: Response): Response {
  const headers = new Headers(answer.headers);
  headers.set("etag", `"${"0".repeat(32)}"`);
  headers.delete("x-amz-checksum-sha256");
  return new Response(answer.body, { status: answer.status, headers });
}

/** A refusal in the words of S3. */
export function bucketRefusal(status: number, code: string, message = `Staged: ${code}`): Response {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(text, { status, headers: { "content-type": "application/xml" } });
}

function xml(text: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`, {
    headers: { "content-type": "application/xml" },
  });
}

function metadata(homeHash: string | null): Record<string, string> {
  return homeHash === null ? {} : { "x-amz-meta-sha256": homeHash };
}

function tag(bytes: Uint8Array): string {
  return `"${sumOf(bytes, "md5").toString("hex")}"`;
}

function digest(bytes: Uint8Array, form: "hex" | "base64"): string {
  return sumOf(bytes, "sha256").toString(form);
}

/** Servers make each sum of a body once, and so do we: what is measured beside it is the sending. */
const SUMS = { md5: new WeakMap<Uint8Array, Buffer>(), sha256: new WeakMap<Uint8Array, Buffer>() };

function sumOf(bytes: Uint8Array, kind: "md5" | "sha256"): Buffer {
  const sum = SUMS[kind].get(bytes) ?? createHash(kind).update(bytes).digest();
  SUMS[kind].set(bytes, sum);
  return sum;
}

/** Checks a request as S3 does: who signs, for which region, when, and over which bytes. */
function refusal(
  own: FakeBucket,
  bucket: string,
  request: Request,
  url: URL,
  body: Uint8Array<ArrayBuffer>,
): Response | null {
  const head = request.method === "HEAD";
  const refuse = (status: number, code: string) =>
    head ? new Response(null, { status }) : bucketRefusal(status, code);
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.get("authorization") ?? "",
    );
  if (given === null) return refuse(403, "AccessDenied");
  const [, key, date = "", region = "", signed = "", signature] = given;
  if (key !== own.accessKey) return refuse(403, "InvalidAccessKeyId");
  if (region !== own.region) return refuse(400, "AuthorizationHeaderMalformed");
  const stamp = request.headers.get("x-amz-date") ?? "";
  const at = Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(at - own.now()) < SKEW_MS)) return refuse(403, "RequestTimeTooSkewed");
  const hash = request.headers.get("x-amz-content-sha256") ?? "";
  if (hash !== digest(body, "hex")) return refuse(400, "XAmzContentSHA256Mismatch");
  const rfc = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const path = url.pathname
    .split("/")
    .map((part) => rfc(decodeURIComponent(part)))
    .join("/");
  const search = [...url.searchParams]
    .map(([name, text]) => `${rfc(name)}=${rfc(text)}`)
    .sort()
    .join("&");
  const names = signed.split(";");
  const all = [...request.headers.keys()].filter((name) => name.startsWith("x-amz-"));
  if (!names.includes("host") || all.some((name) => !names.includes(name))) return refuse(403, "AccessDenied");
  const lines = names.map((name) => `${name}:${request.headers.get(name)?.trim().replace(/\s+/g, " ") ?? ""}\n`);
  const canonical = [request.method, path, search, lines.join(""), signed, hash].join("\n");
  const scope = `${date}/${region}/s3/aws4_request`;
  const sign = (by: Uint8Array | string, text: string) => createHmac("sha256", by).update(text).digest();
  const secret = ["s3", "aws4_request"].reduce(sign, sign(sign(`AWS4${own.secretKey}`, date), region));
  const text = ["AWS4-HMAC-SHA256", stamp, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  if (sign(secret, text).toString("hex") !== signature) return refuse(403, "SignatureDoesNotMatch");
  const checksum = request.headers.get("x-amz-checksum-sha256");
  if (checksum !== null && checksum !== digest(body, "base64")) return refuse(400, "BadDigest");
  if (bucket !== own.bucket) return refuse(404, "NoSuchBucket");
  return null;
}
