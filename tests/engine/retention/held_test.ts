import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppOptions, type RunningApp, startApp } from "../../support/app.ts";
import { FakeClock } from "../../support/clock.ts";
import { atHome, DAY, held, inTrash, namesFrom, put, run, send, state } from "../../support/held.ts";

setDefaultTimeout(30_000);

const NOW = "2026-06-07T10:30:00Z";
const OLD = namesFrom("20260401", 5);
const YOUNG = "20260606_120000_NF.mp4";

/** A folder to start in more than once. */
class House implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "held-"));
  readonly destination = join(this.folder, "recordings");
  readonly clock = new FakeClock(NOW);

  start(options: AppOptions = {}): Promise<RunningApp> {
    return startApp({ folder: this.folder, clock: this.clock, ...options });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function warnings({ app }: RunningApp): string[] {
  return app.log.lines.filter(({ level }) => level === "WARNING").map(({ message }) => message);
}

describe("an adopted library", () => {
  test("is never deleted from by a default that nobody has chosen, also after restarts", async () => {
    using house = new House();
    put(house, [...OLD, YOUNG]);
    for (let start = 0; start < 3; start++) {
      await using running = await house.start();
      expect(await held(running)).toMatchObject({
        reason: "adopted",
        recordings: OLD.length,
        bytes: 3 * OLD.length,
        oldest: "2026-04-01",
        newest: "2026-04-01",
        since: NOW.replace("Z", ".000Z"),
      });
      await run(running);
      expect(atHome(running)).toEqual([...OLD, YOUNG]);
      expect(inTrash(running)).toEqual([]);
      expect(warnings(running)).toEqual([
        expect.stringMatching(/^Nothing is deleted: 5\srecordings would go, but they were here before this service/),
      ]);
      expect((await state(running)).last).toBeNull();
    }
  });

  test("is asked about again when the config folder is lost", async () => {
    using house = new House();
    put(house, OLD);
    {
      await using running = await house.start();
      await run(running);
      expect((await send(running, "POST", "/api/retention/confirm")).status).toBe(200);
    }
    rmSync(join(house.folder, "config"), { recursive: true });
    await using running = await house.start();
    await run(running);
    expect(atHome(running)).toEqual(OLD);
    expect(await held(running)).toMatchObject({ reason: "adopted" });
  });

  test("is asked about again when only the settings are lost: what was chosen was another time", async () => {
    using house = new House();
    put(house, OLD);
    {
      await using running = await house.start();
      expect((await send(running, "PATCH", "/api/settings/retention", { keep: "" })).status).toBe(200);
      await run(running);
      expect(atHome(running)).toEqual(OLD);
    }
    rmSync(join(house.folder, "config", "settings.json"));
    await using running = await house.start();
    await run(running);
    expect(atHome(running)).toEqual(OLD);
    expect(await held(running)).toMatchObject({ reason: "adopted" });
  });

  test("with only an address in the environment nobody has chosen; with KEEP somebody has", async () => {
    using house = new House();
    put(house, OLD);
    {
      await using running = await house.start({ env: { ADDRESS: "192.0.2.1" } });
      await run(running);
      expect(atHome(running)).toEqual(OLD);
    }
    rmSync(join(house.folder, "config"), { recursive: true });
    await using running = await house.start({ env: { ADDRESS: "192.0.2.1", KEEP: "2w" } });
    expect(await held(running)).toBeNull();
    await run(running);
    expect(inTrash(running)).toEqual(OLD);
  });

  test("a KEEP that stopped the start was no choice", async () => {
    using house = new House();
    put(house, OLD);
    await expect(house.start({ env: { KEEP: "soon" } })).rejects.toThrow("KEEP");
    await using running = await house.start();
    await run(running);
    expect(atHome(running)).toEqual(OLD);
  });

  test.each(["2w", "10d"])("a PATCH of keep to %s is a choice, also when it is the default", async (keep) => {
    using house = new House();
    put(house, OLD);
    {
      await using running = await house.start();
      await run(running);
      const { body } = await send(running, "PATCH", "/api/settings/retention", { keep });
      expect(body).toMatchObject({ would_delete: { recordings: OLD.length, bytes: 3 * OLD.length } });
      expect(await held(running)).toBeNull();
    }
    // It is remembered.
    await using running = await house.start();
    await run(running);
    expect(atHome(running)).toEqual([]);
    expect(inTrash(running)).toEqual(OLD);
  });

  test("a PATCH of another section is none", async () => {
    using house = new House();
    put(house, OLD);
    await using running = await house.start();
    await send(running, "PATCH", "/api/settings/viewer", { speed_unit: "mph" });
    await send(running, "PATCH", "/api/settings/retention", {});
    await run(running);
    expect(atHome(running)).toEqual(OLD);
  });

  test("a PATCH of another field of retention agrees to what is held, before anything was looked at, too", async () => {
    using house = new House();
    put(house, OLD);
    await using running = await house.start();
    await send(running, "PATCH", "/api/settings/retention", { trash_days: 14 });
    expect(await held(running)).toBeNull();
    await run(running);
    expect(inTrash(running)).toEqual(OLD);
    // It was about what was here: what comes later is another matter.
    put(running, namesFrom("20260402", 3));
    await run(running);
    expect(atHome(running)).toEqual(namesFrom("20260402", 3));
  });

  test("a hand edit of keep in the file is a choice, while the service runs and between two starts", async () => {
    for (const isRunning of [true, false]) {
      using house = new House();
      put(house, OLD);
      const edit = () => {
        const path = join(house.folder, "config", "settings.json");
        const settings = JSON.parse(readFileSync(path, "utf8"));
        settings.retention.keep = "3w";
        writeFileSync(`${path}.new`, JSON.stringify(settings), { mode: 0o600 });
        renameSync(`${path}.new`, path);
      };
      {
        await using running = await house.start();
        await run(running);
        expect(atHome(running)).toEqual(OLD);
        if (isRunning) {
          edit();
          await running.app.settings.refresh();
        }
      }
      if (!isRunning) edit();
      await using running = await house.start();
      expect(running.app.settings.current.retention.keep).toBe("3w");
      expect(await held(running)).toBeNull();
      await run(running);
      expect(inTrash(running)).toEqual(OLD);
    }
  });

  test("a confirmation lets exactly the next scheduled run delete", async () => {
    using house = new House();
    put(house, OLD);
    await using running = await house.start();
    expect((await send(running, "POST", "/api/retention/confirm")).body).toEqual({ confirmed: true });
    expect(await held(running)).toBeNull();
    expect((await send(running, "POST", "/api/retention/confirm")).body).toMatchObject({ code: "NOTHING_HELD" });
    await run(running, "manual");
    expect(atHome(running)).toEqual(OLD);
    await run(running);
    expect(inTrash(running)).toEqual(OLD);
  });

  test("recordings that are copied in later are not ours either; those we brought are", async () => {
    using house = new House();
    await using running = await house.start();
    await run(running);
    expect(await held(running)).toBeNull();
    await run(running);
    put(running, OLD);
    await run(running);
    expect(atHome(running)).toEqual(OLD);
    expect(await held(running)).toMatchObject({ reason: "adopted", recordings: OLD.length });
  });

  test("nor are those that are copied in while a run brings others", async () => {
    using house = new House();
    await using running = await house.start();
    running.app.job.topic.subscribe(({ phase }) => {
      if (phase === "downloading" && !existsSync(join(house.destination, OLD[0] ?? ""))) put(house, OLD);
    });
    await run(running);
    expect(atHome(running)).toEqual(OLD);
    expect(await held(running)).toMatchObject({ reason: "adopted", recordings: OLD.length });
  });

  test("nor do they become ours by one of them being deleted by hand and had back", async () => {
    using house = new House();
    await using running = await house.start();
    await run(running);
    put(running, OLD);
    const key = OLD[0]?.slice(0, 17) ?? "";
    expect((await send(running, "DELETE", `/api/recordings/${key}`)).status).toBe(200);
    await run(running);
    expect(atHome(running)).toEqual(OLD.slice(1));
    put(running, ["20260403_120000_NF.mp4"]);
    expect((await send(running, "POST", "/api/trash/restore", { keys: [key] })).body).toMatchObject({ restored: 1 });
    await run(running);
    expect(atHome(running)).toEqual([...OLD, "20260403_120000_NF.mp4"]);
  });

  test("a service that began with an empty folder has brought what is there", async () => {
    using house = new House();
    for (let start = 0; start < 2; start++) {
      await using running = await house.start();
      await run(running);
      // Those that it brought are old by now.
      house.clock.jump(20 * DAY);
      expect(await held(running)).toBeNull();
    }
    await using running = await house.start();
    await run(running);
    expect(readdirSync(house.destination).filter((name) => name.endsWith(".mp4"))).toEqual([]);
  });

  test.each(["the first", "the second"])(
    "what %s run brought before kill -9 is ours; what comes later is not",
    async (which) => {
      using house = new House();
      if (which === "the second") {
        await using running = await house.start();
        await run(running);
      }
      // As a killed process leaves it: its run is noted as begun, and its files are at home.
      {
        const running = await house.start();
        await running.app.retention.consent.beforeRun();
        running.app.history.begin({
          ts: house.clock.now() / 1000,
          durationSeconds: 1,
          files: 2,
          bytes: 6,
          dryRun: false,
        });
        put(house, OLD.slice(0, 2));
        await running.stop();
        await running.simulator.close();
      }
      await using running = await house.start();
      expect(running.app.history.interrupted).not.toBeNull();
      expect(await held(running)).toBeNull();
      put(running, OLD.slice(2));
      expect(await held(running)).toMatchObject({ reason: "adopted" });
    },
  );
});

describe("a clock that is not to be trusted", () => {
  const keeping = { settings: { retention: { keep: "4w" } } } as const;
  const MAY = namesFrom("20260520", 3);

  test.each([
    ["2099", 73 * 365 * DAY, /the clock shows 2099-.*, more than 30 days after the run before/],
    ["31 days", 31 * DAY, /more than 30 days after the run before/],
    ["a minute before the newest run", -60_000, /before the end of an earlier run/],
  ])("%s: nothing is deleted nor purged, and all that is listed comes home", async (_what, jump, says) => {
    using house = new House();
    await using running = await house.start(keeping);
    put(running, namesFrom("20260402", 2));
    await run(running);
    expect(inTrash(running)).toEqual(namesFrom("20260402", 2));
    put(running, MAY);
    const asked = running.simulator.requests.length;
    house.clock.jump(jump);
    rmSync(join(house.destination, "20260607_101500_NF.mp4"), { force: true });
    put(running, namesFrom("20260403", 2));
    expect(await held(running)).toMatchObject({ reason: "clock" });
    for (let turn = 0; turn < 2; turn++) {
      await run(running);
      // Once, and not with every run.
      const told = warnings(running).filter((line) => line.startsWith("Nothing is deleted") && says.test(line));
      expect(told).toHaveLength(1);
    }
    expect(atHome(running)).toEqual([...namesFrom("20260403", 2), ...MAY]);
    expect(inTrash(running)).toEqual(namesFrom("20260402", 2));
    expect(running.simulator.requests.length).toBeGreaterThan(asked);
  });

  test("takes no thumbnails of what never came either, though nobody is asked about them", async () => {
    for (const [newest, isHeld] of [
      ["20260608_103100_NF.mp4", true],
      ["20260608_102900_NF.mp4", false],
    ] as const) {
      using house = new House();
      await using running = await house.start(keeping);
      await running.simulator.goAway();
      const orphan = OLD[0]?.replace(".mp4", ".thm") ?? "";
      put(running, [orphan, newest]);
      await run(running);
      expect([newest, existsSync(join(running.destination, orphan))]).toEqual([newest, isHeld]);
      expect((await state(running)).last).toBeNull();
    }
  });

  test("more than a day before the newest recording; a day is not", async () => {
    for (const [newest, isHeld] of [
      ["20260608_103100_NF.mp4", true],
      ["20260608_102900_NF.mp4", false],
    ] as const) {
      using house = new House();
      await using running = await house.start(keeping);
      await running.simulator.goAway();
      put(running, [...OLD, newest]);
      await run(running);
      expect([newest, inTrash(running).length]).toEqual([newest, isHeld ? 0 : OLD.length]);
      expect(warnings(running).some((line) => line.includes("before the newest recording (2026-06-08)"))).toBe(isHeld);
    }
  });

  test("to 2099, over runs and restarts, and back: still nothing, until somebody says so", async () => {
    using house = new House();
    {
      await using running = await house.start(keeping);
      await run(running);
      put(running, [...OLD, YOUNG]);
      house.clock.jump(73 * 365 * DAY);
      await run(running);
    }
    await house.clock.advance(60_000);
    {
      await using running = await house.start(keeping);
      await run(running);
      expect(atHome(running)).toEqual([...OLD, YOUNG]);
      house.clock.jump(-73 * 365 * DAY);
      await run(running);
      expect(atHome(running)).toEqual([...OLD, YOUNG]);
      await house.clock.advance(60_000);
    }
    await using running = await house.start(keeping);
    expect(await held(running)).toMatchObject({ reason: "clock" });
    expect(running.app.history.count()).toBe(4);
    expect((await send(running, "POST", "/api/retention/confirm")).status).toBe(200);
    expect(await held(running)).toBeNull();
    await run(running);
    expect(atHome(running)).toEqual([YOUNG]);
    expect(inTrash(running)).toEqual(OLD);
  });

  test("back from 2099 before anything ran again: a word is enough for the next run", async () => {
    using house = new House();
    await using running = await house.start(keeping);
    await run(running);
    put(running, OLD);
    house.clock.jump(73 * 365 * DAY);
    await run(running);
    house.clock.jump(-73 * 365 * DAY);
    expect(await held(running)).toMatchObject({ reason: "clock" });
    expect((await send(running, "POST", "/api/retention/confirm")).status).toBe(200);
    expect(await held(running)).toBeNull();
    await run(running);
    expect(inTrash(running)).toEqual(OLD);
    // And the runs after it need none.
    put(running, namesFrom("20260402", 2));
    house.clock.jump(DAY);
    await run(running);
    expect(atHome(running)).toEqual([]);
  });

  test("to 2000 and back: nothing is lost there, and here all is as ever", async () => {
    using house = new House();
    await using running = await house.start(keeping);
    put(running, namesFrom("20260402", 2));
    await run(running);
    put(running, OLD);
    house.clock.jump(-26 * 365 * DAY);
    await run(running);
    await house.clock.advance(60_000);
    await run(running);
    expect(atHome(running)).toEqual(OLD);
    expect(inTrash(running)).toEqual(namesFrom("20260402", 2));
    expect(running.app.history.count()).toBe(3);
    house.clock.jump(26 * 365 * DAY);
    await house.clock.advance(60_000);
    await run(running);
    expect(atHome(running)).toEqual(OLD);
    // A recording of these days vouches for the clock.
    put(running, ["20260607_102500_NF.mp4"]);
    await run(running);
    expect(atHome(running)).toEqual([]);
  });
});

describe("unusually many", () => {
  const keeping = { settings: { retention: { keep: "4w" } } } as const;

  /** A house in which a pass has come to its end. */
  async function settled(house: House): Promise<RunningApp> {
    const running = await house.start(keeping);
    await run(running);
    return running;
  }

  test.each([
    // 4 recordings came from the camera.
    { old: 49, young: 0, isHeld: false },
    { old: 50, young: 0, isHeld: true },
    { old: 50, young: 146, isHeld: true },
    { old: 50, young: 147, isHeld: false },
    { old: 80, young: 236, isHeld: true },
    { old: 80, young: 237, isHeld: false },
  ])("$old of $old + $young + 4: held is $isHeld", async ({ old, young, isHeld }) => {
    using house = new House();
    await using running = await settled(house);
    put(running, [...namesFrom("20260401", old), ...namesFrom("20260606", young)]);
    expect((await held(running))?.reason ?? null).toBe(isHeld ? "many" : null);
    await run(running);
    expect(inTrash(running)).toHaveLength(isHeld ? 0 : old);
    expect(atHome(running)).toHaveLength(young + (isHeld ? old : 0));
  });

  test("the first pass ever may be large; after a restart the next one is not the first", async () => {
    using house = new House();
    {
      await using running = await house.start(keeping);
      put(running, namesFrom("20260401", 60));
      await run(running);
      expect(inTrash(running)).toHaveLength(60);
    }
    await using running = await house.start(keeping);
    put(running, namesFrom("20260402", 60));
    await run(running);
    expect(atHome(running)).toHaveLength(60);
    expect(await held(running)).toMatchObject({ reason: "many", recordings: 60 });
  });

  test("a keep time or a limit that was changed since the last pass explains it", async () => {
    for (const change of [{ keep: "10d" }, { keep_parking: "always" }, { max_gb: 1 }]) {
      using house = new House();
      await using running = await settled(house);
      // Not by a request, which is a word of its own.
      await running.app.settings.patch("retention", change);
      put(running, namesFrom("20260401", 60));
      expect(await held(running)).toBeNull();
      await run(running);
      expect(inTrash(running)).toHaveLength(60);
      put(running, namesFrom("20260402", 60));
      await run(running);
      expect(atHome(running)).toHaveLength(60);
    }
  });

  test("nor does a word last longer than the next pass", async () => {
    using house = new House();
    await using running = await settled(house);
    put(running, namesFrom("20260401", 60));
    await run(running);
    await send(running, "POST", "/api/retention/confirm");
    await run(running, "manual");
    await running.simulator.goAway();
    expect(atHome(running)).toHaveLength(60);
    await run(running);
    expect(inTrash(running)).toHaveLength(60);
    put(running, namesFrom("20260402", 60));
    await run(running);
    expect(atHome(running)).toHaveLength(60);
  });

  test("a PATCH of retention releases it, whatever it changes", async () => {
    using house = new House();
    await using running = await settled(house);
    put(running, namesFrom("20260401", 60));
    await run(running);
    expect(await held(running)).toMatchObject({ reason: "many" });
    await send(running, "PATCH", "/api/settings/retention", { trash_days: 8 });
    expect(await held(running)).toBeNull();
    await run(running);
    expect(inTrash(running)).toHaveLength(60);
  });
});

test("a dry run holds nothing, deletes nothing and uses up no word", async () => {
  using house = new House();
  put(house, OLD);
  {
    await using running = await house.start({ settings: { system: { dry_run: true } } });
    await running.app.settings.patch("system", { dry_run: true });
  }
  {
    await using running = await house.start({ settings: { system: { dry_run: true }, retention: { keep: "4w" } } });
    expect(await held(running)).toBeNull();
    await run(running);
    expect(atHome(running)).toEqual(OLD);
    expect(inTrash(running)).toEqual([]);
  }
});
