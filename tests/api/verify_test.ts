import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAMAGES } from "../../server/domain/checksums/file_judgement.ts";
import type { VerifyState } from "../../server/domain/checksums/verify_schema.ts";
import { momentNumber } from "../../server/domain/recordings/moment_number.ts";
import { endingOf } from "../../server/domain/recordings/recording_name.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { until } from "../support/app/http.ts";
import { cardOf, VIDEOS } from "../support/app/sync.ts";

// Real services: five seconds are too little on a busy machine.
setDefaultTimeout(40_000);

const [FRONT, REAR] = VIDEOS;
const PATH = "/api/library/verify";

/** A service that has brought everything home, with the checksums of it. */
async function filled(options: AppOptions = {}): Promise<RunningApp> {
  const running = await startApp({
    card: cardOf(VIDEOS),
    ...options,
    settings: { retention: { keep: "", max_used_disk_percent: 98 }, schedule: { paused: true }, ...options.settings },
  });
  await running.client.open("/");
  running.app.job.start("manual");
  await running.app.job.ended();
  await running.app.checksums.settled();
  return running;
}

const state = async ({ client }: RunningApp, query = ""): Promise<VerifyState> =>
  (await (await client.fetch(`${PATH}${query}`)).json()) as VerifyState;
const post = async ({ client }: RunningApp, what = "") => {
  const answer = await client.send("POST", `${PATH}${what}`, undefined);
  return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) };
};
async function checked(running: RunningApp): Promise<VerifyState> {
  expect(await post(running)).toMatchObject({ status: 202, running: true });
  await (await running.app.verify()).ended();
  return await state(running);
}

/** Where a recording lies, below the recordings folder. */
const placeOf = ({ app, destination }: RunningApp, name: string) =>
  join(destination, app.library.folderOf(name) ?? "", name);
function damage(path: string): void {
  const { atimeMs, mtimeMs } = statSync(path);
  const bytes = readFileSync(path);
  bytes[1000] = (bytes[1000] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
}

describe("the check of all recordings", () => {
  test("reads every file; damaged and missing ones are named, also after a restart", async () => {
    const running = await filled();
    try {
      expect(await state(running)).toMatchObject({ running: false, checked: 0, ended: null, finished_at: null });
      const files = running.app.library.recordingCount;
      expect(files).toBe(4);
      expect(await checked(running)).toMatchObject({ checked: 12, total: 12, taken: 0, damaged: [], ended: "done" });
      damage(placeOf(running, FRONT));
      rmSync(placeOf(running, REAR));
      const found = await checked(running);
      const damaged = [
        { path: FRONT, why: "other_bytes" },
        { path: REAR, why: "missing" },
      ];
      expect(found).toMatchObject({ checked: 11, total: 11, damaged, damaged_files: 2, ended: "done" });
      expect(running.app.checksums.isDamaged(FRONT)).toBe(true);
      const { folder, destination } = running;
      await running.app.close();
      await using again = await startApp({ folder, destination, card: cardOf(VIDEOS) });
      await again.client.open("/");
      await again.app.library.refresh();
      expect(await state(again)).toEqual(found);
    } finally {
      await running[Symbol.asyncDispose]();
    }
  });

  test("is one at a time, waits while a sync goes on, and can be stopped", async () => {
    await using running = await filled();
    expect(await post(running, "/stop")).toMatchObject({ status: 409, code: "VERIFY_NOT_RUNNING" });
    running.simulator.card.record("20260607_101700_NF.mp4");
    running.simulator.rate = 20_000;
    running.app.job.start("manual");
    await until(() => running.app.job.snapshot.phase === "downloading");
    expect(await post(running)).toMatchObject({ status: 202, running: true, waiting: true });
    expect(await post(running)).toMatchObject({ status: 409, code: "VERIFY_RUNNING" });
    await until(() => (running.app.verify.opened?.state.total ?? 0) > 0);
    expect(await state(running)).toMatchObject({ waiting: true, checked: 0, total: 12 });
    expect(await post(running, "/stop")).toMatchObject({ status: 202, stopping: true });
    await (await running.app.verify()).ended();
    expect(await state(running)).toMatchObject({ ended: "stopped", checked: 0, damaged: [] });
    running.app.job.stop();
    await running.app.job.ended();
  });

  test("calls nothing missing when the recordings folder is away", async () => {
    await using running = await filled();
    renameSync(running.destination, `${running.destination}-away`);
    mkdirSync(running.destination);
    expect(await checked(running)).toMatchObject({ ended: "away", damaged: [], checked: 0 });
    rmSync(running.destination, { recursive: true });
    renameSync(`${running.destination}-away`, running.destination);
    expect(await checked(running)).toMatchObject({ ended: "done", damaged: [], checked: 12 });
  });

  test("does not miss what was deleted here, nor what its owner gave up", async () => {
    await using running = await filled();
    const { client } = running;
    expect((await client.send("DELETE", "/api/recordings/20260607_101500_N", undefined)).status).toBe(200);
    expect(await checked(running)).toMatchObject({ damaged: [], total: 6 });
    const restored = await client.send("POST", "/api/trash/restore", { all: true });
    expect(await restored.json()).toMatchObject({ restored: 1 });
    expect(await checked(running)).toMatchObject({ damaged: [], total: 12, taken: 0 });
    expect((await client.send("DELETE", "/api/recordings/20260607_101500_N", undefined)).status).toBe(200);
    expect((await client.send("DELETE", "/api/trash", undefined)).status).toBe(200);
    expect(await checked(running)).toMatchObject({ damaged: [], total: 6 });
    rmSync(placeOf(running, "20260607_101600_EF.mp4"));
    expect(await checked(running)).toMatchObject({ damaged: [{ why: "missing" }], total: 5 });
    expect(await post(running, "/accept")).toMatchObject({ status: 200, forgotten: 1 });
    expect(await state(running)).toMatchObject({ damaged: [], damaged_files: 0 });
    expect(await checked(running)).toMatchObject({ damaged: [], total: 5 });
  });

  test("tells why checksums cannot be kept, as of a newer version, and leaves them alone", async () => {
    await using running = await filled();
    await running.app.checksums.close();
    const path = join(running.destination, ".dashdock", "sums.db");
    const db = new Database(path);
    db.run("pragma user_version = 99");
    db.close();
    const before = readFileSync(path);
    const { folder, destination } = running;
    await running.app.close();
    await using again = await startApp({ folder, destination, card: cardOf(VIDEOS) });
    await again.client.open("/");
    const { problem, ended } = await checked(again);
    expect([ended, problem]).toEqual([
      "failed",
      ".dashdock/sums.db was written by a newer Dashdock (it is of version 99, newer than version 1 that this program reads); use that one, or move the file away.",
    ]);
    expect(readFileSync(path)).toEqual(before);
  });

  test("begins anew when they are damaged, and says so", async () => {
    const bench = mkdtempSync(join(tmpdir(), "sums-"));
    try {
      const destination = join(bench, "recordings");
      mkdirSync(join(destination, ".dashdock"), { recursive: true });
      writeFileSync(
        join(destination, ".dashdock", "sums.db"),
        "no database at all, and long enough to look like one".repeat(99),
      );
      await using running = await filled({ destination });
      expect(await checked(running)).toMatchObject({ ended: "done", damaged: [], total: 12, problem: null });
      const names = readdirSync(join(destination, ".dashdock")).sort();
      expect(names.filter((name) => name.startsWith("sums.db")).map((name) => name.replace(/[0-9]+/g, "0"))).toEqual([
        "sums.db",
        "sums.db.corrupt-0T0Z",
      ]);
      const said = running.app.log.lines.filter(({ logger }) => logger === "checksums").map(({ message }) => message);
      expect(said[0]).toStartWith("the checksums were damaged (file is not a database); they are kept as ");
    } finally {
      rmSync(bench, { recursive: true, force: true });
    }
  });
});

test("every page knows at once what another program has found, and that it is whole again", async () => {
  await using running = await filled();
  const { client, destination } = running;
  const told = async () => {
    const json = async (path: string) => (await (await client.fetch(path)).json()) as Record<string, unknown>;
    const { sentence } = await json("/api/overview");
    const plan = (await json("/api/plan"))["sentence"];
    const { totals } = await json("/api/coverage?from=2026-06-01&to=2026-06-30");
    const { of_these } = await json("/api/card");
    const { damaged_files } = await state(running);
    return { isTold: String(sentence).endsWith("at home is damaged."), totals, of_these, damaged_files, plan };
  };
  const set = (damage: number | null) => {
    using db = new Database(join(destination, ".dashdock", "sums.db"), { readwrite: true, create: false });
    const sql = "update files set damage = ?, damaged_at = ? where moment = ? and ending = ?";
    expect(db.query(sql).run(damage, damage, momentNumber(FRONT), endingOf(FRONT)).changes).toBe(1);
  };
  const whole = {
    isTold: false,
    totals: { home: 4, damaged: 0 },
    of_these: { coming: 0 },
    damaged_files: 0,
    plan: "All is home: you may switch off.",
  };
  await running.app.checksums.sums.write();
  expect(await told()).toMatchObject(whole);
  set(DAMAGES.indexOf("other_bytes"));
  const damaged = {
    isTold: true,
    totals: { home: 3, damaged: 1 },
    of_these: { coming: 1 },
    damaged_files: 1,
    plan: expect.stringContaining("1\u00a0file is damaged and comes again"),
  };
  expect(await told()).toMatchObject(damaged);
  set(null);
  expect(await told()).toMatchObject(whole);
});

test("every camera has its own; an unknown one is none", async () => {
  await using running = await filled();
  const { client } = running;
  expect((await client.fetch(`${PATH}?camera=van`)).status).toBe(404);
  const all = await client.fetch(`${PATH}?camera=all`);
  expect(await all.json()).toMatchObject({ cameras: [{ camera: "main", running: false }] });
});
