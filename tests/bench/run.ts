import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { benchFsyncs } from "./fsyncs.ts";
import { benchNothingToDo } from "./nothing_to_do.ts";
import { benchLoopDelay, benchStop } from "./reaction.ts";
import { serviceRows } from "./service_rows.ts";
import { BIG, benchTransfer, SMALL } from "./transfer.ts";

/**
 * `bun run bench`: measures everything in one run and writes the table in README.md beside this file. Ratios are
 * medians of pairs taken in turn; absolute figures belong to the machine of that run.
 */
type Row = readonly [work: string, figure: string, bar: string];

const two = (value: number) => value.toFixed(2);
const ms = (seconds: number) => `${(seconds * 1000).toFixed(1)} ms`;
const mb = (megabytes: number) => `${Math.round(megabytes)} MB`;

const rows: Row[] = [];
function add(...row: Row): void {
  rows.push(row);
  console.log(row.join(" | "));
}

const rounds = Number(process.argv[2] ?? 5);

const big = await benchTransfer(BIG, rounds);
add(
  "4.2 GB in 52 MB files: wall against curl",
  `${two(big.wall)} × (${two(big.a.wallSeconds)} s, curl ${two(big.b.wallSeconds)} s)`,
  "≤ 0.75 ×",
);
add(
  "the same: CPU against curl",
  `${two(big.cpu)} × (${two(big.a.cpuSeconds)} s, curl ${two(big.b.cpuSeconds)} s)`,
  "≤ 0.9 ×",
);
add("the same: peak memory", mb(big.a.peakMegabytes), "< 100 MB");

const small = await benchTransfer(SMALL, rounds);
const fsyncs = await benchFsyncs(small.files);
const allowed = 1 + fsyncs / small.b.wallSeconds;
add(
  `${small.files} small files: wall against curl`,
  `${two(small.wall)} × (${two(small.a.wallSeconds)} s, curl ${two(small.b.wallSeconds)} s)`,
  `≤ 1.0 × and the fsyncs: ${two(fsyncs)} s here, so ≤ ${two(allowed)} ×`,
);
add("the same: peak memory", mb(small.a.peakMegabytes), "< 100 MB");

const nothing = await benchNothingToDo(rounds);
add("50,000 listed, 200,000 files at home: whole sync", `${two(nothing.seconds)} s`, "< 1 s");
add("the same: cold index", `${two(nothing.indexSeconds)} s`, "< 3 s");
add("the same: peak memory", mb(nothing.peakMegabytes), "< 100 MB");

const loop = await benchLoopDelay();
add(
  "event loop while writing to a slow disk, p50 / p99 / worst",
  loop
    ? `${loop.p50.toFixed(1)} / ${loop.p99.toFixed(1)} / ${loop.max.toFixed(1)} ms at ${Math.round(loop.megabytesPerSecond)} MB/s`
    : "not measured: nothing may be mounted here",
  "p99 < 10 ms",
);
add("stop to state `failed`, camera at 100 kB/s", ms(await benchStop(100_000, 3)), "< 0.5 s");
add("stop to state `failed`, camera at full speed", ms(await benchStop(null, 3)), "< 0.5 s");

await serviceRows(add, rounds);

const table = ["| work | figure | bar |", "|---|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");
const path = join(import.meta.dir, "README.md");
const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown processor"}, Bun ${Bun.version}`;
const text = readFileSync(path, "utf8");
writeFileSync(
  path,
  text.replace(
    /<!-- results -->[\s\S]*<!-- end -->/,
    () => `<!-- results -->\n${machine}; medians of ${rounds} rounds.\n\n${table}\n<!-- end -->`,
  ),
);
