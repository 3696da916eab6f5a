import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SimulatedCard, simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { configFiles } from "../../server/dashcam/simulator/simulated_config.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";

setDefaultTimeout(60_000);

/** Never away for longer than its Wi-Fi stays on. */
const OFTEN = { schedule: { cron_expression: "*/5 * * * *" }, retention: { keep: "" } };

interface Hint {
  readonly id: string;
  readonly title: string;
  readonly cause: string;
}

async function run({ app }: RunningApp): Promise<string> {
  app.job.start("manual");
  await app.job.ended();
  return app.job.snapshot.state;
}

/** The hints that programs are told; the dashboard and its card show the same. */
async function hints({ client }: RunningApp): Promise<Hint[]> {
  const { hints: told } = (await (await client.fetch("/api/camera/hints")).json()) as { hints: Hint[] };
  for (const path of ["/", "/hx/hints-card"]) {
    const page = await (await client.fetch(path)).text();
    const shown = [...page.matchAll(/data-action="dismiss-hint" data-hint="([a-z-]+)"/g)].map(([, id]) => id);
    expect([path, shown]).toEqual([path, told.map(({ id }) => id)]);
  }
  return told;
}

/** Without satellites. */
function recordIndoors(card: SimulatedCard, name: string): void {
  card.record(name);
  card.remove(name.replace("F.mp4", ".gps"));
}

const idsOf = async (running: RunningApp) => (await hints(running)).map(({ id }) => id);

async function dismiss({ client }: RunningApp, id: unknown): Promise<number> {
  await client.open("/");
  return (await client.send("POST", "/api/camera/hints/dismiss", { id })).status;
}

test("Wi-Fi that sleeps before the next run is hinted at until it is dismissed, also after a restart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-hints-"));
  const address = await (async () => {
    await using running = await startApp({ folder, settings: { retention: { keep: "" } } });
    expect(await hints(running)).toEqual([]);
    await run(running);
    expect(await hints(running)).toMatchObject([
      { id: "wifi-sleeps", title: "The camera’s Wi-Fi sleeps before the next run comes." },
    ]);
    expect(await dismiss(running, "wifi")).toBe(400);
    expect(await dismiss(running, "clock")).toBe(200);
    expect(await idsOf(running)).toEqual(["wifi-sleeps"]);
    expect(await dismiss(running, "wifi-sleeps")).toBe(200);
    expect(await idsOf(running)).toEqual([]);
    return running.simulator.address;
  })();
  await using running = await startApp({ folder, settings: { retention: { keep: "" }, connection: { address } } });
  const { app, simulator, client } = running;
  expect(await idsOf(running)).toEqual([]);
  // At another address it is another camera.
  await app.settings.patch("connection", { address: simulator.address });
  await run(running);
  expect(await idsOf(running)).toEqual(["wifi-sleeps"]);
  await dismiss(running, "wifi-sleeps");
  // The cause goes with a run that no page watches, and comes back with the next.
  simulator.settings = configFiles({ "Wifi.WifiSleepMode": "0" });
  await run(running);
  simulator.settings = configFiles();
  await run(running);
  expect(await idsOf(running)).toEqual(["wifi-sleeps"]);
  await client.open("/");
  await client.send("PATCH", "/api/settings/schedule", { cron_expression: "*/5 * * * *" });
  expect(await idsOf(running)).toEqual([]);
  await app.settings.patch("connection", { address: "" });
  expect(await idsOf(running)).toEqual([]);
  await running.stop();
  rmSync(folder, { recursive: true });
});

test("another device at the camera's address is hinted at until a run meets the camera there", async () => {
  await using running = await startApp({ settings: OFTEN });
  const { simulator } = running;
  await run(running);
  const lift = simulator.fault("list-html");
  await run(running);
  expect(await hints(running)).toMatchObject([{ title: `Another device answers at ${simulator.address}.` }]);
  lift();
  await run(running);
  expect(await idsOf(running)).toEqual([]);
});

test("a list that shrank to nothing is hinted at, again when it was full in between", async () => {
  await using running = await startApp({ settings: OFTEN });
  const { simulator } = running;
  await run(running);
  expect(await idsOf(running)).toEqual([]);
  const lift = simulator.fault("list-empty");
  await run(running);
  expect(await hints(running)).toMatchObject([
    { id: "empty-list", cause: expect.stringMatching(/^At .* it listed 4.recordings, since .* none\.$/) },
  ]);
  await dismiss(running, "empty-list");
  await run(running);
  expect(await idsOf(running)).toEqual([]);
  lift();
  await run(running);
  simulator.fault("list-empty");
  await run(running);
  expect(await idsOf(running)).toEqual(["empty-list"]);
});

test("a camera whose clock is ahead is hinted at, and no more when its names are right", async () => {
  const clock = new FakeClock(Date.UTC(2026, 5, 7, 10, 20));
  const card = new SimulatedCard(syntheticFootage(100_000), 0);
  recordIndoors(card, "20260607_101500_NF.mp4");
  await using running = await startApp({ settings: OFTEN, clock, card });
  await run(running);
  expect(await idsOf(running)).toEqual([]);
  recordIndoors(card, "20260607_114000_NF.mp4");
  await run(running);
  expect(await hints(running)).toMatchObject([{ id: "clock", title: expect.stringMatching(/1.h 20.min ahead/) }]);
  await clock.advance(3 * 3_600_000);
  // Meanwhile it was parked: that is no proof that its clock is right.
  await run(running);
  expect(await idsOf(running)).toEqual(["clock"]);
  recordIndoors(card, "20260607_131500_NF.mp4");
  await run(running);
  expect(await idsOf(running)).toEqual([]);
});

test("a camera whose clock is behind is hinted at by the recording in progress", async () => {
  const clock = new FakeClock(Date.UTC(2026, 5, 7, 10, 20));
  const card = new SimulatedCard(syntheticFootage(100_000), 0);
  recordIndoors(card, "20260607_091500_NF.mp4");
  await using running = await startApp({ settings: OFTEN, clock, card });
  const lift = running.simulator.fault({ name: "growing", times: 20, value: 1000 });
  await run(running);
  expect(await hints(running)).toMatchObject([{ id: "clock", title: expect.stringMatching(/1.h 02.min behind/) }]);
  lift();
  await run(running);
  // The recording has ended: that proves nothing new.
  expect(await idsOf(running)).toEqual(["clock"]);
});

test("a camera whose names differ from the satellites' time is hinted at", async () => {
  const now = Date.UTC(2026, 5, 7, 10, 20);
  const card = simulatedCard({ recordings: 12, now, offsetMinutes: -120, footage: syntheticFootage(10_000) });
  await using running = await startApp({ settings: OFTEN, card });
  const { app } = running;
  await run(running);
  expect(await hints(running)).toMatchObject([
    { id: "clock", title: expect.stringMatching(/^The camera’s clock is (2.h 00|1.h 59).min behind\.$/) },
  ]);
  // It was the time zone here that was wrong.
  await app.settings.patch("schedule", { timezone: "Atlantic/South_Georgia" });
  expect(await idsOf(running)).toEqual([]);
});

test("recordings that the camera overwrites before they come are hinted at", async () => {
  const now = Date.UTC(2026, 5, 7, 10, 20);
  const clock = new FakeClock(now);
  const card = simulatedCard({ recordings: 40, now, footage: syntheticFootage(10_000) });
  await using running = await startApp({ settings: OFTEN, clock, card });
  const { simulator, app } = running;
  await run(running);
  expect(await idsOf(running)).toEqual([]);
  // Every eight hours five recordings are overwritten, and what has come since cannot be read.
  const lift = simulator.fault({ name: "error-500", match: /20260607_18|20260608/ });
  for (const hour of ["20260607_18", "20260608_02", "20260608_10"]) {
    await clock.advance(8 * 3_600_000);
    for (const name of card.videos().slice(0, 5)) card.overwrite(name);
    for (let more = 0; more < 5; more++) card.record(`${hour}0${more}00_NF.mp4`);
    await run(running);
    expect(await idsOf(running)).toEqual([]);
  }
  expect(app.listed.oldestWaiting).toEqual({ name: "20260607_180000_NF.mp4", before: 25 });
  for (const name of card.videos().slice(0, 20)) card.overwrite(name);
  await clock.advance(8 * 3_600_000);
  await run(running);
  // It is home, and the next run is soon enough.
  expect(await idsOf(running)).toEqual([]);
  await simulator.goAway();
  await run(running);
  expect(await hints(running)).toMatchObject([
    { id: "overwrites", cause: expect.stringMatching(/the oldest that waits, Sun.7.Jun, 18:00, is gone in/) },
  ]);
  lift();
  await simulator.comeBack();
  await run(running);
  expect(await idsOf(running)).toEqual([]);
});

test("a damaged file of what was seen is said once, and hints begin anew", async () => {
  await using running = await startApp({ settings: OFTEN });
  const { simulator, app, folder } = running;
  const file = join(folder, "config", "camera-hints.json");
  writeFileSync(file, "{");
  await run(running);
  simulator.fault("list-empty");
  await run(running);
  expect(await idsOf(running)).toEqual(["empty-list"]);
  expect(app.log.lines.filter(({ message }) => message.startsWith(`${file} is damaged`))).toHaveLength(1);
  await dismiss(running, "empty-list");
  await running.stop();
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    address: simulator.address,
    dismissed: ["empty-list"],
  });
});

test("a run is what it was when its hints cannot be brought up to date, and the log says so", async () => {
  await using running = await startApp({ settings: OFTEN });
  const { app } = running;
  (await app.hints()).learn = () => Promise.reject(new Error("the track cannot be read"));
  await run(running);
  expect(app.history.latest()).toMatchObject({ success: true, files: 12 });
  expect(app.log.lines.map(({ message }) => message)).toContain(
    "The hints were not brought up to date: the track cannot be read",
  );
});
