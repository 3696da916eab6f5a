import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../server/clock.ts";
import { Log } from "../../../server/log.ts";
import { type CameraSizes, ExpectedSizesFile } from "../../../server/store/config/expected_sizes_file.ts";

let folder: string;
let warnings: string[];
let log: Log;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sizes-"));
  warnings = [];
  log = new Log(systemClock, [({ level, message }) => level === "WARNING" && warnings.push(message)]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = () => join(folder, "expected-sizes.json");
const of = (camera: string): CameraSizes => ({
  camera,
  sizes: { NF: { bytes: 100_000_000, files: 4 } },
  pace: { bytesPerSecond: 2_500_000.5, companionSeconds: null },
});

test("what was written is read again, of the eight cameras used last", async () => {
  const cameras = Array.from({ length: 12 }, (_, at) => of(`camera ${at}`));
  await new ExpectedSizesFile(place(), log).write(cameras);
  expect(await new ExpectedSizesFile(place(), log).read()).toEqual(cameras.slice(0, 8));
  expect(warnings).toEqual([]);
});

test("without a file nothing is known, and nothing is amiss", async () => {
  expect(await new ExpectedSizesFile(place(), log).read()).toEqual([]);
  expect(warnings).toEqual([]);
});

test.each([
  ["half of it", (whole: string) => whole.slice(0, whole.length / 2)],
  ["nothing", () => ""],
  ["another shape", () => '{"NF": 5}'],
  ["a size that is no number", (whole: string) => whole.replace("100000000", '"much"')],
  ["a size below nothing", (whole: string) => whole.replace("100000000", "-1")],
])("a file that holds %s is begun anew, with one line in the log", async (_name, spoil) => {
  await new ExpectedSizesFile(place(), log).write([of("DR900X Plus")]);
  writeFileSync(place(), spoil(readFileSync(place(), "utf8")));
  const file = new ExpectedSizesFile(place(), log);
  expect(await file.read()).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(/is damaged; what is known of the sizes of files begins anew$/)]);
  await file.write([of("DR900X Plus")]);
  expect(await file.read()).toEqual([of("DR900X Plus")]);
});

test("what cannot be written is a line in the log and no error", async () => {
  const file = new ExpectedSizesFile(join(folder, "none", "expected-sizes.json"), log);
  await file.write([of("DR900X Plus")]);
  expect(warnings).toEqual([expect.stringContaining("could not be written")]);
});
