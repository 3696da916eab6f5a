import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../server/clock.ts";
import { Log } from "../../../server/log.ts";
import { Destination } from "../../../server/store/destination/destination.ts";
import { removeEmptyFolders } from "../../../server/store/destination/empty_folders.ts";
import { Library } from "../../../server/store/library/library.ts";

async function inFolder(run: (destination: Destination, root: string, base: string) => Promise<void>): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), "recordings-"));
  const root = join(base, "recordings");
  mkdirSync(root);
  try {
    const library = new Library({ root, clock: systemClock, log: new Log(systemClock) });
    await run(new Destination({ root, library, clock: systemClock }), root, base);
  } finally {
    rmSync(base, { recursive: true });
  }
}

test("only dated folders that are empty are removed", () =>
  inFolder(async (destination, root) => {
    for (const folder of ["2026-01", "2026-02", "2026-03", "holiday"]) mkdirSync(join(root, folder));
    writeFileSync(join(root, "2026-02", "20260207_101500_NF.mp4"), "video");
    writeFileSync(join(root, "2026-03", "notes.txt"), "mine");
    await destination.library.refresh();
    expect(await removeEmptyFolders(destination)).toEqual(["2026-01"]);
    expect(readdirSync(root).sort()).toEqual(["2026-02", "2026-03", "holiday"]);
  }));

test("a group folder that became a link is left alone", () =>
  inFolder(async (destination, root, base) => {
    const outside = join(base, "outside");
    mkdirSync(outside);
    mkdirSync(join(root, "2026-01"));
    await destination.library.refresh();
    rmSync(join(root, "2026-01"), { recursive: true });
    symlinkSync(outside, join(root, "2026-01"));
    expect(await removeEmptyFolders(destination)).toEqual([]);
    expect(existsSync(outside)).toBe(true);
  }));
