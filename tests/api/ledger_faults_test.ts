import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Overview } from "../../server/domain/status/overview.ts";
import { FakeClock } from "../support/app/clock.ts";
import {
  COVERED_DAY,
  type CoveredApp,
  countsOfDay,
  coverage,
  coveredApp,
  dayOfCoverage,
  drive,
  MORNING,
  syncLater,
} from "../support/app/covered.ts";
import { bothAreHome, carAndVan } from "../support/app/several_cameras.ts";
import { cardOf } from "../support/app/sync.ts";
import { asPlainUser } from "../support/disk/disks.ts";

setDefaultTimeout(30_000);

const WEEK = 7 * 86_400_000;

/** A folder that outlives a service, with a clock and a card that go on. */
class Home implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "ledger-home-"));
  readonly clock = new FakeClock("2026-06-07T10:15:00Z");
  readonly card = cardOf(MORNING, 2000);

  start(options: Parameters<typeof coveredApp>[0] = {}): Promise<CoveredApp> {
    return coveredApp({ folder: this.folder, clock: this.clock, card: this.card, ...options });
  }

  get ledger(): string {
    return join(this.folder, "config", "ledger.db");
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function overview({ client }: CoveredApp): Promise<Overview> {
  return (await (await client.fetch("/api/overview")).json()) as Overview;
}

describe("after a start", () => {
  test("a service that was off for a week claims nothing lost before two good lists", async () => {
    using home = new Home();
    {
      await using app = await home.start();
      app.simulator.fault("error-500");
      await syncLater(app);
    }
    home.clock.pass(WEEK);
    for (const name of MORNING) home.card.overwrite(name);
    for (const name of drive("2026-06-14T08:00:00", 6)) home.card.record(name);
    await using app = await home.start();
    expect(await countsOfDay(app)).toEqual({ recorded: 6, coming: 6, unreadable: 6 });
    await syncLater(app);
    expect(await countsOfDay(app)).toEqual({ recorded: 6, coming: 6, unreadable: 6 });
    expect(await countsOfDay(app, "2026-06-14")).toEqual({ recorded: 6, home: 6 });
    await syncLater(app);
    expect(await countsOfDay(app)).toMatchObject({ recorded: 6, lost: 6 });
    expect((await coverage(app)).nothing_lost_since).toBe("2026-06-08");
  });

  test("what was deleted and put back meanwhile is known", async () => {
    using home = new Home();
    let folder = "";
    {
      await using app = await home.start();
      await syncLater(app);
      folder = join(app.destination, app.app.library.folderOf(MORNING[0] ?? "") ?? "");
      for (const name of MORNING) home.card.overwrite(name);
      home.card.record("20260607_100000_NF.mp4");
      await syncLater(app);
      await syncLater(app);
    }
    for (const name of MORNING.slice(0, 2)) rmSync(join(folder, name));
    {
      await using app = await home.start();
      expect(await countsOfDay(app)).toEqual({ recorded: 7, home: 5, deleted: 2 });
      await syncLater(app);
    }
    writeFileSync(join(folder, MORNING[0] ?? ""), "back");
    // A recording that no list ever had.
    writeFileSync(join(folder, "20260607_070000_NF.mp4"), "found");
    await using app = await home.start();
    expect(await countsOfDay(app)).toEqual({ recorded: 8, home: 7, deleted: 1 });
  });
});

describe("a clock that jumps", () => {
  test("of this machine loses nothing, and makes no loss", async () => {
    await using app = await coveredApp();
    app.simulator.fault({ name: "error-500", match: /0800/ });
    await syncLater(app);
    for (const ms of [-30 * 86_400_000, 90 * 86_400_000, -60 * 86_400_000]) {
      app.clock.jump(ms);
      await syncLater(app);
      const { totals } = await coverage(app, "?from=2026-06-01&to=2026-06-30");
      expect(totals).toMatchObject({ recorded: 6, home: 5, coming: 1, lost: 0 });
    }
  });

  test("of the camera keeps days by the names, and days that are to come are told", async () => {
    const unset = drive("1999-12-31T23:59:00", 2);
    const ahead = drive("2036-01-01T08:00:00", 2);
    await using app = await coveredApp({ videos: [...unset, ...MORNING, ...ahead] });
    await syncLater(app);
    const { since, totals } = await coverage(app);
    expect([since, totals.recorded]).toEqual([COVERED_DAY, 6]);
    const later = await coverage(app, "?from=2035-12-30&to=2036-01-05");
    expect(later.days.map(({ date, home }) => [date, home])).toEqual([
      ["2035-12-30", 0],
      ["2035-12-31", 0],
      ["2036-01-01", 2],
    ]);
    expect(await app.app.ledger.stateOf(unset[0] ?? "")).toBe("home");
  });

  test("a night of daylight saving has the recordings that its names have", async () => {
    // Half past two is there twice in Berlin: the second ones are named after the first.
    const night = drive("2026-10-25T02:28:00", 4);
    await using app = await coveredApp({
      videos: night,
      clock: new FakeClock("2026-10-25T05:00:00Z"),
      settings: { schedule: { timezone: "Europe/Berlin" } },
    });
    await syncLater(app);
    await app.app.settings.patch("schedule", { timezone: "Pacific/Auckland" });
    const { since, days } = await coverage(app);
    expect([since, days.map(({ date, home, minutes }) => [date, home, minutes])]).toEqual([
      "2026-10-25",
      [["2026-10-25", 4, 4]],
    ]);
  });
});

describe("the folder of the recordings", () => {
  test("while a part of it cannot be read, its recordings are unknown", async () => {
    await using app = await coveredApp({ settings: { sync: { grouping: "daily" } } });
    await syncLater(app);
    const [first = ""] = MORNING;
    const folder = app.app.library.folderOf(first) ?? "";
    expect(folder).not.toBe("");
    const other = mkdtempSync(join(tmpdir(), "aside-"));
    await asPlainUser(app.folder, async () => {
      // The folder lies elsewhere meanwhile, so that what was known of it is forgotten.
      renameSync(join(app.destination, folder), join(app.folder, "aside"));
      await app.app.library.refresh();
      mkdirSync(join(app.destination, folder));
      chmodSync(join(app.destination, folder), 0);
      await app.app.library.refresh();
      expect(app.app.library.unreadable).toEqual([folder]);
      expect(await countsOfDay(app)).toEqual({ recorded: 6, unknown: 6 });
      chmodSync(join(app.destination, folder), 0o755);
      rmSync(join(app.destination, folder), { recursive: true });
      renameSync(join(app.folder, "aside"), join(app.destination, folder));
      await app.app.library.refresh();
      expect(await countsOfDay(app)).toEqual({ recorded: 6, home: 6 });
    });
    rmSync(other, { recursive: true });
  });

  test("while it is not there, all that was home is unknown, and nothing is called deleted", async () => {
    await using app = await coveredApp();
    await syncLater(app);
    const away = `${app.destination}-away`;
    renameSync(app.destination, away);
    await app.app.library.refresh();
    await app.app.destination.check();
    expect(await countsOfDay(app)).toEqual({ recorded: 6, unknown: 6 });
    expect((await dayOfCoverage(app)).recordings.map(({ state }) => state)).toEqual(MORNING.map(() => "unknown"));
    // An empty folder in its place, as while a disk is not mounted.
    mkdirSync(app.destination);
    await app.app.library.refresh();
    await app.app.destination.check();
    expect(await countsOfDay(app)).toEqual({ recorded: 6, unknown: 6 });
    rmSync(app.destination, { recursive: true });
    renameSync(away, app.destination);
    await app.app.library.refresh();
    await app.app.destination.check();
    expect(await countsOfDay(app)).toEqual({ recorded: 6, home: 6 });
  });

  test("with two services on it, each knows what the other has brought", async () => {
    using home = new Home();
    const destination = join(home.folder, "recordings");
    await using one = await home.start();
    await using other = await coveredApp({
      card: home.card,
      destination,
      clock: home.clock,
      settings: { sync: { retry_failed_after: "1s" } },
    });
    one.simulator.fault({ name: "error-500", match: /080[0-2]/ });
    await syncLater(one);
    expect(await countsOfDay(one)).toMatchObject({ home: 3, coming: 3 });
    await syncLater(other);
    expect(await countsOfDay(other)).toEqual({ recorded: 6, home: 6 });
    for (const name of MORNING) home.card.overwrite(name);
    home.card.record("20260607_100000_NF.mp4");
    for (let times = 0; times < 2; times++) await syncLater(one);
    expect(await countsOfDay(one)).toEqual({ recorded: 7, home: 7 });
  });

  test("has what an import brings, though it was lost before", async () => {
    using home = new Home();
    await using app = await home.start({ settings: { system: { import_folder: home.folder } } });
    app.simulator.fault("error-500");
    await syncLater(app);
    app.simulator.clearFaults();
    for (const name of MORNING) home.card.overwrite(name);
    for (const name of drive("2026-06-07T09:00:00", 6)) home.card.record(name);
    for (let times = 0; times < 2; times++) await syncLater(app);
    expect(await countsOfDay(app)).toMatchObject({ home: 6, lost: 6 });
    const card = join(home.folder, "card");
    mkdirSync(card);
    const copy = cardOf(MORNING, 2000);
    for (const name of MORNING) writeFileSync(join(card, name), await copy.bytes(name));
    expect((await app.client.send("POST", "/api/import", { path: "card" })).status).toBe(202);
    await (await app.app.imports()).ended();
    expect(await countsOfDay(app)).toEqual({ recorded: 12, home: 12 });
  });
});

describe("a ledger", () => {
  test("that is damaged is set aside and begins anew, which is said", async () => {
    using home = new Home();
    {
      await using app = await home.start();
      await syncLater(app);
    }
    writeFileSync(home.ledger, "no database at all ".repeat(500));
    await using app = await home.start();
    expect(await coverage(app)).toMatchObject({ since: null, days: [] });
    expect(readdirSync(join(home.folder, "config"))).toContainEqual(expect.stringMatching(/^ledger\.db\.corrupt-2026/));
    expect((await overview(app)).detail).toContain("The ledger of recordings was damaged and has begun anew.");
    expect(app.app.log.lines.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("the ledger was damaged"),
    );
    expect((await app.client.fetch("/healthz")).status).toBe(200);
    expect(await syncLater(app)).toBe("completed");
    expect(await coverage(app)).toMatchObject({ since: COVERED_DAY, totals: { recorded: 6, home: 6 } });
  });

  test("that is damaged while it is used begins anew, too", async () => {
    await using app = await coveredApp();
    await syncLater(app);
    await app.clock.advance(60_000);
    writeFileSync(join(app.folder, "config", "ledger.db"), "no database at all ".repeat(500));
    app.simulator.card.record("20260607_100000_NF.mp4");
    expect(await syncLater(app)).toBe("completed");
    expect(await coverage(app)).toMatchObject({ since: COVERED_DAY, totals: { recorded: 7, home: 7 } });
  });

  test("of a newer version is left alone: the service starts, brings recordings home, and says so", async () => {
    using home = new Home();
    mkdirSync(join(home.folder, "config"));
    {
      using db = new Database(home.ledger);
      db.run("create table future (a)");
      db.run("pragma user_version = 99");
    }
    await using app = await home.start();
    expect(await syncLater(app)).toBe("completed");
    for (const path of ["/api/coverage", `/api/coverage/${COVERED_DAY}`, "/stats/coverage.csv"]) {
      const response = await app.client.fetch(path, { headers: { accept: "application/json" } });
      expect([path, response.status]).toEqual([path, 503]);
      if (path.startsWith("/api/"))
        expect(await response.json()).toMatchObject({
          code: "LEDGER_UNUSABLE",
          error: expect.stringContaining("newer"),
        });
    }
    expect(await overview(app)).toMatchObject({ mood: "attention", detail: expect.stringContaining("newer Dashdock") });
    await app.stop();
    using db = new Database(home.ledger);
    expect(db.query("select name from sqlite_master").all()).toEqual([{ name: "future" }]);
  });
});

test("of several cameras each has a ledger, and all together are one coverage", async () => {
  await using running = await carAndVan({ clock: new FakeClock("2026-06-07T10:30:00Z") });
  await bothAreHome(running);
  const own = async (camera: string) => (await coverage(running, `?camera=${camera}`)).totals;
  const [car, van, all] = [await own("main"), await own("van"), await own("all")];
  expect(car.home).toBeGreaterThan(0);
  expect(van.home).toBeGreaterThan(car.home);
  expect(all.home).toBe(car.home + van.home);
  const day = (await (await running.client.fetch(`/api/coverage/${COVERED_DAY}?camera=all`)).json()) as {
    recordings: { key: string }[];
  };
  expect(day.recordings).toHaveLength(all.recorded);
  expect(day.recordings.filter(({ key }) => key.startsWith("van~"))).toHaveLength(van.recorded);
  const csv = await (await running.client.fetch("/stats/coverage.csv?camera=all")).text();
  expect(csv.split("\r\n").at(-2)).toStartWith(`${COVERED_DAY},${all.recorded},${all.home},`);
  expect((await running.client.fetch("/api/coverage?camera=none")).status).toBe(404);
  expect(readdirSync(join(running.folder, "config", "cameras", "van"))).toContain("ledger.db");
});
