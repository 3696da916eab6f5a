import { existsSync, mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { OneOutput } from "./one_output.ts";
import { skippedLine, skippedTests } from "./test_run.ts";

/**
 * `bun run tests [PATH]`: runs the tests, each once. The last line names those that cannot run here, such as tests that
 * need the right to mount, or a program that is not installed.
 *
 * Those of the folder `browser` take all the processor that they get, and most others wait for something: they run side
 * by side, two processes each, and the waiting ones come first when both want the processor. A path without such a
 * folder is run by three processes.
 *
 * Where the user may mount and `TMPDIR` names no other place, their folders lie on a disk in memory: thousands of small
 * files come and go, and a disk would take a sixth of the processor for them. Only these processes see it, so it goes
 * with them. A single test run by `bun test` has its folders on the usual disk.
 */
const [path = "./tests"] = process.argv.slice(2);
/** As on any disk, a share of it is used already. */
const MOUNT = 'mount -t tmpfs -o size=4g tmpfs "$TMPDIR" && fallocate -l 256m "$TMPDIR/used" && exec "$@"';
const MOUNTED = ["unshare", "--mount", "sh", "-c", MOUNT, "tests"];
const LATER = Bun.which("nice") === null ? [] : ["nice", "-n", "5"];

const tests = (processes: number, ...given: readonly string[]) => [
  ...[process.execPath, "test", `--parallel=${processes}`, "--no-isolate", "--timeout", "60000"],
  ...given,
];

/** The commands that run all tests of the path. */
function commands(): string[][] {
  const pages = join(path, "browser");
  if (!existsSync(pages)) return [tests(3, path)];
  const others = `--path-ignore-patterns=${relative(process.cwd(), pages)}/**`;
  return [tests(2, others, path), [...LATER, ...tests(2, `./${relative(process.cwd(), pages)}`)]];
}

/** Runs them, and shows what they print. @returns an exit code that is none of a green run where one was not green */
async function run(): Promise<number> {
  const output = new OneOutput((text) => process.stderr.write(text));
  const codes = await Promise.all(
    commands().map(async (given) => {
      const command = Bun.spawn(given, { stdio: ["ignore", "inherit", "pipe"] });
      await output.take(command.stderr);
      return await command.exited;
    }),
  );
  output.end();
  const skipped = skippedTests(output.text);
  if (skipped.length > 0) process.stderr.write(`${skippedLine(skipped)}\n`);
  return Math.max(...codes);
}

const isPlaced = process.env["TMPDIR"] !== undefined || Bun.which("unshare") === null;
const place = isPlaced ? null : mkdtempSync(join(tmpdir(), "dashdock-tests-"));
try {
  const env = { ...process.env, ...(place === null ? {} : { TMPDIR: place }) };
  const mayMount = place !== null && Bun.spawnSync([...MOUNTED, "true"], { env }).success;
  // The same program again, which finds its folders placed.
  const again = [...MOUNTED, process.execPath, import.meta.path, path];
  process.exitCode = mayMount
    ? await Bun.spawn(again, { env, stdio: ["ignore", "inherit", "inherit"] }).exited
    : await run();
} finally {
  if (place !== null) rmdirSync(place);
}
