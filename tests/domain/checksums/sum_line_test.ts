import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sumLine } from "../../../server/domain/checksums/sum_line.ts";
import { SumsBench } from "../../support/disk/sums_bench.ts";

const SUM = "0".repeat(64);

test("a line has the checksum, two spaces and the path; odd ones are escaped and marked", () => {
  expect(sumLine(SUM, "2026-06/a b.mp4")).toBe(`${SUM}  2026-06/a b.mp4`);
  expect(sumLine(SUM, "a\\b")).toBe(`\\${SUM}  a\\\\b`);
  expect(sumLine(SUM, "a\nb\rc")).toBe(`\\${SUM}  a\\nb\\rc`);
});

test.skipIf(Bun.which("sha256sum") === null)("sha256sum itself writes and reads the same", () => {
  using bench = new SumsBench();
  const names = [
    "plain.mp4",
    "two  spaces",
    "back\\slash",
    "line\nbreak",
    "ret\rurn",
    "\\n",
    "ü\u0001",
    "-dash",
    "*star",
  ];
  const files = names.map((name) => join("day", name));
  for (const file of files) {
    mkdirSync(dirname(join(bench.root, file)), { recursive: true });
    writeFileSync(join(bench.root, file), file);
  }
  const theirs = Bun.spawnSync(["sha256sum", ...files], { cwd: bench.root }).stdout.toString();
  const ours = files
    .map((file) => `${sumLine(new Bun.CryptoHasher("sha256").update(file).digest("hex"), file)}\n`)
    .join("");
  expect(ours).toBe(theirs);
  const check = Bun.spawnSync(["sha256sum", "-c", "--strict"], { cwd: bench.root, stdin: Buffer.from(ours) });
  expect([check.exitCode, check.stderr.toString()]).toEqual([0, ""]);
});
