import { expect, setDefaultTimeout, test } from "bun:test";
import { type RunningApp, startApp } from "../../support/app/app.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { atHome, DAY, held, inTrash, namesFrom, put, run, send, state } from "../../support/app/held.ts";

setDefaultTimeout(30_000);

const NOW = "2026-06-07T10:30:00Z";
const OLD = namesFrom("20260401", 5);
/** At the rate of `runWith`, what comes ahead of the videos would take long. */
const VIDEO_FIRST = { metadata_first: false };

/** Runs as scheduled, and says something while a video is on its way. */
async function runWith(running: RunningApp, word: () => Promise<unknown>): Promise<void> {
  await running.client.open("/");
  running.simulator.rate = 2000;
  running.app.job.start("schedule");
  await running.simulator.asked(/\.mp4/);
  await word();
  expect(running.app.job.isRunning).toBe(true);
  running.simulator.rate = null;
  await running.synced();
}

test("everything is kept from the moment somebody says so, also in a run that had begun before", async () => {
  await using running = await startApp({ clock: new FakeClock(NOW), settings: { sync: VIDEO_FIRST } });
  put(running, OLD);
  const everything = { keep: "", keep_event: "", keep_parking: "", keep_manual: "", max_gb: null, max_percent: null };
  await runWith(running, async () => {
    expect(await held(running)).toMatchObject({ reason: "adopted", recordings: OLD.length });
    expect((await send(running, "PATCH", "/api/settings/retention", everything)).status).toBe(200);
  });
  expect(inTrash(running)).toEqual([]);
  expect(atHome(running)).toEqual(OLD);
  await run(running);
  expect(atHome(running)).toEqual(OLD);
});

test("what is agreed to while a run goes on is deleted by the next one, as it was told", async () => {
  await using running = await startApp({ clock: new FakeClock(NOW), settings: { sync: VIDEO_FIRST } });
  put(running, OLD);
  await runWith(running, async () => {
    expect(await held(running)).toMatchObject({ reason: "adopted" });
    expect((await send(running, "POST", "/api/retention/confirm")).status).toBe(200);
  });
  expect(atHome(running)).toEqual(OLD);
  expect(await state(running)).toMatchObject({ held: null, confirmed: { recordings: OLD.length } });
  await run(running);
  expect(inTrash(running)).toEqual(OLD);
});

test("nothing leaves the trash by days that were raised while a run went on", async () => {
  const clock = new FakeClock(NOW);
  const settings = { sync: VIDEO_FIRST, retention: { keep: "10d", trash_days: 1 } };
  await using running = await startApp({ clock, settings });
  put(running, OLD);
  await run(running);
  expect(inTrash(running)).toEqual(OLD);
  clock.pass(2 * DAY);
  running.simulator.card.record("20260607_110000_NF.mp4");
  await runWith(running, () => send(running, "PATCH", "/api/settings/retention", { trash_days: 30 }));
  expect(inTrash(running)).toEqual(OLD);
  await run(running);
  expect(inTrash(running)).toEqual(OLD);
});
