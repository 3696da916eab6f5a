import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../server/clock.ts";
import type { ImportState } from "../../server/domain/import/import_schema.ts";
import { acquireLock, lockHolder } from "../../server/store/destination/destination_lock.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { until } from "../support/app/http.ts";
import { EVENT, FRONT, ImportBench, REAR, videoOf } from "../support/app/import.ts";
import { untilSize } from "../support/app/process.ts";

// Real services and long files: five seconds are too little on a busy machine.
setDefaultTimeout(40_000);

const LONG = 400_000_000;

let bench: ImportBench;
beforeEach(() => {
  bench = new ImportBench();
});
afterEach(() => bench[Symbol.dispose]());

/** A service whose recordings are those of the bench, and that imports from the folder of its card. */
async function started({ settings, ...options }: AppOptions = {}): Promise<RunningApp> {
  const running = await startApp({
    destination: bench.home,
    settings: {
      retention: { keep: "", max_used_disk_percent: 98 },
      schedule: { paused: true },
      ...settings,
    },
    ...options,
  });
  await running.client.open("/");
  const set = await patch(running, { import_folder: bench.card });
  expect(set.status).toBe(200);
  return running;
}

const patch = ({ client }: RunningApp, changes: object) => client.send("PATCH", "/api/settings/system", changes);
const ask = async ({ client }: RunningApp, path: unknown) => {
  const answer = await client.send("POST", "/api/import", { path });
  return { status: answer.status, ...((await answer.json()) as { job_id?: string; code?: string; error?: string }) };
};
const state = async ({ client }: RunningApp): Promise<ImportState> =>
  (await (await client.fetch("/api/import")).json()) as ImportState;

async function imported(running: RunningApp, path = ""): Promise<ImportState> {
  expect(await ask(running, path)).toMatchObject({ status: 202 });
  await (await running.app.imports()).ended();
  return await state(running);
}

const days = async ({ client }: RunningApp) =>
  (await (await client.fetch("/api/viewer/days")).json()) as { days: { date: string }[] };

describe("an import", () => {
  test("is off at first, and nothing is told as running", async () => {
    await using running = await startApp({ destination: bench.home });
    await running.client.open("/");
    expect(await ask(running, "")).toMatchObject({ status: 409, code: "IMPORT_OFF" });
    expect(await state(running)).toMatchObject({
      job_id: "",
      state: "idle",
      phase: null,
      path: null,
      step: null,
      left: [],
      files_imported: 0,
    });
    const stop = await running.client.send("POST", "/api/import/stop");
    expect([stop.status, (await stop.json()).code]).toEqual([404, "IMPORT_NOT_RUNNING"]);
  });

  test("brings recordings home that viewer, counts and storage show at once, and tells what it left", async () => {
    await using running = await started();
    expect((await days(running)).days).toEqual([]);
    bench.put(FRONT);
    bench.put(FRONT.replace("mp4", "thm"), "picture");
    bench.put("notes.txt", "x");
    const { status, job_id: jobId } = await ask(running, "BlackVue");
    expect([status, jobId]).toEqual([202, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    await (await running.app.imports()).ended();
    const done = await state(running);
    expect(done).toMatchObject({
      job_id: jobId,
      boot_id: running.app.bootId,
      state: "completed",
      ending: "completed",
      percent: 100,
      files_total: 2,
      files_completed: 2,
      recordings_total: 1,
      recordings_completed: 1,
      failure_reason: null,
      message: null,
      path: "BlackVue",
      step: null,
      recordings_imported: 1,
      files_imported: 2,
      left: [{ cause: "foreign", files: 1, first: ["Record/notes.txt"] }],
    });
    expect((await days(running)).days.map(({ date }) => date)).toEqual(["2026-06-07"]);
    const storage = await (await running.client.fetch("/api/health/storage")).json();
    expect(storage).toMatchObject({ recording_count: 1 });
    const recent = await (await running.client.fetch("/api/recordings/recent")).json();
    expect(JSON.stringify(recent)).toContain("20260607_101500_N");
    // It is no sync.
    expect(running.app.history.latest()).toBeNull();
    // Other programs are told of both files.
    const told = join(bench.home, ".dashdock");
    await until(() => existsSync(join(told, "new.trigger")));
    const lines = readFileSync(join(told, "new.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).path).sort()).toEqual([FRONT, FRONT.replace("mp4", "thm")]);
  });

  test("takes a whole path, the folder itself, and one of several moments with the rules of the settings", async () => {
    await using running = await started({ settings: { sync: { exclude: ["NR"], grouping: "daily" } } });
    bench.put(FRONT);
    bench.put(REAR);
    const first = await imported(running, join(bench.card, "BlackVue", "Record"));
    expect(first).toMatchObject({ path: "BlackVue/Record", left: [{ cause: "selection", files: 1 }] });
    expect(await bench.homeFiles()).toContain(`2026-06-07/${FRONT}`);
    const again = await imported(running);
    expect(again).toMatchObject({
      path: "",
      files_imported: 0,
      files_present: 1,
      files_to_compare: 1,
      files_compared: 1,
    });
  });

  test("in a dry run brings nothing", async () => {
    await using first = await started({ folder: bench.root });
    await patch(first, { dry_run: true });
    await first.stop();
    await using running = await startApp({ folder: bench.root, destination: bench.home });
    await running.client.open("/");
    bench.put(FRONT);
    expect(await imported(running)).toMatchObject({ recordings_imported: 1 });
    expect(await bench.homeFiles()).not.toContain(FRONT);
  });

  test("is one at a time", async () => {
    await using running = await started();
    bench.putLong(FRONT, LONG);
    const { job_id: jobId } = await ask(running, "");
    const second = await running.client.send("POST", "/api/import", { path: "" });
    expect([second.status, await second.json()]).toMatchObject([
      409,
      { code: "IMPORT_RUNNING", details: { current_job_id: jobId } },
    ]);
    expect(await state(running)).toMatchObject({ state: "running", job_id: jobId });
  });

  test("that is stopped keeps its partial and goes on another time", async () => {
    await using running = await started();
    bench.putLong(EVENT, LONG);
    const { job_id: jobId } = await ask(running, "");
    await untilSize(join(bench.home, `.${EVENT}`), 1);
    const stop = await running.client.send("POST", "/api/import/stop");
    expect([stop.status, await stop.json()]).toEqual([202, { job_id: jobId, stopping: true }]);
    await (await running.app.imports()).ended();
    expect(await state(running)).toMatchObject({
      state: "failed",
      ending: "stopped",
      message: "import stopped by user",
      recordings_imported: 0,
    });
    expect(await bench.homeFiles()).toContain(`.${EVENT}`);
    expect(await imported(running)).toMatchObject({ state: "completed", recordings_imported: 1 });
  });

  test("ends with the service, keeping its partial", async () => {
    await using running = await started();
    bench.putLong(EVENT, LONG);
    await ask(running, "");
    await untilSize(join(bench.home, `.${EVENT}`), 1);
    await running.stop();
    const files = await bench.homeFiles();
    expect(files.filter((name) => name.includes(EVENT))).toEqual([`.${EVENT}`]);
  });
});

test("what was imported counts as brought: the first deletion by age does not ask for it", async () => {
  await using running = await started();
  bench.put(FRONT);
  await imported(running);
  await running.client.send("PATCH", "/api/settings/retention", { keep: "1d" });
  const { held } = (await (await running.client.fetch("/api/retention")).json()) as { held: unknown };
  expect(held).toBeNull();
});

describe("a folder is refused that", () => {
  test("is not in the folder for cards, by any path, and the answer tells nothing of it", async () => {
    await using running = await started();
    const outside = join(bench.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, FRONT), videoOf(10));
    writeFileSync(join(bench.card, "file"), "x");
    symlinkSync(outside, join(bench.card, "link"));
    symlinkSync("/", join(bench.card, "everything"));
    mkdirSync(`${bench.card}-other`);
    const paths = [
      outside,
      "..",
      "../outside",
      "BlackVue/../../outside",
      "link",
      "everything",
      `everything${outside}`,
      "nothing",
      "file",
      "/",
      "/etc",
      `${bench.card}-other`,
      "a\0b",
      "x".repeat(5000),
    ];
    for (const path of paths) {
      const { status, code, error } = await ask(running, path);
      expect([path.slice(0, 50), status, code]).toEqual([path.slice(0, 50), 422, "NOT_BELOW_IMPORT_FOLDER"]);
      expect(error).toBe("There is no such folder in the folder for cards.");
    }
    expect((await state(running)).state).toBe("idle");
    expect(await bench.homeFiles()).not.toContain(FRONT);
  });

  test("holds the recordings or the settings, when the folder for cards lies above both", async () => {
    await using running = await started({ folder: bench.root });
    mkdirSync(join(bench.home, "2026"), { recursive: true });
    expect((await patch(running, { import_folder: bench.root })).status).toBe(200);
    for (const path of ["home", "home/2026", "config"])
      expect(await ask(running, path)).toMatchObject({ status: 422, code: "NOT_BELOW_IMPORT_FOLDER" });
    bench.atHome(`2026/${REAR}`, videoOf(10));
    bench.put(FRONT);
    // Above them all is imported but what is at home.
    const done = await imported(running, "");
    expect(done).toMatchObject({ recordings_imported: 1, files_present: 0 });
  });

  test("is no text", async () => {
    await using running = await started();
    for (const path of [7, null, undefined, ["a"], { a: 1 }])
      expect(await ask(running, path)).toMatchObject({ status: 400, code: "INVALID_BODY" });
  });
});

test("the folder for cards is none of the recordings or of the settings, and a whole path", async () => {
  await using running = await started({ folder: bench.root });
  mkdirSync(join(bench.home, "2026"), { recursive: true });
  writeFileSync(join(bench.root, "file"), "x");
  const rows: [folder: string, said: string][] = [
    [bench.home, "where the recordings are at home"],
    [join(bench.home, "2026"), "where the recordings are at home"],
    [join(bench.root, "config"), "which holds the settings"],
    [join(bench.root, "file"), "names something that is no folder"],
    ["/etc", "is a folder of the system"],
    ["card", "write the whole path"],
    ["a\u0000b", "control character"],
  ];
  for (const [folder, said] of rows) {
    const answer = await patch(running, { import_folder: folder });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(said)]);
  }
  // A card that is not put in yet.
  expect((await patch(running, { import_folder: join(bench.root, "later") })).status).toBe(200);
  expect(await ask(running, "")).toMatchObject({ status: 422, code: "NOT_BELOW_IMPORT_FOLDER" });
  expect((await patch(running, { import_folder: null })).status).toBe(200);
  expect(await ask(running, "")).toMatchObject({ status: 409, code: "IMPORT_OFF" });
});

test("a further camera has imports of its own, by its own rules and into its own folder", async () => {
  await using running = await started();
  const { client } = running;
  const added = await client.send("POST", "/api/cameras", { name: "Van", address: "127.0.0.1:1" });
  const { id } = (await added.json()) as { id: string };
  bench.put(FRONT);
  bench.put(REAR);
  const settings = `/api/cameras/${id}/settings`;
  const exclude = await client.send("PATCH", `${settings}/sync`, { exclude: ["NR"] });
  const keep = await client.send("PATCH", `${settings}/retention`, { keep: "" });
  expect([added.status, exclude.status, keep.status]).toEqual([201, 200, 200]);
  expect((await client.send("POST", `/api/import?camera=${id}`, { path: "" })).status).toBe(202);
  const van = running.app.cameras.of(id);
  await (await van?.imports())?.ended();
  const done = await (await client.fetch(`/api/import?camera=${id}`)).json();
  expect(done).toMatchObject({ state: "completed", recordings_imported: 1, left: [{ cause: "selection" }] });
  expect((await state(running)).state).toBe("idle");
  expect(await bench.homeFiles()).not.toContain(FRONT);
  expect(await Bun.file(join(van?.recordings.root ?? "", FRONT)).exists()).toBe(true);
});

describe("beside a sync", () => {
  test("it waits for the end of one that runs, and each recording comes home once", async () => {
    await using running = await started({ rate: 400_000 });
    const { simulator, app } = running;
    for (const name of simulator.card.names()) bench.put(name, await simulator.card.bytes(name));
    app.job.start("manual");
    await until(() => app.job.snapshot.bytes_downloaded_total > 0);
    await ask(running, "");
    expect(await state(running)).toMatchObject({ state: "running", step: "waiting", files_imported: 0 });
    await app.job.ended();
    await (await app.imports()).ended();
    const brought = app.history.latest()?.files ?? 0;
    const done = await state(running);
    expect(done.state).toBe("completed");
    expect(brought + done.files_imported).toBe(simulator.card.names().length);
    expect(done.files_present).toBe(brought);
  });

  test("it lets one go first that begins meanwhile, and goes on afterwards", async () => {
    await using running = await started();
    const { simulator, app } = running;
    const name = simulator.card.names().find((one) => one.endsWith(".mp4")) ?? "";
    bench.putLong("20200101_080000_NF.mp4", LONG);
    bench.put(name, await simulator.card.bytes(name));
    bench.put("20300101_080000_NF.mp4");
    await ask(running, "");
    await untilSize(join(bench.home, ".20200101_080000_NF.mp4"), 1);
    app.job.start("manual");
    await app.job.ended();
    // The camera's recordings were home before the import had ended.
    expect(app.history.latest()).toMatchObject({ success: true, files: simulator.card.names().length });
    await (await app.imports()).ended();
    expect(await state(running)).toMatchObject({
      state: "completed",
      recordings_imported: 2,
      files_present: 1,
      left: [],
    });
  });

  test("it does not begin while another process has the folder, and says so", async () => {
    await using running = await started();
    bench.put(FRONT);
    mkdirSync(bench.home, { recursive: true });
    const lock = acquireLock(bench.home, lockHolder("sync", systemClock));
    const done = await imported(running);
    lock.release();
    expect(done).toMatchObject({
      state: "failed",
      message: expect.stringContaining("another sync is using this folder"),
    });
  });

  test("a stop is heard while it waits", async () => {
    await using running = await started({ rate: 100_000 });
    const { app } = running;
    app.job.start("manual");
    await until(() => app.job.snapshot.bytes_downloaded_total > 0);
    bench.put(FRONT);
    await ask(running, "");
    await running.client.send("POST", "/api/import/stop");
    await (await app.imports()).ended();
    expect(await state(running)).toMatchObject({ state: "failed", ending: "stopped", files_imported: 0 });
    app.job.stop();
    await app.job.ended();
  });
});
