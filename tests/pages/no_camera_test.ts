import { expect, setDefaultTimeout, test } from "bun:test";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { PASSWORD } from "../support/app/http.ts";

setDefaultTimeout(20_000);

const PAGES = ["/", "/viewer", "/stats", "/stats/card", "/logs", "/settings", "/trash"];
const CARDS = [
  "/hx/sync/status-card",
  "/hx/sync/last-run-card",
  "/hx/storage-card",
  "/hx/dashcam-card",
  "/hx/next-scheduled-card",
  "/hx/recent-activity-card",
  "/hx/receipts-card",
  "/hx/day-of-runs-card",
  "/hx/state",
  "/hx/stats/runs",
  "/hx/trash",
];
const HOUR = 3_600_000;

/** A service without the address of a camera, an hour after its start. */
async function anHourIn(settings: Parameters<typeof startApp>[0] = {}): Promise<RunningApp & { clock: FakeClock }> {
  const clock = new FakeClock();
  const running = await startApp({ clock, settings: { connection: { address: "" } }, ...settings });
  running.app.start();
  await running.client.open("/");
  await clock.advance(HOUR);
  return Object.assign(running, { clock });
}

/** Parts of a page that it shows as failed, by colour or shape. Shapes kept for later are no part. */
const redIn = (html: string): string[] =>
  [...html.matchAll(/class="[^"]*\b(?:is-failed|error)\b[^"]*"|href="#s-failed"/g)].map(([found]) => found);

test("before a camera is set nothing has run, nothing is red on any page or card, and the log has no error", async () => {
  await using running = await anHourIn();
  const { app, client } = running;
  expect(app.history.latest()).toBeNull();
  expect(app.job.snapshot.state).toBe("idle");
  for (const path of [...PAGES, ...CARDS]) {
    const answer = await client.fetch(path, { headers: path.startsWith("/hx/") ? { "hx-request": "true" } : {} });
    expect([path, answer.status, ...redIn(await answer.text())]).toEqual([path, 200]);
  }
  for (const path of ["/healthz", "/readyz"]) expect((await client.fetch(path)).status).toBe(200);
  expect(await (await client.fetch("/api/status")).json()).toMatchObject({ next_run_at: null, last_run_state: null });
  expect(app.log.lines.filter(({ level_no }) => level_no >= 30)).toEqual([]);
});

test("the dashboard is the first step: the address with Check, and no sync is offered", async () => {
  await using running = await anHourIn();
  const html = await (await running.client.fetch("/")).text();
  expect(html).toMatch(/<form class="address".*<button[^>]*>Check<\/button>/s);
  expect(html).not.toContain('data-action="sync-now"');
  expect(html).toContain("Runs start once the camera’s address is set.");
});

test("the first step says what the cards say: no next time, nothing to pause, a folder that is still to come", async () => {
  await using running = await anHourIn();
  const { app, client } = running;
  const html = async () => (await client.fetch("/")).text();
  const [start = ""] = /<section[^>]*aria-labelledby="start-next".*?<\/section>/s.exec(await html()) ?? [];
  expect(start).toContain("<dd>Every 15 minutes</dd>");
  expect(await html()).not.toMatch(/data-action="(pause|resume)"/);
  expect(await html()).toMatch(/id="storage-card".*?is-waiting.*?The first sync makes the folder/s);
  await client.send("POST", "/api/schedule/pause");
  expect(app.scheduler.next().paused).toBe(true);
  expect(await html()).toContain("<dd>Every 15 minutes; paused now</dd>");
  expect(await html()).not.toContain("Runs start once");
  expect(await html()).not.toMatch(/data-action="(pause|resume)"/);
});

test("the first step is the second of two only after a page that asked for a password", async () => {
  const NO_CAMERA = { connection: { address: "" } };
  for (const [mode, env, isSecond] of [
    ["none", {}, false],
    ["login", { SERVICE_ADMIN_PASSWORD: PASSWORD }, false],
    ["login", {}, true],
  ] as const) {
    await using running = await startApp({ settings: NO_CAMERA, mode, env, password: PASSWORD });
    const { client } = running;
    if (mode === "login") {
      await client.open("/login");
      await client.submit("/login", { username: "admin", password: PASSWORD });
    }
    const html = await (await client.fetch("/")).text();
    expect([mode, html.includes("What happens next"), html.includes("Step 2 of 2")]).toEqual([mode, true, isSecond]);
  }
});

test("statistics lead to where the address is set, and once it is, to where a sync starts", async () => {
  await using running = await anHourIn();
  const link = async () => {
    const html = await (await running.client.fetch("/stats")).text();
    return /<div class="table-wrap empty">.*?<a class="b" href="\/">(.*?)<\/a>/s
      .exec(html)?.[1]
      ?.replace(/<[^>]*>/g, "");
  };
  expect(await link()).toBe("Set the camera’s address");
  await running.client.send("PATCH", "/api/settings/connection", { address: running.simulator.address });
  expect(await link()).toBe("Sync now from the dashboard");
});

test("metrics tell of no failure, as nothing has failed", async () => {
  await using running = await anHourIn({ settings: { connection: { address: "" }, metrics: { scrape: true } } });
  const text = await (await running.client.fetch("/metrics")).text();
  expect(text).toContain("# TYPE dashdock_");
  expect(text).not.toMatch(/^dashdock_last_run_/m);
  expect(text).not.toMatch(/^dashdock_runs?_(failed|failures)\S* [1-9]/m);
});

test("once the address is set the next tick syncs", async () => {
  await using running = await anHourIn();
  await running.client.send("PATCH", "/api/settings/connection", { address: running.simulator.address });
  await running.clock.advance(15 * 60_000);
  await running.synced();
  expect(running.app.history.latest()).toMatchObject({ success: true });
});
