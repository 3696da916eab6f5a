import { fileOf } from "./simulated_video.ts";
import { wrongBody } from "./simulator_contents.ts";
import { type ArmedFault, wholeNumber } from "./simulator_faults.ts";
import { notice } from "./simulator_generation.ts";
import { type Answer, ranged, refusedRange, type Transmission, transmissionOf } from "./simulator_transmission.ts";
import type { Wire, WireRequest } from "./simulator_wire.ts";

/** Place to which a redirect leads. The same thing is there again, so that tests notice a client that follows. */
export const ELSEWHERE = "/elsewhere";

/** An answer that goes wrong in the way of this fault. Faults that show elsewhere leave it as it is. */
export function staged(fault: ArmedFault, answer: Answer, request: WireRequest): Transmission {
  const out = transmissionOf(answer, request);
  const number = (initial: number) => wholeNumber(fault.value, initial);
  const length = out.end - out.start;
  const stopAfter = Math.min(Math.max(0, fault.after ?? Math.floor(length / 2)), Math.max(0, length - 1));
  const whole = transmissionOf(answer, { ...request, range: null });
  const wrong = wrongBody(fault.name);
  if (wrong) return transmissionOf(wrong, { ...request, range: null });
  switch (fault.name) {
    case "everything-status":
      return refusal(number(503), request);
    case "range-status":
      return refusal(number(403), request);
    case "error-500":
      return plain(number(500), "error", request);
    case "list-500":
      return plain(500, "error", request);
    case "not-found":
    case "vanishing":
      return plain(404, "not found", request);
    case "forbidden":
      return plain(403, "forbidden", request);
    case "empty-204":
      return plain(204, "", request);
    case "cut-short":
      return { ...out, ending: "closes", stopAfter };
    case "reset":
    case "goes-away":
      return { ...out, ending: "resets", stopAfter };
    case "stall":
    case "list-stall":
      return { ...out, ending: "stalls", stopAfter };
    case "drip":
    case "list-drip":
      return { ...out, ending: "drips", stopAfter: fault.after ?? 0, dripRate: Math.max(1, number(4)) };
    case "silence":
      return { ...out, ending: "pauses", stopAfter, pauseMs: number(1000) };
    case "cut-every":
    case "cut-at-once": {
      const most = Math.max(0, number(100_000));
      const ending = fault.name === "cut-every" ? "closes" : "drops";
      return length > most ? { ...out, ending, stopAfter: most } : out;
    }
    case "absurd-length":
      return absurd(out, number(ABSURD_BYTES), fault.after);
    case "over-long":
      return { ...out, promised: length, extra: number(1024) };
    case "longer-than-promised":
      return { ...out, promised: Math.max(0, length - number(1024)) };
    case "shorter-than-promised":
      return { ...out, promised: length + number(1024) };
    case "garbled-length":
      return { ...out, promised: String(fault.value ?? "plenty") };
    case "ignores-range":
      return whole;
    case "wrong-range": {
      if (whole.status !== 200) return whole;
      const start = Math.min(number(out.start === 0 ? 1 : 0), Math.max(0, whole.end - 1));
      return ranged(whole, start, whole.end);
    }
    case "range-416":
      return whole.status === 200 ? refusedRange(whole) : whole;
    case "no-content-range":
      return { ...out, headers: unranged(out.headers) };
    case "unknown-total":
      return { ...out, headers: withUnknownTotal(out.headers) };
    case "no-length":
      return { ...out, framing: "close" };
    case "no-length-cut":
      return { ...out, framing: "close", ending: "closes", stopAfter };
    case "no-length-reset":
      return { ...out, framing: "close", ending: "resets", stopAfter };
    case "endless":
      return { ...out, framing: fault.value === "chunked" ? "chunked" : "close", ending: "endless" };
    case "chunked":
      return { ...out, framing: "chunked" };
    case "chunked-cut":
      return { ...out, framing: "chunked", ending: "closes", stopAfter };
    case "http-1.0":
      return { ...out, version: "1.0", closes: true };
    case "range-empty":
      return whole.status === 200 ? { ...whole, end: 0 } : whole;
    case "range-empty-206":
      return emptyRange(whole, request);
    case "unasked-206":
      if (whole.status !== 200) return whole;
      return fault.value === "with-range" ? ranged(whole, 0, whole.end) : { ...whole, status: 206 };
    case "redirect":
      return moved(String(fault.value ?? `${ELSEWHERE}${request.path}`), request);
    case "etag-changes":
      return out.status < 300 ? { ...out, headers: new Map(out.headers).set("ETag", `"${fault.strikes}"`) } : out;
    case "gzip-claimed":
      return { ...out, headers: new Map(out.headers).set("Content-Encoding", "gzip") };
    default:
      return out;
  }
}

/** A status instead of an answer, with the header that belongs to it. */
function refusal(status: number, request: WireRequest): Transmission {
  if (status === 302) return moved(`${ELSEWHERE}${request.path}`, request);
  const out = plain(status, "refused", request);
  if (status === 401) out.headers.set("WWW-Authenticate", 'Basic realm="camera"');
  return out;
}

function moved(location: string, request: WireRequest): Transmission {
  const out = plain(302, "moved", request);
  return { ...out, headers: out.headers.set("Location", location) };
}

const ABSURD_BYTES = 100_000_000_000_000;

/** The file under a length that no card has, in every header that has one. */
function absurd(out: Transmission, total: number, after: number | undefined): Transmission {
  if (out.status >= 300) return out;
  const headers = new Map(out.headers);
  if (out.status === 206) headers.set("Content-Range", `bytes ${out.start}-${total - 1}/${total}`);
  const lying: Transmission = { ...out, headers, promised: total - out.start };
  return after === undefined ? lying : { ...lying, ending: "stalls", stopAfter: after };
}

/** The range asked for, at the file's very end too, and none of its bytes. */
function emptyRange(whole: Transmission, request: WireRequest): Transmission {
  if (whole.status !== 200) return whole;
  const asked = Number(/^bytes=([0-9]+)-/.exec(request.range ?? "")?.[1] ?? 0);
  const start = Math.min(asked, whole.end);
  return { ...ranged(whole, start, whole.end), end: start };
}

function plain(status: number, words: string, request: WireRequest): Transmission {
  const answer =
    status === 204 ? { status, type: "text/plain", content: fileOf(new Uint8Array(0)) } : notice(status, words);
  return transmissionOf(answer, request);
}

function unranged(headers: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...headers].filter(([name]) => name !== "Content-Range"));
}

function withUnknownTotal(headers: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...headers].map(([name, value]) => [name, name === "Content-Range" ? value.replace(/\/.*/, "/*") : value]),
  );
}

/** Ends the conversation without an HTTP answer, when that is what goes wrong; true when it did. */
export async function withholds(fault: ArmedFault, wire: Wire, goAway: () => Promise<void>): Promise<boolean> {
  switch (fault.name) {
    case "sleeps":
    case "closed-without-answer":
    case "range-hang-up":
      wire.finish();
      return true;
    case "reset-without-answer":
    case "range-reset":
      await wire.reset();
      return true;
    case "never-answers":
      await wire.untilGone();
      return true;
    case "not-http":
      await wire.write(String(fault.value ?? "SSH-2.0-simulated\r\n"));
      wire.finish();
      return true;
    case "goes-away":
      if (fault.after === undefined) await goAway();
      return fault.after === undefined;
    default:
      return false;
  }
}
