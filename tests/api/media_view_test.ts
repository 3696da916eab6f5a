import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatches, hevcPatches } from "../../server/domain/recordings/hevc_header.ts";
import { judgeMp4 } from "../../server/domain/recordings/mp4_boxes.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { putFootage } from "../support/camera/footage.ts";
import { box, fileOf, hevcRecord, movieOf, nalArray } from "../support/camera/mp4.ts";

const VIDEO = "20260607_101500_NF.mp4";
const FINE = "20260607_101600_NF.mp4";
const SETS = [32, 33, 34].map((type) => nalArray(type, false, [type, 1, 2]));
const ZEROS = nalArray(0, false, Array<number>(128).fill(0));

let app: RunningApp;
let file: Uint8Array;
let wanted: Uint8Array;
beforeAll(async () => {
  app = await startApp();
  mkdirSync(app.destination, { recursive: true });
  file = fileOf(movieOf("hev1", box("hvcC", hevcRecord(...SETS, ZEROS))), 5_000_000);
  writeFileSync(join(app.destination, VIDEO), file);
  writeFileSync(join(app.destination, FINE), fileOf(movieOf("avc1", box("avcC", [1, 100])), 500));
  const patches = await hevcPatches(file.length, async (offset, length) => file.subarray(offset, offset + length));
  wanted = applyPatches(file.slice(), 0, patches);
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${app.url}/media/${path}`, { headers, method });

test("a video with a header that keeps browsers from playing it is shown with that repaired, and stays as it is", async () => {
  const plain = await ask(VIDEO);
  expect(Buffer.compare(await plain.bytes(), file)).toBe(0);
  const view = await ask(`${VIDEO}?view=browser`);
  expect([view.status, view.headers.get("content-type")]).toEqual([200, "video/mp4"]);
  expect(Buffer.compare(await view.bytes(), wanted)).toBe(0);
  expect(Buffer.compare(wanted, file)).not.toBe(0);
  const etag = view.headers.get("etag") ?? "";
  expect(etag).not.toBe(plain.headers.get("etag") ?? "");
  expect((await ask(`${VIDEO}?view=browser`, { "if-none-match": etag })).status).toBe(304);
  const head = await ask(`${VIDEO}?view=browser`, {}, "HEAD");
  expect([head.headers.get("content-length"), head.headers.get("etag")]).toEqual([String(file.length), etag]);
  expect(Buffer.compare(readFileSync(join(app.destination, VIDEO)), file)).toBe(0);
});

test("any part of it is a part of that", async () => {
  const etag = (await ask(`${VIDEO}?view=browser`, {}, "HEAD")).headers.get("etag") ?? "";
  const size = file.length;
  const end = Buffer.from(wanted).indexOf("mdat");
  for (const [range, from, to] of [
    ["bytes=0-1", 0, 2],
    ["bytes=0-", 0, size],
    [`bytes=${end - 60}-${end + 10}`, end - 60, end + 11],
    [`bytes=${end - 200}-`, end - 200, size],
    [`bytes=${end + 100}-`, end + 100, size],
    ["bytes=-5", size - 5, size],
  ] as const) {
    const part = await ask(`${VIDEO}?view=browser`, { range, "if-range": etag });
    expect([range, part.status, part.headers.get("content-range")]).toEqual([
      range,
      206,
      `bytes ${from}-${to - 1}/${size}`,
    ]);
    expect(Buffer.compare(await part.bytes(), wanted.subarray(from, to))).toBe(0);
  }
  // A player that began with the file as it is must not go on with the other.
  const old = (await ask(VIDEO, {}, "HEAD")).headers.get("etag") ?? "";
  expect((await ask(`${VIDEO}?view=browser`, { range: "bytes=0-1", "if-range": old })).status).toBe(200);
  expect((await ask(`${VIDEO}?view=browser`, { range: `bytes=${size}-` })).status).toBe(416);
});

test("what is fine is the same in both views, and what is no video has none", async () => {
  const plain = await ask(FINE);
  const view = await ask(`${FINE}?view=browser`);
  expect(view.headers.get("etag")).toBe(plain.headers.get("etag") ?? "");
  expect(view.headers.get("content-length")).toBe(plain.headers.get("content-length") ?? "");
  expect(Buffer.compare(await view.bytes(), await plain.bytes())).toBe(0);
  expect((await ask("20260607_101700_NF.mp4?view=browser")).status).toBe(404);
});

test("one picture of a video comes as a video by itself, whole and in parts, and is the same one for all times up to the next", async () => {
  await putFootage(app.destination, ["20260607_102000_NF.mp4"], ["20260607_102000_NF.mp4"]);
  const path = "20260607_102000_NF.mp4?view=frame";
  const first = await ask(`${path}&t=5`);
  const bytes = await first.bytes();
  expect([first.status, first.headers.get("content-type"), first.headers.get("accept-ranges")]).toEqual([
    200,
    "video/mp4",
    "bytes",
  ]);
  expect(await judgeMp4(bytes.length, async (offset, length) => bytes.slice(offset, offset + length))).toBe("whole");
  const etag = first.headers.get("etag") ?? "";
  expect((await ask(`${path}&t=5.1`, { "if-none-match": etag })).status).toBe(304);
  expect((await ask(`${path}&t=9`)).headers.get("etag")).not.toBe(etag);
  // Some players ask for parts, whatever is so small.
  const part = await ask(`${path}&t=5`, { range: "bytes=4-7" });
  expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
    206,
    `bytes 4-7/${bytes.length}`,
    "ftyp",
  ]);
  const head = await ask(`${path}&t=5`, {}, "HEAD");
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
  expect((await ask(`${path}&t=5`, { range: `bytes=${bytes.length}-` })).status).toBe(416);
  for (const none of [`${path}&t=-1`, `${path}&t=x`, `${FINE}?view=frame&t=1`, "20260607_101700_NF.mp4?view=frame"])
    expect([none, (await ask(none)).status]).toEqual([none, 404]);
});
