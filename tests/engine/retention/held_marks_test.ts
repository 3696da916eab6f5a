import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
import { putInTrash } from "../../support/app/trash.ts";

setDefaultTimeout(30_000);

const OLD = namesFrom("20260401", 3);
const [FIRST = "", SECOND = ""] = OLD.map((name) => name.slice(0, 17));
const KEPT = { at: "2026-06-07T10:30:00.000Z", note: "the red car" };

const listOf = (house: Pick<RunningApp, "destination">) => join(house.destination, ".dashdock", "kept.json");

function marksIn(house: Pick<RunningApp, "destination">): string[] {
  return Object.keys(JSON.parse(readFileSync(listOf(house), "utf8")).recordings);
}

/** The first two of the old recordings are marked, and the third went by its age. */
async function marked(house: House): Promise<RunningApp> {
  const running = await house.start(KEEPING);
  put(running, OLD);
  for (const [key, note] of [
    [FIRST, KEPT.note],
    [SECOND, null],
  ] as const)
    expect((await send(running, "PUT", `/api/recordings/${key}/keep`, { note })).status).toBe(200);
  await run(running);
  expect(atHome(running)).toEqual(OLD.slice(0, 2));
  return running;
}

async function expectHeld(running: RunningApp): Promise<void> {
  await run(running);
  expect(atHome(running)).toEqual(OLD.slice(0, 2));
  expect(await state(running)).toMatchObject({
    held: { reason: "marks", recordings: 2, oldest: "2026-04-01" },
    problem: null,
    lost_marks: 2,
  });
}

/** Ways to lose a list of marks, each with the name under which a damaged list is set aside. */
const LOSSES: readonly [string, (list: string) => unknown, string[]][] = [
  ["is gone", (list) => rmSync(list), []],
  ["is empty", (list) => writeFileSync(list, ""), ["kept.json.damaged"]],
  ["holds nothing", (list) => writeFileSync(list, '{"version":1,"recordings":{}}'), []],
  ["was cut short", (list) => writeFileSync(list, '{"version":1,"recordings":{"2026'), ["kept.json.damaged"]],
  ["is a folder", (list) => [rmSync(list), mkdirSync(list)], ["kept.json.damaged"]],
  ["leads nowhere", (list) => [rmSync(list), symlinkSync("/nowhere/x", list)], ["kept.json.damaged"]],
];

describe("marks that were lost", () => {
  test.each(LOSSES)("hold deleting when their list %s, and can be put back", async (_how, lose, aside) => {
    using house = new House();
    await using running = await marked(house);
    lose(listOf(running));
    await expectHeld(running);
    expect((await send(running, "POST", "/api/retention/marks/restore")).body).toEqual({ restored: 2 });
    expect(JSON.parse(readFileSync(listOf(running), "utf8")).recordings).toEqual({
      [FIRST]: KEPT,
      [SECOND]: { ...KEPT, note: null },
    });
    expect(readdirSync(join(running.destination, ".dashdock")).filter((name) => name.includes("damaged"))).toEqual(
      aside,
    );
    expect(await held(running)).toBeNull();
    await run(running);
    expect(atHome(running)).toEqual(OLD.slice(0, 2));
    expect(await state(running)).toMatchObject({ held: null, problem: null, lost_marks: 0 });
    expect((await send(running, "POST", "/api/retention/marks/restore")).body).toEqual({ restored: 0 });
  });

  test.each(LOSSES)("are missed after a restart as well when their list %s", async (_how, lose) => {
    using house = new House();
    await (await marked(house)).stop();
    lose(listOf(house));
    for (let start = 0; start < 2; start++) {
      await using running = await house.start(KEEPING);
      await expectHeld(running);
      expect(
        warnings(running).filter((line) => line.includes("the marks of kept recordings are missing")),
      ).toHaveLength(1);
    }
    await using running = await house.start(KEEPING);
    expect((await send(running, "POST", "/api/retention/marks/restore")).body).toEqual({ restored: 2 });
  });

  test("count as another folder first when all of ours is gone, and hold once it is accepted", async () => {
    using house = new House();
    await using running = await marked(house);
    rmSync(join(running.destination, ".dashdock"), { recursive: true });
    await run(running);
    expect(existsSync(join(running.destination, ".dashdock"))).toBe(false);
    expect(running.app.job.snapshot).toMatchObject({ state: "failed", failure_reason: "disk" });
    expect((await send(running, "POST", "/api/retention/marks/restore")).body).toMatchObject({
      code: "TRASH_UNUSABLE",
    });
    expect((await send(running, "POST", "/api/destination/accept")).status).toBe(200);
    await expectHeld(running);
    expect((await send(running, "POST", "/api/retention/marks/restore")).body).toEqual({ restored: 2 });
    expect(await held(running)).toBeNull();
  });

  test("are gone on purpose when a user confirms that", async () => {
    using house = new House();
    await using running = await marked(house);
    writeFileSync(listOf(running), "");
    await expectHeld(running);
    expect((await send(running, "POST", "/api/retention/confirm")).body).toEqual({ confirmed: true });
    expect(await state(running)).toMatchObject({ held: null, lost_marks: 0 });
    await run(running);
    expect(inTrash(running)).toEqual(OLD);
    expect((await send(running, "POST", "/api/retention/confirm")).body).toMatchObject({ code: "NOTHING_HELD" });
  });

  test("spare their recordings when settings are changed without a word about them", async () => {
    using house = new House();
    await using running = await marked(house);
    rmSync(listOf(running));
    put(running, namesFrom("20260402", 1));
    expect(await held(running)).toMatchObject({ reason: "marks", recordings: 3 });
    expect((await send(running, "PATCH", "/api/settings/retention", { keep: "3w" })).status).toBe(200);
    expect(await state(running)).toMatchObject({ held: null, lost_marks: 2 });
    await run(running);
    expect(atHome(running)).toEqual(OLD.slice(0, 2));
    expect((await send(running, "POST", "/api/retention/marks/restore")).body).toEqual({ restored: 2 });
    expect(marksIn(running)).toEqual([FIRST, SECOND]);
  });

  test("are back when the list is, and a mark that is set meanwhile is kept with them", async () => {
    using house = new House();
    await using running = await marked(house);
    const list = readFileSync(listOf(running), "utf8");
    rmSync(listOf(running));
    expect(await held(running)).toMatchObject({ reason: "marks" });
    writeFileSync(listOf(running), list);
    expect(await state(running)).toMatchObject({ held: null, lost_marks: 0 });
    rmSync(listOf(running));
    put(running, namesFrom("20260402", 1));
    await send(running, "PUT", "/api/recordings/20260402_000000_N/keep");
    expect(await state(running)).toMatchObject({ held: { reason: "marks", recordings: 2 }, lost_marks: 2 });
    expect((await send(running, "POST", "/api/retention/marks/restore")).body).toEqual({ restored: 2 });
    expect(marksIn(running)).toEqual([FIRST, SECOND, "20260402_000000_N"]);
  });

  test("are none when a user took them off one by one", async () => {
    using house = new House();
    {
      await using running = await marked(house);
      for (const key of [FIRST, SECOND])
        expect((await send(running, "DELETE", `/api/recordings/${key}/keep`)).status).toBe(200);
      expect(marksIn(running)).toEqual([]);
      expect(await state(running)).toMatchObject({ held: null, lost_marks: 0 });
    }
    await using running = await house.start(KEEPING);
    await run(running);
    expect(inTrash(running)).toEqual(OLD);
  });

  test("leave the trash as it is until they are answered for", async () => {
    using house = new House();
    await using running = await marked(house);
    putInTrash(running.destination, { at: "2026-05-01T00:00:00.000Z" }, ["20260301_100000_NF.mp4"], 10);
    rmSync(listOf(running));
    await run(running);
    expect(inTrash(running)).toContain("20260301_100000_NF.mp4");
    await send(running, "POST", "/api/retention/marks/restore");
    house.clock.pass(DAY);
    await run(running);
    expect(inTrash(running)).not.toContain("20260301_100000_NF.mp4");
  });

  test("of another folder are remembered with that folder", async () => {
    using house = new House();
    await (await marked(house)).stop();
    {
      const other = join(house.folder, "other");
      await using running = await house.start({ ...KEEPING, destination: other });
      expect(await state(running)).toMatchObject({ lost_marks: 0 });
    }
    rmSync(listOf(house));
    await using running = await house.start(KEEPING);
    expect(await state(running)).toMatchObject({ lost_marks: 2 });
  });

  test("are known from their list alone when the config folder forgot them", async () => {
    using house = new House();
    await (await marked(house)).stop();
    writeFileSync(join(house.folder, "config", "kept-marks.json"), "{");
    {
      await using running = await house.start(KEEPING);
      await run(running);
      expect(atHome(running)).toEqual(OLD.slice(0, 2));
    }
    rmSync(listOf(house));
    await using running = await house.start(KEEPING);
    await expectHeld(running);
  });
});
