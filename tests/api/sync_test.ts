import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultName } from "../../server/dashcam/simulator/simulator_faults.ts";
import type { Snapshot } from "../../server/domain/sync/job_progress.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { until } from "../support/app/http.ts";
import { expectHeaders, play, refused } from "../support/app/scenarios.ts";
import { Frames, progressed } from "../support/browser/frames.ts";

setDefaultTimeout(20_000);

const HEX = /^[0-9a-f]{32}$/;
/** The simulated recordings are of another year. */
const KEEP_ALL = { retention: { keep: "" } };

async function started(options: AppOptions = {}): Promise<RunningApp> {
  const running = await startApp({ settings: KEEP_ALL, ...options });
  await running.client.open("/");
  return running;
}

const post = ({ client }: RunningApp, path: string) => client.send("POST", path);
const progress = async ({ client }: RunningApp): Promise<Snapshot> =>
  (await (await client.fetch("/api/sync/progress")).json()) as Snapshot;

async function syncNow(running: RunningApp): Promise<string> {
  const answer = await post(running, "/api/sync/now");
  const { job_id } = (await answer.json()) as { job_id: string };
  expect([answer.status, job_id]).toEqual([202, expect.stringMatching(HEX)]);
  return job_id;
}

describe("before any sync", () => {
  test("everything is told as idle", async () => {
    await using running = await started();
    const json = { "content-type": "application/json", "cache-control": "no-store" };
    await play(running.client, {
      name: "progress",
      ask: ["GET", "/api/sync/progress"],
      status: 200,
      headers: json,
      is: {
        job_id: "",
        boot_id: running.app.bootId,
        // The settings of the test were changes already.
        seq: expect.any(Number),
        started_at_wall: 0,
        state: "idle",
        phase: null,
        current_file: null,
        recordings_total: 0,
        recordings_completed: 0,
        recordings_failed: 0,
        files_total: 0,
        files_completed: 0,
        files_failed: 0,
        files_skipped: 0,
        files_here: 0,
        files_absent: 0,
        bytes_downloaded_total: 0,
        bytes_per_second: 0,
        bytes_expected: null,
        bytes_expected_is_guess: false,
        eta_seconds: null,
        eta_grew: null,
        percent: 0,
        failure_reason: null,
        message: null,
        ending: null,
        recordings: null,
      },
    });
    const last = await running.client.fetch("/api/sync/last");
    expect([last.status, await last.text()]).toEqual([204, ""]);
    const nothing = { status: 404, headers: json, is: refused("SYNC_NOT_RUNNING", {}) };
    await play(running.client, { name: "stop", ask: ["POST", "/api/sync/stop"], ...nothing });
  });
});

describe("a sync by hand", () => {
  test("is one at a time, and tells the id of the one that runs", async () => {
    await using running = await started({ rate: 50_000 });
    const id = await syncNow(running);
    expect(await progress(running)).toMatchObject({ job_id: id, state: "running" });
    await play(running.client, {
      name: "a second one",
      ask: ["POST", "/api/sync/now"],
      status: 409,
      is: refused("SYNC_ALREADY_RUNNING", { current_job_id: id }),
    });
    await play(running.client, {
      name: "stop",
      ask: ["POST", "/api/sync/stop"],
      status: 202,
      is: { job_id: id, stopping: true },
    });
    expect(await running.synced()).toMatchObject({ job_id: id, state: "failed", message: "sync stopped by user" });
    const after = { status: 404, is: refused("SYNC_NOT_RUNNING", {}) };
    await play(running.client, { name: "stop once more", ask: ["POST", "/api/sync/stop"], ...after });
  });

  test("counts every file, is in the history when its end is seen, and lets the next one start at once", async () => {
    await using running = await started();
    await using frames = await Frames.open(running.client, "/api/sync/progress/stream");
    const id = await syncNow(running);
    const { data } = await frames.until(({ job_id, state }) => job_id === id && state !== "running");
    const series = running.client.fetch("/api/stats/series?range=all");
    const again = syncNow(running);
    expect(data).toMatchObject({ state: "completed", files_total: 12, files_completed: 12, files_failed: 0 });
    expect(data).toMatchObject({ files_skipped: 0, percent: 100, current_file: null, phase: null, message: null });
    expect(await (await series).json()).toMatchObject({ summary: { runs: 1, bytes: data["bytes_downloaded_total"] } });

    const { data: second } = await frames.until(({ state }) => state === "completed");
    expect(second).toMatchObject({ job_id: await again, files_total: 0, files_completed: 0, files_skipped: 12 });
    expect(Number(second["seq"])).toBeGreaterThan(Number(data["seq"]));
    // Other programs are told of each file once.
    const told = join(running.destination, ".dashdock");
    await until(() => existsSync(join(told, "new.trigger")));
    expect(readFileSync(join(told, "new.jsonl"), "utf8").split("\n")).toHaveLength(12 + 1);
  });

  test("is shown for ten seconds after its end, then all is idle and last answers 204", async () => {
    const clock = new FakeClock();
    await using running = await started({ clock });
    const id = await syncNow(running);
    await running.synced();
    await clock.advance(9_900);
    const shown = { status: 200, has: { job_id: id, state: "completed", files_completed: 12 } };
    await play(running.client, { name: "progress", ask: ["GET", "/api/sync/progress"], ...shown });
    await play(running.client, { name: "last", ask: ["GET", "/api/sync/last"], ...shown });
    await clock.advance(200);
    expect((await running.client.fetch("/api/sync/last")).status).toBe(204);
    expect(await progress(running)).toMatchObject({ job_id: "", state: "idle", files_completed: 0 });
    expect(running.app.history.latest()).toMatchObject({ success: true, files: 12 });
  });

  test("without an address is refused with a sentence, and nothing has run", async () => {
    await using running = await started({ settings: { ...KEEP_ALL, connection: { address: "" } } });
    const answer = await post(running, "/api/sync/now");
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { error: expect.stringMatching(/^No camera address is set yet\. Set it on /), code: "NO_ADDRESS", details: {} },
    ]);
    expect(await progress(running)).toMatchObject({ job_id: "", state: "idle", message: null });
    expect(running.app.history.latest()).toBeNull();
  });

  test("with the camera away fails as network, in one line without a trace", async () => {
    await using running = await started();
    await running.simulator.goAway();
    await syncNow(running);
    expect(await running.synced()).toMatchObject({ state: "failed", failure_reason: "network" });
    const lines = running.app.log.lines.filter(({ logger }) => logger === "sync").map(({ message }) => message);
    expect(lines).toEqual([expect.stringMatching(/^Sync started/), expect.not.stringMatching(/ at |Error/)]);
  });

  test("takes the settings of its start: a change while it runs is for the next", async () => {
    await using running = await started({ rate: 400_000 });
    await syncNow(running);
    await progressed(running.client, (snapshot) => snapshot["phase"] === "downloading");
    const grouping = await running.client.send("PATCH", "/api/settings/sync", { grouping: "daily" });
    expect(grouping.status).toBe(200);
    running.simulator.rate = null;
    expect(await running.synced()).toMatchObject({ state: "completed" });
    expect(running.app.library.folderOf("20260607_101845_NF.mp4")).toBe("");
  });
});

describe("a stop is felt within half a second", () => {
  const LIST = /blackvue_vod/;
  const moments: [when: string, fault: FaultName | null, reached: (running: RunningApp) => Promise<unknown>][] = [
    [
      "while the camera thinks about its first answer",
      "never-answers",
      ({ simulator }) => simulator.asked(/accessible/),
    ],
    ["in the middle of the list", "list-stall", ({ simulator }) => simulator.asked(LIST)],
    [
      "in the middle of a file",
      null,
      ({ client }) => progressed(client, ({ bytes_downloaded_total: bytes }) => Number(bytes) > 10_000),
    ],
    [
      "while a file stalls",
      "stall",
      ({ client }) => progressed(client, ({ bytes_downloaded_total: bytes }) => Number(bytes) > 0),
    ],
  ];
  for (const [when, fault, reached] of moments)
    test(when, async () => {
      // The limits are so long that nothing but the stop can end the run within the test's time.
      const settings = { ...KEEP_ALL, connection: { timeout_seconds: 300 } };
      await using running = await started({ settings, rate: fault === null ? 60_000 : null });
      if (fault !== null) running.simulator.fault(fault);
      await using frames = await Frames.open(running.client, "/api/sync/progress/stream");
      const id = await syncNow(running);
      await reached(running);
      expect((await post(running, "/api/sync/stop")).status).toBe(202);
      const { data } = await frames.until(({ job_id, state }) => job_id === id && state !== "running");
      expect(data).toMatchObject({ state: "failed", failure_reason: "unknown", message: "sync stopped by user" });
      expect(running.app.history.latest()).toMatchObject({ success: false });
    });
});

describe("GET /api/sync/progress/stream", () => {
  test("begins with the present state, also when idle", async () => {
    await using running = await started();
    await using frames = await Frames.open(running.client, "/api/sync/progress/stream");
    expectHeaders(frames.response.headers, {
      "content-type": /^text\/event-stream/,
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    expect(await frames.next()).toMatchObject({ event: "progress", data: { state: "idle", changed: [] } });
  });

  test("sends no frame twice, never an old one, and the last always", async () => {
    await using running = await started({ rate: 600_000 });
    await using frames = await Frames.open(running.client, "/api/sync/progress/stream");
    await frames.next();
    const id = await syncNow(running);
    const seen: Record<string, unknown>[] = [];
    await frames.until((data) => {
      seen.push(data);
      return data["job_id"] === id && data["state"] !== "running";
    });
    expect(seen.length).toBeGreaterThan(2);
    const numbers = seen.map(({ seq }) => Number(seq));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(seen.at(-1)).toEqual({ ...(await progress(running)), changed: expect.any(Array) });
  });

  test("is refused from the 17th on, counted with the log's, until one ends", async () => {
    await using running = await started();
    await using open = new AsyncDisposableStack();
    const one = async (path: string) => open.use(await Frames.open(running.client, path));
    const first = await one("/api/sync/progress/stream");
    for (let number = 2; number <= 16; number++)
      await one(number % 2 ? "/api/sync/progress/stream" : "/api/logs/stream");
    for (const path of ["/api/sync/progress/stream", "/api/logs/stream"])
      await play(running.client, {
        name: path,
        ask: ["GET", path],
        status: 503,
        headers: { "retry-after": "5", "content-type": "application/json" },
        is: refused("TOO_MANY_STREAMS", { limit: 16 }),
      });
    // Asking for the headers alone takes no place.
    expect((await running.client.send("HEAD", "/api/logs/stream")).status).toBe(200);
    await first[Symbol.asyncDispose]();
    await until(() => running.app.streams.open === 15);
    expect((await one("/api/logs/stream")).response.status).toBe(200);
  });
});
