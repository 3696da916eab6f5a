import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { configFiles, named } from "../../server/dashcam/simulator/simulated_config.ts";
import { openSimulator, type Simulator } from "../../server/dashcam/simulator/simulator.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { bothAreHome, carAndVan, json } from "../support/app/several_cameras.ts";

const TRUCK = configFiles(named("Truck-5F"), "dr970x");
const SAYS =
  "It is a DR970X-2CH with the Wi-Fi name “Truck-5F”. Until now a DR900X Plus was there. Nothing is fetched or deleted until you decide.";

/** A service that knows its camera. The schedule is paused so that no run begins by itself. */
async function known(options: Parameters<typeof startApp>[0] = {}): Promise<RunningApp> {
  const running = await startApp({ ...options, settings: { retention: { keep: "" }, ...options.settings } });
  await running.client.open("/");
  expect(await run(running)).toMatchObject({ state: "completed" });
  return running;
}

async function run({ app, simulator }: RunningApp) {
  simulator.requests.length = 0;
  app.job.start("manual");
  await app.job.ended();
  const { state, failure_reason, message } = app.job.snapshot;
  return { state, failure_reason, message };
}

const filesAsked = ({ simulator }: { simulator: Simulator }) =>
  simulator.requests.map(({ path }) => path).filter((path) => /\.(mp4|thm|gps|3gf)$/.test(path));
const stateOf = async (running: RunningApp, id = "main") => {
  const { cameras } = (await json(running, "/api/cameras")) as { cameras: { id: string; state: string }[] };
  return cameras.find((camera) => camera.id === id);
};
const accept = async ({ client }: RunningApp, id = "main") => {
  const answer = await client.send("POST", `/api/cameras/${id}/accept`);
  return { status: answer.status, body: (await answer.json()) as { code?: string; state?: string; model?: string } };
};
/** Names and sizes of all that is at home, without our own notes. */
const atHome = ({ destination }: RunningApp) =>
  (readdirSync(destination, { recursive: true }) as string[])
    .filter((path) => /\.(mp4|thm|gps|3gf)$/.test(path) && !path.startsWith(".dashdock/"))
    .map((path) => `${path} ${statSync(join(destination, path)).size}`)
    .sort();

function record(simulator: Simulator, ...names: string[]): void {
  for (const name of names) simulator.card.record(name);
}
const NEW = "20260607_120000_NF.mp4";

describe("another camera at the address", () => {
  test("is left alone until it is accepted, and said everywhere", async () => {
    await using running = await known();
    const before = { home: atHome(running), list: running.app.listed.list };
    running.simulator.settings = TRUCK;
    record(running.simulator, NEW);

    const { address } = running.simulator;
    const failed = await run(running);
    expect(failed).toMatchObject({ state: "failed", failure_reason: "unknown" });
    expect(failed.message).toContain(`another camera answers at ${address}; It is a DR970X-2CH with the Wi-Fi name`);
    expect([filesAsked(running), atHome(running)]).toEqual([[], before.home]);
    expect(running.app.listed.list).toEqual(before.list);

    const sentence = `Another camera answers at ${address}.`;
    expect(await json(running, "/api/overview")).toMatchObject({ mood: "attention", sentence, detail: SAYS });
    // All of the known camera's is home, but its card is not the one that would be formatted.
    expect(await json(running, "/api/card")).toMatchObject({
      safe_to_format: false,
      against: expect.arrayContaining(["has_left"]),
    });
    expect(await json(running, "/api/plan")).toMatchObject({ sentence: "Nothing waits on the camera." });
    const camera = { state: "other_camera", sentence, detail: SAYS, model: "DR900X Plus" };
    expect(await stateOf(running)).toMatchObject(camera);
    expect(running.app.history.latest()).toMatchObject({
      cause: "other-camera",
      exitCode: 2,
      failures: { unknown: 1 },
    });

    const card = await (await running.client.fetch("/hx/sync/last-run-card")).text();
    expect(card).toContain("Nothing was fetched or deleted");
    expect(card).not.toContain("list was not read");

    const settings = await (await running.client.fetch("/settings")).text();
    expect([settings.includes('data-action="accept"'), settings.includes("Truck-5F")]).toEqual([true, true]);
    expect(await accept(running)).toMatchObject({ status: 200, body: { id: "main", model: "DR970X-2CH" } });
    expect((await stateOf(running))?.state).not.toBe("other_camera");
    expect(await run(running)).toMatchObject({ state: "completed" });
    expect(filesAsked(running)).toContain(`/Record/${NEW}`);
    expect(await accept(running)).toMatchObject({ status: 409, body: { code: "NOTHING_TO_ACCEPT" } });
  });

  test("deletes nothing in a scheduled run, which deletes with the known one", async () => {
    await using running = await known();
    const { app, simulator } = running;
    // All of them are months old.
    await app.settings.patch("retention", { keep: "1d" });
    const home = atHome(running);
    const own = simulator.settings;
    simulator.settings = TRUCK;
    app.job.start("schedule");
    await app.job.ended();
    expect([app.job.snapshot.state, atHome(running)]).toEqual(["failed", home]);
    simulator.settings = own;
    app.job.start("schedule");
    await app.job.ended();
    expect([app.job.snapshot.state, atHome(running)]).toEqual(["completed", []]);
  });

  test("comes and goes again: the state ends by itself with the right one", async () => {
    await using running = await known();
    const own = running.simulator.settings;
    for (const [settings, state] of [
      [TRUCK, "failed"],
      [own, "completed"],
      [TRUCK, "failed"],
      [TRUCK, "failed"],
      [own, "completed"],
    ] as const) {
      running.simulator.settings = settings;
      expect((await run(running)).state).toBe(state);
      expect((await stateOf(running))?.state).toBe(settings === own ? "safe" : "other_camera");
    }
    expect(await accept(running)).toMatchObject({ status: 409, body: { code: "NOTHING_TO_ACCEPT" } });
  });

  test("is remembered over a restart, and while nobody answers", async () => {
    await using running = await known();
    running.simulator.settings = TRUCK;
    await run(running);
    await running.simulator.goAway();
    expect((await run(running)).state).toBe("failed");
    await running.stop();
    const address = running.simulator.address;
    const { folder } = running;
    await using again = await startApp({ folder, settings: { connection: { address } } });
    await again.client.open("/");
    expect(await stateOf(again)).toMatchObject({ state: "other_camera", detail: SAYS });
    expect(await accept(again)).toMatchObject({ status: 200 });
  });

  test("is found by the camera's page, too, which goes on showing the known one's settings", async () => {
    await using running = await known();
    running.simulator.settings = TRUCK;
    expect(await running.app.cameraSettings.read()).toMatchObject({ model: "DR900X Plus", isOnline: false });
    expect((await stateOf(running))?.state).toBe("other_camera");
    expect(await running.app.cameraSettings.visits()).toEqual([]);
  });

  test("is another one at the address of another camera, which the user set by hand", async () => {
    await using running = await known();
    const card = simulatedCard({ recordings: 2, now: Date.UTC(2026, 5, 9, 10, 20), footage: syntheticFootage(50_000) });
    await using truck = await openSimulator({ card, model: "dr970x", name: "Truck-5F" });
    await running.app.settings.patch("connection", { address: truck.address });
    expect((await run(running)).state).toBe("failed");
    expect([filesAsked({ simulator: truck }), (await stateOf(running))?.state]).toEqual([[], "other_camera"]);
    // Back to the first address: nothing was accepted.
    await running.app.settings.patch("connection", { address: running.simulator.address });
    expect((await stateOf(running))?.state).not.toBe("other_camera");
    expect(await accept(running)).toMatchObject({ status: 409 });
    expect((await run(running)).state).toBe("completed");
    await running.app.settings.patch("connection", { address: truck.address });
    await run(running);
    expect(await accept(running)).toMatchObject({ status: 200 });
    expect((await run(running)).state).toBe("completed");
  });
});

describe("no other camera is", () => {
  test.each([
    ["new firmware", configFiles({}, "dr970x")],
    ["a Wi-Fi that was renamed", configFiles(named("My car"))],
    ["one that tells no model", { ...TRUCK, version: new Uint8Array() }],
  ])("%s", async (what, settings) => {
    await using running = await known();
    const own = what === "new firmware" ? configFiles(named("DemoCam-000000"), "dr970x") : settings;
    running.simulator.settings = own;
    expect((await run(running)).state).toBe("completed");
    expect((await stateOf(running))?.state).toBe("safe");
  });

  test("one that stays silent about itself, also after another one was there", async () => {
    await using running = await known();
    running.simulator.settings = TRUCK;
    expect((await run(running)).state).toBe("failed");
    running.simulator.fault({ name: "everything-status", match: /\/Config\//, value: 404 });
    expect((await run(running)).state).toBe("completed");
    expect((await stateOf(running))?.state).toBe("safe");
  });

  test("one whose model could not be read once is known by what it told before", async () => {
    await using running = await known();
    const own = running.simulator.settings;
    running.simulator.settings = { ...own, version: new Uint8Array() };
    expect((await run(running)).state).toBe("completed");
    running.simulator.settings = TRUCK;
    expect((await run(running)).state).toBe("failed");
  });
});

test("a run with the known camera asks for nothing more than before", async () => {
  await using running = await known();
  expect(await run(running)).toMatchObject({ state: "completed" });
  const paths = running.simulator.requests.map(({ path }) => path);
  expect(paths.filter((path) => path.startsWith("/Config/"))).toEqual(["/Config/config.ini", "/Config/version.bin"]);
  expect(existsSync(join(running.folder, "config", "camera", "other.json"))).toBe(false);
});

test("of two cameras the right one goes on, and only the other is accepted", async () => {
  await using running = await carAndVan();
  await bothAreHome(running);
  const van = running.app.cameras.of("van");
  running.van.settings = TRUCK;
  van?.job.start("manual");
  await van?.job.ended();
  expect((await stateOf(running, "van"))?.state).toBe("other_camera");
  expect((await run(running)).state).toBe("completed");
  expect(await accept(running)).toMatchObject({ status: 409 });
  expect(await accept(running, "bus")).toMatchObject({ status: 404, body: { code: "CAMERA_NOT_FOUND" } });
  expect(await accept(running, "van")).toMatchObject({ status: 200, body: { model: "DR970X-2CH" } });
  const overview = await json(running, "/api/overview?camera=all");
  expect(JSON.stringify(overview)).not.toContain("Another camera");
});
