import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { momentNumber } from "../../server/domain/recordings/moment_number.ts";
import {
  type CoveredApp,
  countsOfDay as counts,
  coverage,
  coveredApp,
  COVERED_DAY as DAY,
  dayOfCoverage as day,
  drive,
  MORNING,
  syncLater as sync,
} from "../support/app/covered.ts";

setDefaultTimeout(20_000);

const HOUR = 3_600_000;

describe("GET /api/coverage", () => {
  test("claims nothing before the first list", async () => {
    await using app = await coveredApp();
    const { since, days, totals, nothing_lost_since } = await coverage(app);
    expect([since, days, totals.recorded, nothing_lost_since]).toEqual([null, [], 0, null]);
    expect((await app.client.fetch(`/api/coverage/${DAY}`)).status).toBe(404);
  });

  test("counts what came home, and the minutes of it", async () => {
    await using app = await coveredApp({ videos: [...MORNING, ...drive("2026-06-07T08:00:00", 6, "N", "R")] });
    expect(await sync(app)).toBe("completed");
    const { since, days, totals, nothing_lost_since } = await coverage(app);
    expect([since, nothing_lost_since]).toEqual([DAY, DAY]);
    expect(days.map(({ date }) => date)).toEqual([DAY]);
    expect(totals).toMatchObject({ recorded: 12, home: 12, lost: 0, minutes: 6, driven_minutes: 6, lost_minutes: 0 });
    const { recordings, causes } = await day(app);
    expect(recordings).toHaveLength(12);
    expect(recordings[0]).toMatchObject({
      key: "20260607_080000_N",
      direction: "F",
      state: "home",
      cause: null,
      rule: null,
      size: 2000,
      seconds: 60,
      first_seen: "2026-06-07T11:15:00.000Z",
    });
    expect(causes).toEqual([]);
  });

  test("calls a recording lost after two good lists in a row that lack it", async () => {
    await using app = await coveredApp();
    const gone = MORNING.slice(0, 3);
    app.simulator.fault({ name: "error-500", match: /0800|0801|0802/ });
    await sync(app);
    expect(await counts(app)).toEqual({ recorded: 6, home: 3, coming: 3, unreadable: 3 });
    app.simulator.clearFaults();
    for (const name of gone) app.simulator.card.overwrite(name);
    app.simulator.card.record("20260607_081500_NF.mp4");
    await sync(app);
    expect(await counts(app)).toEqual({ recorded: 7, home: 4, coming: 3, unreadable: 3 });
    // Lists that prove nothing neither count nor begin the row anew.
    for (const name of ["list-empty", "list-cut", "list-empty", "list-empty"] as const) {
      const repair = app.simulator.fault(name);
      await sync(app);
      repair();
      expect(await counts(app)).toMatchObject({ coming: 3 });
    }
    await sync(app);
    expect(await counts(app)).toEqual({ recorded: 7, home: 4, lost: 3, unreadable: 3, cause: "failing" });
    const { nothing_lost_since, totals } = await coverage(app);
    expect([nothing_lost_since, totals.lost_minutes]).toEqual(["2026-06-08", 3]);
    const { recordings, causes } = await day(app);
    expect(recordings[0]).toMatchObject({
      state: "lost",
      cause: "failing",
      last_seen: "2026-06-07T11:15:00.000Z",
      at: "2026-06-07T17:15:00.000Z",
    });
    expect(causes).toEqual([
      {
        cause: "failing",
        recordings: 3,
        minutes: 3,
        sentence:
          "The camera could not deliver these recordings. By 12:15 the camera had recorded over 08:00 to 08:03.",
        remedy: expect.any(String),
        action: expect.any(Object),
      },
    ]);
  });

  test("knows a recording again that was missing from one list", async () => {
    await using app = await coveredApp();
    app.simulator.fault({ name: "error-500", match: /0800/ });
    const [first = ""] = MORNING;
    for (const isThere of [true, false, true, false, true]) {
      if (isThere) app.simulator.card.record(first);
      else app.simulator.card.overwrite(first);
      await sync(app);
      expect(await counts(app)).toMatchObject({ home: 5, coming: 1 });
    }
  });

  test("tells what was deleted by hand, restored, purged and deleted outside from what was lost", async () => {
    await using app = await coveredApp();
    await sync(app);
    const [first = "", second = "", third = ""] = MORNING;
    for (const name of MORNING) app.simulator.card.overwrite(name);
    app.simulator.card.record("20260607_100000_NF.mp4");
    const key = first.slice(0, 17);
    expect((await app.client.send("DELETE", `/api/recordings/${key}`)).status).toBe(200);
    expect((await day(app)).recordings[0]).toMatchObject({
      state: "trash",
      cause: "hand",
      at: "2026-06-07T11:15:00.000Z",
    });
    expect(await counts(app)).toEqual({ recorded: 6, home: 5, deleted: 1 });
    expect((await app.client.send("POST", "/api/trash/restore", { keys: [key] })).status).toBe(200);
    expect(await counts(app)).toEqual({ recorded: 6, home: 6 });
    expect((await app.client.send("DELETE", `/api/recordings/${key}`)).status).toBe(200);
    expect((await app.client.send("DELETE", "/api/trash")).status).toBe(200);
    expect((await day(app)).recordings[0]).toMatchObject({ state: "deleted", cause: "hand" });
    const path = (name: string) => join(app.destination, app.app.library.folderOf(name) ?? "", name);
    const [away, at] = [join(app.destination, "accident.mp4"), path(second)];
    rmSync(path(third));
    renameSync(at, away);
    await sync(app);
    await sync(app);
    expect((await day(app)).recordings.slice(0, 4).map(({ state, cause }) => [state, cause])).toEqual([
      ["deleted", "hand"],
      ["deleted", "outside"],
      ["deleted", "outside"],
      ["home", null],
    ]);
    renameSync(away, at);
    await sync(app);
    expect(await counts(app)).toEqual({ recorded: 7, home: 5, deleted: 2 });
  });

  test("calls a recording damaged whose file has turned bad, until it is whole again", async () => {
    await using app = await coveredApp();
    await sync(app);
    const [name = ""] = MORNING;
    const folder = app.app.library.folderOf(name) ?? "";
    const path = join(app.destination, folder, name);
    const { atime, mtime } = statSync(path);
    const whole = readFileSync(path);
    const read = async (bytes: Uint8Array) => {
      writeFileSync(path, bytes);
      utimesSync(path, atime, mtime);
      const id = { moment: momentNumber(name), ending: "F.mp4", folder };
      await app.app.checksums.check(id, { after() {}, elapsed: () => app.clock.elapsed() }, "forget");
    };
    // The first time its checksums are taken.
    await read(whole);
    await read(whole.map((byte, at) => (at === 1000 ? byte ^ 1 : byte)));
    expect(await counts(app)).toEqual({ recorded: 6, home: 5, damaged: 1 });
    await read(whole);
    expect(await counts(app)).toEqual({ recorded: 6, home: 6 });
  });

  test("tells what a rule deleted, and what rules leave on the camera, with what they said", async () => {
    const old = drive("2026-05-01T08:00:00", 2);
    await using app = await coveredApp({ videos: [...old, ...MORNING, ...drive("2026-06-07T09:00:00", 2, "P")] });
    await sync(app);
    await app.app.settings.update((latest) => ({
      ...latest,
      sync: { ...latest.sync, include: ["N"] },
      retention: { ...latest.retention, keep: "2w" },
    }));
    app.simulator.card.record("20260607_091500_PF.mp4");
    app.clock.pass(HOUR);
    app.app.job.start("schedule");
    await app.synced();
    expect(await counts(app)).toEqual({ recorded: 9, home: 8, left_out: 1 });
    expect((await day(app)).recordings.at(-1)).toMatchObject({
      state: "left_out",
      cause: null,
      rule: "selection",
      rule_value: "include N",
    });
    const [first] = (await day(app, "2026-05-01")).recordings;
    expect(first).toMatchObject({ state: "trash", cause: "age", by: null, at: "2026-06-07T12:15:00.000Z" });
  });

  test("leaves a recording that was not wanted as it was when it goes", async () => {
    await using app = await coveredApp({ settings: { sync: { include: ["E"] } } });
    await sync(app);
    for (const name of MORNING.slice(0, 3)) app.simulator.card.overwrite(name);
    await sync(app);
    await sync(app);
    expect(await counts(app)).toEqual({ recorded: 6, left_out: 6 });
  });

  test("refuses spans that are none, or too long", async () => {
    await using app = await coveredApp();
    for (const query of ["from=2026-02-30", "to=x", "from=2026-06-08&to=2026-06-07", "from=2025-01-01&to=2026-06-07"]) {
      const response = await app.client.fetch(`/api/coverage?${query}`);
      expect([query, response.status]).toEqual([query, 400]);
      expect(await response.json()).toMatchObject({ code: "BAD_RANGE" });
    }
    expect((await app.client.fetch("/api/coverage/2026-02-30")).status).toBe(404);
    expect((await app.client.fetch("/api/coverage?from=2025-05-05&to=2026-06-07")).status).toBe(200);
  });
});

describe("GET /stats/coverage.csv", () => {
  test("has a line for each day", async () => {
    await using app = await coveredApp();
    await sync(app);
    const response = await app.client.fetch("/stats/coverage.csv?to=2026-06-08");
    expect(response.headers.get("content-disposition")).toContain("dashdock-coverage-2026-03-10-2026-06-08.csv");
    expect((await response.text()).split("\r\n")).toEqual([
      "date,recorded,home,coming,left_out,lost,deleted,damaged,unknown,unreadable,minutes,driven_minutes,lost_minutes,cause",
      "2026-06-07,6,6,0,0,0,0,0,0,0,6,6,0,",
      "",
    ]);
    expect((await app.client.fetch("/stats/coverage.csv?from=x")).status).toBe(400);
  });
});

describe("another card", () => {
  /** The service after a run in which no video came, with another card in the camera afterwards. */
  async function changed(videos: readonly string[]): Promise<CoveredApp> {
    const app = await coveredApp();
    app.simulator.fault("error-500");
    await sync(app);
    for (const name of MORNING) app.simulator.card.overwrite(name);
    for (const name of videos) app.simulator.card.record(name);
    await sync(app);
    return app;
  }

  test("is asked about, and nothing counts as lost meanwhile", async () => {
    await using app = await changed(drive("2026-06-07T09:00:00", 2));
    expect(await app.app.ledger.question()).toEqual({
      since: Date.parse("2026-06-07T12:15:00Z"),
      likely: "formatted",
      recordings: 6,
    });
    await sync(app);
    await sync(app);
    expect(await counts(app)).toMatchObject({ recorded: 8, coming: 8 });
    expect(await app.app.ledger.answer("formatted", "admin")).toBe(true);
    expect(await counts(app)).toMatchObject({ recorded: 8, coming: 2, deleted: 6 });
    expect((await day(app)).recordings[0]).toMatchObject({ state: "deleted", cause: "formatted", by: "admin" });
    expect(await app.app.ledger.question()).toBeNull();
    expect(await app.app.ledger.answer("lost", "admin")).toBe(false);
  });

  test("answered with lost, has lost them", async () => {
    await using app = await changed(drive("2026-06-07T09:00:00", 2));
    expect(await app.app.ledger.answer("lost", null)).toBe(true);
    expect(await counts(app)).toMatchObject({ recorded: 8, coming: 2, lost: 6, cause: "failing" });
  });

  test("is known again when it comes back, and so is the one before", async () => {
    const other = drive("2026-06-01T09:00:00", 7);
    await using app = await changed(other);
    expect(await app.app.ledger.question()).toMatchObject({ likely: "other_card", recordings: 6 });
    expect(await app.app.ledger.answer("other_card", null)).toBe(true);
    const swap = async (out: readonly string[], into: readonly string[]) => {
      for (const name of out) app.simulator.card.overwrite(name);
      for (const name of into) app.simulator.card.record(name);
      await sync(app);
    };
    await sync(app);
    expect((await day(app)).recordings[0]).toMatchObject({ state: "coming", cause: "other_card" });
    for (let times = 0; times < 2; times++) {
      await swap(other, MORNING);
      await swap(MORNING, other);
      expect(await app.app.ledger.question()).toBeNull();
    }
    expect((await coverage(app, "?from=2026-06-01")).totals).toMatchObject({ coming: 6, lost: 0 });
    app.simulator.clearFaults();
    await swap(other, MORNING);
    expect(await counts(app)).toEqual({ recorded: 6, home: 6 });
  });

  test("asks nothing when all of it was at home", async () => {
    await using app = await coveredApp();
    await sync(app);
    for (const name of MORNING) app.simulator.card.overwrite(name);
    app.simulator.card.record("20260607_100000_NF.mp4");
    await sync(app);
    expect(await app.app.ledger.question()).toBeNull();
    expect(await counts(app)).toEqual({ recorded: 7, home: 7 });
  });
});
