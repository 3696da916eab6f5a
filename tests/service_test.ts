import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { simulatedCard, syntheticFootage } from "../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator } from "../server/dashcam/simulator/simulator.ts";
import { type Place, temporaryPlace } from "./support/app/process.ts";
import {
  call,
  openSettings,
  putSettings,
  serve,
  serveArgs,
  settingsPath,
  storedSettings,
} from "./support/app/service.ts";
import { compareWithCard } from "./support/app/sync.ts";
import { logged, progressed } from "./support/browser/frames.ts";

setDefaultTimeout(20_000);

let place: Place;
let camera: Simulator;
beforeEach(async () => {
  place = await temporaryPlace();
  const now = Date.UTC(2026, 5, 7, 10, 20);
  camera = await openSimulator({ card: simulatedCard({ recordings: 2, now, footage: syntheticFootage(400_000) }) });
});
afterEach(async () => {
  await camera.close();
  await place[Symbol.asyncDispose]();
});

interface RunRow {
  success: number;
  bytes: number;
  failures_json: string;
}

function runsIn(path: string): RunRow[] {
  using db = new Database(path, { readonly: true });
  return db.query<RunRow, []>("select success, bytes, failures_json from runs order by ts_seconds").all();
}

const home = () =>
  compareWithCard(place.at("recordings"), async (name) =>
    camera.card.files.has(name) ? camera.card.bytes(name) : null,
  );

describe("serve", () => {
  test("prints one line on standard output, its log on standard error, and ends on a signal with 0", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      await using service = await serve(place);
      expect(await (await fetch(`${service.url}/healthz`)).json()).toEqual({ status: "ok" });
      service.running.signal(signal);
      const { code, out, err } = await service.running.ended;
      expect(code).toBe(0);
      expect(out).toMatch(/^Dashdock [0-9.]+ listening on http:\/\/127\.0\.0\.1:[1-9][0-9]*\n$/);
      for (const line of err.trimEnd().split("\n"))
        expect(line).toMatch(/^[0-9]{4}-[0-9-]+ [0-9:]+,[0-9]{3} [+-][0-9:]{5}: INFO \S/);
      expect(err).toContain("Stopping");
    }
  });

  test("ends on a signal also while a disk keeps its stores from being opened", async () => {
    await mkdir(place.at("config"), { recursive: true });
    // Reading a pipe that has no writer never ends.
    expect(Bun.spawnSync(["mkfifo", place.at("config", "kept-marks.json")]).exitCode).toBe(0);
    await using running = call(place, serveArgs(place));
    // The last line before the stores are open.
    await running.says(/Recordings go to/, "err");
    running.signal("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0, out: "" });
    expect(existsSync(place.at("config", "listening.json"))).toBe(false);
  });

  test("starts in any folder", async () => {
    const main = `${import.meta.dir}/../server/main.ts`;
    await using service = await serve(place, [], { program: { command: [process.execPath, main], cwd: place.cwd } });
    expect((await fetch(`${service.url}/login`)).status).toBe(200);
  });

  test("keeps its settings and its log to itself", async () => {
    await using _ = await serve(place);
    const modeOf = async (...names: string[]) => ((await stat(place.at("config", ...names))).mode & 0o777).toString(8);
    expect(await modeOf("settings.json")).toBe("600");
    expect(await modeOf("logs", "dashdock.log")).toBe("600");
  });

  test("says in one line that its port is taken, and ends with 2", async () => {
    await using first = await serve(place);
    await using other = await temporaryPlace();
    const { port } = new URL(first.url);
    const { code, out, err } = await call(other, [...serveArgs(other), "--port", port]).ended;
    expect([code, out]).toEqual([2, ""]);
    const said = err.split("\n").filter((line) => line !== "" && !/: INFO /.test(line));
    expect(said).toEqual([
      expect.stringMatching(new RegExp(`^Dashdock cannot listen: .*${port}.* Choose another one with --port`)),
    ]);
  });

  test("takes the port of its settings when none is given, and the health check finds it there", async () => {
    const port = freePort();
    putSettings(place, openSettings(camera.address, { web: { port } }));
    const folders = ["--config", place.at("config"), "--destination", place.at("recordings")];
    const check = () => call(place, ["healthcheck", "--config", place.at("config")]).ended;
    expect(await check()).toEqual({ code: 1, out: "", err: `Nothing answers on port ${port}\n` });
    await using running = call(place, ["serve", ...folders], { env: { SERVICE_HOST: "127.0.0.1" } });
    await running.says(new RegExp(`listening on http://127\\.0\\.0\\.1:${port}\n`));
    expect(await check()).toEqual({ code: 0, out: "", err: "" });
    running.signal("SIGTERM");
    await running.ended;
    expect((await check()).code).toBe(1);
  });

  test("is found by the health check where it listens, whatever its settings say of the next start", async () => {
    putSettings(place, openSettings(camera.address, { web: { port: freePort() } }));
    await using service = await serve(place);
    expect(new URL(service.url).port).not.toBe("");
    const { code, err } = await call(place, ["healthcheck", "--config", place.at("config")]).ended;
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  test("sets a damaged history aside, begins another and says so", async () => {
    putSettings(place, openSettings(camera.address));
    await writeFile(place.at("config", "stats.db"), "this is no database".repeat(500));
    await using service = await serve(place);
    expect(await logged(service.client, /stats\.db/)).toMatch(/stats\.db/);
    const [aside, ...others] = (await readdir(place.at("config"))).filter((name) => name.includes(".corrupt-"));
    expect([aside, others]).toEqual([expect.stringMatching(/^stats\.db\.corrupt-[0-9]{8}T[0-9]{6}Z$/), []]);
    expect(await readFile(place.at("config", aside ?? ""), "utf8")).toStartWith("this is no database");
    const series = await service.client.fetch("/api/stats/series?range=all");
    expect(await series.json()).toMatchObject({ summary: { runs: 0 } });
  });
});

describe("a sync in the service", () => {
  test("brings everything home and is in the history when its end can be seen", async () => {
    putSettings(place, openSettings(camera.address));
    await using service = await serve(place);
    const started = await service.client.send("POST", "/api/sync/now", {}, await tokenOf(service.client));
    expect(started.status).toBe(202);
    const { job_id } = (await started.json()) as { job_id: string };
    const end = await progressed(service.client, ({ state }) => state === "completed" || state === "failed");
    expect(end).toMatchObject({ job_id, state: "completed", files_failed: 0 });
    expect(runsIn(place.at("config", "stats.db"))).toMatchObject([{ success: 1 }]);
    expect(await home()).toMatchObject({ whole: camera.card.names().sort(), wrong: [], partials: {} });
  });

  test("stopped by SIGTERM keeps its partial and its row, ends long before the file would, and goes on from there by Range", async () => {
    putSettings(place, openSettings(camera.address));
    camera.rate = 100_000;
    {
      await using service = await serve(place);
      await service.client.send("POST", "/api/sync/now", {}, await tokenOf(service.client));
      await progressed(service.client, (snapshot) => Number(snapshot["bytes_downloaded_total"]) > 20_000);
      camera.rate = 100;
      service.running.signal("SIGTERM");
      const { code, err } = await service.running.ended;
      expect(code).toBe(0);
      expect(err).toMatch(/INFO .*Sync ended with the service/);
      expect(err).not.toMatch(/ERROR|\n\s+at /);
    }
    const [run, ...others] = runsIn(place.at("config", "stats.db"));
    expect(others).toEqual([]);
    expect(run).toMatchObject({ success: 0 });
    const partials = Object.entries((await home()).partials);
    const [[name, size]] = partials as [[string, number]];
    expect([partials.length, run?.bytes]).toEqual([1, size]);
    expect((await home()).wrong).toEqual([]);

    camera.rate = null;
    camera.requests.length = 0;
    await using service = await serve(place);
    await service.client.send("POST", "/api/sync/now", {}, await tokenOf(service.client));
    await progressed(service.client, ({ state }) => state === "completed" || state === "failed");
    const asked = camera.requests.filter(({ path }) => path === `/Record/${name}`);
    expect(asked.map(({ range }) => range)).toContain(`bytes=${size}-`);
    expect(await home()).toMatchObject({ whole: camera.card.names().sort(), wrong: [], partials: {} });
  });

  test("does not keep SIGTERM waiting for readers of its streams", async () => {
    putSettings(place, openSettings(camera.address));
    await using service = await serve(place);
    const streams = await Promise.all(
      ["/api/sync/progress/stream", "/api/logs/stream"].map((path) => service.client.fetch(path)),
    );
    service.running.signal("SIGTERM");
    expect((await service.running.ended).code).toBe(0);
    for (const stream of streams) await stream.body?.cancel();
  });
});

describe("an edit of the settings file by hand", () => {
  test("is in force without a restart", async () => {
    putSettings(place, openSettings(camera.address));
    await using service = await serve(place);
    const settings = await storedSettings(place);
    await writeFile(settingsPath(place), JSON.stringify({ ...settings, viewer: { speed_unit: "mph" } }));
    await logged(service.client, /was edited: the new settings are in force/);
    const now = (await (await service.client.fetch("/api/settings")).json()) as Record<string, unknown>;
    expect(now["viewer"]).toMatchObject({ speed_unit: "mph" });
  });

  test("that cannot be used is refused with a warning, and the running settings stay", async () => {
    putSettings(place, openSettings(camera.address));
    await using service = await serve(place);
    await writeFile(settingsPath(place), '{"viewer": ');
    expect(await logged(service.client, /not valid JSON/)).toContain("The running settings stay.");
    const now = (await (await service.client.fetch("/api/settings")).json()) as Record<string, unknown>;
    expect(now["connection"]).toMatchObject({ address: camera.address });
    expect(await readFile(settingsPath(place), "utf8")).toBe('{"viewer": ');
  });
});

/** The header a change needs, from the page that a browser would have open. */
async function tokenOf(client: { open(path: string): Promise<unknown>; token: string }) {
  await client.open("/");
  return { "x-csrftoken": client.token };
}

/** A port that was free a moment ago. */
function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
