import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";

setDefaultTimeout(60_000);

const OLD = "20200607_101000_N";
const NEW = `${new Date().toISOString().slice(0, 10).replaceAll("-", "")}_000000_N`;

/** A service with an old and a new recording on the camera, after a scheduled run by these rules. */
async function synced(settings: NonNullable<AppOptions["settings"]>): Promise<RunningApp> {
  const card = new SimulatedCard(syntheticFootage(60_000));
  for (const key of [OLD, NEW]) card.record(`${key}F.mp4`);
  const running = await startApp({ settings: { sync: { grouping: "none" }, ...settings }, card });
  await running.client.open("/");
  await scheduled(running);
  return running;
}

async function scheduled({ app }: RunningApp): Promise<void> {
  app.job.start("schedule");
  await app.job.ended();
}

async function prioritize({ client }: RunningApp, key: string, more: object = {}) {
  const answer = await client.send("POST", "/api/sync/prioritize", { keys: [key], ...more });
  return { status: answer.status, ...((await answer.json()) as { code?: string; details?: { rule?: string } }) };
}

const isHome = ({ destination }: RunningApp, key: string) => existsSync(join(destination, `${key}F.mp4`));

describe("POST /api/sync/prioritize of what a rule leaves out", () => {
  const ROWS = [
    { rule: "retention", key: OLD, settings: { retention: { keep: "30d" } } },
    { rule: "selection", key: NEW, settings: { retention: { keep: "" }, sync: { include: ["E"], grouping: "none" } } },
    { rule: "deleted", key: NEW, settings: { retention: { keep: "" } } },
  ] as const;
  test.each(ROWS)("says which rule ($rule), and brings it all the same: later passes leave it alone", async (row) => {
    const { rule, key, settings } = row;
    await using running = await synced(settings);
    if (rule === "deleted") expect((await running.client.send("DELETE", `/api/recordings/${key}`)).status).toBe(200);
    expect(isHome(running, key)).toBe(false);
    expect(await prioritize(running, key)).toMatchObject({ status: 409, code: "LEFT_OUT", details: { rule } });
    expect(await prioritize(running, key, { anyway: false })).toMatchObject({ status: 409 });
    await scheduled(running);
    expect(isHome(running, key)).toBe(false);
    expect(await prioritize(running, key, { anyway: true })).toMatchObject({ status: 202, queued: 1 });
    await scheduled(running);
    expect([isHome(running, key), running.app.history.latest()?.success]).toEqual([true, true]);
    await scheduled(running);
    await scheduled(running);
    expect(isHome(running, key)).toBe(true);
    expect((await running.app.retention.kept.all()).size).toBe(1);
  });

  test("of what is chosen, and of what is nowhere, it answers as ever", async () => {
    await using running = await synced({ retention: { keep: "30d" } });
    expect(await prioritize(running, NEW, { anyway: true })).toMatchObject({ status: 202, queued: 0 });
    expect(await prioritize(running, "20210101_101000_N", { anyway: true })).toMatchObject({
      status: 404,
      code: "RECORDING_NOT_FOUND",
    });
    expect((await running.app.retention.kept.all()).size).toBe(0);
  });

  test("is remembered over a restart", async () => {
    await using running = await synced({ retention: { keep: "30d" } });
    expect(await prioritize(running, OLD, { anyway: true })).toMatchObject({ status: 202 });
    await running.stop();
    await using again = await startApp({
      folder: running.folder,
      settings: { connection: { address: running.simulator.address } },
    });
    await scheduled(again);
    expect(isHome(running, OLD)).toBe(true);
  });
});
