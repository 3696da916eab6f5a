import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readTestRun, redLines, runLine, type TestRun } from "./test_run.ts";

/**
 * `bun run tests:many N`: runs the tests so many times, one run after the other, and tells what was red and how often.
 * Ends with 1 when anything was.
 */
const HELP = `bun run tests:many N [options] [PATH]
  N               so many runs
  PATH            tests to run, a folder or a file (./tests)
  --busy          beside a process that keeps one core busy
  --busy-from K   the same, from run K on`;

const { values, positionals } = parseArgs({
  options: {
    busy: { type: "boolean", default: false },
    "busy-from": { type: "string" },
    help: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const [count, path = "./tests"] = [Number(positionals[0]), positionals[1]];
const busyFrom = values.busy ? 1 : Number(values["busy-from"] ?? Number.POSITIVE_INFINITY);
if (values.help || !Number.isInteger(count) || count < 1 || !(busyFrom >= 1) || positionals.length > 2) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}

/** Keeps a core busy until it is disposed of, or this process has ended in any way. */
function busyCore(): Disposable {
  const loop = 'while kill -0 "$1" 2>/dev/null; do :; done';
  const busy = Bun.spawn(["sh", "-c", loop, "busy", String(process.pid)], { stdio: ["ignore", "ignore", "ignore"] });
  return { [Symbol.dispose]: () => busy.kill("SIGKILL") };
}

/** Runs the tests as `bun run tests` does. */
async function runTests(): Promise<TestRun & { output: string }> {
  const { scripts } = await Bun.file(join(import.meta.dir, "../../package.json")).json();
  const [, ...args] = String(scripts.tests).split(" ").slice(0, -1);
  const began = performance.now();
  const command = Bun.spawn([process.execPath, ...args, path], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([
    new Response(command.stdout).text(),
    new Response(command.stderr).text(),
    command.exited,
  ]);
  const output = err + out;
  return { ...readTestRun(output, command.exitCode ?? 1, (performance.now() - began) / 1000), output };
}

const runs: TestRun[] = [];
let kept: string | null = null;
for (let number = 1; number <= count; number++) {
  const isBusy = number >= busyFrom;
  using _ = isBusy ? busyCore() : null;
  const { output, ...run } = await runTests();
  runs.push(run);
  console.log(runLine(run, number, isBusy));
  if (run.red.length === 0) continue;
  kept ??= mkdtempSync(join(tmpdir(), "tests-many-"));
  await Bun.write(join(kept, `run-${number}.txt`), output);
}
const red = redLines(runs);
console.log(red.length === 0 ? `${count} of ${count} green` : `\nRed:\n${red.join("\n")}\n\nOutputs: ${kept}`);
process.exit(red.length === 0 ? 0 : 1);
