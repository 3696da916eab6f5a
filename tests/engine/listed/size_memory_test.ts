import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../server/clock.ts";
import { SizeMemory } from "../../../server/engine/listed/size_memory.ts";
import { Log } from "../../../server/log.ts";
import { ExpectedSizesFile } from "../../../server/store/config/expected_sizes_file.ts";
import { Library } from "../../../server/store/library/library.ts";

let folder: string;
let library: Library;
const log = new Log(systemClock);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sizes-"));
  library = new Library({ root: join(folder, "home"), clock: systemClock, log });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, bytes: number): void {
  const place = join(folder, "home", path);
  mkdirSync(join(place, ".."), { recursive: true });
  writeFileSync(place, Buffer.alloc(bytes));
}

/** The memory of a service that starts, in its own config folder. */
function start(camera = "DR900X Plus"): SizeMemory {
  const file = new ExpectedSizesFile(join(folder, "expected-sizes.json"), log);
  return new SizeMemory({ file, library, camera: async () => camera });
}

test("a service that has learned nothing yet knows the sizes of what is at home, the newest above all", async () => {
  for (let minute = 10; minute < 30; minute++) {
    put(`20260601/20260601_10${minute}00_NF.mp4`, 90_000);
    put(`20260602/20260602_10${minute}00_NF.mp4`, 50_000);
  }
  put("20260602/20260602_101000_NR.mp4", 20_000);
  put("20260602/20260602_101000_NF.thm", 700);
  // No recordings that are here as a whole.
  put(".20260603_101000_NF.mp4", 7000);
  put("20260603/20260603_101000_NI.mp4.failed", 5000);
  await library.refresh();
  const sizes = await start().current();
  expect(["NF", "NR", "PF", "thm", "gps"].map((of) => sizes.of(of))).toEqual([50_000, 20_000, 50_000, 700, null]);
  expect(Object.keys(sizes.learned.sizes).sort()).toEqual(["NF", "NR", "thm"]);
});

test("of many recordings the newest are looked through, in whichever folders they lie", async () => {
  for (let at = 0; at < 420; at++) {
    const time = `${10 + Math.floor(at / 60)}${String(at % 60).padStart(2, "0")}00`;
    put(`20260601/20260601_${time}_NF.mp4`, at < 20 ? 90_000 : 50_000);
  }
  // One of the oldest that is looked through, in two folders, and one that is older.
  put("20260601_102100_NR.mp4", 30_000);
  put("20260601_101900_PF.mp4", 20_000);
  await library.refresh();
  const sizes = await start().current();
  expect(sizes.of("NF")).toBe(50_000);
  expect(Object.keys(sizes.learned.sizes).sort()).toEqual(["NF", "NR"]);
});

test("before the first sync there is no folder, and nothing is known; what is put there is found later", async () => {
  await library.refresh();
  const memory = start();
  expect((await memory.current()).of("NF")).toBeNull();
  put("20260601_101000_NF.mp4", 90_000);
  await library.refresh();
  expect((await memory.current()).of("NF")).toBe(90_000);
});

test("what runs taught is known after a restart, whatever is at home by then", async () => {
  put("20260601_101000_NF.mp4", 90_000);
  await library.refresh();
  const memory = start();
  for (let file = 0; file < 12; file++) (await memory.current()).learn("NF", 40_000);
  await memory.save({ bytesPerSecond: 3000, companionSeconds: 0.2 });
  const sizes = await start().current();
  expect(sizes.of("NF")).toBeCloseTo(40_000, -4);
  expect(sizes.pace).toEqual({ bytesPerSecond: 3000, companionSeconds: 0.2 });
});

test("cameras are known apart, and a new one begins with what is known of the last", async () => {
  await library.refresh();
  const memory = start("DR900X Plus");
  (await memory.current()).learn("NF", 60_000);
  await memory.save(null);
  const other = start("192.168.1.64");
  const sizes = await other.current();
  expect(sizes.of("NF")).toBe(60_000);
  sizes.learn("NF", 20_000);
  await other.save(null);
  expect((await start("192.168.1.64").current()).of("NF")).toBe(20_000);
  expect((await start("DR900X Plus").current()).of("NF")).toBe(60_000);
});
