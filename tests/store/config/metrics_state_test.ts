import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Log } from "../../../server/log.ts";
import { readMetricsState, writeMetricsState } from "../../../server/store/config/metrics_state.ts";
import { FakeClock } from "../../support/app/clock.ts";

const PULL = "last_successful_file_pull_timestamp_seconds";

let folder: string;
let path: string;
let log: Log;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "metrics-"));
  path = join(folder, "metrics-state.json");
  log = new Log(new FakeClock());
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("what was written is read again, and nothing else is left behind", async () => {
  await writeMetricsState(path, { [PULL]: 1_790_000_000.5 });
  expect(readFileSync(path, "utf8")).toBe(`{"${PULL}":1790000000.5}\n`);
  expect(await readMetricsState(path, log)).toEqual({ [PULL]: 1_790_000_000.5 });
  expect(readdirSync(folder)).toEqual(["metrics-state.json"]);
  expect(log.lines).toEqual([]);
});

test("a missing file is no state and no warning", async () => {
  expect(await readMetricsState(path, log)).toBeNull();
  expect(log.lines).toEqual([]);
});

test("keys of others are kept", async () => {
  writeFileSync(path, `{"theirs": {"a": [1]}, "${PULL}": 5}\n`);
  const state = await readMetricsState(path, log);
  await writeMetricsState(path, { ...state, [PULL]: 6 });
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ theirs: { a: [1] }, [PULL]: 6 });
});

test("a state without a time, or with none, has no time", async () => {
  for (const text of ["{}", `{"${PULL}": null}`]) {
    writeFileSync(path, text);
    expect(await readMetricsState(path, log)).toEqual({});
  }
  expect(log.lines).toEqual([]);
});

test.each(["", "{", "[]", "5", "null", '"text"', `{"${PULL}": "5"}`])("%p is a warning and no state", async (text) => {
  writeFileSync(path, text);
  expect(await readMetricsState(path, log)).toBeNull();
  expect(log.lines.map(({ level }) => level)).toEqual(["WARNING"]);
});

test("a file that cannot be read is a warning and no state", async () => {
  mkdirSync(path);
  expect(await readMetricsState(path, log)).toBeNull();
  expect(log.lines.map(({ level }) => level)).toEqual(["WARNING"]);
});

test("the state is for its owner only, also where an earlier version wrote it for all", async () => {
  writeFileSync(path, "{}", { mode: 0o644 });
  await writeMetricsState(path, {});
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("what lies beside the state is not written to, least of all through a link", async () => {
  writeFileSync(join(folder, "theirs"), "untouched");
  symlinkSync("theirs", join(folder, ".metrics-state.json.tmp"));
  await writeMetricsState(path, { [PULL]: 5 });
  expect(readFileSync(join(folder, "theirs"), "utf8")).toBe("untouched");
  expect(readdirSync(folder).sort()).toEqual([".metrics-state.json.tmp", "metrics-state.json", "theirs"]);
});

test("two writes at once do not mix: one of them stands", async () => {
  const states = Array.from({ length: 8 }, (_, number) => ({ [PULL]: number, text: String(number).repeat(10_000) }));
  await Promise.all(states.map((state) => writeMetricsState(path, state)));
  expect(states).toContainEqual(JSON.parse(readFileSync(path, "utf8")));
  expect(readdirSync(folder)).toEqual(["metrics-state.json"]);
});

test("a write that fails rejects and leaves the old state", async () => {
  mkdirSync(join(path, "in the way"), { recursive: true });
  await expect(writeMetricsState(path, { [PULL]: 5 })).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(["metrics-state.json"]);
  await expect(writeMetricsState(join(folder, "no/such/folder.json"), {})).rejects.toMatchObject({ code: "ENOENT" });
});
