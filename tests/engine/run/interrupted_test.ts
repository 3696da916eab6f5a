import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { onBothInterfaces } from "../../support/app/interfaces.ts";
import { cardOf, SyncBench } from "../../support/app/sync.ts";

const KEY = "20260607_101500_N";
const NAMES = [`${KEY}.gps`, `${KEY}F.mp4`, `${KEY}F.thm`];
const BATCH = "20261122T030000000Z-age";
const TRASH = ".dashdock/trash";

/** A recording of which these files were in the trash when the process that moved it was killed. */
function leaveHalf(bench: SyncBench, moved: readonly string[]): void {
  mkdirSync(join(bench.destination, TRASH, BATCH), { recursive: true });
  bench.put(`${TRASH}/.moving-${BATCH}`, "");
  for (const name of NAMES) bench.put(moved.includes(name) ? `${TRASH}/${BATCH}/${name}` : name, name);
}

onBothInterfaces((generation) => {
  test("a sync finishes what a killed process was moving before it looks what is missing", async () => {
    await using bench = await SyncBench.open({ generation, card: cardOf([`${KEY}F.mp4`], 1000) });
    leaveHalf(bench, [`${KEY}.gps`]);
    // The camera has the video and nothing keeps it away, so all of it comes home again, beside what is in the trash.
    const result = await bench.sync();
    expect(result.failure).toBeNull();
    expect(bench.trashed()).toEqual(NAMES);
    expect(bench.told("INFO")).toContain(
      "Finished what was interrupted while recordings were moved to the trash or out of it",
    );
    expect(await bench.home()).toMatchObject({ whole: expect.arrayContaining(NAMES), wrong: [] });
    expect(existsSync(join(bench.destination, TRASH, `.moving-${BATCH}`))).toBe(false);
  });

  test("notes without any move, and the beginnings of notes, are cleared away with the batch they made", async () => {
    await using bench = await SyncBench.open({ generation, card: cardOf([`${KEY}F.mp4`], 1000) });
    leaveHalf(bench, []);
    bench.put(`${TRASH}/..restoring.0123456789abcdef.tmp`, "2026");
    expect((await bench.sync()).failure).toBeNull();
    expect(readdirSync(join(bench.destination, TRASH))).toEqual([]);
    for (const name of NAMES) expect(bench.tree()).toContain(name);
  });

  test("a dry run finishes nothing", async () => {
    await using bench = await SyncBench.open({ generation, card: cardOf([`${KEY}F.mp4`], 1000) });
    leaveHalf(bench, [`${KEY}.gps`]);
    expect((await bench.sync({ dryRun: true })).failure).toBeNull();
    expect(bench.trashed()).toEqual([`${KEY}.gps`]);
    expect(bench.tree()).toContain(`${KEY}F.mp4`);
  });
});
