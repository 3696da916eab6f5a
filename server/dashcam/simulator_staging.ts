import { fileOf } from "./simulated_video.ts";
import { type ArmedFault, wholeNumber } from "./simulator_faults.ts";
import { notice } from "./simulator_legacy.ts";
import { type Answer, ranged, refusedRange, type Transmission, transmissionOf } from "./simulator_transmission.ts";
import type { WireRequest } from "./simulator_wire.ts";

/** Where a redirected client finds the same thing again, so that a client which follows gives itself away. */
export const ELSEWHERE = "/elsewhere";

/** An answer that goes wrong in the way of this fault. Faults that show elsewhere leave it as it is. */
export function staged(fault: ArmedFault, answer: Answer, request: WireRequest): Transmission {
  const out = transmissionOf(answer, request);
  const number = (initial: number) => wholeNumber(fault.value, initial);
  const length = out.end - out.start;
  const stopAfter = Math.min(Math.max(0, fault.after ?? Math.floor(length / 2)), Math.max(0, length - 1));
  const whole = transmissionOf(answer, { ...request, range: null });
  switch (fault.name) {
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
      return { ...out, ending: "drips", stopAfter: fault.after ?? 0, dripRate: Math.max(1, number(4)) };
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
    case "chunked":
      return { ...out, framing: "chunked" };
    case "chunked-cut":
      return { ...out, framing: "chunked", ending: "closes", stopAfter };
    case "http-1.0":
      return { ...out, version: "1.0", closes: true };
    case "redirect": {
      const location = String(fault.value ?? `${ELSEWHERE}${request.path}`);
      const moved = plain(302, "moved", request);
      return { ...moved, headers: moved.headers.set("Location", location) };
    }
    case "gzip-claimed":
      return { ...out, headers: new Map(out.headers).set("Content-Encoding", "gzip") };
    default:
      return out;
  }
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
