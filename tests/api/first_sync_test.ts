import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApp } from "../support/app/app.ts";

setDefaultTimeout(30_000);

/** The trigger of the latest run, as its detail tells it. */
async function latestRun(running: Awaited<ReturnType<typeof startApp>>) {
  const run = running.app.history.latest();
  const answer = await running.client.fetch(`/api/runs/${Math.round((run?.ts ?? 0) * 1000)}`);
  return (await answer.json()) as { trigger: string; deleted: unknown };
}

test("with an address and no run yet the first one begins with the first start, and deletes nothing", async () => {
  await using running = await startApp({ settings: { retention: { keep: "1d", trash_days: 7 } } });
  mkdirSync(running.destination);
  const old = join(running.destination, "20200101_120000_NF.mp4");
  writeFileSync(old, "an old recording");
  running.app.start();
  expect(running.app.job.isRunning).toBe(true);
  await running.synced();
  expect(running.app.history.latest()).toMatchObject({ success: true, trigger: "first" });
  expect(await latestRun(running)).toMatchObject({ trigger: "first", deleted: null });
  expect(await Bun.file(old).exists()).toBe(true);
  await running.client.open("/");
  await running.client.send("POST", "/api/sync/now");
  await running.synced();
  expect(await latestRun(running)).toMatchObject({ trigger: "hand" });
});

test("a later start begins none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-first-"));
  try {
    {
      await using running = await startApp({ folder });
      running.app.start();
      await running.synced();
    }
    await using running = await startApp({ folder });
    running.app.start();
    expect(running.app.job.isRunning).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([
  { what: "no address", settings: { connection: { address: "" } } },
  { what: "a schedule that is paused", settings: { schedule: { paused: true } } },
])("with $what no run begins", async ({ settings }) => {
  await using running = await startApp({ settings });
  running.app.start();
  expect(running.app.job.isRunning).toBe(false);
});
