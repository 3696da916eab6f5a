import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningApp } from "../../support/app/app.ts";
import type { FakeClock } from "../../support/app/clock.ts";
import {
  atHome,
  DAY,
  House,
  held,
  inTrash,
  namesFrom,
  put,
  run,
  send,
  state,
  warnings,
} from "../../support/app/held.ts";

setDefaultTimeout(30_000);

const OLD = namesFrom("20260401", 5);
const YOUNG = "20260606_120000_NF.mp4";

/** A run deletes none of the old recordings: they are asked about. */
async function expectHeld(running: RunningApp): Promise<void> {
  await run(running);
  expect(atHome(running)).toEqual(OLD);
  expect(await held(running)).toMatchObject({ reason: "adopted", recordings: OLD.length });
}

describe("an adopted library", () => {
  test("is never deleted from by a default that nobody has chosen, also after restarts", async () => {
    using house = new House([...OLD, YOUNG]);
    for (let start = 0; start < 3; start++) {
      await using running = await house.start();
      expect(await held(running)).toMatchObject({
        reason: "adopted",
        recordings: OLD.length,
        bytes: 3 * OLD.length,
        oldest: "2026-04-01",
        newest: "2026-04-01",
        since: "2026-06-07T10:30:00.000Z",
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
    using house = new House(OLD);
    {
      await using running = await house.start();
      await run(running);
      expect((await send(running, "POST", "/api/retention/confirm")).status).toBe(200);
    }
    rmSync(join(house.folder, "config"), { recursive: true });
    await using running = await house.start();
    await expectHeld(running);
  });

  test("is asked about again when only the settings are lost: what was chosen was another time", async () => {
    using house = new House(OLD);
    {
      await using running = await house.start();
      expect((await send(running, "PATCH", "/api/settings/retention", { keep: "" })).status).toBe(200);
      await run(running);
      expect(atHome(running)).toEqual(OLD);
    }
    rmSync(join(house.folder, "config", "settings.json"));
    await using running = await house.start();
    await expectHeld(running);
  });

  test("with only an address in the environment nobody has chosen; with KEEP somebody has", async () => {
    using house = new House(OLD);
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
    using house = new House(OLD);
    await expect(house.start({ env: { KEEP: "soon" } })).rejects.toThrow("KEEP");
    await using running = await house.start();
    await run(running);
    expect(atHome(running)).toEqual(OLD);
  });

  test.each(["2w", "10d"])("a PATCH of keep to %s is a choice, also when it is the default", async (keep) => {
    using house = new House(OLD);
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
    using house = new House(OLD);
    await using running = await house.start();
    await send(running, "PATCH", "/api/settings/viewer", { speed_unit: "mph" });
    await send(running, "PATCH", "/api/settings/retention", {});
    await run(running);
    expect(atHome(running)).toEqual(OLD);
  });

  test("a PATCH of another field of retention agrees to what is held, before anything was looked at, too", async () => {
    using house = new House(OLD);
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
      using house = new House(OLD);
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
    using house = new House(OLD);
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
    await expectHeld(running);
  });

  test("nor are those that are copied in while a run brings others", async () => {
    using house = new House();
    await using running = await house.start();
    running.app.job.topic.subscribe(({ phase }) => {
      if (phase === "downloading" && !existsSync(join(house.destination, OLD[0] ?? ""))) put(house, OLD);
    });
    await expectHeld(running);
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
      await weeksPass(running);
      expect(await held(running)).toBeNull();
    }
    await using running = await house.start();
    await run(running);
    expect(readdirSync(house.destination).filter((name) => name.endsWith(".mp4"))).toEqual([]);
  });

  test.each(["the first", "the second"])(
    "what %s run brought before kill -9 is ours, however much; what comes later is not",
    async (which) => {
      using house = new House();
      if (which === "the second") {
        await using running = await house.start();
        await run(running);
      }
      const brought = namesFrom("20260401", 45);
      // A killed process leaves it like this: nothing is counted yet, and its files are at home.
      {
        const running = await house.start();
        await running.app.retention.consent.beforeRun();
        const list = readFileSync(join(house.folder, "config", "brought.txt"), "utf8");
        put(house, brought);
        await running.stop();
        await running.simulator.close();
        writeFileSync(join(house.folder, "config", "brought.txt"), list + brought.map(lineOf).join(""));
      }
      await using running = await house.start();
      expect(await held(running)).toBeNull();
      put(running, ["20260402_100000_NF.mp4"]);
      expect(await held(running)).toMatchObject({ reason: "adopted" });
    },
  );

  test("as many that others put there as the service has brought are not taken for them", async () => {
    using house = new House();
    await using running = await house.start();
    await run(running);
    house.clock.pass(20 * DAY);
    const ours = readdirSync(house.destination).filter((name) => name.endsWith(".mp4"));
    for (const name of ours) rmSync(join(house.destination, name));
    put(running, OLD.slice(0, ours.length));
    await running.app.library.refresh();
    expect(await held(running)).toMatchObject({ reason: "adopted" });
  });

  describe("of an installation that kept no list yet", () => {
    /** Runs, then leaves the config folder as version 1.0.0 would. */
    async function before(house: House): Promise<void> {
      await using running = await house.start();
      await run(running);
      await weeksPass(running);
      await running.stop();
      rmSync(join(house.folder, "config", "brought.txt"));
    }

    test("what it had brought is ours after the upgrade, and what comes later is not", async () => {
      using house = new House();
      await before(house);
      await using running = await house.start();
      expect(await held(running)).toBeNull();
      put(running, OLD.slice(0, 1));
      expect(await held(running)).toMatchObject({ reason: "adopted" });
    });

    test("what came meanwhile is not ours", async () => {
      using house = new House();
      await before(house);
      put(house, OLD);
      await using running = await house.start();
      expect(await held(running)).toMatchObject({ reason: "adopted" });
    });

    test("what was adopted stays so", async () => {
      using house = new House(OLD);
      await before(house);
      await using running = await house.start();
      expect(await held(running)).toMatchObject({ reason: "adopted" });
    });
  });
});

/** Three weeks in which the service ran as ever, and was not to delete. */
async function weeksPass(running: RunningApp): Promise<void> {
  for (let week = 0; week < 3; week++) {
    (running.app.clock as FakeClock).pass(7 * DAY);
    await run(running, "manual");
  }
}

function lineOf(name: string): string {
  return `\n${name.slice(0, 18)}`;
}
