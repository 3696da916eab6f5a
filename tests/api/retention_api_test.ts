import { describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TrashDay } from "../../server/domain/retention/deletion.ts";
import { TrashUnusable } from "../../server/store/destination/own_folder_guard.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app.ts";
import { FakeClock } from "../support/clock.ts";
import { mayMount, SmallDisk } from "../support/disks.ts";
import { atHome, DAY, inTrash, namesFrom, put, run, send, state } from "../support/held.ts";
import { cardOf, listTree } from "../support/sync.ts";

setDefaultTimeout(30_000);

const NOW = "2026-06-07T10:30:00Z";
const OLD = namesFrom("20260401", 3);
const KEY = "20260401_000000_N";
const VIDEOS = ["20260607_101500_NF.mp4", "20260607_101500_NR.mp4", "20260607_101600_EF.mp4"];

type Options = AppOptions & { clock?: FakeClock };

/** A service whose keep time somebody has chosen. */
function start({ settings, ...options }: Options = {}): Promise<RunningApp> {
  const clock = options.clock ?? new FakeClock(NOW);
  const retention = { keep: "4w", ...settings?.retention };
  return startApp({ card: cardOf(VIDEOS, 1000), ...options, clock, settings: { ...settings, retention } });
}

async function days({ client }: RunningApp, query = ""): Promise<TrashDay[]> {
  return ((await (await client.fetch(`/api/trash${query}`)).json()) as { days: TrashDay[] }).days;
}

/** The card's videos at home. */
function fromCard({ destination }: RunningApp): string[] {
  return readdirSync(destination).filter((name) => name.endsWith(".mp4") && VIDEOS.includes(name));
}

function own({ destination }: RunningApp, name: string): string {
  return readFileSync(join(destination, ".dashdock", name), "utf8");
}

describe("who may ask", () => {
  const CHANGES = [
    ["POST", "/api/retention/confirm"],
    ["POST", "/api/retention/seen"],
    ["POST", "/api/trash/restore"],
    ["DELETE", "/api/trash"],
    ["PUT", `/api/recordings/${KEY}/keep`],
    ["DELETE", `/api/recordings/${KEY}/keep`],
    ["DELETE", `/api/recordings/${KEY}`],
    ["DELETE", "/api/recordings"],
  ] as const;
  const QUESTIONS = ["/api/retention", "/api/retention/preview", "/api/trash", `/api/trash/${KEY}/thumbnail`] as const;

  test("nobody who is not signed in; nothing is changed", async () => {
    await using running = await start({ mode: "login", password: "correct horse battery staple" });
    put(running, OLD);
    for (const [method, path] of [...CHANGES, ...QUESTIONS.map((path) => ["GET", path] as const)]) {
      const answer = await running.client.send(method, path);
      expect([method, path, answer.status]).toEqual([method, path, 401]);
      expect(await answer.json()).toMatchObject({ code: "AUTH_REQUIRED" });
    }
    expect(atHome(running)).toEqual(OLD);
  });

  test("nobody without the token of a page; nothing is changed", async () => {
    await using running = await start();
    put(running, OLD);
    for (const [method, path] of CHANGES) {
      const answer = await running.client.fetch(path, { method });
      expect([method, path, answer.status]).toEqual([method, path, 403]);
      expect(await answer.json()).toMatchObject({ code: "CSRF_FAILED" });
    }
    expect(atHome(running)).toEqual(OLD);
    expect(existsSync(join(running.destination, ".dashdock"))).toBe(false);
  });
});

describe("what is told of deleting", () => {
  test("before anything happened", async () => {
    await using running = await start();
    expect(await state(running)).toEqual({
      held: null,
      confirmed: null,
      last: null,
      trash: { recordings: 0, bytes: 0, days: 7 },
      unseen: [],
      problem: null,
      kept: { recordings: 0, bytes: 0 },
    });
    expect(await days(running)).toEqual([]);
    expect(await send(running, "POST", "/api/retention/confirm")).toMatchObject({
      status: 409,
      body: { code: "NOTHING_HELD" },
    });
  });

  test("after a pass: the receipt, until it is seen, in the run, in the log and after a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "retention-"));
    const clock = new FakeClock("2026-06-07T10:30:00.123Z");
    const receipt = {
      id: "20260607T103000123Z-age",
      at: "2026-06-07T10:30:00.123Z",
      recordings: 3,
      bytes: 9,
      oldest: "2026-04-01",
      newest: "2026-04-01",
      cause: "age",
      by: null,
      until: "2026-06-14T10:30:00.123Z",
    };
    try {
      {
        await using running = await start({ folder, clock });
        put(running, OLD);
        await run(running);
        expect(await state(running)).toMatchObject({
          last: receipt,
          unseen: [receipt],
          trash: { recordings: 3, bytes: 9, days: 7 },
        });
        expect(running.app.history.latest()?.deleted).toEqual({ recordings: 3, bytes: 9 });
        expect(await days(running)).toEqual([
          {
            date: "2026-06-07",
            recordings: OLD.toReversed().map((name) => ({
              key: name.slice(0, 17),
              deleted_at: receipt.at,
              purge_at: receipt.until,
              bytes: 3,
              cause: "age",
              by: null,
              why: "Older than 4 weeks",
              recordings: 1,
              thumb: null,
            })),
          },
        ]);
        const told = running.app.log.lines.filter(({ message }) => /^Moved 3\srecordings to the trash/.test(message));
        expect(told).toHaveLength(1);
      }
      await using running = await start({ folder, clock });
      expect(await state(running)).toMatchObject({ last: receipt, unseen: [receipt] });
      expect(running.app.history.latest()?.deleted).toEqual({ recordings: 3, bytes: 9 });
      expect((await send(running, "POST", "/api/retention/seen", {})).body).toMatchObject({ code: "INVALID_BODY" });
      expect((await send(running, "POST", "/api/retention/seen", { id: "no" })).body).toEqual({ seen: 0 });
      expect((await send(running, "POST", "/api/retention/seen", { id: receipt.id })).body).toEqual({ seen: 1 });
      expect((await send(running, "POST", "/api/retention/seen", { id: receipt.id })).body).toEqual({ seen: 0 });
      expect(await state(running)).toMatchObject({ last: receipt, unseen: [] });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("a change of the settings tells what it will delete", async () => {
    await using running = await start({ settings: { retention: { keep: "" } } });
    put(running, OLD);
    const { status, body } = await send(running, "PATCH", "/api/settings/retention", { keep: "4w" });
    expect([status, body]).toEqual([
      200,
      { section: "retention", tier: expect.any(String), applied: true, would_delete: { recordings: 3, bytes: 9 } },
    ]);
    expect((await send(running, "PATCH", "/api/settings/retention", { keep: "" })).body).toMatchObject({
      would_delete: { recordings: 0, bytes: 0 },
    });
    expect((await send(running, "PATCH", "/api/settings/viewer", {})).body).not.toHaveProperty("would_delete");
  });

  test("what a limit deletes is not called nothing while nobody knows how large recordings are", async () => {
    await using running = await start({ settings: { retention: { keep: "" } } });
    put(running, OLD);
    for (const name of OLD) truncateSync(join(running.destination, name), 900_000_000);
    // As on a disk that answers late.
    const late = spyOn(running.app.retention.sizes, "learnWithin").mockResolvedValue(undefined);
    const preview = "/api/retention/preview?max_gb=1";
    expect(await (await running.client.fetch(preview)).json()).toMatchObject({ recordings: null, forecast: null });
    expect((await send(running, "PATCH", "/api/settings/retention", { max_gb: 1 })).body["would_delete"]).toBeNull();
    expect(await state(running)).toMatchObject({ held: null });
    late.mockRestore();
    expect(await (await running.client.fetch(preview)).json()).toMatchObject({ recordings: 2, bytes: 1_800_000_000 });
  });

  test("the trash is told a day at a time, and in parts", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock });
    put(running, OLD);
    await run(running);
    clock.jump(DAY);
    put(running, namesFrom("20260402", 2));
    await run(running);
    expect((await days(running)).map(({ date, recordings }) => [date, recordings.length])).toEqual([
      ["2026-06-08", 2],
      ["2026-06-07", 3],
    ]);
    const keysOf = (found: TrashDay[]) => found.flatMap(({ recordings }) => recordings.map(({ key }) => key));
    expect(keysOf(await days(running, "?date=2026-06-07&limit=2"))).toEqual(["20260401_000200_N", "20260401_000100_N"]);
    expect(keysOf(await days(running, "?date=2026-06-07&limit=2&after=20260401_000100_N"))).toEqual([KEY]);
    expect(keysOf(await days(running, "?limit=3"))).toHaveLength(3);
    expect(await days(running, "?date=2020-01-01")).toEqual([]);
    const bad = await running.client.fetch("/api/trash?date=yesterday");
    expect([bad.status, await bad.json()]).toEqual([422, expect.objectContaining({ code: "INVALID_DATE" })]);
  });
});

describe("kept", () => {
  test("a mark keeps a recording from rules and hands, until it is taken off", async () => {
    await using running = await start();
    put(running, OLD);
    const path = `/api/recordings/${KEY}/keep`;
    const kept = { at: "2026-06-07T10:30:00.000Z", note: null };
    expect(await send(running, "PUT", path)).toEqual({ status: 200, body: { key: KEY, kept } });
    expect(JSON.parse(own(running, "kept.json"))).toEqual({ version: 1, recordings: { [KEY]: kept } });
    expect((await send(running, "PUT", path, { note: "  the\tred\ncar " })).body).toMatchObject({
      kept: { at: kept.at, note: expect.stringMatching(/^the.red.car$/) },
    });
    // Without a word about the note it stays.
    expect((await send(running, "PUT", path, {})).body).toMatchObject({ kept: { note: expect.stringMatching(/red/) } });
    expect((await send(running, "PUT", path, { note: null })).body).toMatchObject({ kept });
    await run(running);
    expect(atHome(running)).toEqual([`${KEY}F.mp4`]);
    expect(await send(running, "DELETE", `/api/recordings/${KEY}`)).toMatchObject({
      status: 409,
      body: { code: "RECORDING_KEPT", details: { recording: KEY } },
    });
    expect((await state(running)).kept).toEqual({ recordings: 1, bytes: 3 });
    expect(atHome(running)).toEqual([`${KEY}F.mp4`]);
    expect((await send(running, "DELETE", path)).body).toEqual({ key: KEY, kept: null });
    await run(running);
    expect(atHome(running)).toEqual([]);
  });

  test("refusals: no such recording, a note that is none, a key that is none", async () => {
    await using running = await start();
    put(running, OLD);
    for (const method of ["PUT", "DELETE"])
      expect(await send(running, method, "/api/recordings/20260401_235959_N/keep")).toMatchObject({
        status: 404,
        body: { code: "RECORDING_NOT_FOUND" },
      });
    for (const note of [3, {}, "x".repeat(501)])
      expect(await send(running, "PUT", `/api/recordings/${KEY}/keep`, { note })).toMatchObject({
        status: 400,
        body: { code: "INVALID_BODY" },
      });
    expect((await send(running, "PUT", "/api/recordings/..%2F..%2Fetc/keep")).status).toBe(404);
    expect(existsSync(join(running.destination, ".dashdock", "kept.json"))).toBe(false);
  });

  test("a list that is damaged stops deleting, and not the service; mended by hand, it is read at once", async () => {
    await using running = await start();
    put(running, OLD);
    mkdirSync(join(running.destination, ".dashdock"), { recursive: true });
    const list = join(running.destination, ".dashdock", "kept.json");
    const damaged = [
      '{"version":1,"recordings":{"20260',
      '{"version":2,"recordings":{}}',
      "",
      '{"version":1,"recordings":{"x":{"at":"","note":null}}}',
    ];
    for (const text of damaged) {
      writeFileSync(list, text);
      await run(running);
      expect(atHome(running)).toEqual(OLD);
      expect((await state(running)).problem).toBe(
        "Nothing is deleted: .dashdock/kept.json in the recordings folder is damaged, so it is unknown what is kept; mend it or remove it.",
      );
      for (const [method, path, body] of [
        ["DELETE", `/api/recordings/${KEY}`],
        ["PUT", `/api/recordings/${KEY}/keep`],
        ["POST", "/api/trash/restore", { all: true }],
      ] as const)
        expect(await send(running, method, path, body)).toMatchObject({
          status: 503,
          body: { code: "TRASH_UNUSABLE", error: expect.stringContaining(".dashdock/kept.json") },
        });
      expect(readFileSync(list, "utf8")).toBe(text);
      expect((await running.client.fetch("/viewer")).status).toBe(200);
    }
    expect(fromCard(running)).toEqual(VIDEOS);
    writeFileSync(list, JSON.stringify({ version: 1, recordings: { [KEY]: { at: NOW, note: null } } }));
    await run(running);
    expect(atHome(running)).toEqual([`${KEY}F.mp4`]);
    expect((await state(running)).problem).toBeNull();
  });

  test("marks outlive the loss of the config folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "retention-"));
    try {
      {
        await using running = await start({ folder });
        put(running, OLD);
        await send(running, "PUT", `/api/recordings/${KEY}/keep`, { note: "mine" });
      }
      rmSync(join(folder, "config"), { recursive: true });
      await using running = await start({ folder, env: { KEEP: "4w" } });
      await run(running);
      expect(atHome(running)).toEqual([`${KEY}F.mp4`]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("deleted by hand", () => {
  test("it goes with all its files, is not fetched again, and forgotten when the camera has it no longer", async () => {
    await using running = await start();
    await run(running);
    expect(fromCard(running)).toEqual(VIDEOS);
    const key = "20260607_101500_N";
    const { status, body } = await send(running, "DELETE", `/api/recordings/${key}`);
    expect([status, body]).toEqual([200, { key, purge_at: "2026-06-14T10:30:00.000Z" }]);
    expect(fromCard(running)).toEqual(VIDEOS.slice(2));
    expect(readdirSync(running.destination).filter((name) => name.startsWith(key))).toEqual([]);
    expect(await send(running, "DELETE", `/api/recordings/${key}`)).toMatchObject({
      status: 404,
      body: { code: "RECORDING_NOT_FOUND" },
    });
    for (const trigger of ["manual", "schedule"] as const) {
      await run(running, trigger);
      expect(fromCard(running)).toEqual(VIDEOS.slice(2));
      expect(running.app.history.latest()?.leftOut?.deleted).toBe(2);
    }
    expect(own(running, "deleted")).toBe(`${key}\n`);
    // An empty list says nothing about the card.
    running.simulator.fault("list-empty");
    await run(running);
    running.simulator.clearFaults();
    expect(own(running, "deleted")).toBe(`${key}\n`);
    for (const name of VIDEOS.slice(0, 2)) running.simulator.card.remove(name);
    await run(running);
    expect(own(running, "deleted")).toBe("");
    expect((await state(running)).unseen).toEqual([]);
    expect((await state(running)).last).toMatchObject({ cause: "hand", recordings: 2 });
  });

  test("while a run brings it: what of it is not here yet does not come", async () => {
    const [front, rear] = VIDEOS.slice(0, 2) as [string, string];
    await using running = await start({ card: cardOf([front], 20_000) });
    await run(running);
    for (const name of [rear, VIDEOS[2] ?? ""]) running.simulator.card.record(name);
    await running.client.open("/");
    running.simulator.rate = 2000;
    running.app.job.start("schedule");
    await running.simulator.asked(new RegExp(rear));
    const key = front.slice(0, 17);
    expect((await send(running, "DELETE", `/api/recordings/${key}`)).status).toBe(200);
    expect(running.app.job.isRunning).toBe(true);
    running.simulator.rate = null;
    await running.synced();
    // What had come of it stays a partial: whoever has the recording back need not have the camera for it.
    const left = readdirSync(running.destination).filter((name) => name.includes(key));
    expect(left.every((name) => name === `.${rear}`)).toBe(true);
    expect(fromCard(running)).toEqual(VIDEOS.slice(2));
    // Had back, the rest of it comes with the next run.
    expect((await send(running, "POST", "/api/trash/restore", { keys: [key] })).body).toMatchObject({
      restored: 1,
      failed: [],
    });
    await run(running);
    expect(fromCard(running)).toEqual(VIDEOS);
  });

  test("several at once are one deletion; those that cannot go are named", async () => {
    await using running = await start({ settings: { retention: { keep: "" } } });
    put(running, OLD);
    const keys = OLD.map((name) => name.slice(0, 17));
    await send(running, "PUT", `/api/recordings/${keys[0]}/keep`);
    const gone = "20260401_120000_N";
    const { body } = await send(running, "DELETE", "/api/recordings", { keys: [...keys, gone] });
    expect(body).toEqual({
      deleted: keys.slice(1),
      failed: [
        { key: keys[0], reason: expect.stringContaining("kept") },
        { key: gone, reason: expect.any(String) },
      ],
      purge_at: "2026-06-14T10:30:00.000Z",
    });
    expect(atHome(running)).toEqual(OLD.slice(0, 1));
    const { last } = await state(running);
    expect(last).toMatchObject({ cause: "hand", recordings: 2, bytes: 6 });
    expect((await send(running, "POST", "/api/trash/restore", { deletion: last?.id })).body).toMatchObject({
      restored: 2,
      failed: [],
    });
    expect(atHome(running)).toEqual(OLD);
    expect(own(running, "deleted")).toBe("");
    for (const bad of [{}, { keys: "all" }, { keys: [3] }, { keys: ["../../etc/passwd"] }])
      expect(await send(running, "DELETE", "/api/recordings", bad)).toMatchObject({ status: 400 });
  });

  test("with no days in the trash it is gone at once, and so is what a pass deletes", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock, settings: { retention: { trash_days: 0 } } });
    put(running, OLD);
    expect((await send(running, "DELETE", `/api/recordings/${KEY}`)).body).toEqual({ key: KEY, purge_at: null });
    expect([atHome(running), inTrash(running)]).toEqual([OLD.slice(1), []]);
    clock.jump(1000);
    await run(running);
    expect([atHome(running), inTrash(running)]).toEqual([[], []]);
    expect((await state(running)).last).toMatchObject({ until: null, recordings: 2 });
  });

  test("where the trash cannot be used nothing goes, and what is missing of it still comes", async () => {
    await using running = await start();
    await run(running);
    writeFileSync(join(running.destination, ".dashdock", "trash"), "a file");
    const key = "20260607_101500_N";
    put(running, OLD);
    expect(await send(running, "DELETE", `/api/recordings/${key}`)).toMatchObject({
      status: 503,
      body: { code: "TRASH_UNUSABLE", error: expect.stringMatching(/^The trash folder .*\.$/) },
    });
    expect(fromCard(running)).toEqual(VIDEOS);
    rmSync(join(running.destination, VIDEOS[1] ?? ""));
    await run(running);
    expect(fromCard(running)).toEqual(VIDEOS);
    expect(atHome(running)).toEqual(OLD);
    expect(running.app.history.latest()?.success).toBe(true);
    expect((await state(running)).problem).toMatch(/^Nothing is deleted: the trash folder .*\.$/);
  });
});

describe("had back", () => {
  test("what a pass took comes back as one, is kept, and the next pass leaves it", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock });
    put(running, ["2026-04/20260401_000000_NF.mp4", "2026-04/20260401_000000_N.gps", ...OLD.slice(1)]);
    const before = readdirSync(join(running.destination, "2026-04")).sort();
    await run(running);
    expect(existsSync(join(running.destination, "2026-04"))).toBe(false);
    const { last } = await state(running);
    const { body } = await send(running, "POST", "/api/trash/restore", { deletion: last?.id });
    expect(body).toEqual({ restored: 3, recordings: 3, failed: [] });
    expect(readdirSync(join(running.destination, "2026-04")).sort()).toEqual(before);
    expect(Object.keys(JSON.parse(own(running, "kept.json")).recordings)).toEqual(OLD.map((name) => name.slice(0, 17)));
    expect(await state(running)).toMatchObject({ unseen: [], trash: { recordings: 0, bytes: 0 } });
    clock.jump(DAY);
    await run(running);
    expect(atHome(running)).toEqual(["2026-04/20260401_000000_NF.mp4", ...OLD.slice(1)]);
  });

  test("one, several, all; what is not there is named; a second time there is nothing", async () => {
    await using running = await start();
    put(running, OLD);
    await run(running);
    const [first = "", second = "", third = ""] = OLD.map((name) => name.slice(0, 17));
    const restore = async (body: unknown) => (await send(running, "POST", "/api/trash/restore", body)).body;
    expect(await restore({ keys: [first, "20200101_000000_N"] })).toMatchObject({
      restored: 1,
      failed: [{ key: "20200101_000000_N", reason: "It is not in the trash." }],
    });
    // It came home by another way meanwhile.
    put(running, [`${second}F.mp4`], "another");
    expect(await restore({ all: true })).toMatchObject({
      restored: 1,
      failed: [{ key: second, reason: "It is here already, and nothing is written over." }],
    });
    expect(readFileSync(join(running.destination, `${second}F.mp4`), "utf8")).toBe("another");
    expect(inTrash(running)).toEqual([`${second}F.mp4`]);
    expect(Object.keys(JSON.parse(own(running, "kept.json")).recordings)).toEqual([first, third]);
    expect(await restore({ deletion: "nothing" })).toMatchObject({ restored: 0, failed: [] });
    for (const bad of [{}, { all: 1 }, { keys: [1] }, { deletion: 3 }])
      expect(await restore(bad)).toMatchObject({ code: "INVALID_BODY" });
  });

  test("of what was deleted twice the last comes back and stays, the other waits on", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock });
    put(running, [`${KEY}F.mp4`], "the first");
    await run(running);
    clock.jump(60_000);
    put(running, [`${KEY}F.mp4`], "the second");
    await run(running);
    expect((await send(running, "POST", "/api/trash/restore", { keys: [KEY] })).body).toMatchObject({
      restored: 1,
      failed: [],
    });
    expect(readFileSync(join(running.destination, `${KEY}F.mp4`), "utf8")).toBe("the second");
    expect((await days(running)).flatMap(({ recordings }) => recordings)).toHaveLength(1);
    clock.jump(60_000);
    await run(running);
    expect(atHome(running)).toEqual([`${KEY}F.mp4`]);
  });

  test("where nothing can be put back nothing is marked as kept", async () => {
    await using running = await start();
    put(running, OLD);
    await run(running);
    const refused = spyOn(running.app.retention.trash, "putBack").mockRejectedValue(new TrashUnusable("it is full"));
    expect((await send(running, "POST", "/api/trash/restore", { all: true })).status).not.toBe(200);
    refused.mockRestore();
    expect(inTrash(running)).toEqual(OLD);
    expect(JSON.parse(own(running, "kept.json")).recordings).toEqual({});
  });

  test("while a sync runs, without waiting for it", async () => {
    await using running = await start();
    put(running, OLD);
    await run(running);
    rmSync(join(running.destination, VIDEOS[0] ?? ""));
    running.simulator.rate = 50;
    running.app.job.start("schedule");
    await running.simulator.asked(new RegExp(VIDEOS[0] ?? ""));
    expect((await send(running, "POST", "/api/trash/restore", { all: true })).body).toMatchObject({
      restored: 3,
      failed: [],
    });
    expect(running.app.job.isRunning).toBe(true);
    running.simulator.rate = null;
    await running.synced();
    expect(atHome(running)).toEqual(OLD);
    expect(fromCard(running)).toEqual(VIDEOS);
  });

  test("into the grouping's folder when its own is gone, and never through a link out of the destination", async () => {
    const folder = mkdtempSync(join(tmpdir(), "retention-"));
    try {
      await using running = await start({
        folder,
        settings: { retention: { keep: "" }, sync: { grouping: "monthly" } },
      });
      const names = [
        "holiday/spain/20260401_100000_NF.mp4",
        "holiday/20260402_100000_NF.mp4",
        "2026-04/20260403_100000_NF.mp4",
      ];
      put(running, names);
      const keys = names.map((name) => name.slice(-22, -5));
      expect((await send(running, "DELETE", "/api/recordings", { keys })).body).toMatchObject({ deleted: keys });
      mkdirSync(join(folder, "elsewhere", "spain"), { recursive: true });
      for (const name of ["holiday", "2026-04"]) rmSync(join(running.destination, name), { recursive: true });
      symlinkSync(join(folder, "elsewhere"), join(running.destination, "holiday"));
      expect((await send(running, "POST", "/api/trash/restore", { all: true })).body).toMatchObject({
        restored: 3,
        failed: [],
      });
      expect(atHome(running)).toEqual(names.map((name) => `2026-04/${name.slice(-22)}`));
      expect(readdirSync(join(folder, "elsewhere", "spain"))).toEqual([]);

      const [key = ""] = keys;
      await send(running, "DELETE", `/api/recordings/${key}/keep`);
      await send(running, "DELETE", `/api/recordings/${key}`);
      renameSync(join(running.destination, "2026-04"), join(running.destination, "mine"));
      symlinkSync(join(folder, "elsewhere"), join(running.destination, "2026-04"));
      expect((await send(running, "POST", "/api/trash/restore", { keys: [key] })).body).toMatchObject({
        restored: 0,
        failed: [{ key, reason: expect.stringContaining("is a link") }],
      });
      expect(readdirSync(join(folder, "elsewhere"))).toEqual(["spain"]);
      expect(inTrash(running)).toEqual([`2026-04/${key}F.mp4`]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test("a destination that is another one by now: nothing is deleted, kept, restored or written there", async () => {
  await using running = await start();
  await run(running);
  const away = `${running.destination}.away`;
  renameSync(running.destination, away);
  put(running, OLD);
  mkdirSync(join(running.destination, ".dashdock"));
  writeFileSync(join(running.destination, ".dashdock", "id"), "0123456789abcdef0123456789abcdef\n");
  const before = listTree(running.destination);
  for (const [method, path, body] of [
    ["DELETE", `/api/recordings/${KEY}`],
    ["PUT", `/api/recordings/${KEY}/keep`],
    ["POST", "/api/trash/restore", { all: true }],
    ["DELETE", "/api/trash"],
  ] as const)
    expect(await send(running, method, path, body)).toMatchObject({ status: 503, body: { code: "TRASH_UNUSABLE" } });
  await run(running);
  expect(listTree(running.destination)).toEqual(before);
  // Accepted, it is used; what is in it nobody here has brought.
  expect((await send(running, "POST", "/api/destination/accept")).status).toBe(200);
  expect((await send(running, "PUT", `/api/recordings/${KEY}/keep`)).status).toBe(200);
});

test("what a killed process had half deleted is finished at the start, and before it is marked as kept", async () => {
  for (const isStarted of [true, false]) {
    await using running = await start({ settings: { retention: { keep: "" } } });
    const batch = ".dashdock/trash/20260607T100000000Z-hand";
    put(running, [
      `${batch}/${KEY}.gps`,
      ".dashdock/trash/.moving-20260607T100000000Z-hand",
      `${KEY}F.mp4`,
      `${KEY}R.mp4`,
    ]);
    const moved = () => inTrash(running).length === 2;
    if (isStarted) {
      const finished = new Promise<void>((done) => {
        running.app.log.latest.subscribe((line) => {
          if (line?.message.startsWith("Finished what was interrupted")) done();
        });
      });
      running.app.start();
      await finished;
    } else
      expect(await send(running, "PUT", `/api/recordings/${KEY}/keep`)).toMatchObject({
        status: 404,
        body: { code: "RECORDING_NOT_FOUND" },
      });
    expect([moved(), atHome(running)]).toEqual([true, []]);
    expect((await send(running, "POST", "/api/trash/restore", { keys: [KEY] })).body).toMatchObject({
      restored: 1,
      failed: [],
    });
    expect(readdirSync(running.destination).filter((name) => name.startsWith(KEY))).toHaveLength(3);
  }
});

describe("removed for good", () => {
  test("some, all, and nothing by a body that cannot be read", async () => {
    await using running = await start();
    put(running, OLD);
    await run(running);
    const remove = (body?: unknown) => send(running, "DELETE", "/api/trash", body);
    for (const bad of [{ key: KEY }, { keys: KEY }, "{", "[]", "null"])
      expect([bad, (await remove(bad)).status]).toEqual([bad, 400]);
    expect((await remove({ keys: [] })).body).toEqual({ deleted: 0, bytes: 0 });
    expect(inTrash(running)).toEqual(OLD);
    expect((await remove({ keys: [KEY, "20200101_000000_N"] })).body).toEqual({ deleted: 1, bytes: 3 });
    expect(inTrash(running)).toEqual(OLD.slice(1));
    expect((await remove()).body).toEqual({ deleted: 2, bytes: 6 });
    expect(readdirSync(join(running.destination, ".dashdock", "trash"))).toEqual([]);
  });

  test("by age: on the day and not before; fewer days count for what is there", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock });
    put(running, OLD);
    await run(running);
    clock.jump(7 * DAY - 1000);
    await run(running);
    expect(inTrash(running)).toEqual(OLD);
    clock.jump(1000);
    await run(running, "manual");
    expect(inTrash(running)).toEqual(OLD);
    await run(running);
    expect(inTrash(running)).toEqual([]);
    put(running, OLD);
    await run(running);
    clock.jump(3 * DAY);
    await send(running, "PATCH", "/api/settings/retention", { trash_days: 3 });
    expect(inTrash(running)).toEqual(OLD);
    await run(running);
    expect(inTrash(running)).toEqual([]);
  });
});

describe("limits", () => {
  test("above so many GB the oldest go, events and manual ones last, and do not come again", async () => {
    const card = cardOf(["20260501_100000_NF.mp4", "20260607_101500_EF.mp4", "20260607_101600_NF.mp4"], 1000);
    await using running = await start({ card, settings: { retention: { keep: "", max_gb: 1, event_context: 0 } } });
    await run(running);
    const large = [
      "20260401_100000_EF.mp4",
      "20260402_100000_NF.mp4",
      "20260403_100000_MF.mp4",
      "20260404_100000_PF.mp4",
    ];
    put(running, large);
    for (const name of large) truncateSync(join(running.destination, name), 400_000_000);
    await run(running);
    // 1.6 GB and a little: two have to go, the oldest of those that are no event nor manual.
    expect(inTrash(running)).toEqual(["20260402_100000_NF.mp4", "20260404_100000_PF.mp4"]);
    expect((await state(running)).last).toMatchObject({ cause: "room", recordings: 2, bytes: 800_000_000 });
    const more = ["20260605_100000_NF.mp4", "20260606_100000_NF.mp4"];
    put(running, more);
    for (const name of more) truncateSync(join(running.destination, name), 200_000_000);
    const asked = running.simulator.requests.length;
    for (let turn = 0; turn < 3; turn++) await run(running);
    // Of the card's the old one went as well; it stays away.
    expect(inTrash(running)).toContain("20260501_100000_NF.mp4");
    expect(existsSync(join(running.destination, "20260501_100000_NF.mp4"))).toBe(false);
    const fetched = running.simulator.requests
      .slice(asked)
      .filter(({ path }) => path.endsWith("20260501_100000_NF.mp4"));
    expect(fetched).toEqual([]);
    expect(running.app.history.latest()?.leftOut?.deleted).toBe(1);
    // In the order of going: nothing that is an event or manual.
    expect(existsSync(join(running.destination, large[0] ?? ""))).toBe(true);
    expect(existsSync(join(running.destination, large[2] ?? ""))).toBe(true);
  });

  test("kept ones never go, however far above it is", async () => {
    await using running = await start({ settings: { retention: { keep: "", max_gb: 1 } } });
    put(running, OLD);
    for (const name of OLD) truncateSync(join(running.destination, name), 900_000_000);
    for (const name of OLD.slice(0, 2)) await send(running, "PUT", `/api/recordings/${name.slice(0, 17)}/keep`);
    await run(running);
    expect(atHome(running)).toEqual(OLD.slice(0, 2));
  });

  test.skipIf(!mayMount())(
    "above so much of the disk the trash is emptied first, then the oldest leave it (needs the right to mount)",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "retention-"));
      try {
        using _disk = new SmallDisk(join(folder, "recordings"), "10m");
        const card = cardOf(["20260607_101500_NF.mp4"], 1000);
        const settings = { retention: { keep: "8w", max_percent: 50 } };
        const clock = new FakeClock(NOW);
        await using running = await start({ folder, card, settings, clock });
        const megabyte = Buffer.alloc(1_000_000, "x").toString("latin1");
        put(running, ["20260401_100000_NF.mp4", "20260402_100000_NF.mp4"], megabyte);
        await run(running);
        // 2 MB of 10: past their keep time only.
        expect(inTrash(running)).toHaveLength(2);
        const young = namesFrom("20260601", 5);
        put(running, young, megabyte);
        await run(running);
        // 7 MB: the trash makes room, oldest first, and no recording has to go.
        expect(atHome(running)).toEqual(young);
        expect(inTrash(running)).toEqual([]);
        put(running, namesFrom("20260602", 2), megabyte);
        clock.jump(1000);
        await run(running);
        expect(atHome(running)).toEqual([...young.slice(2), ...namesFrom("20260602", 2)]);
        expect(inTrash(running)).toEqual([]);
        expect((await state(running)).last).toMatchObject({ cause: "room", recordings: 2 });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
