import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { TRASH, TrashBench } from "../../support/disk/trash_bench.ts";

setDefaultTimeout(60_000);

const ENDINGS = ["F.mp4", "F.thm", "R.mp4", ".gps"];
/** More than are looked at before others have a turn. */
const MOMENTS = 110;

function fill(bench: TrashBench): void {
  for (let at = 0; at < MOMENTS; at++) {
    const key = `20261101_10${String(Math.floor(at / 60)).padStart(2, "0")}${String(at % 60).padStart(2, "0")}_N`;
    const folder = at % 3 === 0 ? "" : `2026-1${at % 3}/`;
    bench.put(ENDINGS.map((ending) => folder + key + ending));
  }
  bench.put("mine.txt");
}

/** Starts the work, and kills it when it has written so much. */
async function killed(bench: TrashBench, work: string, after: number): Promise<void> {
  const program = join(import.meta.dir, "../../support/disk/trash_program.ts");
  const child = Bun.spawn([process.execPath, program, bench.root, work], { stdout: "pipe", stderr: "inherit" });
  let seen = 0;
  for await (const chunk of child.stdout) {
    seen += chunk.length;
    if (seen >= after) child.kill("SIGKILL");
  }
  await child.exited;
}

/** Endings that are there, by moment and folder. */
function wholes(paths: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of paths) {
    const at = path.lastIndexOf("/") + 1 + 17;
    const moment = path.slice(0, at);
    found.set(moment, [...(found.get(moment) ?? []), path.slice(at)].sort());
  }
  return found;
}

function inTrash(bench: TrashBench): Map<string, string[]> {
  return wholes(bench.inTrash().map((path) => path.slice(path.indexOf("/") + 1)));
}

function atHome(bench: TrashBench): Map<string, string[]> {
  return wholes(bench.atHome().filter((path) => path !== "mine.txt"));
}

/** Opens the trash as the next process does. */
async function looked(bench: TrashBench): Promise<void> {
  const { trash } = await bench.open();
  await trash.prepare();
  expect(bench.notes()).toEqual([]);
}

/** The beginning, the middle and the very end of 440 files. */
const AFTER = [1, 2, 3, 5, 7, 13, 301, 440, 441];

test.each(["take", "restore"])("%s, killed again and again: whole at home or whole in the trash", async (work) => {
  using bench = new TrashBench();
  fill(bench);
  const before = bench.atHome();
  for (const after of AFTER) {
    if (work === "restore") await bench.take();
    await killed(bench, work, after);
    await looked(bench);
    const home = atHome(bench);
    const trash = inTrash(bench);
    for (const endings of [...home.values(), ...trash.values()]) expect(endings).toEqual([...ENDINGS].sort());
    expect([...home.keys()].filter((moment) => trash.has(moment))).toEqual([]);
    expect(home.size + trash.size).toBe(MOMENTS);
    await bench.putBack();
    expect(bench.atHome()).toEqual(before);
    const files = bench.files();
    for (const path of before) expect(files[path]).toBe(path);
    await bench.clock.advance(1000);
  }
});

test.each(["purge one by one", "purge"])("%s, killed again and again: whole in the trash or gone", async (work) => {
  for (const after of [1, 2, 3]) {
    using bench = new TrashBench();
    fill(bench);
    await bench.take();
    await killed(bench, work, after);
    await looked(bench);
    const trash = inTrash(bench);
    for (const endings of trash.values()) expect(endings).toEqual([...ENDINGS].sort());
    expect(trash.size).toBeLessThanOrEqual(MOMENTS);
    expect(bench.atHome()).toEqual(["mine.txt"]);
    const left = readdirSync(join(bench.root, TRASH));
    expect(left.length).toBeLessThanOrEqual(1);
  }
});
