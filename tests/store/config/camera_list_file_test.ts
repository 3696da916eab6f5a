import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CameraList, CameraListBuilder, MARK_BITS } from "../../../server/domain/sync/camera_list.ts";
import { Log } from "../../../server/log.ts";
import { CameraListFile } from "../../../server/store/config/camera_list_file.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { recordingNames } from "../../support/app/listed.ts";

let folder: string;
let log: Log;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "camera-list-"));
  log = new Log(new FakeClock());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(folder, "camera-list.txt");
const open = () => new CameraListFile(path(), log);
const told = () => log.lines.map(({ level, message }) => [level, message]);

function listOf(names: readonly string[], marks = 0): CameraList {
  const builder = new CameraListBuilder({ address: "dash cam", destination: '/a "b"\n' }, names.length);
  builder.unknown = 3;
  for (const name of names) builder.add(name, marks);
  return builder.list();
}

describe("a remembered list", () => {
  test("is read as it was written, for its owner's eyes only", async () => {
    const list = listOf([...recordingNames(2000), "20270101_000000_EIL.mp4"], MARK_BITS.gps | MARK_BITS.gone);
    await open().write(list);
    expect((await open().read())?.isSame(list)).toBe(true);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect([readdirSync(folder), told()]).toEqual([["camera-list.txt"], []]);
  });

  test("of an empty card is one, too", async () => {
    await open().write(listOf([]));
    expect((await open().read())?.size).toBe(0);
  });

  test("that is not there is unknown, and nobody is told", async () => {
    expect(await open().read()).toBeNull();
    expect(told()).toEqual([]);
  });

  const GOOD = () => readFileSync(path(), "utf8");
  const DAMAGE: readonly [name: string, harm: (text: string) => string | Uint8Array][] = [
    ["empty", () => ""],
    ["a head only", (text) => text.slice(0, text.indexOf("\n") + 1)],
    ["cut off in a line", (text) => text.slice(0, -3)],
    ["cut off between lines", (text) => text.slice(0, -19)],
    ["a line twice", (text) => text + text.split("\n").at(-2)],
    ["out of order", (text) => text.replace(/(\n[^\n]+)(\n[^\n]+)/, "$2$1")],
    ["another version", (text) => text.replace('"version":1', '"version":2')],
    ["a day that never was", (text) => text.replace("20261101", "20261131")],
    ["a path", (text) => text.replace("20261101_000000_NF", "../../etc/passwd_x")],
    ["a mark that is none", (text) => text.replace("_NF\n", "_NF 77\n")],
    ["more than there can be", (text) => text.replace('"recordings":20', '"recordings":900000000')],
    ["noise", () => new Uint8Array(4096).map((_, at) => (at * 37) % 256)],
    ["another program's", () => '{"version":1}'],
    ["endless", () => "x".repeat(9 * 1024 * 1024)],
  ];
  test.each(DAMAGE)("that is damaged is unknown: %s", async (_, harm) => {
    await open().write(listOf(recordingNames(20)));
    writeFileSync(path(), harm(GOOD()));
    expect(await open().read()).toBeNull();
    expect(told()).toEqual([["WARNING", `${path()} is damaged; the next sync writes it anew`]]);
    await open().write(listOf(recordingNames(20)));
    expect((await open().read())?.size).toBe(20);
  });

  test("that cannot be written or read is said once, and stops nothing", async () => {
    mkdirSync(path());
    const file = open();
    await file.write(listOf(recordingNames(2)));
    await file.write(listOf(recordingNames(4)));
    expect(await file.read()).toBeNull();
    expect(told()).toEqual([
      ["WARNING", expect.stringContaining("could not be written (EISDIR)")],
      ["WARNING", expect.stringContaining("cannot be read (EISDIR)")],
    ]);
  });
});
