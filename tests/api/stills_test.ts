import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { send } from "../support/app/held.ts";
import { bothAreHome, carAndVan } from "../support/app/several_cameras.ts";
import { putFootage } from "../support/camera/footage.ts";
import { mayMount, SmallDisk } from "../support/disk/disks.ts";
import { JPEG, PNG } from "../support/disk/still_pictures.ts";

setDefaultTimeout(30_000);

const KEY = "20260607_101500_N";
const path = (query = "seconds=12.345&direction=F", key = KEY) => `/api/recordings/${key}/stills?${query}`;

async function start(names: readonly string[] = [`${KEY}F.mp4`, `${KEY}R.mp4`], folder?: string): Promise<RunningApp> {
  const running = await startApp({
    ...(folder !== undefined && { folder }),
    settings: { retention: { keep: "", trash_days: 7 }, schedule: { paused: true } },
  });
  mkdirSync(running.destination, { recursive: true });
  for (const name of names) writeFileSync(join(running.destination, name), "video");
  await running.app.library.refresh();
  await running.client.open("/");
  return running;
}

async function post(
  { client }: RunningApp,
  to: string,
  picture: Uint8Array,
): Promise<{ status: number; body: unknown }> {
  const headers = { "x-csrftoken": client.token, "content-type": "image/jpeg" };
  const answer = await client.fetch(to, { method: "POST", headers, body: Buffer.from(picture) });
  return { status: answer.status, body: await answer.json() };
}

const files = ({ destination }: RunningApp) => {
  const folder = join(destination, ".dashdock", "stills");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

async function listed({ client }: RunningApp, key = KEY): Promise<unknown> {
  const { days } = await (await client.fetch("/api/viewer/recordings?date=2026-06-07")).json();
  return days[0].recordings.find((one: { type: string }) => one.type === key.slice(-1)).stills;
}

test("a picture is kept with its recording, listed with it, and shown again byte for byte", async () => {
  await using running = await start();
  const front = { seconds: 12.345, direction: "F", url: `/api/recordings/${KEY}/stills/F_00012345.jpg` };
  expect(await post(running, path(), JPEG)).toEqual({ status: 201, body: front });
  const rear = { seconds: 3, direction: "R", url: `/api/recordings/${KEY}/stills/R_00003000.png` };
  expect(await post(running, path("seconds=3&direction=R"), PNG)).toEqual({ status: 201, body: rear });
  expect(await listed(running)).toEqual([front, rear]);
  expect(files(running)).toEqual([`${KEY}_F_00012345.jpg`, `${KEY}_R_00003000.png`]);
  for (const [url, picture, type] of [
    [front.url, JPEG, "image/jpeg"],
    [rear.url, PNG, "image/png"],
  ] as const) {
    const answer = await running.client.fetch(url);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
    expect(await answer.bytes()).toEqual(picture);
    const etag = answer.headers.get("etag") ?? "";
    expect((await running.client.fetch(url, { headers: { "if-none-match": etag } })).status).toBe(304);
  }
});

test("the same picture again is the one that is there, another of that moment has its own name", async () => {
  await using running = await start();
  await post(running, path(), JPEG);
  expect((await post(running, path(), JPEG)).body).toMatchObject({ url: expect.stringContaining("F_00012345.jpg") });
  const other = JPEG.with(7, 7);
  expect((await post(running, path(), other)).body).toMatchObject({ seconds: 12.346 });
  expect(files(running)).toEqual([`${KEY}_F_00012345.jpg`, `${KEY}_F_00012346.jpg`]);
});

test("what is no picture, of no recording, at no time, and too large is refused, and nothing is written", async () => {
  await using running = await start();
  const refused: readonly (readonly [string, Uint8Array, number, string])[] = [
    [path(), new TextEncoder().encode("<html>"), 422, "VALIDATION_ERROR"],
    [path(), new Uint8Array(), 422, "VALIDATION_ERROR"],
    [path(), JPEG.subarray(0, -2), 422, "VALIDATION_ERROR"],
    [path(), Uint8Array.from([...PNG.subarray(0, 8), ...new TextEncoder().encode("<html>")]), 422, "VALIDATION_ERROR"],
    [path("seconds=-1&direction=F"), JPEG, 422, "VALIDATION_ERROR"],
    [path("seconds=1e3&direction=F"), JPEG, 422, "VALIDATION_ERROR"],
    [path("seconds=100000&direction=F"), JPEG, 422, "VALIDATION_ERROR"],
    [path("direction=F"), JPEG, 422, "VALIDATION_ERROR"],
    [path("seconds=1&direction=X"), JPEG, 422, "VALIDATION_ERROR"],
    [path("seconds=1"), JPEG, 422, "VALIDATION_ERROR"],
    [path("seconds=1&direction=I"), JPEG, 404, "RECORDING_NOT_FOUND"],
    [path("seconds=1&direction=F", "20260607_101500_E"), JPEG, 404, "RECORDING_NOT_FOUND"],
    [path(), new Uint8Array(8 * 1024 * 1024 + 1), 413, "BODY_TOO_LARGE"],
  ];
  for (const [to, picture, status, code] of refused)
    expect([to, await post(running, to, picture)]).toEqual([to, { status, body: expect.objectContaining({ code }) }]);
  expect(files(running)).toEqual([]);
  const large = new Uint8Array(8 * 1024 * 1024);
  large.set(JPEG);
  large.set(JPEG.subarray(-2), large.length - 2);
  expect((await post(running, path(), large)).status).toBe(201);
  const headers = { "content-type": "image/jpeg" };
  const unsigned = await running.client.fetch(path(), { method: "POST", headers, body: Buffer.from(JPEG) });
  expect([unsigned.status, (await unsigned.json()).code]).toEqual([403, "CSRF_FAILED"]);
});

test("what is behind the end of the recording is refused, also of a clip whose cameras differ a little", async () => {
  await using running = await start([]);
  await putFootage(running.destination, [`${KEY}F.mp4`]);
  await running.app.library.refreshIfOlder(0);
  for (const [seconds, status] of [
    [11.9, 201],
    [12.5, 201],
    [13.5, 422],
    [600, 422],
  ] as const)
    expect([seconds, (await post(running, path(`seconds=${seconds}&direction=F`), JPEG)).status]).toEqual([
      seconds,
      status,
    ]);
  const { body } = await post(running, path("seconds=600&direction=F"), JPEG);
  expect(body).toMatchObject({
    code: "VALIDATION_ERROR",
    error: "seconds must not be behind the end of the recording, which is 12.0 s long",
    details: { field_errors: [{ path: "seconds" }] },
  });
});

test("a recording has at most 200, and one that is removed makes room", async () => {
  await using running = await start();
  const folder = join(running.destination, ".dashdock", "stills");
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < 200; at++) writeFileSync(join(folder, `${KEY}_F_${String(at).padStart(8, "0")}.jpg`), JPEG);
  expect(await post(running, path(), JPEG)).toMatchObject({ status: 409, body: { code: "TOO_MANY_STILLS" } });
  const first = `/api/recordings/${KEY}/stills/F_00000000.jpg`;
  const { status, body } = await send(running, "DELETE", first);
  expect([status, (body as { stills: [] }).stills.length]).toEqual([200, 199]);
  expect((await send(running, "DELETE", first)).status).toBe(404);
  expect((await running.client.fetch(first)).status).toBe(404);
  expect((await post(running, path(), JPEG)).status).toBe(201);
});

test.skipIf(!mayMount())(
  "a picture on a full disk, or one that refuses, leaves nothing behind (needs the right to mount)",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "stills-"));
    try {
      using disk = new SmallDisk(join(folder, "recordings"), "1m");
      await using running = await start(undefined, folder);
      expect(await post(running, path("seconds=1&direction=F"), JPEG)).toMatchObject({ status: 201 });
      disk.fill();
      expect(await post(running, path(), PNG)).toMatchObject({ status: 507, body: { code: "STORAGE_FULL" } });
      expect(files(running)).toEqual([`${KEY}_F_00001000.jpg`]);
      disk.free();
      disk.remount("ro");
      expect(await post(running, path(), PNG)).toMatchObject({ status: 503, body: { code: "TRASH_UNUSABLE" } });
      disk.remount("rw");
      expect(await post(running, path(), PNG)).toMatchObject({ status: 201 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test("names that lead elsewhere, and links, show nothing", async () => {
  await using running = await start();
  await post(running, path(), JPEG);
  const folder = join(running.destination, ".dashdock", "stills");
  symlinkSync(join(running.destination, `${KEY}F.mp4`), join(folder, `${KEY}_F_00000001.jpg`));
  for (const name of ["F_00000001.jpg", "..%2F..%2Fkept.json", "F_1.jpg", "X_00000000.jpg", "F_00012345.png"])
    expect([name, (await running.client.fetch(`/api/recordings/${KEY}/stills/${name}`)).status]).toEqual([name, 404]);
});

test("pictures stay while their recording is in the trash, come back with it, and go with it for good", async () => {
  await using running = await start();
  await post(running, path(), JPEG);
  await send(running, "DELETE", `/api/recordings/${KEY}`);
  expect(files(running)).toHaveLength(1);
  await send(running, "POST", "/api/trash/restore", { all: true });
  expect(await listed(running)).toHaveLength(1);
  await send(running, "DELETE", `/api/recordings/${KEY}`);
  await send(running, "DELETE", "/api/trash", { keys: [KEY] });
  expect(files(running)).toEqual([]);
});

test("a picture stays that has its recording at home again when an older one leaves the trash", async () => {
  await using running = await start();
  await post(running, path(), JPEG);
  await send(running, "DELETE", `/api/recordings/${KEY}`);
  writeFileSync(join(running.destination, `${KEY}F.mp4`), "video, again");
  await running.app.library.refresh();
  await send(running, "DELETE", "/api/trash", { keys: [KEY] });
  expect(files(running)).toHaveLength(1);
});

test("of a further camera they lie in its own folder, and addresses carry its id", async () => {
  await using running = await carAndVan();
  await bothAreHome(running);
  const { days } = await (await running.client.fetch("/api/viewer/recordings?camera=van")).json();
  const [one] = days[0].recordings;
  const key = `van~${one.base_filename}_${one.type}`;
  const direction = one.directions[0];
  const { status, body } = await post(running, path(`seconds=1&direction=${direction}`, key), JPEG);
  const url = `/api/recordings/${key}/stills/${direction}_00001000.jpg`;
  expect([status, body]).toEqual([201, { seconds: 1, direction, url }]);
  expect(await (await running.client.fetch(url)).bytes()).toEqual(JPEG);
  expect(files(running)).toEqual([]);
});
