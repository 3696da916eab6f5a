import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startApp } from "../support/app/app.ts";
import { median } from "./measure.ts";

const TRIPS = 9;
const MINUTES = 60;

export interface TelemetryFigures {
  /** The first answer for a trip whose files nothing has read, in milliseconds; the median of the later trips of a service. */
  coldMs: number;
  /** The same for the very first trip after a start. */
  firstMs: number;
  warmMs: number;
  /** The client has it already. */
  unchangedMs: number;
  kilobytes: number;
  /** The longest that the service answered nothing else meanwhile. */
  awayMs: number;
}

/** The telemetry of trips of an hour, with 3,600 fixes and 36,000 samples each, over real HTTP. */
export async function benchTripTelemetry(): Promise<TelemetryFigures> {
  await using app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
  const keys = Array.from({ length: TRIPS }, (_, trip) => fillTrip(app.destination, trip));
  await app.app.library.refresh();
  const ask = async (path: string, tag = "") => {
    const began = performance.now();
    const headers = { "accept-encoding": "gzip", ...(tag === "" ? {} : { "if-none-match": tag }) };
    const answer = await fetch(app.url + path, { headers, decompress: false } as RequestInit);
    const bytes = (await answer.bytes()).length;
    return { ms: performance.now() - began, bytes, status: answer.status, tag: answer.headers.get("etag") ?? "" };
  };
  const cold: number[] = [];
  const warm: number[] = [];
  const unchanged: number[] = [];
  let bytes = 0;
  let awayMs = 0;
  let before = performance.now();
  const looking = setInterval(() => {
    const now = performance.now();
    awayMs = Math.max(awayMs, now - before - 1);
    before = now;
  }, 1);
  for (const key of keys) {
    // Lengths of videos are read here, as the page asks for the trip itself as well.
    await ask(`/api/viewer/trips/${key}`);
    const path = `/api/viewer/trips/${key}/telemetry`;
    const first = await ask(path);
    if (first.status !== 200) throw new Error(`The telemetry was answered with ${first.status}`);
    cold.push(first.ms);
    bytes = Math.max(bytes, first.bytes);
    for (let round = 0; round < 5; round++) warm.push((await ask(path)).ms);
    unchanged.push((await ask(path, first.tag)).ms);
  }
  clearInterval(looking);
  return {
    coldMs: median(cold.slice(1)),
    firstMs: cold[0] ?? 0,
    warmMs: median(warm),
    unchangedMs: median(unchanged),
    kilobytes: bytes / 1000,
    awayMs,
  };
}

/** An hour of a drive, a clip a minute. @returns the first key */
function fillTrip(destination: string, trip: number): string {
  const day = `202611${String(10 + trip)}`;
  const folder = join(destination, day);
  mkdirSync(folder, { recursive: true });
  for (let minute = 0; minute < MINUTES; minute++) {
    const base = join(folder, `${day}_08${String(minute).padStart(2, "0")}00_N`);
    writeFileSync(`${base}F.mp4`, "");
    writeFileSync(`${base}.gps`, gps(minute));
    writeFileSync(`${base}.3gf`, gsensor());
  }
  return `${day}_080000_N`;
}

function gps(minute: number): string {
  let text = "";
  for (let second = 0; second < 60; second++) {
    const at = minute * 60 + second;
    const lat = (3300 + Math.sin(at / 500) * 5 + Math.random() * 1e-4).toFixed(5);
    const lon = (15_101 + at * 0.004 + Math.random() * 1e-4).toFixed(5);
    const knots = (30 + Math.sin(at / 40) * 20 + Math.random()).toFixed(3);
    const stamp = `[${1_780_000_000_000 + at * 1000}]`;
    text += `${stamp}$GNRMC,055056.00,A,${lat},S,${lon},E,${knots},,070626,,,A,V*07\r\n`;
    text += `${stamp}$GNGGA,055056.00,${lat},S,${lon},E,1,12,0.68,52.8,M,19.4,M,,*6A\r\n\r\n`;
  }
  return text;
}

function gsensor(): Uint8Array {
  const view = new DataView(new ArrayBuffer(6000));
  const shake = () => Math.round((Math.random() + Math.random() + Math.random() - 1.5) * 16);
  for (let at = 0; at < 600; at++) {
    view.setUint32(at * 10, at * 100 + Math.floor(Math.random() * 8));
    view.setInt16(at * 10 + 4, 128 + shake());
    view.setInt16(at * 10 + 6, shake());
    view.setInt16(at * 10 + 8, shake());
  }
  return new Uint8Array(view.buffer);
}
