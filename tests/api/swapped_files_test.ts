import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { linkSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { box, fileOf, hevcRecord, movieOf, nalArray } from "../support/camera/mp4.ts";
import type { Swapped } from "../support/disk/swap_program.ts";

setDefaultTimeout(120_000);

const SWAPS = 20_000;
const MTIME = 1_780_000_000;
/** Text that fills every file outside. */
const SECRET = "SECRET!!";
/** Degrees of the track outside, as they would stand in an answer. */
const SECRET_PLACE = /\b11\.1[0-9]/;
const FILE = "20260607_101500_N";
const FOLDER = "20260607_101600_N";

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const gps = (lat: string) =>
  Array.from(
    { length: 60 },
    (_, at) => `[${at * 1000}]$GNRMC,0550${10 + (at % 50)}.00,A,${lat},N,01500.10000,E,9.0,,070626,,,A*00\r\n`,
  ).join("");

/** The files of a clip, of the same sizes and times wherever they lie, so that nothing but their place tells them apart. */
function putClip(folder: string, key: string, text: string, lat: string): void {
  mkdirSync(folder, { recursive: true });
  const sets = [32, 33, 34].map((type) => nalArray(type, false, [type, 1, 2]));
  const record = hevcRecord(...sets, nalArray(0, false, Array<number>(128).fill(0)));
  const picture = Buffer.concat([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), Buffer.alloc(800, text)]);
  const track = new TextEncoder().encode(gps(lat));
  const parts = box(
    "free",
    box("thum", [0, 0, picture.length >> 8, picture.length & 255, ...picture]),
    box("gps ", track),
  );
  const video = fileOf(movieOf("hev1", box("hvcC", record)), 1_500_000);
  video.set(Buffer.alloc(1_400_000, text), video.length - 1_400_000);
  const put = (name: string, bytes: Uint8Array | string) => {
    writeFileSync(join(folder, name), bytes);
    utimesSync(join(folder, name), MTIME, MTIME);
  };
  put(`${key}F.mp4`, new Uint8Array(Buffer.concat([video, parts])));
  put(`${key}F.thm`, Buffer.alloc(3000, text));
  // The clip whose folder is swapped has its track in the video.
  if (key !== FOLDER) put(`${key}.gps`, gps(lat));
}

/** Status and bytes of an answer, also of one that is cut off. */
async function ask(path: string, headers: Record<string, string> = {}): Promise<{ status: number; bytes: Buffer }> {
  const parts: Uint8Array[] = [];
  let status = 0;
  try {
    const answer = await fetch(app.url + path, { headers });
    ({ status } = answer);
    for await (const part of answer.body ?? []) parts.push(part);
  } catch {
    // A file that changed while it was sent ends its answer.
  }
  return { status, bytes: Buffer.concat(parts) };
}

function expectNoSecret(path: string, bytes: Buffer): void {
  if (bytes.includes(SECRET)) throw new Error(`${path} gave what lies outside`);
  if (/telemetry|gps|gpx/.test(path) && SECRET_PLACE.test(bytes.toString("latin1")))
    throw new Error(`${path} tells a place from outside`);
}

type Asked = readonly [path: string, headers?: Record<string, string>];

const ASKED: readonly Asked[] = [FILE, FOLDER].flatMap((key): Asked[] => {
  const video = `/media/${key === FILE ? "2026-06-07" : "swapped"}/${key}F.mp4`;
  return [
    [video],
    [video, { range: "bytes=100000-165535" }],
    [video, { range: "bytes=100000-1300000" }],
    [`${video}?view=browser`],
    [`${video}?view=browser`, { range: "bytes=0-65535" }],
    [`${video}?view=preview`],
    [video.replace(".mp4", ".thm")],
    [`/api/viewer/recordings/${key}/gps`],
    [`/api/viewer/trips/${key}/telemetry`],
    [`/api/viewer/export/track.gpx?key=${key}`],
    [`/api/viewer/export/zip?key=${key}`],
  ];
});

test(`while files and folders are swapped for links ${SWAPS} times, no byte from outside is answered`, async () => {
  const { destination, folder } = app;
  const day = join(destination, "2026-06-07");
  const outside = join(folder, "outside");
  const aside = join(folder, "aside");
  putClip(day, FILE, "recorded", "4848.10000");
  putClip(join(destination, "swapped"), FOLDER, "recorded", "4848.10000");
  for (const key of [FILE, FOLDER]) putClip(outside, key, SECRET, "1108.10000");
  mkdirSync(aside);
  const files = [`${FILE}F.mp4`, `${FILE}F.thm`, `${FILE}.gps`].map((name): Swapped => {
    const path = join(day, name);
    const real = join(aside, name);
    linkSync(path, real);
    return { path, real, secret: join(outside, name), isFolder: false };
  });
  const swapped = { path: join(destination, "swapped"), real: join(destination, "real"), secret: outside };
  const what = [...files, { ...swapped, isFolder: true }];

  const program = resolve(import.meta.dir, "../support/disk/swap_program.ts");
  const child = Bun.spawn([process.execPath, program, String(SWAPS), JSON.stringify(what)], { stderr: "pipe" });
  for (let turn = 0; child.exitCode === null; turn++) {
    // Several at once, as a page asks.
    const from = (turn * 4) % ASKED.length;
    await Promise.all(
      ASKED.slice(from, from + 4).map(async ([path, headers]) => {
        const { status, bytes } = await ask(path, headers);
        expectNoSecret(path, bytes);
        // 0: what is made while it is sent ends with the connection.
        expect([0, 200, 206, 404]).toContain(status);
      }),
    );
  }
  expect([await new Response(child.stderr).text(), child.exitCode]).toEqual(["", 0]);
  for (const [path, headers] of ASKED) {
    let answer = await ask(path, headers);
    // The folders may have been looked at while a link lay there, and that holds for two seconds.
    while (answer.status === 404) answer = await ask(path, headers);
    expect([path, answer.status]).toEqual([path, headers ? 206 : 200]);
  }
});
