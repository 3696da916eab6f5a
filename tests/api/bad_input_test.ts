import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { TELEMETRY } from "../../server/domain/viewer/viewer_schema.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";

let app: RunningApp;
let folder: string;
beforeAll(async () => {
  app = await startApp();
  folder = join(app.destination, "2026-11-20");
  mkdirSync(folder, { recursive: true });
});
afterAll(() => app[Symbol.asyncDispose]());

const put = (name: string, content: string | Uint8Array = "") => writeFileSync(join(folder, name), content);
/** Each test has an hour of its own. */
const keyAt = (minute: number, hour = "08") => `20261120_${hour}${String(minute).padStart(2, "0")}00_N`;
const sentence = (second: number, lat: string, lon: string, side = "E") =>
  `[${1_780_000_000_000 + second * 1000}]$GNRMC,080000.00,A,${lat},N,${lon},${side},20,,201126,,,A*00\r\n`;
const minute = (line: (second: number) => string) => Array.from({ length: 60 }, (_, second) => line(second)).join("");
const straight = minute((second) => sentence(second, `4800.${10_000 + second * 500}`, "01100.00000"));

/** Every address that tells of a clip. */
const pathsOf = (key: string) => [
  ...[`/viewer?key=${key}`, `/viewer?key=${key}&t=1e999`],
  ...["", "/telemetry"].map((end) => `/api/viewer/trips/${key}${end}`),
  ...["/gps", "/gsensor", "/journey", "/journey/telemetry"].map((end) => `/api/viewer/recordings/${key}${end}`),
  ...["zip", "track.gpx", "telemetry.csv"].flatMap((name) =>
    [`key=${key}`, `trip=${key}`, `from=${key}&to=${key}`].map((query) => `/api/viewer/export/${name}?${query}`),
  ),
  ...["", "?view=browser", "?view=preview"].map((end) => `/media/2026-11-20/${key}F.mp4${end}`),
];

/** Checks the rules that hold for every answer. @returns its status */
async function checked(path: string): Promise<number> {
  const answer = await fetch(app.url + path);
  const text = await answer.text();
  const isJson = answer.headers.get("content-type") === "application/json";
  if (answer.status >= 500) expect([path, answer.status, text]).toEqual([path, 200, ""]);
  if (isJson || path.startsWith("/api/viewer/export/t")) expect(text).not.toMatch(/\bNaN\b|Infinity/);
  if (isJson && answer.status >= 400) expect(JSON.parse(text)).toHaveProperty("code");
  if (path.startsWith("/api")) expect(text).not.toContain(app.folder);
  expect(text).not.toContain("not for anyone");
  expect(answer.headers.get("content-security-policy")).toStartWith("default-src 'none'");
  return answer.status;
}

test("files of every sort, and keys that are none, have orderly answers, and no recording is changed", async () => {
  put(`${keyAt(0)}F.mp4`, "<html>");
  put(`${keyAt(0)}.gps`, straight.slice(0, 777));
  put(`${keyAt(1)}F.mp4`);
  put(`${keyAt(1)}.gps`, new Uint8Array(3_000_000).fill(0x5b));
  put(`${keyAt(1)}.3gf`, new Uint8Array(3_000_001).fill(7));
  put(`${keyAt(2)}F.mp4`, "x");
  put(`${keyAt(2)}.3gf`, new Uint8Array([1, 2, 3]));
  put("20261399_081500_NF.mp4");
  // Links out of the recordings appear in none of the answers.
  writeFileSync(join(app.folder, "secret"), "not for anyone");
  for (const name of ["NF.mp4", "NF.thm", "N.gps", "N.3gf"])
    symlinkSync(join(app.folder, "secret"), join(folder, `20261120_090000_${name}`));
  symlinkSync(app.folder, join(app.destination, "out"));
  const sums = () =>
    readdirSync(folder).map((name) =>
      createHash("sha1")
        .update(readFileSync(join(folder, name)))
        .digest("hex"),
    );
  const before = sums();

  for (const key of [keyAt(0), keyAt(1), keyAt(2)])
    for (const path of pathsOf(key)) expect([200, 404]).toContain(await checked(path));
  for (const path of pathsOf("20261120_090000_N")) expect([200, 404]).toContain(await checked(path));
  const foreign = ["x", "..", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "%00", `${keyAt(0)}%00`, "%ff", "a".repeat(4000)];
  for (const key of [...foreign, "20261399_081500_N", "__proto__", `${keyAt(0)}%0d%0aX:1`])
    for (const path of pathsOf(key)) await checked(path);
  expect(await checked("/media/out/secret")).toBe(404);
  expect(sums()).toEqual(before);
});

test("tracks over the date line, that jump, or by a clock that was set, are told without what cannot be", async () => {
  const tracks = [
    minute((at) =>
      at < 30
        ? sentence(at, "1700.0", `17959.${90_000 + at * 300}`)
        : sentence(at, "1700.0", `17959.${108_000 - at * 300}`, "W"),
    ),
    minute((at) => sentence(at, `${10 + at}00.0`, "01100.0")),
    minute((at) => sentence(at + (at > 30 ? 3600 : 0), "4800.0", "01100.0")),
    minute(() => sentence(0, "4800.0", "01100.0")),
  ];
  for (const [at, track] of tracks.entries()) {
    put(`${keyAt(at, "10")}F.mp4`);
    put(`${keyAt(at, "10")}.gps`, track);
  }
  await app.app.library.refresh();
  const told = async (key: string) =>
    v.parse(TELEMETRY, await (await fetch(`${app.url}/api/viewer/recordings/${key}/journey/telemetry`)).json());
  const all = await told(keyAt(0, "10"));
  expect(all.segments.map(({ track }) => track?.t.length)).toEqual([60, 1, 29, 1]);
  expect(all.segments[0]?.track?.breaks).toEqual([]);
  // One fix is left of those that all jump.
  expect(all.segments[1]?.track?.breaks).toEqual([]);
  expect(all.segments[2]?.track?.t.at(-1)).toBeLessThanOrEqual(60);
  // Some hundred metres over the date line, nothing by the jumps, and nothing while the car stands.
  expect(all.distance_meters).toBeLessThan(1000);
  for (const path of tracks.flatMap((_, at) => pathsOf(keyAt(at, "10"))))
    expect([200, 404]).toContain(await checked(path));
});

test("a folder that comes and goes in the middle of requests is there or it is not", async () => {
  put(`${keyAt(0, "11")}F.mp4`, new Uint8Array(50_000));
  put(`${keyAt(0, "11")}.gps`, straight);
  put(`${keyAt(0, "11")}.3gf`, new Uint8Array(6000));
  await app.app.library.refresh();
  let isOver = false;
  const statuses = new Set<number>();
  const asking = Array.from({ length: 4 }, async () => {
    for (let round = 0; round < 4; round++)
      // A body whose length was promised breaks off.
      for (const path of pathsOf(keyAt(0, "11")))
        statuses.add(await checked(path).catch((error) => (error instanceof TypeError ? 0 : Promise.reject(error))));
  });
  const moving = (async () => {
    for (let away = true; !isOver || !away; away = !away) {
      renameSync(...((away ? [folder, `${folder}-away`] : [`${folder}-away`, folder]) as [string, string]));
      await fetch(`${app.url}/healthz`);
    }
  })();
  await Promise.all(asking);
  isOver = true;
  await moving;
  expect([...statuses].filter((status) => ![0, 200, 404].includes(status))).toEqual([]);
});
