import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { syntheticVideo } from "../../server/dashcam/simulator/simulated_video.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";

const CLIPS = ["20261120_080000_N", "20261120_080100_N", "20261120_080200_E"] as const;
const [FIRST, SECOND, LAST] = CLIPS;
const PATH = "/api/viewer/export";
/** A fix a second from this place northwards, at 36 km/h; the satellites say a time that is five hours ahead. */
const GPS = (minute: number) =>
  Array.from({ length: 5 }, (_, second) => {
    const utc = `13${String(minute).padStart(2, "0")}0${second}`;
    return `[${1000 + second * 1000}]$GNRMC,${utc}.00,A,5128.${String(60_000 + second * 540)},N,00000.03000,W,19.438,,201126,,,A*00\r\n`;
  }).join("");
/** Two samples: at rest, then braking. */
const FORCE = new Uint8Array([0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 100, 0, 128, 0, 0, 255, 192]);

let app: RunningApp;
let files: Map<string, Uint8Array>;
beforeAll(async () => {
  app = await startApp();
  files = new Map();
  for (const [at, key] of CLIPS.entries()) {
    for (const [direction, size] of [["F", 2_500_000] as const, ["R", 70_000] as const]) {
      const video = syntheticVideo(`${key}${direction}.mp4`, size + at, 60);
      files.set(`${key}${direction}.mp4`, await video.read(0, size + at));
    }
    files.set(`${key}F.thm`, new TextEncoder().encode(`picture ${at}`));
    if (at < 2) files.set(`${key}.gps`, new TextEncoder().encode(GPS(at)));
    files.set(`${key}.3gf`, FORCE);
  }
  // A trip of its own, without telemetry; and what is no part of a recording.
  files.set("20261121_100000_PF.mp4", new Uint8Array(0));
  for (const [name, bytes] of files) put(name, bytes);
  put(`${FIRST}F.mp4.failed`, "marker");
  put("notes.txt", "mine");
});
afterAll(() => app[Symbol.asyncDispose]());

function put(name: string, content: Uint8Array | string): void {
  const path = join(app.destination, `${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6, 8)}`, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  utimesSync(path, 1_790_000_000, 1_790_000_000);
}
const ask = (query: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${app.url}${PATH}/${query}`, { headers, method });
/** Contents of an archive by name, as Python reads them. */
async function unpacked(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const folder = mkdtempSync(join(tmpdir(), "unpacked-"));
  try {
    await Bun.write(join(folder, "it.zip"), bytes);
    const program =
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); z.extractall(sys.argv[2]); print('\\n'.join(z.namelist()))";
    const child = Bun.spawn(["python3", "-c", program, join(folder, "it.zip"), join(folder, "out")]);
    const names = (await new Response(child.stdout).text()).trim().split("\n");
    expect(await child.exited).toBe(0);
    const found = new Map<string, Uint8Array>();
    for (const name of names) found.set(name, await Bun.file(join(folder, "out", name)).bytes());
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
/** The body of an answer that came in chunks. */
function unchunked(answer: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = answer.indexOf("\r\n\r\n") + 4; ; ) {
    const end = answer.indexOf("\r\n", at);
    const size = Number.parseInt(answer.toString("latin1", at, end), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(answer.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
/** The first status that is not 503: a slot comes free when the service has seen its client go. */
async function statusAtLast(begin: () => Promise<Response>): Promise<number> {
  for (;;) {
    const { status, body } = await begin();
    await body?.cancel();
    if (status !== 503) return status;
  }
}
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return [];
    }
  });
}
const ofClips = (...keys: string[]) => new Map([...files].filter(([name]) => keys.includes(name.slice(0, 17))));
const sorted = <T>(map: Map<string, T>) => [...map].sort(([one], [other]) => (one < other ? -1 : 1));

describe("GET /api/viewer/export/zip", () => {
  test.skipIf(Bun.which("python3") === null)("gives all files of a clip, a trip or a range as they are", async () => {
    for (const [query, keys, name] of [
      [`key=${SECOND}`, [SECOND], "2026-11-20_080100_clip.zip"],
      [`trip=${SECOND}`, CLIPS, "2026-11-20_0800-0803_trip.zip"],
      [`from=${FIRST}&to=${SECOND}`, [FIRST, SECOND], "2026-11-20_0800-0802_range.zip"],
      [`from=${FIRST}&to=${SECOND}&from_seconds=59&to_seconds=1`, [FIRST, SECOND], "2026-11-20_0800-0801_range.zip"],
      ["key=20261121_100000_P", ["20261121_100000_P"], "2026-11-21_100000_clip.zip"],
    ] as const) {
      const answer = await ask(`zip?${query}`);
      expect([answer.status, answer.headers.get("content-disposition")]).toEqual([
        200,
        `attachment; filename="${name}"`,
      ]);
      const bytes = await answer.bytes();
      const head = await ask(`zip?${query}`, {}, "HEAD");
      expect(head.headers.get("content-length")).toBe(String(bytes.length));
      expect(sorted(await unpacked(bytes))).toEqual(sorted(ofClips(...keys)));
    }
  });

  test("tells everything beforehand, and goes on where a download broke off", async () => {
    const head = await ask(`zip?trip=${FIRST}`, {}, "HEAD");
    const whole = await ask(`zip?trip=${FIRST}`);
    const bytes = await whole.bytes();
    const size = bytes.length;
    const etag = whole.headers.get("etag") ?? "";
    // The body is made while it is sent, in chunks: its length is told by HEAD.
    const headersOf = ({ headers }: Response) =>
      Object.fromEntries([...headers].filter(([name]) => !["date", "transfer-encoding"].includes(name)));
    expect(headersOf(head)).toEqual({ ...headersOf(whole), "content-length": String(size) });
    expect(headersOf(whole)).toMatchObject({
      "content-type": "application/zip",
      "accept-ranges": "bytes",
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
      "cache-control": "private, no-cache",
    });
    // Ranges in the middle of a file, at the end of one, in the directory, and the last bytes of all.
    for (const [range, from, to] of [
      ["bytes=1000000-", 1_000_000, size],
      ["bytes=2500000-2500200", 2_500_000, 2_500_201],
      [`bytes=${size - 700}-${size - 100}`, size - 700, size - 99],
      ["bytes=-22", size - 22, size],
      ["bytes=0-0", 0, 1],
    ] as const) {
      const part = await ask(`zip?trip=${FIRST}`, { range, "if-range": etag });
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${from}-${to - 1}/${size}`]);
      expect(Buffer.compare(await part.bytes(), bytes.subarray(from, to))).toBe(0);
    }
    const other = await ask(`zip?trip=${FIRST}`, { range: "bytes=5-9", "if-range": '"other"' }, "GET");
    expect([other.status, (await other.bytes()).length]).toEqual([200, size]);
    const beyond = await ask(`zip?trip=${FIRST}`, { range: `bytes=${size}-` });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${size}`]);
    expect((await ask(`zip?trip=${FIRST}`, { "if-none-match": etag })).status).toBe(304);
  });

  test("breaks off when a file changes under way, and never makes up what is missing", async () => {
    const key = "20261122_090000_N";
    const size = 40_000_000;
    put(`${key}F.mp4`, new Uint8Array(size).fill(1));
    put(`${key}R.mp4`, new Uint8Array(100).fill(2));
    const path = join(app.destination, "2026-11-22", `${key}F.mp4`);
    const answer = await ask(`zip?key=${key}`);
    const reader = answer.body?.getReader();
    await reader?.read();
    truncateSync(path, size / 2);
    let received = 0;
    const rest = async () => {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        received += part.value.length;
    };
    await expect(rest()).rejects.toThrow();
    expect(received).toBeLessThan(size);
    // Asked for again it is another archive, with what is there now.
    const again = await ask(`zip?key=${key}`, { range: "bytes=100-", "if-range": answer.headers.get("etag") ?? "" });
    expect(again.status).toBe(200);
    expect((await again.bytes()).length).toBeGreaterThan(statSync(path).size);
    rmSync(join(app.destination, "2026-11-22"), { recursive: true });
  });

  test("comes as it is to a client that takes it little by little", async () => {
    const key = "20261122_110000_N";
    const video = crypto.getRandomValues(new Uint8Array(65_536));
    const file = Buffer.alloc(24_000_000);
    // No piece of it reads as another one.
    for (let at = 0; at < file.length; at += video.length)
      file.set(video.map((byte) => byte ^ (at >> 16)).subarray(0, file.length - at), at);
    put(`${key}F.mp4`, file);
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${PATH}/zip?key=${key} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const received: Buffer[] = [];
    for await (const piece of socket as AsyncIterable<Buffer>) {
      received.push(piece);
      // Meanwhile the service has time to fill everything that lies between.
      await ask(`zip?key=${key}`, {}, "HEAD");
    }
    const bytes = unchunked(Buffer.concat(received));
    expect(bytes.length).toBe(Number((await ask(`zip?key=${key}`, {}, "HEAD")).headers.get("content-length")));
    const begin = bytes.indexOf(file.subarray(0, 1000));
    expect(Buffer.compare(bytes.subarray(begin, begin + file.length), file)).toBe(0);
    rmSync(join(app.destination, "2026-11-22", `${key}F.mp4`));
  });

  test("is sent to few at once, the next is asked to wait, and whoever leaves makes room", async () => {
    const key = "20261122_100000_N";
    put(`${key}F.mp4`, new Uint8Array(20_000_000).fill(1));
    const begun = async () => {
      const gone = new AbortController();
      const answer = await fetch(`${app.url}${PATH}/zip?key=${key}`, { signal: gone.signal });
      return { answer, leave: () => gone.abort() };
    };
    const first = await Promise.all(Array.from({ length: 8 }, begun));
    expect(first.map(({ answer }) => answer.status)).toEqual(Array(8).fill(200));
    const { answer } = await begun();
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toMatchObject([
      503,
      "5",
      { code: "TOO_MANY_STREAMS", error: "8 archives are open already. Close one or try again in a moment." },
    ]);
    // Small answers are not counted: a check for changes, and a question for the length.
    expect((await ask(`zip?key=${key}`, {}, "HEAD")).status).toBe(200);
    for (const { leave } of first) leave();
    await expect(statusAtLast(async () => (await begun()).answer)).resolves.toBe(200);
  });

  test.skipIf(!existsSync("/proc/self/fd"))("leaves no file open for clients that went away at once", async () => {
    const { hostname, port } = new URL(app.url);
    const request = `GET ${PATH}/zip?trip=${FIRST} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    for (let client = 0; client < 30; client++) {
      const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } });
      socket.write(request);
      if (client % 2 === 0) socket.terminate();
      else socket.end();
    }
    // Their answers have begun before this one.
    expect((await ask(`zip?trip=${FIRST}`)).status).toBe(200);
    while (openFiles().some((path) => path.startsWith(app.destination))) await ask(`zip?key=${SECOND}`, {}, "HEAD");
    Bun.gc(true);
    expect((await ask(`zip?key=${SECOND}`, {}, "HEAD")).status).toBe(200);
  });

  test("says what is wrong with a choice", async () => {
    for (const [query, status, code] of [
      ["", 422, "VALIDATION_ERROR"],
      [`from=${LAST}&to=${FIRST}`, 422, "VALIDATION_ERROR"],
      [`from=${FIRST}&to=x`, 422, "VALIDATION_ERROR"],
      [`from=${FIRST}&to=${FIRST}&from_seconds=9&to_seconds=8`, 422, "VALIDATION_ERROR"],
      [`from=${FIRST}&to=${LAST}&from_seconds=-1`, 422, "VALIDATION_ERROR"],
      [`from=${FIRST}&to=${LAST}&from_seconds=86400.1`, 422, "VALIDATION_ERROR"],
      [`from=${FIRST}&to=${LAST}&from_seconds=1e999`, 422, "VALIDATION_ERROR"],
      [`from=${FIRST}&to=${LAST}&from_seconds=0&to_seconds=NaN`, 422, "VALIDATION_ERROR"],
      ["key=x", 404, "RECORDING_NOT_FOUND"],
      ["key=20200101_000000_N", 404, "RECORDING_NOT_FOUND"],
      ["trip=..%2F..%2Fetc", 404, "RECORDING_NOT_FOUND"],
      ["from=20200101_000000_N&to=20200101_000000_P", 404, "RECORDING_NOT_FOUND"],
    ] as const)
      for (const file of ["zip", "track.gpx", "telemetry.csv"]) {
        const answer = await ask(`${file}?${query}`);
        expect([query, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([query, status, code]);
      }
  });
});

describe("GET /api/viewer/export/track.gpx", () => {
  test("gives the track in stretches without a gap, in real time", async () => {
    const answer = await ask(`track.gpx?trip=${FIRST}`);
    expect([answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
      "application/gpx+xml",
      'attachment; filename="2026-11-20_0800-0803_trip.gpx"',
    ]);
    const text = await answer.text();
    expect(text).toStartWith('<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Dashdock"');
    expect(text.match(/<trkpt /g)).toHaveLength(10);
    expect(text.match(/<trkseg>/g)).toHaveLength(2);
    expect(text).toContain(
      '<trkpt lat="51.4766667" lon="-0.0005000"><time>2026-11-20T13:00:00.000Z</time><extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>10.00</gpxtpx:speed></gpxtpx:TrackPointExtension></extensions></trkpt>',
    );
    expect(text).toEndWith("</trkseg></trk>\n</gpx>\n");
    const part = await (await ask(`track.gpx?from=${FIRST}&to=${SECOND}&from_seconds=3&to_seconds=1`)).text();
    expect(part.match(/<time>[^<]*/g)?.map((time) => time.slice(17, -5))).toEqual([
      "13:00:03",
      "13:00:04",
      "13:01:00",
      "13:01:01",
    ]);
  });

  test("is not there where no camera saw satellites", async () => {
    for (const file of ["track.gpx", "telemetry.csv"]) {
      const answer = await ask(`${file}?key=20261121_100000_P`);
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, "NO_GPS"]);
    }
    expect((await ask(`track.gpx?key=${LAST}`)).status).toBe(404);
  });
});

describe("GET /api/viewer/export/telemetry.csv", () => {
  test("has a line for each fix and each sample", async () => {
    const answer = await ask(`telemetry.csv?trip=${FIRST}`);
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="2026-11-20_0800-0803_trip.csv"');
    const lines = (await answer.text()).split("\r\n");
    expect(lines.slice(0, 4)).toEqual([
      "clip,seconds,camera_time,utc,latitude,longitude,speed_kmh,vertical_g,lateral_g,longitudinal_g",
      `${FIRST},0,2026-11-20T08:00:00.000,2026-11-20T13:00:00.000Z,51.4766667,-0.0005000,36,1,0,0`,
      `${FIRST},0.1,2026-11-20T08:00:00.100,2026-11-20T13:00:00.100Z,,,,1,0,-0.5`,
      `${FIRST},1,2026-11-20T08:00:01.000,2026-11-20T13:00:01.000Z,51.4767567,-0.0005000,36,,,`,
    ]);
    expect(lines.at(-3)).toBe(`${LAST},0,2026-11-20T08:02:00.000,,,,,1,0,0`);
    // Five fixes with one sample each on top, twice, two samples, the head, and the end of the last line.
    expect(lines).toHaveLength(6 + 6 + 2 + 1 + 1);
  });
});
