import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OneOutput } from "./one_output.ts";
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

test("a folder of pages is run beside the other tests, each test once, and what is red or skipped in either is told", async () => {
  const place = mkdtempSync(join(tmpdir(), "beside-"));
  try {
    const meets = (mine: string, other: string) => `
      import { existsSync, writeFileSync } from "node:fs";
      import { expect, test } from "bun:test";
      test("${mine} runs while ${other} does", async () => {
        writeFileSync(${JSON.stringify(place)} + "/${mine}", "", { flag: "wx" });
        while (!existsSync(${JSON.stringify(place)} + "/${other}")) await Bun.sleep(1);
      });
      test("${mine} is red", () => expect("${mine}").toBe("red"));
      test.skip("${mine} is skipped", () => {});`;
    for (const folder of ["browser", "pages/browser"]) mkdirSync(join(place, folder), { recursive: true });
    writeFileSync(join(place, "browser", "some_test.ts"), meets("page", "other"));
    writeFileSync(join(place, "pages", "browser", "some_test.ts"), meets("other", "page"));
    const once = Bun.spawn([process.execPath, join(import.meta.dir, "run_once.ts"), place], { stderr: "pipe" });
    const output = await new Response(once.stderr).text();
    const { tests, red } = readTestRun(output, await once.exited, 1);
    expect([tests, red.length, once.exitCode]).toEqual([6, 2, 1]);
    expect(red).toContainEqual(expect.stringMatching(/beside-\w+\/browser\/some_test\.ts: page is red$/));
    expect(red).toContainEqual(expect.stringMatching(/\/pages\/browser\/some_test\.ts: other is red$/));
    expect(output.trimEnd().split("\n").at(-1)).toStartWith(skippedLine([]).replace("0 ()", "2 ("));
  } finally {
    rmSync(place, { recursive: true });
  }
});

test("lines of two runs stand below the names of their files, whole, and the ends of both at the end", async () => {
  let shown = "";
  const output = new OneOutput((text) => (shown += text));
  const pieces: readonly (readonly [run: number, text: string])[] = [
    [0, "\ntests/a_test.ts:\n(pass) o"],
    [1, "\ntests/b_test.ts:\n"],
    [1, "(fail) two [1ms]\n"],
    [0, "ne [1ms]\n"],
    [0, "(pass) three [1ms]\n\n1 tests skipped:\n(skip) four\n\n 2 pass\n"],
    [1, "(fail) five [1ms]\n\n 0 pass\n"],
  ];
  const turns = pieces.map(() => Promise.withResolvers<void>());
  turns[0]?.resolve();
  /** What one of them prints: each piece once those before it have been taken. */
  async function* printed(by: number) {
    for (const [at, [run, text]] of pieces.entries()) {
      if (run !== by) continue;
      await turns[at]?.promise;
      yield new TextEncoder().encode(text);
      turns[at + 1]?.resolve();
    }
  }
  await Promise.all([output.take(printed(0)), output.take(printed(1))]);
  output.end();
  expect(shown).toBe(
    [
      ...["", "tests/b_test.ts:", "(fail) two [1ms]", "", "tests/a_test.ts:", "(pass) one [1ms]", "(pass) three [1ms]"],
      ...["", "tests/b_test.ts:", "(fail) five [1ms]", "", "1 tests skipped:", "(skip) four", "", " 2 pass"],
      ...["", " 0 pass", ""],
    ].join("\n"),
  );
  expect(output.text).toBe(shown);
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
