import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { box, fileOf, movieOf } from "../support/camera/mp4.ts";

const KEY = "20260607_101500_N";
const OTHER = "20260607_101600_N";
const line = (stamp: number, lat: string) =>
  `[${stamp}]$GNRMC,0550${stamp / 1000}.00,A,${lat},S,15101.10000,E,9.0,,070626,,,A*00\r\n`;
const GPS = new TextEncoder().encode(`${line(10_000, "3348.10000")}${line(11_000, "3348.10500")}\0\0\0\0`);
const FORCE = [0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 100, 0, 128, 0, 64, 0, 0, ...Array<number>(10).fill(255)];
const JPEG = [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3];

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
  mkdirSync(app.destination, { recursive: true });
  const free = box("free", box("thum", [0, 0, 0, JPEG.length, ...JPEG]), box("gps ", GPS), box("3gf ", FORCE));
  const rear = new Uint8Array(Buffer.concat([fileOf(movieOf("hev1"), 900), free]));
  writeFileSync(join(app.destination, `${KEY}F.mp4`), fileOf(movieOf("avc1"), 900));
  writeFileSync(join(app.destination, `${KEY}R.mp4`), rear);
  // Files beside a video count before the data in it.
  writeFileSync(join(app.destination, `${OTHER}F.mp4`), rear);
  writeFileSync(join(app.destination, `${OTHER}.gps`), "");
});
afterAll(() => app[Symbol.asyncDispose]());

const get = async (path: string) => {
  const answer = await fetch(`${app.url}${path}`);
  return { status: answer.status, body: (await answer.json()) as never };
};

/** The newest day once all of its files have been looked into: on a busy machine the first answers come before that. */
async function whatIsKnown(): Promise<unknown> {
  for (;;) {
    const { body } = await get("/api/viewer/recordings");
    if (!JSON.stringify(body).includes('"size_bytes":null')) return body;
  }
}

test("telemetry and preview in a video stand for files beside it that are missing", async () => {
  expect(await whatIsKnown()).toMatchObject({
    days: [
      {
        recordings: [
          { base_filename: "20260607_101600", has_gps: true, has_3gf: true, codecs: { F: "hevc" } },
          {
            base_filename: "20260607_101500",
            has_gps: true,
            has_3gf: true,
            has_thm: true,
            codecs: { F: "avc", R: "hevc" },
            thumb: `/media/${KEY}R.mp4?view=preview`,
          },
        ],
      },
    ],
  });
  expect(await get(`/api/viewer/recordings/${KEY}/gps`)).toMatchObject({
    status: 200,
    body: {
      points: [
        { t: 0, speed: 9 },
        { t: 1, speed: 9 },
      ],
    },
  });
  const samples = [
    { t: 0, x: 1, y: 0, z: 0 },
    { t: 0.1, x: 1, y: 0.5, z: 0 },
  ];
  expect(await get(`/api/viewer/recordings/${KEY}/gsensor`)).toEqual({ status: 200, body: { samples } as never });
  expect(await get(`/api/viewer/recordings/${OTHER}/gps`)).toEqual({ status: 200, body: { points: [] } as never });
  expect((await get(`/api/viewer/trips/${KEY}/telemetry`)).body).toMatchObject({
    segments: [
      { key: KEY, track: { t: [0, 1] }, force: { t: [0, 0.1] } },
      { key: OTHER, track: { t: [] } },
    ],
  });
  const gpx = await fetch(`${app.url}/api/viewer/export/track.gpx?key=${KEY}`);
  expect((await gpx.text()).match(/<trkpt /g)).toHaveLength(2);
  const picture = await fetch(`${app.url}/media/${KEY}R.mp4?view=preview`);
  expect([picture.headers.get("content-type"), [...(await picture.bytes())]]).toEqual(["image/jpeg", JPEG]);
  const headers = { "if-none-match": picture.headers.get("etag") ?? "" };
  expect((await fetch(`${app.url}/media/${KEY}R.mp4?view=preview`, { headers })).status).toBe(304);
});

test("what is in no video is not there, also when the video has gone", async () => {
  expect((await fetch(`${app.url}/media/${KEY}F.mp4?view=preview`)).status).toBe(404);
  rmSync(join(app.destination, `${KEY}R.mp4`));
  expect(await get(`/api/viewer/recordings/${KEY}/gps`)).toMatchObject({ status: 404, body: { code: "NO_GPS" } });
  expect(await get(`/api/viewer/recordings/${KEY}/gsensor`)).toMatchObject({
    status: 404,
    body: { code: "NO_GSENSOR" },
  });
  expect((await get(`/api/viewer/trips/${KEY}/telemetry`)).status).toBe(200);
});
