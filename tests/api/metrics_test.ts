import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { play, type Scenario } from "../support/app/scenarios.ts";

setDefaultTimeout(20_000);

const TOKEN = "a-scrape-token-of-twenty";
const TEXT = { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" };
/** Every line of the format: a comment, or a name with labels and a number. */
const EXPOSITION = /^(# (HELP|TYPE) dashdock_[a-z_]+ .+\n|dashdock_[a-z_]+(\{[a-z]+="[^"]*"\})? [0-9.e+-]+\n)*$/;

async function open(options: Parameters<typeof startApp>[0] = {}): Promise<RunningApp> {
  const running = await startApp({ clock: new FakeClock(), ...options });
  await running.client.open("/");
  return running;
}

async function sync(running: RunningApp) {
  expect((await running.client.send("POST", "/api/sync/now")).status).toBe(202);
  return await running.synced();
}

const scrape = async ({ client }: RunningApp) => await (await client.fetch("/metrics")).text();
const bearer = (token: string): Scenario["ask"] => ["GET", "/metrics", undefined, { authorization: token }];

describe("GET /metrics", () => {
  test("is not there until it is turned on, and again when it is turned off", async () => {
    await using running = await open();
    const hidden: Scenario = { name: "off", ask: ["GET", "/metrics"], status: 404, lacks: [/dashdock_[a-z]+_total/] };
    await play(running.client, hidden);
    await running.client.send("PATCH", "/api/settings/metrics", { scrape: true });
    await play(running.client, {
      name: "on",
      ask: ["GET", "/metrics"],
      status: 200,
      headers: TEXT,
      says: [EXPOSITION],
    });
    await running.client.send("PATCH", "/api/settings/metrics", { scrape: false });
    await play(running.client, hidden);
  });

  test("tells how the service stands: what waits, what is home, when it last went well, and its version", async () => {
    await using running = await open({ settings: { metrics: { scrape: true }, retention: { keep: "" } } });
    const sampleOf = (text: string, name: string) =>
      new RegExp(`^dashdock_${name}(?:{.*})? (.*)$`, "m").exec(text)?.[1];
    const before = await scrape(running);
    const unknown = ["recordings_waiting", "recordings_home", "last_good_run_timestamp_seconds"];
    for (const name of unknown) expect([name, sampleOf(before, name)]).toEqual([name, undefined]);
    expect(before).toMatch(/^dashdock_build_info{version="[0-9]+\.[0-9]+\.[0-9]+.*"} 1$/m);
    await sync(running);
    const after = await scrape(running);
    const ended = String(running.app.history.latest()?.ts);
    for (const [name, value] of [
      ["recordings_waiting", "0"],
      ["recordings_home", "4"],
      ["last_good_run_timestamp_seconds", ended],
      ["camera_last_seen_timestamp_seconds", expect.stringMatching(/^[0-9]{10}/)],
      ["config_disk_full", "0"],
      ["destination_unknown", "0"],
    ] as const)
      expect([name, sampleOf(after, name)]).toEqual([name, value]);
    renameSync(running.destination, `${running.destination}.away`);
    mkdirSync(running.destination);
    await running.app.library.refresh();
    expect(sampleOf(await scrape(running), "destination_unknown")).toBe("1");
  });

  test("needs no session, also where sign-in is on", async () => {
    await using running = await open({ mode: "login", password: "a long enough password" });
    await running.app.settings.update((latest) => ({ ...latest, metrics: { ...latest.metrics, scrape: true } }));
    await play(running.client, { name: "scraper", ask: ["GET", "/metrics"], status: 200, headers: TEXT });
  });

  test("with a token is only for those who bring it", async () => {
    await using running = await open();
    const metrics = { ...running.app.settings.current.metrics, scrape: true, scrape_token: TOKEN };
    await running.app.settings.update((latest) => ({ ...latest, metrics }));
    const no = { status: 401, headers: { "www-authenticate": "Bearer" }, lacks: ["dashdock_", TOKEN] };
    for (const token of ["", TOKEN, `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, `Bearer${TOKEN}`, "Bearer "])
      await play(running.client, { name: token, ask: bearer(token), ...no });
    await play(running.client, { name: "any case", ask: bearer(`bearer ${TOKEN}`), status: 200, headers: TEXT });
    await play(running.client, { name: "right", ask: bearer(`Bearer ${TOKEN}`), status: 200, headers: TEXT });
  });

  test("counts runs, files, bytes and failures, and goes on counting after a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
    try {
      const settings = { metrics: { scrape: true } };
      let bytes = 0;
      {
        await using running = await open({ folder, settings });
        expect(await scrape(running)).toContain("\ndashdock_runs_total 0\n");
        bytes = (await sync(running)).bytes_downloaded_total;
        running.simulator.fault("list-500");
        await sync(running);
        const text = await scrape(running);
        expect(text).toMatch(EXPOSITION);
        expect(text).toContain("\ndashdock_runs_total 2\n");
        expect(text).toContain("\ndashdock_last_run_success 0\n");
        expect(text).toContain('\ndashdock_last_run_failure{reason="http"} 1\n');
      }
      await using running = await open({ folder, settings });
      const after = await scrape(running);
      for (const line of [
        "runs_total 2",
        "runs_failed_total 1",
        "runs_offline_total 0",
        "files_downloaded_total 12",
        `bytes_downloaded_total ${bytes}`,
      ])
        expect(after).toContain(`\ndashdock_${line}\n`);
      // The latest run is told of from history, until there is another.
      expect(after).toContain("dashdock_last_run_success 0\n");
      await running.simulator.goAway();
      await sync(running);
      const away = await scrape(running);
      for (const line of ["runs_total 3", "runs_failed_total 2", "runs_offline_total 1"])
        expect(away).toContain(`\ndashdock_${line}\n`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("tells of no recording by name", async () => {
    await using running = await open({ settings: { metrics: { scrape: true } } });
    running.simulator.fault({ name: "error-500", match: /NR\.mp4/ });
    await sync(running);
    const text = await scrape(running);
    expect(text).toContain('\ndashdock_file_failures_total{reason="http"} 2\n');
    expect(text).not.toMatch(/[0-9]{8}_[0-9]{6}/);
  });
});

describe("after a sync", () => {
  test("the metrics file holds its figures, whole and with nothing beside it", async () => {
    await using running = await open();
    const file = join(running.folder, "metrics.prom");
    await running.client.send("PATCH", "/api/settings/metrics", { file });
    await sync(running);
    const text = await readFile(file, "utf8");
    expect(text).toMatch(EXPOSITION);
    expect(text).toContain("\ndashdock_files_downloaded_last_run 12\n");
    expect((await readdir(running.folder)).sort()).toEqual(["config", "metrics.prom", "recordings"]);
  });

  test("the figures are sent to the gateway, under job and instance, before the end is told", async () => {
    const pushed: { method: string; path: string; type: string | null; text: string }[] = [];
    const gateway = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const type = request.headers.get("content-type");
        pushed.push({ method: request.method, path: new URL(request.url).pathname, type, text: await request.text() });
        return new Response(null, { status: 202 });
      },
    });
    try {
      const metrics = { pushgateway_url: `http://127.0.0.1:${gateway.port}/`, job: "my/car" };
      await using running = await open({ settings: { metrics } });
      await sync(running);
      expect(pushed).toHaveLength(1);
      const instance = encodeURIComponent(running.simulator.address);
      expect(pushed[0]).toMatchObject({ method: "PUT", path: `/metrics/job/my%2Fcar/instance/${instance}` });
      expect(pushed[0]?.type).toBe("text/plain; version=0.0.4; charset=utf-8");
      expect(pushed[0]?.text).toContain("\ndashdock_last_run_success 1\n");
    } finally {
      await gateway.stop(true);
    }
  });

  test("a file or a gateway that cannot be had is a warning, and the run stays what it was", async () => {
    const metrics = { file: "/nowhere/at/all/metrics.prom", pushgateway_url: "http://127.0.0.1:1" };
    await using running = await open({ settings: { metrics } });
    expect(await sync(running)).toMatchObject({ state: "completed" });
    const warnings = running.app.log.lines.filter(({ level }) => level === "WARNING").map(({ message }) => message);
    expect(warnings).toEqual([
      expect.stringMatching(/^Cannot write the metrics file \(ENOENT\)/),
      expect.stringMatching(/^Cannot push metrics: /),
    ]);
    expect(running.app.history.latest()).toMatchObject({ success: true });
  });
});
