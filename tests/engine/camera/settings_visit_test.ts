import { expect, setDefaultTimeout, test } from "bun:test";
import type { FaultName } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { type RunningApp, startApp } from "../../support/app/app.ts";

setDefaultTimeout(60_000);

const CONFIG = /^\/Config\//;
const settings = { retention: { keep: "" }, camera: { read_timeout_seconds: 0.5 } };

/** Paths that one run asked for to read the camera's settings, and the state it ended in. */
async function run({ app, simulator }: RunningApp) {
  simulator.requests.length = 0;
  app.job.start("manual");
  await app.job.ended();
  const asked = simulator.requests.map(({ path }) => path).filter((path) => CONFIG.test(path));
  return { asked, state: app.job.snapshot.state };
}

const ALL = ["/Config/config.ini", "/Config/version.bin"];

test("every run reads the camera's settings once, between its list and its first file", async () => {
  await using running = await startApp({ settings });
  const { app, simulator } = running;
  expect(await run(running)).toEqual({ asked: ALL, state: "completed" });
  expect(simulator.requests.map(({ path }) => path).slice(0, 4)).toEqual(["/accessible", "/blackvue_vod.cgi", ...ALL]);
  expect(await app.cameraSettings.known()).toMatchObject({ model: "DR900X Plus", firmware: "1.015" });
  expect(await run(running)).toEqual({ asked: ALL, state: "completed" });
});

test.each<[FaultName]>([["not-found"], ["html-200"], ["redirect"]])(
  "a camera that answers its settings with %s is left in peace until it was away or tells them to a page",
  async (name) => {
    await using running = await startApp({ settings });
    const { app, simulator } = running;
    const lift = simulator.fault({ name, match: CONFIG });
    expect(await run(running)).toEqual({ asked: ALL.slice(0, 1), state: "completed" });
    expect(await run(running)).toEqual({ asked: [], state: "completed" });
    await simulator.goAway();
    expect(await run(running)).toMatchObject({ state: "failed" });
    await simulator.comeBack();
    expect((await run(running)).asked).toEqual(ALL.slice(0, 1));
    expect((await run(running)).asked).toEqual([]);
    lift();
    expect((await run(running)).asked).toEqual([]);
    expect(await app.cameraSettings.read()).toMatchObject({ isOnline: true });
    expect((await run(running)).asked).toEqual(ALL);
    expect(app.log.lines.filter(({ level_no, logger }) => level_no > 20 && logger === "camera")).toEqual([]);
  },
);

test("a camera that new firmware gives the newer interface is asked once, and again when it is the older one", async () => {
  await using running = await startApp({ settings, generation: "v1009" });
  expect(await run(running)).toEqual({ asked: ALL.slice(0, 1), state: "completed" });
  expect(await run(running)).toEqual({ asked: [], state: "completed" });
  expect(running.app.cameraSettings.areNotOffered).toBe(true);
  running.simulator.generation = "legacy";
  expect(await run(running)).toEqual({ asked: ALL, state: "completed" });
  expect(running.app.cameraSettings.areNotOffered).toBe(false);
});

test.each<[FaultName]>([["never-answers"], ["error-500"], ["stall"]])(
  "settings that meet %s neither fail nor end a run, and the next run asks again",
  async (name) => {
    await using running = await startApp({ settings });
    const { app, simulator } = running;
    simulator.fault({ name, match: /config\.ini$/ });
    expect(await run(running)).toEqual({ asked: ALL.slice(0, 1), state: "completed" });
    expect(app.library.recordingCount).toBe(4);
    expect(await run(running)).toEqual({ asked: ALL.slice(0, 1), state: "completed" });
    expect(await app.cameraSettings.known()).toBeNull();
  },
);

test("a stop while the camera is silent about its settings ends the run at once", async () => {
  await using running = await startApp({ settings: { ...settings, camera: { read_timeout_seconds: 30 } } });
  const { app, simulator } = running;
  simulator.fault({ name: "never-answers", match: CONFIG });
  app.job.start("manual");
  await simulator.asked(CONFIG);
  app.job.stop();
  await app.job.ended();
  expect(app.history.latest()).toMatchObject({ stopped: true });
  expect(simulator.requests.some(({ path }) => path.endsWith(".mp4"))).toBe(false);
});

test("neither a run that is stopped nor the service's end waits for what a page reads", async () => {
  await using running = await startApp({ settings: { ...settings, camera: { read_timeout_seconds: 30 } } });
  const { app, simulator } = running;
  simulator.fault({ name: "never-answers", match: /version\.bin$/ });
  const page = app.cameraSettings.read();
  await simulator.asked(/version\.bin$/);
  const stopping = new AbortController();
  const visit = app.cameraSettings.visit(app.dashcam, stopping.signal);
  stopping.abort();
  await visit;
  await running.stop();
  expect(await page).toMatchObject({ model: null });
}, 10_000);

test("a run goes on without the settings of a camera that is no longer the one in force", async () => {
  await using running = await startApp({ settings });
  const { app, simulator } = running;
  simulator.fault({ name: "silence", match: /vod\.cgi$/, after: 0, value: 100 });
  app.job.start("manual");
  await simulator.asked(/vod\.cgi$/);
  await app.settings.patch("connection", { address: "127.0.0.1:1" });
  await app.job.ended();
  expect(simulator.requests.filter(({ path }) => CONFIG.test(path))).toEqual([]);
  expect(app.library.recordingCount).toBe(4);
});
