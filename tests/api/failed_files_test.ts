import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { FAILURE_CAUSES } from "../../server/domain/runs/failure_cause.ts";
import { failureWords } from "../../server/domain/runs/failure_text.ts";
import type { FailedFile, FailedFileNow, RunDetail } from "../../server/domain/runs/run_detail.ts";
import { runId } from "../../server/domain/runs/run_id.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { runAt } from "../support/app/history.ts";
import { cardOf, VIDEOS } from "../support/app/sync.ts";

setDefaultTimeout(30_000);

const START = "2026-06-07T11:14:00Z";
const KEEP = { retention: { keep: "" } } as const;
const BAD = "20260607_101500_NF.mp4";
const OTHER = "20260607_101500_NR.mp4";
const DAY_MS = 86_400_000;

/** A sync from beginning to end; answers the detail of its run. */
async function sync(running: RunningApp): Promise<RunDetail> {
  await running.client.open("/");
  expect((await running.client.send("POST", "/api/sync/now")).status).toBe(202);
  await running.synced();
  return await latest(running);
}

async function detail(running: RunningApp, id: string): Promise<RunDetail> {
  return (await (await running.client.fetch(`/api/runs/${id}`)).json()) as RunDetail;
}

async function latest(running: RunningApp): Promise<RunDetail> {
  const run = running.app.history.latest();
  if (run === null) throw new Error("no run has ended");
  return await detail(running, runId(run));
}

/** Two of the card's four videos cannot be read, until the camera is well again. */
async function troubled(clock = new FakeClock(START), folder?: string) {
  const running = await startApp({ clock, settings: KEEP, card: cardOf(VIDEOS), ...(folder && { folder }) });
  const heal = [BAD, OTHER].map((name) => running.simulator.fault({ name: "error-500", match: new RegExp(name) }));
  const all = () => {
    for (const lift of heal) lift();
  };
  return { running, clock, heal: all };
}

const standings = ({ failed }: RunDetail) => failed.files.map(({ name, standing }) => [name, standing]);
const markers = ({ destination }: RunningApp) =>
  readdirSync(destination, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".failed"));
const send = async ({ client }: RunningApp, body: unknown) => {
  const answer = await client.send("POST", "/api/sync/retry", body);
  return [answer.status, await answer.json()];
};

describe("the detail of a run", () => {
  test("tells what came, what was left out, what failed and when that is tried again", async () => {
    const { running, clock } = await troubled();
    await using _ = running;
    const found = await sync(running);
    expect(found).toMatchObject({
      mood: "attention",
      outcome: "Partly",
      address: running.simulator.address,
      failure: { sentence: "2\u00a0recordings could not be brought home.", action: { kind: "show-files" } },
      recordings: 2,
      listed: 4,
      chosen: 4,
      waiting: { total: 0, by_cause: [], files: [] },
    });
    expect(found.files).toBeGreaterThan(2);
    expect(found.bytes).toBeGreaterThan(400_000);
    const file: Omit<FailedFileNow, "name"> = {
      reason: "http",
      sentence: "The camera answered with an error.",
      more: "The camera answered with status 500.",
      standing: "waiting",
      retry_at: clock.now() + DAY_MS,
    };
    expect(found.failed).toEqual({
      total: 2,
      by_cause: [
        {
          sentence: "The camera answered with an error.",
          recordings: 2,
          files: 2,
          from: BAD,
          to: OTHER,
          first_at: Date.parse(START),
          last_at: Date.parse(START),
        },
      ],
      files: [
        { name: BAD, ...file },
        { name: OTHER, ...file },
      ],
    });
    // The next run leaves them alone: what it found at home and what still waits is told with it.
    await clock.advance(60_000);
    const next = await sync(running);
    expect(next.failed.total).toBe(0);
    expect(next.waiting.files.map(({ name, standing }) => [name, standing])).toEqual([
      [BAD, "waiting"],
      [OTHER, "waiting"],
    ]);
    expect(next.not_brought).toContainEqual({
      rule: "blocked",
      of: "files",
      count: 2,
      words: "waiting after an earlier failure",
    });
    // A day later nothing holds them back.
    await clock.advance(DAY_MS);
    expect(standings(await detail(running, found.id))).toEqual([
      [BAD, "next-run"],
      [OTHER, "next-run"],
    ]);
  });

  test("is the same after a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
    try {
      const clock = new FakeClock(START);
      let before: RunDetail;
      {
        const { running } = await troubled(clock, folder);
        await using _ = running;
        before = await sync(running);
      }
      await using running = await startApp({ clock, folder, settings: KEEP });
      expect(await latest(running)).toEqual(before);
      expect(before.failed.total).toBe(2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("is told of no run that is not there", async () => {
    await using running = await startApp();
    for (const id of ["0", "1", "999999999999999", "1e3", "-1", "..%2f..", "x".repeat(300), "NaN"]) {
      const answer = await running.client.fetch(`/api/runs/${id}`);
      expect([id, answer.status, (await answer.json()).code]).toEqual([id, 404, "RUN_NOT_FOUND"]);
      expect((await running.client.fetch(`/stats/runs/${id}`)).status).toBe(404);
      expect((await running.client.fetch(`/hx/stats/runs/${id}`)).status).toBe(404);
    }
  });

  test("knows a file that was passed over since, and one that was deleted here", async () => {
    const { running, clock } = await troubled();
    await using _ = running;
    const found = await sync(running);
    for (const name of markers(running)) rmSync(join(running.destination, name));
    for (const name of [BAD, OTHER]) running.simulator.card.overwrite(name);
    await clock.advance(60_000);
    await sync(running);
    expect(standings(await detail(running, found.id))).toEqual([
      [BAD, "passed"],
      [OTHER, "passed"],
    ]);
  });
});

describe("Retry", () => {
  test("of one brings that file home when the camera is well again, and leaves the other alone", async () => {
    const { running, clock, heal } = await troubled();
    await using _ = running;
    const found = await sync(running);
    await clock.advance(60_000);
    heal();
    const [status, body] = await send(running, { files: [BAD] });
    expect([status, body]).toEqual([
      202,
      { job_id: expect.stringMatching(/^[0-9a-f]{32}$/), retried: 1, recordings: 1 },
    ]);
    expect(await running.synced()).toMatchObject({ job_id: body.job_id, state: "completed" });
    expect(standings(await detail(running, found.id))).toEqual([
      [BAD, "home"],
      [OTHER, "waiting"],
    ]);
    expect(markers(running)).toEqual([expect.stringContaining(OTHER)]);
    expect(await send(running, { files: [BAD] })).toMatchObject([404, { code: "NOTHING_TO_RETRY" }]);
  });

  test("of all brings every file home", async () => {
    const { running, clock, heal } = await troubled();
    await using _ = running;
    const found = await sync(running);
    await clock.advance(60_000);
    heal();
    expect(await send(running, { all: true })).toMatchObject([202, { retried: 2 }]);
    await running.synced();
    expect(standings(await detail(running, found.id))).toEqual([
      [BAD, "home"],
      [OTHER, "home"],
    ]);
    expect(markers(running)).toEqual([]);
    expect(await send(running, { all: true })).toMatchObject([404, { code: "NOTHING_TO_RETRY" }]);
  });

  test("while a sync runs takes away what holds them back, and the next one brings them", async () => {
    const { running, clock, heal } = await troubled();
    await using _ = running;
    await sync(running);
    heal();
    await clock.advance(60_000);
    running.simulator.card.record("20260607_104500_NF.mp4");
    running.simulator.fault({ name: "stall", match: /104500_NF/ });
    await running.client.send("POST", "/api/sync/now");
    await running.simulator.asked(/104500_NF/);
    const [status, body] = await send(running, { all: true });
    expect([status, body.code, body.details]).toEqual([
      409,
      "SYNC_ALREADY_RUNNING",
      { current_job_id: running.app.job.snapshot.job_id, retried: 2, recordings: 2 },
    ]);
    expect(markers(running)).toEqual([]);
    await running.client.send("POST", "/api/sync/stop");
    await running.synced();
    running.app.job.start("manual");
    await running.simulator.asked(new RegExp(BAD));
    await running.client.send("POST", "/api/sync/stop");
    await running.synced();
  });

  test("takes names of recordings' files that failed, and nothing else", async () => {
    const { running } = await troubled();
    await using _ = running;
    await sync(running);
    writeFileSync(join(running.folder, `${BAD}.failed`), "");
    const refused: unknown[] = [
      {},
      { all: false },
      { all: true, files: [BAD] },
      { files: BAD },
      { files: [] },
      { files: [BAD, 5] },
      { files: [`../${BAD}`] },
      { files: [`./${BAD}`] },
      { files: [`${BAD}.failed`] },
      { files: ["<script>"] },
      { files: ["20260231_101500_NF.mp4"] },
      { files: [`${BAD}\0`] },
      { files: Array(1001).fill(BAD) },
    ];
    for (const body of refused)
      expect([body, ...(await send(running, body))]).toMatchObject([body, 400, { code: "INVALID_BODY" }]);
    // At home, or never seen.
    for (const name of ["20260607_101600_EF.mp4", "20200101_000000_NF.mp4"])
      expect(await send(running, { files: [name] })).toMatchObject([404, { code: "NOTHING_TO_RETRY" }]);
    expect(existsSync(join(running.folder, `${BAD}.failed`))).toBe(true);
    expect(markers(running)).toHaveLength(2);
    running.client.token = "x";
    expect(await send(running, { all: true })).toMatchObject([403, { code: "CSRF_FAILED" }]);
  });

  test("without a camera's address only takes away what holds them back", async () => {
    const { running } = await troubled();
    await using _ = running;
    await sync(running);
    await running.client.send("PATCH", "/api/settings/connection", { address: "" });
    expect(await send(running, { all: true })).toEqual([202, { job_id: null, retried: 2, recordings: 2 }]);
    expect(markers(running)).toEqual([]);
    expect(running.app.job.isRunning).toBe(false);
  });
});

describe("the page of a run", () => {
  const read = async (running: RunningApp, path: string) =>
    (await running.client.open(path)).text.replaceAll(/[\u00a0\u202f]/g, " ").replaceAll("&#39;", "'");

  test("is complete without script, Retry too", async () => {
    const { running, clock, heal } = await troubled();
    await using _ = running;
    const { id } = await sync(running);
    await clock.advance(60_000);
    const path = `/stats/runs/${id}`;
    const text = await read(running, path);
    for (const part of [
      "2 of 4 recordings downloaded. 2 failed.",
      "2 recordings failed",
      BAD,
      "The camera answered with an error.",
      "Tried again after",
      `aria-label="Retry ${BAD}"`,
      "Retry all",
      `action="${path}"`,
    ])
      expect(text).toContain(part);
    for (const place of ["/hx/sync/last-run-card", "/hx/stats/runs?range=all", "/"])
      expect(await read(running, place)).toContain(`href="${path}#failed-files"`);
    heal();
    const answer = await running.client.submit(path, { file: BAD });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${path}?retried=1&recordings=1`]);
    await running.synced();
    expect(await read(running, `${path}?retried=3&recordings=1`)).toContain(
      "1 recording and 2 small files to be tried again now.",
    );
    expect(await read(running, path)).toContain("Is at home now");
    const nothing = await running.client.submit(path, { file: "../../etc/passwd" });
    expect(nothing.headers.get("location")).toBe(`${path}?retried=0`);
    const all = await running.client.submit(path, { all: "1" });
    expect(all.headers.get("location")).toBe(`${path}?retried=1&recordings=1`);
    await running.synced();
    expect(markers(running)).toEqual([]);
    expect((await running.client.fetch(path, { method: "POST", body: new URLSearchParams({ all: "1" }) })).status).toBe(
      403,
    );
  });

  test("shows names and sentences as text, whatever is in the history", async () => {
    const clock = new FakeClock(START);
    await using running = await startApp({ clock });
    const EVIL = `<img src=x onerror=alert(1)>"'&`;
    const run = runAt(clock.now() / 1000, {
      success: false,
      cause: "in-the-way",
      message: EVIL,
      failures: { unknown: 2 },
    });
    running.app.history.append(run, [{ name: EVIL, reason: "unknown", cause: "in-the-way", message: EVIL }]);
    for (const path of [
      `/stats/runs/${runId(run)}`,
      "/hx/sync/last-run-card",
      "/hx/stats/runs",
      "/hx/dashcam-card",
      "/",
    ]) {
      const text = await read(running, path);
      expect(text).not.toContain("<img src=x");
    }
    expect(await read(running, `/stats/runs/${runId(run)}`)).toContain("&lt;img src=x");
  });

  test("shows the first fifty of a thousand failed files, and all on request", async () => {
    const clock = new FakeClock(START);
    await using running = await startApp({ clock });
    const files: FailedFile[] = Array.from({ length: 1000 }, (_, at) => ({
      name: `20260607_${String(100_000 + (at % 60) + 100 * Math.floor(at / 60)).padStart(6, "0")}_NF.mp4`,
      reason: "network",
      cause: "cut",
      message: "the camera sent 3 of 9 bytes",
    }));
    const run = runAt(clock.now() / 1000, { failures: { network: 1204 } });
    running.app.history.append(run, files);
    const path = `/stats/runs/${runId(run)}`;
    const shown = (text: string) => text.match(/<li id="file-/g)?.length;
    const text = await read(running, `/hx${path}`);
    expect(shown(text)).toBe(50);
    expect(text).toContain("The first 50 of 1 204.");
    // One error is one row.
    expect(text.match(/class="cause is-failed"/g)?.length).toBe(1);
    expect(text).toContain("1 000 recordings failed");
    expect(text.length).toBeLessThan(60_000);
    const all = await read(running, `${path}?files=all`);
    expect(shown(all)).toBe(1000);
    expect(all).toContain("The first 1 000 of 1 204.");
    expect(await detail(running, runId(run))).toMatchObject({ failed: { total: 1204, files: { length: 1000 } } });
    expect((await send(running, { all: true }))[1]).toMatchObject({ retried: 1000 });
    await running.client.send("POST", "/api/sync/stop");
    await running.synced();
  });
});

test("what solves a failure leads to a page that is there, and to the very field", async () => {
  await using running = await startApp();
  const ways = FAILURE_CAUSES.flatMap((cause) =>
    [0, 1].map((inTrash) => failureWords({ cause, reason: "unknown" }, { inTrash }).action?.href ?? "/"),
  );
  for (const way of new Set(ways)) {
    const [path = "", field] = way.split("#");
    const answer = await running.client.fetch(path);
    const text = await answer.text();
    expect([way, answer.status, field === undefined || text.includes(`id="${field}"`)]).toEqual([way, 200, true]);
  }
});

describe("the camera's card does not contradict the last run", () => {
  const card = async (running: RunningApp) => {
    const text = await (await running.client.fetch("/hx/dashcam-card")).text();
    return /class="state is-(\w+)">.*?<\/svg>([^<]+)</.exec(text)?.slice(1, 3);
  };
  const rows = [
    ["list-html", ["attention", "Not the camera"]],
    ["list-garbage", ["attention", "Not the camera"]],
    ["list-500", ["attention", "In trouble"]],
    ["list-empty", ["fine", "Reachable"]],
  ] as const;
  test.each(rows)("after %s", async (fault, expected) => {
    await using running = await startApp({ clock: new FakeClock(START), card: new SimulatedCard(syntheticFootage(9)) });
    running.simulator.fault(fault);
    expect(await card(running)).toEqual(["fine", "Reachable"]);
    await sync(running);
    expect(await card(running)).toEqual([...expected]);
  });

  test("after it has gone, though it has just answered, and when it is back", async () => {
    const clock = new FakeClock(START);
    await using running = await startApp({ clock });
    expect(await card(running)).toEqual(["fine", "Reachable"]);
    await running.simulator.goAway();
    await clock.advance(1000);
    await sync(running);
    expect(await card(running)).toEqual(["waiting", "Away"]);
    const { sentence, action } = await (await running.client.fetch("/api/overview")).json();
    expect([sentence, action.kind]).toEqual(["The camera has not been reached yet.", "check-camera"]);
    await running.simulator.comeBack();
    await clock.advance(5000);
    expect(await card(running)).toEqual(["fine", "Reachable"]);
    expect((await (await running.client.fetch("/api/overview")).json()).sentence).toBe("The camera answers now.");
  });
});
