import type { CardFile } from "./simulated_video.ts";
import { fileOf } from "./simulated_video.ts";
import type { Wire, WireRequest } from "./simulator_wire.ts";

/** Answer of a camera to a request, before anything goes wrong. */
export interface Answer {
  status: number;
  type: string;
  content: CardFile;
  headers?: readonly (readonly [string, string])[];
  /** Its length marks the end when left out. */
  framing?: Framing;
  /** False: a range asked for is not seen. */
  takesRange?: boolean;
}

/** Mark of a body's end: its length, the connection's end, or chunks. */
export type Framing = "length" | "close" | "chunked";
/** Action once `stopAfter` bytes are sent. */
export type Ending = "whole" | "closes" | "resets" | "stalls" | "pauses" | "drips" | "endless" | "drops";

/** An answer as it goes over the wire, with everything that may be wrong about it. */
export interface Transmission {
  status: number;
  version: "1.0" | "1.1";
  headers: Map<string, string>;
  content: CardFile;
  start: number;
  /** Exclusive. */
  end: number;
  framing: Framing;
  /** The `Content-Length`, when it is not the true one. */
  promised: number | string | null;
  ending: Ending;
  /** Body bytes sent before the ending. */
  stopAfter: number;
  /** Bytes per second while it drips. */
  dripRate: number;
  /** Milliseconds for which nothing is sent while it pauses. */
  pauseMs: number;
  /** Bytes of noise behind the body. */
  extra: number;
  closes: boolean;
}

const WRITE_BYTES = 64 * 1024;

/**
 * Answers a request: the whole content, or the range asked for (RFC 9110 §14). A camera reads one range; a request
 * for several, or for something unreadable, gets the whole.
 */
export function transmissionOf(answer: Answer, request: WireRequest): Transmission {
  const { content } = answer;
  const headers = new Map<string, string>([["Content-Type", answer.type], ...(answer.headers ?? [])]);
  const whole: Transmission = {
    status: answer.status,
    version: "1.1",
    headers,
    content,
    start: 0,
    end: content.size,
    framing: answer.framing ?? "length",
    promised: null,
    ending: "whole",
    stopAfter: 0,
    dripRate: 0,
    pauseMs: 0,
    extra: 0,
    closes: !request.keepsAlive,
  };
  if (answer.status !== 200 || answer.takesRange === false) return whole;
  headers.set("Accept-Ranges", "bytes");
  const range = request.range === null ? null : rangeOf(request.range, content.size);
  if (range === null) return whole;
  return range === "beyond" ? refusedRange(whole) : ranged(whole, range.start, range.end);
}

/** The same answer as 206 from `start` up to, not including, `end`. */
export function ranged(whole: Transmission, start: number, end: number): Transmission {
  const headers = new Map(whole.headers).set("Content-Range", `bytes ${start}-${end - 1}/${whole.content.size}`);
  return { ...whole, status: 206, headers, start, end };
}

/** The same answer as 416, with the true size in its header. */
export function refusedRange(whole: Transmission): Transmission {
  const headers = new Map([["Content-Range", `bytes */${whole.content.size}`]]);
  return { ...whole, status: 416, headers, content: fileOf(new Uint8Array(0)), start: 0, end: 0 };
}

function rangeOf(header: string, size: number): { start: number; end: number } | "beyond" | null {
  const match = /^bytes=([0-9]*)-([0-9]*)$/.exec(header.trim());
  if (!match) return null;
  const [, from = "", to = ""] = match;
  if (from === "" && to === "") return null;
  if (from === "") return to === "0" || size === 0 ? "beyond" : { start: Math.max(0, size - Number(to)), end: size };
  const start = Number(from);
  const end = to === "" ? size : Math.min(size, Number(to) + 1);
  if (to !== "" && Number(to) < start) return null;
  return start >= size ? "beyond" : { start, end };
}

/** Shares the bytes per second among all bodies: each write waits for its turn, about twenty turns a second. */
export class Pace {
  /** Bytes per second; null is as fast as it goes. */
  rate: number | null;
  /** Called with the bytes that are sent. */
  readonly sent: (bytes: number) => void;
  #next = 0;

  constructor(rate: number | null, sent: (bytes: number) => void) {
    this.rate = rate;
    this.sent = sent;
  }

  /** Number of bytes to write at once. */
  get step(): number {
    return this.rate === null ? WRITE_BYTES : Math.max(1, Math.min(WRITE_BYTES, Math.ceil(this.rate / 20)));
  }

  /** Waits for this many bytes' turn; false when the client has hung up. */
  async turn(bytes: number, wire: Wire): Promise<boolean> {
    if (this.rate === null) return !wire.gone.aborted;
    const now = performance.now();
    // A pause is not saved up: at most a tenth of a second is made good.
    this.#next = Math.max(this.#next, now - 100) + (bytes / this.rate) * 1000;
    return this.#next <= now ? !wire.gone.aborted : wire.wait(this.#next - now);
  }
}

/**
 * Sends an answer. Resolves true when the connection can take another request, false when it is over.
 */
export async function send(out: Transmission, wire: Wire, pace: Pace, withBody: boolean): Promise<boolean> {
  if (!(await wire.write(headOf(out)))) return false;
  if (!withBody || out.status === 204) return ended(wire, out.closes);
  const stop =
    out.ending === "whole" || out.ending === "endless" ? out.end : Math.min(out.end, out.start + out.stopAfter);
  if (!(await sendBytes(out, out.start, stop, wire, pace))) return false;
  if (out.ending === "closes") {
    await wire.breakOff();
    return false;
  }
  if (out.ending === "drops") return ended(wire, true);
  if (out.ending === "resets") {
    await wire.reset();
    return false;
  }
  if (out.ending === "stalls") {
    await wire.untilGone();
    return false;
  }
  if (out.ending === "pauses") {
    const goesOn = (await wire.wait(out.pauseMs)) && (await sendBytes(out, stop, out.end, wire, pace));
    if (!goesOn) return false;
  }
  if (out.ending === "drips" && !(await drip(out, stop, wire, pace))) return false;
  if (out.ending === "endless") {
    const noise = new Uint8Array(WRITE_BYTES).fill(0x58);
    while ((await pace.turn(noise.length, wire)) && (await writeFramed(out, noise, noise.length, wire)));
    return false;
  }
  if (out.extra > 0 && !(await wire.write(new Uint8Array(out.extra).fill(0x58)))) return false;
  if (out.framing === "chunked" && !(await wire.write("0\r\n\r\n"))) return false;
  if (out.promised !== null) {
    await wire.breakOff();
    return false;
  }
  return ended(wire, out.closes || out.framing === "close");
}

function ended(wire: Wire, closes: boolean): boolean {
  if (closes) wire.finish();
  return !closes;
}

async function sendBytes(out: Transmission, from: number, to: number, wire: Wire, pace: Pace): Promise<boolean> {
  for (let at = from; at < to; ) {
    const next = Math.min(to, at + pace.step);
    const bytes = await out.content.read(at, next);
    if (!(await pace.turn(bytes.length, wire))) return false;
    // The chunk that is cut is announced whole.
    const announced = out.ending === "closes" && next === to ? bytes.length + 1024 : bytes.length;
    if (!(await writeFramed(out, bytes, announced, wire))) return false;
    pace.sent(bytes.length);
    at = next;
  }
  return true;
}

async function writeFramed(out: Transmission, bytes: Uint8Array, announced: number, wire: Wire): Promise<boolean> {
  if (out.framing !== "chunked") return wire.write(bytes);
  if (!(await wire.write(`${announced.toString(16)}\r\n`)) || !(await wire.write(bytes))) return false;
  return announced !== bytes.length || wire.write("\r\n");
}

async function drip(out: Transmission, from: number, wire: Wire, pace: Pace): Promise<boolean> {
  // Byte by byte while it is slow; timers are too coarse for that at some hundred bytes per second.
  const step = Math.max(1, Math.floor(out.dripRate / 50));
  for (let at = from; at < out.end; at += step) {
    if (!(await wire.wait((1000 * step) / out.dripRate))) return false;
    const bytes = await out.content.read(at, Math.min(out.end, at + step));
    if (!(await writeFramed(out, bytes, bytes.length, wire))) return false;
    pace.sent(bytes.length);
  }
  return true;
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [200, "OK"],
  [204, "No Content"],
  [206, "Partial Content"],
  [302, "Found"],
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [405, "Method Not Allowed"],
  [415, "Unsupported Media Type"],
  [416, "Range Not Satisfiable"],
  [500, "Internal Server Error"],
  [501, "Not Implemented"],
  [503, "Service Unavailable"],
]);

function headOf(out: Transmission): string {
  const lines = [`HTTP/${out.version} ${out.status} ${REASONS.get(out.status) ?? "Other"}`, "Server: simulated-camera"];
  for (const [name, value] of out.headers) lines.push(`${name}: ${value}`);
  if (out.framing === "chunked") lines.push("Transfer-Encoding: chunked");
  if (out.framing === "length" && out.status !== 204)
    lines.push(`Content-Length: ${out.promised ?? out.end - out.start}`);
  lines.push(`Connection: ${out.closes || out.framing === "close" ? "close" : "keep-alive"}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

const SAMPLE_BYTES = 1024;
/** Readings that a camera's clock may have had when the file was written. */
const FIRST_DAY = Date.UTC(2026, 0, 1);
const SECONDS = 300 * 24 * 3600;

/** The answer with `ETag` and `Last-Modified` made from its bytes: the same bytes always have the same ones. */
export async function withValidators(answer: Answer): Promise<Answer> {
  const { content } = answer;
  const hash = new Bun.CryptoHasher("sha1").update(String(content.size));
  // A card's files are too long to be read whole for every answer: the beginning, the middle and the end must do.
  for (const place of [0, 0.5, 1]) {
    const start = Math.floor(Math.max(0, content.size - SAMPLE_BYTES) * place);
    hash.update(await content.read(start, Math.min(content.size, start + SAMPLE_BYTES)));
  }
  const digest = hash.digest();
  const written = new Date(FIRST_DAY + (digest.readUInt32BE(0) % SECONDS) * 1000);
  const headers = [
    ["ETag", `"${digest.toString("hex").slice(0, 16)}"`],
    ["Last-Modified", written.toUTCString()],
  ] as const;
  return { ...answer, headers: [...(answer.headers ?? []), ...headers] };
}
