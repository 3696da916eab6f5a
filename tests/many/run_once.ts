import { skippedLine, skippedTests } from "./test_run.ts";

/**
 * `bun run tests [PATH]`: runs the tests in three processes, each once. The last line names those that cannot run here,
 * such as tests that need the right to mount, or a program that is not installed.
 */
const [path = "./tests"] = process.argv.slice(2);
const command = Bun.spawn([process.execPath, "test", "--parallel=3", "--no-isolate", "--timeout", "60000", path], {
  stdio: ["ignore", "inherit", "pipe"],
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
process.exit(code);
