import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BACKUP_PARTS } from "./backup.ts";
import { CAMERA_PARTS } from "./cameras.ts";
import { CHECKSUM_PARTS } from "./checksums.ts";
import { DELETING_PARTS } from "./deleting_rows.ts";
import { FILM_PARTS } from "./film.ts";
import { HOME_ASSISTANT_PARTS } from "./home_assistant.ts";
import { IMPORT_PARTS } from "./import.ts";
import { LEDGER_PARTS } from "./ledger.ts";
import { OFFSITE_PARTS } from "./offsite.ts";
import { PACK_PARTS } from "./pack.ts";
import type { Add, Part } from "./part.ts";
import { PLACES_PARTS } from "./places.ts";
import { SEAM_PARTS } from "./seams.ts";
import { SERVICE_PARTS } from "./service_rows.ts";
import { WEEKS_PARTS } from "./simulated_weeks.ts";
import { SYNC_PARTS } from "./sync_rows.ts";
import { VISIT_PARTS } from "./visit.ts";

/**
 * `bun run bench`: measures everything in one run and writes the table in README.md beside this file. Ratios are
 * medians of pairs taken in turn; absolute figures belong to the machine of that run. `bun tests/bench/run.ts --only
 * window 3` measures one part or several, in so many rounds, and only prints: the table is of one run.
 */
const PARTS: readonly Part[] = [
  ...SYNC_PARTS,
  ...IMPORT_PARTS,
  ...CAMERA_PARTS,
  ...CHECKSUM_PARTS,
  ...DELETING_PARTS,
  ...BACKUP_PARTS,
  ...LEDGER_PARTS,
  ...WEEKS_PARTS,
  ...VISIT_PARTS,
  ...SERVICE_PARTS,
  ...HOME_ASSISTANT_PARTS,
  ...OFFSITE_PARTS,
  ...FILM_PARTS,
  ...PACK_PARTS,
  ...PLACES_PARTS,
  ...SEAM_PARTS,
];

const { values, positionals } = parseArgs({
  options: { only: { type: "string", multiple: true } },
  allowPositionals: true,
});
const rounds = Number(positionals[0] ?? 5);
const unknown = values.only?.filter((name) => !PARTS.some((part) => part.name === name)) ?? [];
if (unknown.length > 0 || !(rounds >= 1)) {
  console.error(`bun tests/bench/run.ts [--only PART]… [ROUNDS]; parts: ${PARTS.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const rows: Parameters<Add>[] = [];
const add: Add = (...row) => {
  rows.push(row);
  console.log(row.join(" | "));
};
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.on(signal, () => {
    // The browser is ended with the same signal: what is asked of it then fails, and would be told as a failure of its part.
    console.error(`Ended by ${signal} before all was measured.`);
    process.exit(1);
  });
for (const part of PARTS) if (values.only?.includes(part.name) ?? true) await part.measure(add, rounds);

if (!values.only) {
  const lines = ["| work | figure | bar |", "|---|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)];
  const path = join(import.meta.dir, "README.md");
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown processor"}, Bun ${Bun.version}`;
  const text = readFileSync(path, "utf8");
  const table = `<!-- results -->\n${machine}; medians of ${rounds} rounds.\n\n${lines.join("\n")}\n<!-- end -->`;
  writeFileSync(
    path,
    text.replace(/<!-- results -->[\s\S]*<!-- end -->/, () => table),
  );
}
