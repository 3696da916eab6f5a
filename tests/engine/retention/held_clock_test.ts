import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunningApp } from "../../support/app/app.ts";
import {
  atHome,
  DAY,
  House,
  held,
  inTrash,
  KEEPING,
  namesFrom,
  put,
  run,
  send,
  state,
  warnings,
} from "../../support/app/held.ts";

import { cardOf } from "../../support/app/sync.ts";

setDefaultTimeout(30_000);

const OLD = namesFrom("20260401", 5);
const YOUNG = "20260606_120000_NF.mp4";

describe("a clock that is not to be trusted", () => {
  const MAY = namesFrom("20260520", 3);

  test.each([
    ["2099", 73 * 365 * DAY, /the clock shows 2099-.*, more than 30 days after the run before/],
    ["31 days", 31 * DAY, /more than 30 days after the run before/],
    ["a minute before the newest run", -60_000, /before the end of an earlier run/],
  ])("%s: nothing is deleted nor purged, and all that is listed comes home", async (_what, jump, says) => {
    using house = new House();
    await using running = await house.start(KEEPING);
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

  /** Runs beside a newest recording that is more than a day ahead of the clock, and beside one that is less. */
  async function besideNewest(
    names: readonly string[],
    look: (running: RunningApp, newest: string, isHeld: boolean) => void | Promise<void>,
  ): Promise<void> {
    for (const [newest, isHeld] of [
      ["20260608_103100_NF.mp4", true],
      ["20260608_102900_NF.mp4", false],
    ] as const) {
      using house = new House();
      await using running = await house.start(KEEPING);
      await running.simulator.goAway();
      put(running, [...names, newest]);
      await run(running);
      await look(running, newest, isHeld);
    }
  }

  test("takes no thumbnails of what never came either, though nobody is asked about them", async () => {
    const orphan = OLD[0]?.replace(".mp4", ".thm") ?? "";
    await besideNewest([orphan], async (running, newest, isHeld) => {
      expect([newest, existsSync(join(running.destination, orphan))]).toEqual([newest, isHeld]);
      expect((await state(running)).last).toBeNull();
    });
  });

  test("more than a day before the newest recording; a day is not", async () => {
    await besideNewest(OLD, (running, newest, isHeld) => {
      expect([newest, inTrash(running).length]).toEqual([newest, isHeld ? 0 : OLD.length]);
      expect(warnings(running).some((line) => line.includes("before the newest recording (2026-06-08)"))).toBe(isHeld);
    });
  });

  test("to 2099, over runs and restarts, and back: still nothing, until somebody says so", async () => {
    using house = new House();
    {
      await using running = await house.start(KEEPING);
      await run(running);
      put(running, [...OLD, YOUNG]);
      house.clock.jump(73 * 365 * DAY);
      await run(running);
    }
    await house.clock.advance(60_000);
    {
      await using running = await house.start(KEEPING);
      await run(running);
      expect(atHome(running)).toEqual([...OLD, YOUNG]);
      house.clock.jump(-73 * 365 * DAY);
      await run(running);
      expect(atHome(running)).toEqual([...OLD, YOUNG]);
      await house.clock.advance(60_000);
    }
    await using running = await house.start(KEEPING);
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
    await using running = await house.start(KEEPING);
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
    await using running = await house.start(KEEPING);
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

  describe("within a process", () => {
    /** A service that has something in the trash, something due, and a camera that drove a week ago; then the clock does this. */
    async function after(move: (running: RunningApp, house: House) => void | Promise<void>) {
      const house = new House();
      const running = await house.start({ ...KEEPING, card: cardOf(["20260531_101500_NF.mp4"], 1000) });
      put(running, namesFrom("20260402", 2));
      await run(running);
      put(running, OLD);
      await move(running, house);
      await run(running);
      const found: unknown[] = [atHome(running).length, inTrash(running).length, (await held(running))?.reason ?? null];
      await running[Symbol.asyncDispose]();
      house[Symbol.dispose]();
      return found;
    }
    const HELD = [6, 2, "clock"];
    const GONE = [1, 7, null];

    test("more than a day ahead of the steady one: nothing goes, nor is purged; with time that went by it does", async () => {
      expect(await after((_running, { clock }) => clock.jump(DAY + 60_000))).toEqual(HELD);
      expect(await after((_running, { clock }) => clock.jump(DAY - 60_000))).toEqual(GONE);
      expect(await after((_running, { clock }) => clock.pass(3 * DAY))).toEqual(GONE);
    });

    test("ten days ahead the trash is not purged by age, until it is confirmed", async () => {
      expect(await after((_running, { clock }) => clock.jump(10 * DAY))).toEqual(HELD);
      const confirmed = await after(async (running, { clock }) => {
        clock.jump(10 * DAY);
        await run(running);
        await send(running, "POST", "/api/retention/confirm");
      });
      // Recordings that lay there for ten days by that clock left the trash.
      expect(confirmed).toEqual([1, 5, null]);
    });

    test("a machine that slept for days is believed once the camera's newest recording is of these days", async () => {
      const slept =
        (days: number) =>
        (_running: RunningApp, { clock }: House) =>
          clock.suspend(days * DAY);
      // With a known time of sleep nothing has to be confirmed.
      expect(await after(slept(3))).toEqual(GONE);
      const unknown = async (running: RunningApp, { clock }: House, newest: string | null) => {
        clock.jump(3 * DAY);
        if (newest !== null) running.simulator.card.record(newest);
        await Promise.resolve();
      };
      expect(await after((running, house) => unknown(running, house, null))).toEqual(HELD);
      const drove = await after((running, house) => unknown(running, house, "20260610_090000_NF.mp4"));
      expect(drove).toEqual([2, 7, null]);
    });
  });

  test.each([
    ["8 days, and the car did not move", 8 * DAY, false, "clock"],
    ["21 days, and the car drove today", 21 * DAY, true, null],
    ["7 days, and the car did not move", 7 * DAY, false, null],
  ])("a service that was off for %s", async (_what, off, hasDriven, reason) => {
    using house = new House();
    const card = cardOf(["20260607_101500_NF.mp4"], 1000);
    {
      await using running = await house.start({ ...KEEPING, card });
      await run(running);
    }
    house.clock.pass(off);
    await using running = await house.start({ ...KEEPING, card });
    put(running, OLD);
    const today = new Date(house.clock.now() - 3_600_000)
      .toISOString()
      .replace(/[-:]/g, "")
      .replace("T", "_")
      .slice(0, 15);
    if (hasDriven) card.record(`${today}_NF.mp4`);
    await run(running);
    expect<unknown>((await held(running))?.reason ?? null).toBe(reason);
    expect(inTrash(running)).toEqual(reason === null ? OLD : []);
  });
});
