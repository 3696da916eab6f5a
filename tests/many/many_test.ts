import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTestRun, redLines, runLine, skippedLine, skippedTests } from "./test_run.ts";

const OUTPUT = `
tests/a_test.ts:
(fail) a thing > is red [8.33ms]
(pass) a thing > says (fail) in its name [0.14ms]
(fail) a thing > takes [1] of [2]

tests/b_test.tsx:

# Unhandled error between tests
-------------------------------

2 tests failed:
(fail) a thing > is red [8.33ms]
(fail) a thing > takes [1] of [2]

 2 pass
 3 fail
 1 error
Ran 5 tests across 2 files. [365.00ms]
`;

test("what was red is read with its file, errors outside of tests too", () => {
  const run = readTestRun(OUTPUT, 1, 12.4);
  expect(run).toEqual({
    tests: 5,
    seconds: 12.4,
    red: [
      "tests/a_test.ts: a thing > is red",
      "tests/a_test.ts: a thing > takes [1] of [2]",
      "tests/b_test.tsx: an error outside of its tests",
    ],
  });
  expect(runLine(run, 3, true)).toBe("Run 3 (one core busy): 5 tests, 3 red, 12 s");
});

test("tests that cannot run here are named in the last line of a run", async () => {
  expect(
    skippedTests(
      "tests/a_test.ts:\n(skip) a disk > fills [0.01ms]\n(pass) one\n(skip) two\n1 tests skipped:\n(skip) two\n",
    ),
  ).toEqual(["tests/a_test.ts: a disk > fills", "tests/a_test.ts: two"]);
  const place = mkdtempSync(join(tmpdir(), "once-"));
  try {
    writeFileSync(
      join(place, "some_test.ts"),
      'import { test } from "bun:test"; test("runs", () => {}); test.skipIf(true)("needs a disk", () => {});',
    );
    const once = Bun.spawn([process.execPath, join(import.meta.dir, "run_once.ts"), place], { stderr: "pipe" });
    const lines = (await new Response(once.stderr).text()).trimEnd().split("\n");
    expect(lines.at(-1)).toStartWith(skippedLine([]).replace("0 ()", "1 ("));
    expect(lines.at(-1)).toEndWith("some_test.ts: needs a disk)");
    expect(await once.exited).toBe(0);
  } finally {
    rmSync(place, { recursive: true });
  }
});

test("a run that broke off, or ended badly without a word, is not green", () => {
  expect(readTestRun("tests/a_test.ts:\n(pass) one\n", 139, 1).red).toEqual(["the run broke off with exit code 139"]);
  expect(readTestRun("Ran 1 test across 1 file. [1ms]\n", 1, 1).red).toHaveLength(1);
  expect(readTestRun("Ran 1 test across 1 file. [1ms]\n", 0, 1)).toEqual({ tests: 1, red: [], seconds: 1 });
});

test("what was red in most runs comes first, and counts once a run", () => {
  const run = (...red: string[]) => ({ tests: 2, red, seconds: 1 });
  expect(redLines([run("a"), run(), run("b", "b"), run("b")])).toEqual(["2 of 4: b", "1 of 4: a"]);
});

test("the program runs a folder so often, tells each run and ends with 1 when one was red", async () => {
  const place = mkdtempSync(join(tmpdir(), "many-"));
  try {
    const counter = JSON.stringify(join(place, "count"));
    writeFileSync(
      join(place, "second_test.ts"),
      `import { appendFileSync, readFileSync } from "node:fs";
       import { expect, test } from "bun:test";
       test("is red the second time", () => {
         appendFileSync(${counter}, "x");
         expect(readFileSync(${counter}, "utf8")).not.toBe("xx");
       });`,
    );
    const command = [process.execPath, join(import.meta.dir, "main.ts"), "2", "--busy-from", "2", place];
    // The output of a red run is kept there.
    const env = { ...process.env, TMPDIR: place };
    const { exitCode, stdout } = Bun.spawnSync(command, { env });
    const lines = stdout.toString().split("\n");
    expect(lines[0]).toMatch(/^Run 1: 1 tests, all green, [0-9]+ s$/);
    expect(lines[1]).toMatch(/^Run 2 \(one core busy\): 1 tests, 1 red, [0-9]+ s$/);
    expect(stdout.toString()).toMatch(/1 of 2: \S*second_test\.ts: is red the second time\n/);
    expect(exitCode).toBe(1);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
