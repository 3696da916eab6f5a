import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { runAt } from "../support/app/history.ts";
import { play } from "../support/app/scenarios.ts";

setDefaultTimeout(20_000);

const MINUTE = 60_000;
const SKIPPED = "scheduled sync skipped: schedule is paused";

/** Before the start, so that the first run is over. */
const EARLIER = runAt(Date.UTC(2026, 5, 7, 9) / 1000);

/** A service at 10:14 whose schedule is on. */
async function scheduled(): Promise<RunningApp & { clock: FakeClock }> {
  const clock = new FakeClock("2026-06-07T10:14:00Z");
  const running = await startApp({ clock });
  await running.client.open("/");
  running.app.history.append(EARLIER);
  running.app.start();
  return Object.assign(running, { clock });
}

const messages = ({ app }: RunningApp) => app.log.lines.map(({ message }) => message);
const isPaused = ({ app }: RunningApp) => JSON.parse(readFileSync(app.settings.path, "utf8")).schedule.paused;

describe("pause and resume", () => {
  test("say what holds now, keep it in the file, and may be repeated", async () => {
    await using running = await scheduled();
    for (const [path, paused] of [
      ["/api/schedule/pause", true],
      ["/api/schedule/pause", true],
      ["/api/schedule/resume", false],
      ["/api/schedule/resume", false],
    ] as const) {
      await play(running.client, { name: path, ask: ["POST", path], status: 200, is: { paused } });
      expect([path, isPaused(running)]).toEqual([path, paused]);
    }
  });

  test("of what is so already does not touch the file", async () => {
    await using running = await scheduled();
    const before = statSync(running.app.settings.path, { bigint: true });
    await running.client.send("POST", "/api/schedule/resume");
    const after = statSync(running.app.settings.path, { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  });
});

describe("the schedule in the service", () => {
  test("starts a sync when it fires, and never at the start", async () => {
    await using running = await scheduled();
    expect(running.app.job.snapshot.state).toBe("idle");
    await running.clock.advance(MINUTE - 1);
    expect(running.app.job.isRunning).toBe(false);
    await running.clock.advance(1);
    expect(running.app.job.isRunning).toBe(true);
    expect(await running.synced()).toMatchObject({ state: "completed", files_completed: 12 });
    expect(running.app.history.latest()).toMatchObject({ success: true });
  });

  test("while paused writes one line per tick and nothing into the history; a sync by hand goes as ever", async () => {
    await using running = await scheduled();
    await running.client.send("POST", "/api/schedule/pause");
    await running.clock.advance(16 * MINUTE);
    expect(messages(running).filter((message) => message === SKIPPED)).toHaveLength(2);
    expect(running.app.history.latest()?.ts).toBe(EARLIER.ts);
    expect((await running.client.send("POST", "/api/sync/now")).status).toBe(202);
    expect(await running.synced()).toMatchObject({ state: "completed" });
    await running.client.send("POST", "/api/schedule/resume");
    await running.clock.advance(15 * MINUTE);
    expect(running.app.job.isRunning).toBe(true);
    await running.synced();
  });

  test("follows a change at once, and says so", async () => {
    await using running = await scheduled();
    const change = { cron_expression: "20 12 * * *", timezone: "Europe/Rome" };
    expect((await running.client.send("PATCH", "/api/settings/schedule", change)).status).toBe(200);
    expect(messages(running)).toContain('Schedule changed from "*/15 * * * *" (UTC) to "20 12 * * *" (Europe/Rome)');
    await running.clock.advance(5 * MINUTE);
    expect(running.app.job.isRunning).toBe(false);
    await running.clock.advance(MINUTE);
    expect(running.app.job.isRunning).toBe(true);
    await running.synced();
  });

  test("a scheduled run deletes what is past retention, a run by hand never does", async () => {
    const clock = new FakeClock("2026-06-07T10:14:00Z");
    await using running = await startApp({ clock, settings: { retention: { keep: "3w" } } });
    await running.client.open("/");
    const old = `${running.destination}/20260501_101500_NF.mp4`;
    await Bun.write(old, "old");
    await running.client.send("POST", "/api/sync/now");
    await running.synced();
    expect(await Bun.file(old).exists()).toBe(true);
    running.app.start();
    await clock.advance(MINUTE);
    await running.synced();
    expect(await Bun.file(old).exists()).toBe(false);
  });
});
