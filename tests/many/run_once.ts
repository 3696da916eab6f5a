import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skippedLine, skippedTests } from "./test_run.ts";

/**
 * `bun run tests [PATH]`: runs the tests in three processes, each once. The last line names those that cannot run here,
 * such as tests that need the right to mount, or a program that is not installed.
 *
 * Where the user may mount and `TMPDIR` names no other place, their folders lie on a disk in memory: thousands of small
 * files come and go, and a disk would take a sixth of the processor for them. Only these processes see it, so it goes
 * with them. A single test run by `bun test` has its folders on the usual disk.
 */
const [path = "./tests"] = process.argv.slice(2);
const tests = [process.execPath, "test", "--parallel=3", "--no-isolate", "--timeout", "60000", path];
/** As on any disk, a share of it is used already. */
const MOUNT = 'mount -t tmpfs -o size=4g tmpfs "$TMPDIR" && fallocate -l 256m "$TMPDIR/used" && exec "$@"';
const MOUNTED = ["unshare", "--mount", "sh", "-c", MOUNT, "tests"];

/** Runs them, and shows what they print. @returns their exit code */
async function run(given: readonly string[], place?: string): Promise<number> {
  const command = Bun.spawn([...given], {
    stdio: ["ignore", "inherit", "pipe"],
    env: { ...process.env, ...(place === undefined ? {} : { TMPDIR: place }) },
  });
  const decoder = new TextDecoder();
  let output = "";
  for await (const piece of command.stderr) {
    process.stderr.write(piece);
    output += decoder.decode(piece, { stream: true });
  }
  const code = await command.exited;
  const skipped = skippedTests(output);
  if (skipped.length > 0) process.stderr.write(`${skippedLine(skipped)}\n`);
  return code;
}

const isPlaced = process.env["TMPDIR"] !== undefined || Bun.which("unshare") === null;
const place = isPlaced ? null : mkdtempSync(join(tmpdir(), "dashdock-tests-"));
try {
  const mayMount =
    place !== null && Bun.spawnSync([...MOUNTED, "true"], { env: { ...process.env, TMPDIR: place } }).success;
  process.exitCode = mayMount ? await run([...MOUNTED, ...tests], place) : await run(tests);
} finally {
  if (place !== null) rmdirSync(place);
}
