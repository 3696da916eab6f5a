import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type RunningApp, startApp } from "../../support/app/app.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { runAt } from "../../support/app/history.ts";
import { cardOf } from "../../support/app/sync.ts";

setDefaultTimeout(20_000);

const START = "2026-06-07T10:14:00Z";
const NOW = Date.parse(START) / 1000;
const DAY = 86_400;
/** Runs older than this are forgotten. */
const DAYS = 30;

/** A service whose camera has one recording of this moment, with runs that ended so many days ago. */
async function withRuns(daysAgo: readonly number[], video = "20260607_101000_NF.mp4"): Promise<RunningApp> {
  const running = await startApp({
    clock: new FakeClock(START),
    card: cardOf([video]),
    settings: { retention: { keep: "" }, stats: { retention_days: DAYS } },
  });
  for (const days of daysAgo) running.app.history.append(runAt(NOW - days * DAY));
  return running;
}

async function sync({ client, synced }: RunningApp): Promise<void> {
  await client.open("/");
  expect((await client.send("POST", "/api/sync/now")).status).toBe(202);
  await synced();
}

const daysAgo = ({ app }: RunningApp) => app.history.since(0).map(({ ts }) => Math.round((NOW - ts) / DAY));
const told = ({ app }: RunningApp) =>
  app.log.lines.filter(({ logger }) => logger === "history").map((line) => line.message);

describe("runs that are older than wanted are forgotten after a sync", () => {
  test("when the clock is as it should be", async () => {
    await using running = await withRuns([400, 31, 29, 1]);
    await sync(running);
    expect([daysAgo(running), told(running)]).toEqual([[29, 1, 0], []]);
  });

  test("but not by a clock that is behind a run that has been", async () => {
    await using running = await withRuns([400, 31, 1, -1]);
    await sync(running);
    expect([daysAgo(running), told(running)]).toEqual([
      [400, 31, 1, 0, -1],
      ["Old runs are not deleted: the clock shows 2026-06-07, before the end of an earlier run (2026-06-08)"],
    ]);
  });

  test("nor by one that is more than 30 days ahead of the last one", async () => {
    await using running = await withRuns([400, 31]);
    await sync(running);
    expect([daysAgo(running), told(running)]).toEqual([
      [400, 31, 0],
      ["Old runs are not deleted: the clock shows 2026-06-07, more than 30 days after the run before (2026-05-07)"],
    ]);
  });

  test("nor by one that is more than a day behind the newest recording", async () => {
    await using running = await withRuns([400, 1], "20260609_101000_NF.mp4");
    await sync(running);
    expect([daysAgo(running), told(running)]).toEqual([
      [400, 1, 0],
      ["Old runs are not deleted: the clock shows 2026-06-07, before the newest recording (2026-06-09)"],
    ]);
  });

  test("a camera a zone ahead raises no doubt, and where nothing is old nothing is said", async () => {
    await using ahead = await withRuns([400, 20, 1], "20260608_001000_NF.mp4");
    await sync(ahead);
    expect([daysAgo(ahead), told(ahead)]).toEqual([[20, 1, 0], []]);
    await using young = await withRuns([29, -1]);
    await sync(young);
    expect([daysAgo(young), told(young)]).toEqual([[29, 0, -1], []]);
  });
});
