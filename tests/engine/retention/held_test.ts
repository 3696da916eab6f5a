import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { RunningApp } from "../../support/app/app.ts";
import { atHome, House, held, inTrash, KEEPING, namesFrom, put, run, send } from "../../support/app/held.ts";

setDefaultTimeout(30_000);

const OLD = namesFrom("20260401", 5);

describe("unusually many", () => {
  /** A house in which a pass has come to its end. */
  async function settled(house: House): Promise<RunningApp> {
    const running = await house.start(KEEPING);
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
      await using running = await house.start(KEEPING);
      put(running, namesFrom("20260401", 60));
      await run(running);
      expect(inTrash(running)).toHaveLength(60);
    }
    await using running = await house.start(KEEPING);
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
    await using running = await house.start({ settings: { system: { dry_run: true }, ...KEEPING.settings } });
    expect(await held(running)).toBeNull();
    await run(running);
    expect(atHome(running)).toEqual(OLD);
    expect(inTrash(running)).toEqual([]);
  }
});
