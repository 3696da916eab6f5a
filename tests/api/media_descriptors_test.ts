import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { box, fileOf, hevcRecord, movieOf, nalArray } from "../support/camera/mp4.ts";

setDefaultTimeout(60_000);

const KEY = "20260607_101500_N";
const VIDEO = `/media/${KEY}F.mp4`;
const WAITING = "20260607_101600_N";
const SIZE = 3_000_000;

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
  const { destination } = app;
  mkdirSync(destination, { recursive: true });
  const sets = [32, 33, 34].map((type) => nalArray(type, false, [type, 1, 2]));
  const record = hevcRecord(...sets, nalArray(0, false, Array<number>(128).fill(0)));
  const picture = box("free", box("thum", [0, 0, 0, 4, 0xff, 0xd8, 0xff, 0xe0]));
  const video = fileOf(movieOf("hev1", box("hvcC", record)), SIZE);
  writeFileSync(join(destination, `${KEY}F.mp4`), Buffer.concat([video, picture]));
  writeFileSync(join(destination, `${KEY}F.thm`), "a picture");
  writeFileSync(join(destination, `${KEY}.gps`), "");
});
afterAll(() => app[Symbol.asyncDispose]());

/** Files of the recordings that this process, and so the service in it, has open. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`);
      return path.startsWith(app.destination) ? [path] : [];
    } catch {
      return [];
    }
  });
}

/** Asks, takes the first bytes of the answer and hangs up. */
function hangUp(path: string, headers = ""): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(app.listening.port, "127.0.0.1", () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
    });
    socket.on("data", () => socket.destroy()).on("error", reject);
    socket.on("close", () => resolve());
  });
}

const ASKED: readonly (readonly [
  path: string,
  method: "GET" | "HEAD",
  headers: Record<string, string>,
  status: number,
])[] = [
  [VIDEO, "GET", {}, 200],
  [VIDEO, "GET", { range: "bytes=100-65635" }, 206],
  [VIDEO, "GET", { range: "bytes=100-400000" }, 206],
  [VIDEO, "GET", { range: "bytes=100-2000000" }, 206],
  [VIDEO, "GET", { range: "bytes=100000000-" }, 416],
  [VIDEO, "GET", { "if-none-match": "*" }, 304],
  [VIDEO, "HEAD", {}, 200],
  [`${VIDEO}?view=browser`, "GET", {}, 200],
  [`${VIDEO}?view=browser`, "GET", { range: "bytes=0-100" }, 206],
  [`${VIDEO}?view=browser`, "HEAD", {}, 200],
  [`${VIDEO}?view=preview`, "GET", {}, 200],
  [`/media/${KEY}F.thm`, "GET", {}, 200],
  [`/media/${KEY}R.mp4`, "GET", {}, 404],
  [`/api/viewer/export/zip?key=${KEY}`, "GET", {}, 200],
  [`/api/viewer/export/zip?key=${KEY}`, "HEAD", {}, 200],
  [`/api/viewer/export/zip?key=${KEY}`, "GET", { range: "bytes=100-200000" }, 206],
  [`/api/viewer/recordings/${KEY}/gps`, "GET", {}, 200],
  [`/api/viewer/trips/${KEY}/telemetry`, "GET", {}, 200],
];

test("no file stays open after it was answered, whole, in part, not at all, or to clients that hang up", async () => {
  for (let round = 0; round < 30; round++) {
    await Promise.all(
      ASKED.map(async ([path, method, headers, status]) => {
        const answer = await fetch(app.url + path, { method, headers });
        await answer.bytes();
        expect([path, method, headers, answer.status]).toEqual([path, method, headers, status]);
      }),
    );
    const paths = ASKED.filter(([, , , status]) => status === 200).map(([path]) => path);
    await Promise.all([...paths.map((path) => hangUp(path)), hangUp(VIDEO, "Range: bytes=5-\r\n")]);
  }
  // The service learns of some hang-ups a moment later.
  while (openFiles().length > 0) await fetch(`${app.url}/healthz`);
});

test("what is no file is never waited for", async () => {
  const files = ["F.mp4", "F.thm", ".gps", ".3gf"].map((ending) => join(app.destination, WAITING + ending));
  for (const file of files) writeFileSync(file, "");
  const listed = `/api/viewer/trips/${WAITING}/telemetry`;
  while ((await fetch(app.url + listed)).status === 404);
  for (const file of files) rmSync(file);
  Bun.spawnSync(["mkfifo", ...files]);
  // Known for up to two seconds by folders that were looked at before.
  for (const path of [
    `/media/${WAITING}F.mp4`,
    `/media/${WAITING}F.mp4?view=browser`,
    `/media/${WAITING}F.mp4?view=preview`,
    `/media/${WAITING}F.thm`,
    `/api/viewer/recordings/${WAITING}/gps`,
    `/api/viewer/recordings/${WAITING}/gsensor`,
    listed,
    `/api/viewer/export/zip?key=${WAITING}`,
  ])
    expect([200, 404]).toContain((await fetch(app.url + path)).status);
  expect((await fetch(`${app.url}/api/viewer/recordings`)).status).toBe(200);
});
