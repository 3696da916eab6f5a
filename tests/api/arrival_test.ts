import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { SectionName, Settings } from "../../server/domain/settings/settings.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { atHome, inTrash, put } from "../support/app/held.ts";
import { runAt } from "../support/app/history.ts";
import { until } from "../support/app/http.ts";
import { OLD } from "../support/app/retention.ts";
import { carAndVan, json } from "../support/app/several_cameras.ts";

setDefaultTimeout(30_000);

const SECOND = 1000;

type Running = RunningApp & { readonly clock: FakeClock };

/** A service at two minutes past ten, whose camera is away and whose next scheduled run is 13 minutes off. */
async function waiting(settings: { readonly [S in SectionName]?: Partial<Settings[S]> } = {}): Promise<Running> {
  const clock = new FakeClock("2026-06-07T10:02:00Z");
  const schedule = { on_arrival: true, ...settings.schedule };
  const running = await startApp({ clock, settings: { ...settings, schedule } });
  await running.client.open("/");
  running.app.history.append(runAt(Date.UTC(2026, 5, 7, 9) / 1000, { address: running.simulator.address }));
  await running.simulator.goAway();
  running.app.start();
  return Object.assign(running, { clock });
}

/** Time goes by until the next look, whose answer has come when this resolves. */
async function nextLook({ clock, app }: Pick<Running, "clock" | "app">, seconds = 30): Promise<void> {
  const before = app.arrival.looks()?.next_at;
  await clock.advance(seconds * SECOND);
  await until(() => app.arrival.looks()?.next_at !== before);
}

async function latestRun(running: RunningApp) {
  const ts = running.app.history.latest()?.ts ?? 0;
  return await json(running, `/api/runs/${Math.round(ts * 1000)}`);
}

describe("a camera that comes", () => {
  test("is synced within one look, by a run that tells so", async () => {
    await using running = await waiting();
    await nextLook(running);
    expect(running.app.job.isRunning).toBe(false);
    expect(await json(running, "/api/overview")).toMatchObject({
      looks: { camera: "away", seconds: 30, next_at: running.clock.now() + 30 * SECOND },
    });
    await running.simulator.comeBack();
    await nextLook(running);
    expect(await running.synced()).toMatchObject({ state: "completed", files_completed: 12 });
    expect(await latestRun(running)).toMatchObject({ trigger: "arrival", recordings: 4 });
    const page = await running.client.fetch(
      `/stats/runs/${Math.round((running.app.history.latest()?.ts ?? 0) * 1000)}`,
    );
    expect(await page.text()).toContain("Started as the camera came");
    // The history has no row for a look, and the log no line.
    expect(running.app.history.extent(0, 100).runs).toBe(2);
    const told = running.app.log.lines.filter(({ logger }) => logger === "arrival");
    expect(told.map(({ message }) => message)).toEqual([
      `The camera at ${running.simulator.address} has come: a sync starts`,
    ]);
  });

  test("is asked for nothing until it has come, and for nothing more while it stays", async () => {
    await using running = await waiting();
    await running.simulator.comeBack();
    await nextLook(running);
    await running.synced();
    const asked = running.simulator.requests.length;
    for (let look = 0; look < 4; look++) await nextLook(running);
    expect([running.simulator.requests.length, running.app.arrival.looks()?.camera]).toEqual([asked, "here"]);
    expect(running.app.history.extent(0, 100).runs).toBe(2);
  });

  test("has what is too old deleted, as a scheduled run does", async () => {
    await using running = await waiting({ retention: { keep: "4w" } });
    put(running, OLD);
    await running.simulator.comeBack();
    await nextLook(running);
    await running.synced();
    expect(await latestRun(running)).toMatchObject({ trigger: "arrival", deleted: { recordings: OLD.length } });
    expect([atHome(running), inTrash(running)]).toEqual([[], OLD]);
  });

  test("is not looked for while the schedule is paused", async () => {
    await using running = await waiting();
    await running.client.send("POST", "/api/schedule/pause");
    await running.simulator.comeBack();
    await running.clock.advance(600 * SECOND);
    expect([(await json(running, "/api/overview"))["looks"], running.app.job.isRunning]).toEqual([null, false]);
    await running.client.send("POST", "/api/schedule/resume");
    await nextLook(running);
    expect(await running.synced()).toMatchObject({ state: "completed" });
  });

  test("waits for the schedule where arrivals start no run", async () => {
    await using running = await waiting({ schedule: { on_arrival: false } });
    await running.simulator.comeBack();
    await running.clock.advance(12 * 60 * SECOND);
    expect([(await json(running, "/api/overview"))["looks"], running.app.job.isRunning]).toEqual([null, false]);
    await running.clock.advance(60 * SECOND);
    await running.synced();
    expect(await latestRun(running)).toMatchObject({ trigger: "schedule" });
  });
});

test("each of several cameras is looked for by itself", async () => {
  const clock = new FakeClock("2026-06-07T10:02:00Z");
  await using running = await carAndVan({ clock, settings: { schedule: { on_arrival: true } } });
  for (const { history, dashcam } of running.app.cameras.all)
    history.append(runAt(Date.UTC(2026, 5, 7, 9) / 1000, { address: dashcam.address }));
  await Promise.all([running.simulator.goAway(), running.van.goAway()]);
  running.app.start();
  const looks = () => running.app.cameras.all.map(({ arrival }) => arrival.looks()?.camera);
  await clock.advance(30 * SECOND);
  await until(() => looks().every((camera) => camera === "away"));
  await running.van.comeBack();
  await clock.advance(30 * SECOND);
  await until(() => looks().includes("here"));
  expect(looks()).toEqual(["away", "here"]);
  const [car, van] = running.app.cameras.all;
  await van?.job.ended();
  expect(car?.history.extent(0, 9).runs).toBe(1);
  expect(van?.history.latest()).toMatchObject({ success: true, trigger: "arrival" });
});

describe("the settings", () => {
  test.each([
    [{ on_arrival: "yes" }, 422],
    [{ arrival_seconds: 14 }, 422],
    [{ arrival_seconds: 601 }, 422],
    [{ arrival_seconds: 30.5 }, 422],
    [{ on_arrival: true, arrival_seconds: 15 }, 200],
    [{ arrival_seconds: 600 }, 200],
  ])("%p are answered with %d", async (changes, status) => {
    await using running = await startApp();
    await running.client.open("/");
    const answer = await running.client.send("PATCH", "/api/settings/schedule", changes);
    expect(answer.status).toBe(status);
  });
});
