import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MOST_NEW_FILES, NEW_FILES_PATH, TRIGGER_PATH } from "../../../server/store/destination/new_files.ts";
import { fileAt } from "../../../server/store/destination/sums_rows.ts";
import { SumsBench, untilSettled, video } from "../../support/disk/sums_bench.ts";

const FRONT = "20260607_101500_NF.mp4";
const REAR = "20260607_101500_NR.mp4";
const GPS = "20260607_101500_N.gps";

async function openBench() {
  const bench = new SumsBench();
  bench.put(FRONT, video(300_000));
  bench.put(`2026-06/${REAR}`, video(700_000, 9));
  bench.put(GPS, "$GPRMC");
  await bench.library.refresh();
  return bench;
}

const textOf = (bench: SumsBench) => readFileSync(join(bench.root, NEW_FILES_PATH), "utf8");
const linesOf = (bench: SumsBench) => textOf(bench).trimEnd().split("\n");
const shaOf = (bench: SumsBench, path: string) =>
  new Bun.CryptoHasher("sha256").update(readFileSync(join(bench.root, path))).digest("hex");
const triggerOf = (bench: SumsBench) => statSync(join(bench.root, TRIGGER_PATH), { throwIfNoEntry: false });

/** Brings files that are there already, and ends the run. */
async function bring(
  bench: SumsBench,
  files: readonly (readonly [name: string, folder: string])[],
  camera: string | null = "main",
) {
  const checksums = bench.checksums(camera === null ? {} : { camera });
  for (const [name, folder] of files) checksums.noteCame(name, folder);
  await untilSettled(bench, checksums.announce());
  await checksums.close();
}

test("each file that came has a line, also one whose checksums were made on the way, and a run touches the trigger", async () => {
  using bench = await openBench();
  const checksums = bench.checksums({ camera: "main" });
  checksums.noteCame(FRONT, "");
  checksums.noteCame(REAR, "2026-06");
  const sums = { sha256: shaOf(bench, GPS), crc: 1 };
  checksums.noteCame(GPS, "", sums);
  await untilSettled(bench, checksums.settled());
  expect(triggerOf(bench)).toBeUndefined();
  await checksums.announce();
  const at = bench.clock.now();
  expect(triggerOf(bench)?.mtimeMs).toBe(at);
  const common = { key: "20260607_101500_N", camera: "main", at: expect.stringMatching(/^20\d\d-.*Z$/) };
  expect(linesOf(bench).map((line) => JSON.parse(line))).toEqual([
    { path: FRONT, bytes: 300_000, sha256: shaOf(bench, FRONT), ...common },
    { path: `2026-06/${REAR}`, bytes: 700_000, sha256: shaOf(bench, `2026-06/${REAR}`), ...common },
    { path: GPS, bytes: 6, ...sums, crc: undefined, ...common },
  ]);
  expect(statSync(join(bench.root, NEW_FILES_PATH)).mode & 0o777).toBe(0o644);
  // The next run brings nothing.
  await bench.clock.advance(60_000);
  await checksums.announce();
  expect(triggerOf(bench)?.mtimeMs).toBe(at);
  await checksums.close();
});

test("a further camera's keys have its id, and without a camera nothing is told", async () => {
  using bench = await openBench();
  await bring(bench, [[FRONT, ""]], null);
  expect(() => textOf(bench)).toThrow("ENOENT");
  await bring(bench, [[FRONT, ""]], "van");
  expect(JSON.parse(textOf(bench))).toMatchObject({ key: "van~20260607_101500_N", camera: "van" });
});

test("a line that a kill cut off goes with the next one", async () => {
  using bench = await openBench();
  await bring(bench, [[FRONT, ""]]);
  const whole = textOf(bench);
  appendFileSync(join(bench.root, NEW_FILES_PATH), whole.slice(0, 50));
  await bring(bench, [[GPS, ""]]);
  expect(textOf(bench).startsWith(whole)).toBe(true);
  expect(linesOf(bench).map((line) => JSON.parse(line).path)).toEqual([FRONT, GPS]);
});

test("of more than 10,000 lines the older half goes", async () => {
  using bench = await openBench();
  mkdirSync(join(bench.root, ".dashdock"), { recursive: true });
  const old = Array.from({ length: MOST_NEW_FILES }, (_, at) => JSON.stringify({ path: String(at) }));
  writeFileSync(join(bench.root, NEW_FILES_PATH), `${old.join("\n")}\n`);
  await bring(bench, [[FRONT, ""]]);
  const lines = linesOf(bench);
  expect(lines).toHaveLength(MOST_NEW_FILES / 2);
  expect(lines.slice(0, -1)).toEqual(old.slice(-lines.length + 1));
  expect(JSON.parse(lines.at(-1) ?? "").path).toBe(FRONT);
});

test("files found without checksums are told when they came after the list began, as after a kill", async () => {
  using bench = await openBench();
  const checksums = bench.checksums({ camera: "main" });
  const find = async (path: string) => void (await checksums.check(fileAt(path), bench.pace(), "forget"));
  // Of a library that was there before.
  await find(GPS);
  expect(() => textOf(bench)).toThrow("ENOENT");
  mkdirSync(join(bench.root, ".dashdock"), { recursive: true });
  const begun = (at: number) =>
    writeFileSync(join(bench.root, NEW_FILES_PATH), `{"path":"x","at":"${new Date(at).toISOString()}"}\n`);
  begun(Date.now() + 60_000);
  await find(`2026-06/${REAR}`);
  expect(linesOf(bench)).toHaveLength(1);
  begun(Date.now() - 60_000);
  await find(FRONT);
  expect(linesOf(bench).map((line) => JSON.parse(line).path)).toEqual(["x", FRONT]);
  await checksums.close();
});

test("a link or a folder in the place of the list costs nothing but its lines, and is told once", async () => {
  using bench = await openBench();
  mkdirSync(join(bench.root, ".dashdock"), { recursive: true });
  const elsewhere = join(bench.folder, "elsewhere");
  writeFileSync(elsewhere, "");
  symlinkSync(elsewhere, join(bench.root, NEW_FILES_PATH));
  const checksums = bench.checksums({ camera: "main" });
  checksums.noteCame(FRONT, "");
  checksums.noteCame(GPS, "");
  await untilSettled(bench, checksums.announce());
  expect(checksums.has(FRONT)).toBe(true);
  expect(readFileSync(elsewhere, "utf8")).toBe("");
  expect(triggerOf(bench)).toBeUndefined();
  expect(bench.lines.filter((line) => line.includes("New files were not written down"))).toHaveLength(1);
  // What waited comes with the next one.
  rmSync(join(bench.root, NEW_FILES_PATH));
  checksums.noteCame(REAR, "2026-06");
  await untilSettled(bench, checksums.announce());
  expect(linesOf(bench).map((line) => JSON.parse(line).path)).toEqual([FRONT, GPS, `2026-06/${REAR}`]);
  await checksums.close();
});
