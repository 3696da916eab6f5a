import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { DAY, namesFrom, put, run, send, state } from "../support/app/held.ts";
import { cardOf } from "../support/app/sync.ts";

setDefaultTimeout(30_000);

const COMPANIONS = ["20260401_000000_NF.thm", "20260401_000000_N.gps", "20260402_000000_NF.thm"];

test("thumbnails and GPS without a video leave with no receipt and no row, and come back unmarked", async () => {
  const clock = new FakeClock("2026-06-07T10:30:00Z");
  const card = cardOf(["20260607_101500_NF.mp4"], 1000);
  await using running = await startApp({ card, clock, settings: { retention: { keep: "4w" } } });
  const { app, client, destination } = running;
  put(running, COMPANIONS);
  const here = () =>
    readdirSync(destination)
      .filter((name) => name.startsWith("202604"))
      .sort();
  await client.open("/");
  expect((await send(running, "GET", "/api/retention/preview?keep=4w")).body).toMatchObject({ recordings: 0 });
  await run(running);
  expect(here()).toEqual([]);
  expect(await state(running)).toMatchObject({ held: null, last: null, unseen: [], trash: { recordings: 0 } });
  expect(app.history.latest()).toMatchObject({ success: true });
  expect(app.history.latest()?.deleted).toBeUndefined();
  expect((await (await client.fetch("/api/trash")).json()) as unknown).toMatchObject({ days: [] });
  for (const path of ["/", "/trash"]) {
    const { text } = await client.open(path);
    expect(text.replace(/<[^>]+>/g, " ")).not.toMatch(/\b0\srecordings|0\sB\b/);
  }
  expect((await send(running, "POST", "/api/trash/restore", { all: true })).body).toMatchObject({ failed: [] });
  expect(here()).toEqual(COMPANIONS.toSorted());
  // Left alone they would stay for ever; the next pass takes them with what has a video, and tells of that alone.
  expect((await app.retention.kept.all()).size).toBe(0);
  put(running, namesFrom("20260401", 1));
  clock.pass(DAY);
  await run(running);
  expect(here()).toEqual([]);
  expect((await state(running)).last).toMatchObject({ recordings: 1, oldest: "2026-04-01", newest: "2026-04-01" });
  expect((await (await client.fetch("/api/trash")).json()) as unknown).toMatchObject({
    days: [{ recordings: [{ key: "20260401_000000_N" }] }],
  });
});
