import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator } from "../../server/dashcam/simulator/simulator.ts";
import { canonical, parseSettings } from "../../server/store/config/settings_text.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { untilSize } from "../support/app/process.ts";
import { type Answer, bothAreHome, carAndVan, json } from "../support/app/several_cameras.ts";

setDefaultTimeout(60_000);

type Stored = Record<string, unknown> & { more_cameras?: unknown[] };

const pathOf = ({ folder }: Pick<RunningApp, "folder">) => join(folder, "config", "settings.json");
const stored = (running: RunningApp): Stored => JSON.parse(readFileSync(pathOf(running), "utf8"));

/** Writes the file as a person does, and lets the service look at it. */
async function edit(running: RunningApp, change: (file: Stored) => Stored): Promise<void> {
  writeFileSync(pathOf(running), JSON.stringify(change(stored(running)), null, 2));
  await running.app.cameras.file.refresh();
  await running.app.cameras.follow();
}

const idsOf = async (running: RunningApp) =>
  ((await json(running, "/api/cameras"))["cameras"] as Answer[]).map(({ id }) => id);
const warningsOf = ({ app }: RunningApp) =>
  app.log.lines.filter(({ level }) => level === "WARNING").map(({ message }) => message);

describe("cameras in the settings file", () => {
  test("stay as they are with a program that does not know them, which writes what it does not know", async () => {
    const entries = [
      { id: "van", name: "Van", retention: { keep: "1y" }, later: { deep: [1] } },
      { id: "Not an id" },
      7,
    ];
    const text = JSON.stringify({
      version: 2,
      auth: { session_secret: "s".repeat(64) },
      main_camera: { name: "Car" },
      more_cameras: entries,
    });
    const { settings, unknown, unusable, problems } = await parseSettings({ path: "settings.json" }, text);
    expect(problems).toEqual([]);
    const changed = { ...settings, sync: { ...settings.sync, priority: "type" as const } };
    const written = JSON.parse(canonical(changed, unknown, unusable));
    expect(written).toMatchObject({ main_camera: { name: "Car" }, sync: { priority: "type" } });
    expect(written.more_cameras).toEqual(entries);
  });

  test("that cannot be used are left out with one warning each, and stay after every change", async () => {
    await using running = await startApp();
    await running.client.open("/");
    const bad: unknown[] = [
      { id: "bus", destination: "not/whole", note: "mine" },
      "no object",
      { id: "twin", name: "One", connection: { address: "127.0.0.1:1" } },
      { id: "twin", name: "Other", connection: { address: "127.0.0.1:2" } },
      { id: "same", destination: running.destination },
    ];
    await edit(running, (file) => ({ ...file, more_cameras: bad }));
    expect(await idsOf(running)).toEqual(["main", "twin"]);
    for (const named of ['Camera "bus"', "Camera number 2", 'Camera "twin"', 'Camera "same"'])
      expect(warningsOf(running).filter((line) => line.includes(`${named} is left out`))).toHaveLength(1);

    const { client } = running;
    for (const [method, path, body] of [
      ["PATCH", "/api/settings/sync", { priority: "type" }],
      ["PATCH", "/api/cameras/twin/settings/sync", { priority: "rdate" }],
      ["PATCH", "/api/cameras/main", { name: "Car" }],
    ] as const)
      expect([path, (await client.send(method, path, body)).status]).toEqual([path, 200]);
    const added = await client.send("POST", "/api/cameras", { name: "Van", address: "127.0.0.1:3" });
    expect(added.status).toBe(201);
    expect((await client.send("DELETE", "/api/cameras/van")).status).toBe(204);
    const [first, second, ...others] = stored(running).more_cameras ?? [];
    expect([first, second]).toEqual(bad.slice(0, 2));
    expect(others).toEqual([expect.objectContaining({ name: "One", sync: { priority: "rdate" } }), ...bad.slice(3)]);
    expect(warningsOf(running).filter((line) => line.includes('Camera "bus" is left out'))).toHaveLength(1);
  });

  test("may be forty, each with a letter of its own, and all are closed with the service", async () => {
    await using running = await startApp();
    await running.client.open("/");
    const forty = Array.from({ length: 40 }, (_, at) => ({
      id: `van-${at + 1}`,
      name: `Van ${at + 1}`,
      connection: { address: `127.0.0.1:${at + 1}` },
      schedule: { paused: true },
    }));
    await edit(running, (file) => ({ ...file, more_cameras: forty }));
    const { cameras } = (await json(running, "/api/cameras")) as { cameras: Answer[] };
    expect(cameras).toHaveLength(41);
    expect(new Set(cameras.map(({ letter }) => letter)).size).toBe(41);
    expect(new Set(cameras.map(({ destination }) => destination)).size).toBe(41);
    expect((await running.client.fetch("/")).status).toBe(200);
    await running.stop();
    expect(readdirSync(join(running.folder, "config", "cameras"))).toHaveLength(40);
    expect(running.app.log.lines.filter(({ level }) => level === "ERROR")).toEqual([]);
  });

  test("are added and taken away by an edit while the service runs, and an edit that cannot be read takes none away", async () => {
    await using running = await startApp({ settings: { retention: { keep: "" } } });
    await running.client.open("/");
    const card = simulatedCard({ recordings: 2, now: Date.UTC(2026, 5, 7, 10), footage: syntheticFootage(100_000) });
    await using van = await openSimulator({ card });
    const entry = { id: "van", name: "Van", connection: { address: van.address }, retention: { keep: "" } };
    await edit(running, (file) => ({ ...file, more_cameras: [entry] }));
    expect(await idsOf(running)).toEqual(["main", "van"]);
    const job = running.app.cameras.of("van")?.job;
    job?.start("manual");
    await job?.ended();
    const videos = () => readdirSync(join(running.folder, "van")).filter((name) => name.endsWith(".mp4"));
    expect(videos()).toHaveLength(2);

    const whole = readFileSync(pathOf(running), "utf8");
    writeFileSync(pathOf(running), whole.slice(0, 100));
    await running.app.cameras.file.refresh();
    expect(await idsOf(running)).toEqual(["main", "van"]);
    writeFileSync(pathOf(running), whole);

    await edit(running, ({ more_cameras: _, ...file }) => file);
    expect(await idsOf(running)).toEqual(["main"]);
    expect((await running.client.fetch("/api/viewer/days?camera=van")).status).toBe(404);
    expect(videos()).toHaveLength(2);
    // Its own files are there again with its entry.
    await edit(running, (file) => ({ ...file, more_cameras: [entry] }));
    expect(await json(running, "/api/stats/series?range=all&camera=van")).toMatchObject({ summary: { runs: 1 } });
  });

  test("are the same after a start, with what each had", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    const before = await json(running, "/api/cameras");
    await running.stop();
    await using again = await startApp({ folder: running.folder, settings: { retention: { keep: "" } } });
    const cameras = (await json(again, "/api/cameras"))["cameras"] as Answer[];
    const kept = ({ id, name, letter, destination }: Answer) => ({ id, name, letter, destination });
    expect(cameras.map(kept)).toEqual((before["cameras"] as Answer[]).map(kept));
    expect(await json(again, "/api/viewer/days?camera=van")).toMatchObject({ days: [{ count: 3 }] });
  });
});

describe("a camera that is taken away during its run", () => {
  test("stops, keeps what has come of the video, and goes on from there when it is added again", async () => {
    await using running = await carAndVan();
    const { client, van, app } = running;
    const folder = join(running.folder, "van");
    const vansJob = () => app.cameras.of("van")?.job ?? app.job;
    await vansJob().ended();
    van.card.overwrite(van.card.videos()[0] ?? "");
    const [name = ""] = van.card.videos();
    const bytes = await van.card.bytes(name);
    van.rate = 100_000;
    const job = vansJob();
    job.start("manual");
    await untilSize(join(folder, `.${name}`), 20_000);

    expect((await client.send("DELETE", "/api/cameras/van")).status).toBe(204);
    expect([job.isRunning, job.snapshot.state]).toEqual([false, "failed"]);
    await van.quiet();
    const partial = readFileSync(join(folder, `.${name}`));
    expect(partial.length).toBeGreaterThanOrEqual(20_000);
    expect(partial.equals(bytes.subarray(0, partial.length))).toBe(true);
    expect(existsSync(join(folder, name))).toBe(false);
    // The car is not concerned.
    app.job.start("manual");
    expect(await running.synced()).toMatchObject({ state: "completed" });

    van.rate = null;
    van.requests.length = 0;
    const body = { name: "Van", address: van.address, destination: folder };
    expect((await client.send("POST", "/api/cameras", body)).status).toBe(201);
    await client.send("PATCH", "/api/cameras/van/settings/retention", { keep: "" });
    const again = vansJob();
    await again.ended();
    again.start("manual");
    await again.ended();
    expect(again.snapshot.state).toBe("completed");
    const first = van.requests.find(({ path }) => path.endsWith(name));
    expect(first?.range).toBe(`bytes=${partial.length}-`);
    for (const video of van.card.videos())
      expect([video, readFileSync(join(folder, video)).equals(await van.card.bytes(video))]).toEqual([video, true]);
    expect(readdirSync(folder).filter((path) => path.startsWith(".2"))).toEqual([]);
  });
});

test("a camera that cannot be opened is told everywhere, can be taken away, and is tried again every minute", async () => {
  const clock = new FakeClock(Date.now());
  await using running = await startApp({ clock, settings: { retention: { keep: "" } } });
  await running.client.open("/");
  const van = join(running.folder, "van");
  const format = join(van, ".dashdock", "format");
  mkdirSync(join(van, ".dashdock"), { recursive: true });
  writeFileSync(format, "999\n");
  await edit(running, (file) => ({ ...file, more_cameras: [{ id: "van", name: "Van", destination: van }] }));
  const { cameras } = (await json(running, "/api/cameras")) as { cameras: Answer[] };
  expect(cameras[1]).toMatchObject({
    id: "van",
    name: "Van",
    destination: van,
    state: "failed",
    sentence: expect.stringContaining("The camera cannot be used: "),
  });
  expect(await json(running, "/api/overview?camera=all")).toMatchObject({
    mood: "failed",
    sentence: expect.stringContaining("Van needs you."),
    detail: expect.stringContaining(format),
  });
  for (const path of ["/", "/logs"])
    expect([path, (await (await running.client.fetch(path)).text()).includes("Van needs you.")]).toEqual([path, true]);
  expect((await running.client.fetch("/settings?camera=all")).status).toBe(200);

  const told = () => running.app.log.lines.filter(({ message }) => message.startsWith("Camera van cannot be used"));
  await running.app.cameras.follow();
  expect(told()).toHaveLength(1);
  writeFileSync(format, "1\n");
  const opened = new Promise<void>((resolve) => {
    const leave = running.app.cameras.onChange(() => {
      if (running.app.cameras.of("van") === null) return;
      leave();
      resolve();
    });
  });
  await clock.advance(60_000);
  await opened;
  expect(await idsOf(running)).toEqual(["main", "van"]);
  expect(running.app.cameras.refused).toEqual([]);

  writeFileSync(format, "999\n");
  await edit(running, (file) => ({ ...file, more_cameras: [{ id: "bus", destination: van }] }));
  expect(running.app.cameras.refused.map(({ configured }) => configured.id)).toEqual(["bus"]);
  expect((await running.client.send("DELETE", "/api/cameras/bus")).status).toBe(204);
  expect([running.app.cameras.refused, stored(running).more_cameras]).toEqual([[], []]);
});
