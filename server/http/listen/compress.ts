import { promisify } from "node:util";

/** Fits into one packet: smaller would not be sooner there. */
const SMALLEST = 1400;
/** Up to here it takes less than a millisecond; more is done beside other requests. */
const MOST_AT_ONCE = 256 * 1024;
/** Twice as fast as the usual level, and hardly larger. */
const LEVEL = 3;
const WITHOUT_BODY: readonly number[] = [204, 304];
const COMPRESSIBLE = /^(text\/html|application\/json)\b/;

type Zip = (bytes: Uint8Array, options: { level: number }) => Promise<Uint8Array<ArrayBuffer>>;

/** True when a client takes gzip, by its `Accept-Encoding`: `gzip;q=0` refuses it. */
export function takesGzip({ headers }: Request): boolean {
  const codings = (headers.get("accept-encoding") ?? "").split(",").map((coding) => {
    const [name = "", ...parameters] = coding.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((one) => one.startsWith("q="))?.slice(2) ?? "1";
    return { name, isTaken: Number(weight) > 0 };
  });
  const found =
    codings.find(({ name }) => name === "gzip" || name === "x-gzip") ?? codings.find(({ name }) => name === "*");
  return found?.isTaken ?? false;
}

/** Bytes as gzip. */
export async function gzipped(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.length <= MOST_AT_ONCE) return Bun.gzipSync(bytes, { level: LEVEL });
  // With what compresses beside come all of the streams: the start waits for none of it.
  const { gzip } = await import("node:zlib");
  return await (promisify(gzip) as Zip)(bytes, { level: LEVEL });
}

/**
 * True when an answer for signed-in users only goes out compressed. It does not when a page of another site has caused
 * the request, as browsers tell. From the length of such answers, that page could learn the text beside its own
 * (BREACH).
 */
export function isCompressedFor(request: Request): boolean {
  return takesGzip(request) && !/^(cross|same)-site$/.test(request.headers.get("sec-fetch-site") ?? "");
}

/** The answer as it goes out: HTML and JSON compressed for clients that take it, all others at once as they are. */
export function compressed(response: Response, request: Request): Response | Promise<Response> {
  // The body itself is left alone: looked at, a file would become a stream and lose its length.
  const { headers, status } = response;
  if (!COMPRESSIBLE.test(headers.get("content-type") ?? "")) return response;
  if (headers.has("content-encoding") || WITHOUT_BODY.includes(status)) return response;
  headers.set("vary", "accept-encoding");
  return isCompressedFor(request) ? zipped(response) : response;
}

async function zipped(response: Response): Promise<Response> {
  const { headers, status } = response;
  const bytes = await response.bytes();
  if (bytes.length < SMALLEST) return new Response(bytes, { status, headers });
  headers.set("content-encoding", "gzip");
  return new Response(await gzipped(bytes), { status, headers });
}
