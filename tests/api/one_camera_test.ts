import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROUTES } from "../../server/routes.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";

// With one camera nothing may tell that there can be several: older programs read the same answers and files.
setDefaultTimeout(30_000);

const PROM = "metrics.prom";
/** Answers that are about cameras, or describe all answers. */
/** Lists of the map say of each item whose it is, since one map has those of all cameras. */
const ABOUT_CAMERAS: readonly string[] = [
  "/api/cameras",
  "/api/openapi.json",
  "/api/map/drives",
  "/api/map/passes",
  "/api/viewer/moments",
];
/** Files of the config folder after a run, a recording kept, one deleted, and an end. */
const CONFIG_FILES: readonly string[] = [
  "brought.txt",
  "camera-hints.json",
  "camera-list.txt",
  "camera/config.ini",
  "camera/snapshot.json",
  "card-history.txt",
  "card-memory.json",
  "destination.json",
  "expected-sizes.json",
  "kept-marks.json",
  "last-known.json",
  "ledger.db",
  "library.db",
  "logs/dashdock.log",
  "metrics-state.json",
  "places.db",
  "presence.json",
  "retention.json",
  "settings.json",
  "stats.db",
  "support-key",
];
/** The same of the recordings folder, without recordings and without the trash. */
const DESTINATION_FILES: readonly string[] = [
  ".dashdock.lock",
  ".dashdock/deleted",
  ".dashdock/format",
  ".dashdock/id",
  ".dashdock/kept.json",
  ".dashdock/lock",
  ".dashdock/namesakes",
  ".dashdock/new.jsonl",
  ".dashdock/new.trigger",
  ".dashdock/sums.db",
];

/** Paths of files below a folder, without those that SQLite has beside its databases. */
function filesBelow(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((path) => !statSync(join(folder, path)).isDirectory() && !/\.db-\w+$/.test(path))
    .sort();
}

/** The plan tells where the camera is. */
const PLACES: readonly unknown[] = ["here", "away", "unknown"];

/** Fields `camera` of text anywhere in a value, and texts with the mark of a further camera. */
function tellsOfCameras(value: unknown, path = ""): string[] {
  if (typeof value === "string")
    return /(^|[^\w-])[a-z0-9-]+~[0-9]{8}_|\/media\/~|[?&]camera=/.test(value) ? [`${path}: ${value}`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [
    ...(name === "camera" && typeof one === "string" && !PLACES.includes(one) ? [`${path}.camera: ${one}`] : []),
    ...tellsOfCameras(one, `${path}.${name}`),
  ]);
}

describe("with one camera", () => {
  let running: RunningApp;
  /** Each GET endpoint with a real key, id or name in its path. */
  let paths: readonly string[];
  beforeAll(async () => {
    running = await startApp({
      clock: new FakeClock(),
      settings: { metrics: { scrape: true }, retention: { keep: "" } },
    });
    const { client, app } = running;
    await client.open("/");
    await client.send("PATCH", "/api/settings/metrics", { file: join(running.folder, PROM) });
    app.job.start("manual");
    await running.synced();
    const { days } = (await (await client.fetch("/api/viewer/recordings")).json()) as {
      days: { recordings: { base_filename: string; type: string }[] }[];
    };
    const [first, second] = days.flatMap(({ recordings }) =>
      recordings.map(({ base_filename, type }) => `${base_filename}_${type}`),
    );
    expect((await client.send("PUT", `/api/recordings/${first}/keep`, { note: "mine" })).status).toBe(200);
    expect((await client.send("DELETE", `/api/recordings/${second}`)).status).toBe(200);
    const run = String(app.history.latest()?.ts);
    const asked = ROUTES.filter(({ method, path }) => method === "GET" && !/stream|\*|tiles/.test(path));
    paths = asked.map(({ path }) =>
      path
        .replace("/api/trash/:key", `/api/trash/${second}`)
        .replace(":key", first ?? "")
        .replace(/(?<=runs\/):id/, run)
        .replace(":chapter", "viewer")
        .replace(":camera", "main"),
    );
    expect(paths.length).toBeGreaterThan(70);
  });
  afterAll(() => running[Symbol.asyncDispose]());

  test("no answer has a field camera, and no key or address the id of a camera", async () => {
    const found: Record<string, string[]> = {};
    let answers = 0;
    for (const path of paths.filter((one) => !ABOUT_CAMERAS.includes(one))) {
      const answer = await running.client.fetch(path);
      if (!answer.headers.get("content-type")?.startsWith("application/json")) continue;
      answers++;
      const told = tellsOfCameras(await answer.json());
      if (told.length > 0) found[path] = told;
    }
    expect(found).toEqual({});
    expect(answers).toBeGreaterThan(30);
  });

  test("no page and no fragment leads to one of several cameras", async () => {
    const found: string[] = [];
    let pages = 0;
    for (const path of paths) {
      const answer = await running.client.fetch(path);
      if (!answer.headers.get("content-type")?.startsWith("text/html")) continue;
      // The guide speaks of several cameras, and its tables of the API have their addresses.
      if (path.startsWith("/help")) continue;
      pages++;
      const text = await answer.text();
      const told = /[?&;]camera=|~[0-9]{8}_|\/media\/~|&quot;camera&quot;:&quot;main&quot;/.exec(text)?.[0];
      if (told !== undefined) found.push(`${path}: ${told}`);
    }
    expect(found).toEqual([]);
    expect(pages).toBeGreaterThan(20);
  });

  test("no metric has a label camera, neither asked for nor in the file", async () => {
    const asked = await (await running.client.fetch("/metrics")).text();
    const written = readFileSync(join(running.folder, PROM), "utf8");
    for (const text of [asked, written]) {
      expect(text).toContain("\ndashdock_last_run_success 1\n");
      expect(text).not.toContain("camera=");
    }
  });

  test("the folders have the files that they had, and the settings file names no cameras", async () => {
    await running.stop();
    expect(filesBelow(join(running.folder, "config"))).toEqual([...CONFIG_FILES]);
    const own = filesBelow(running.destination).filter((path) => path.startsWith(".") && !path.includes("/trash/"));
    expect(own).toEqual([...DESTINATION_FILES]);
    const settings = JSON.parse(readFileSync(join(running.folder, "config", "settings.json"), "utf8"));
    expect(settings).not.toHaveProperty("more_cameras");
    expect(settings).not.toHaveProperty("main_camera");
    expect(existsSync(join(running.folder, "config", "cameras"))).toBe(false);
  });
});
