import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { COMPILE_FLAGS, type Wanted, wantedFrom } from "./targets.ts";

/**
 * `bun run build [all | TARGET…] [--out DIR]`: one file with everything in it, for this machine or for others. Bun fetches
 * its own program for another machine once, from the package registry that is configured, and keeps it.
 */
const ROOT = join(import.meta.dir, "../..");
const USAGE = 2;

/** The program, and the worker, which is one of its own. */
const ENTRIES: readonly string[] = ["server/main.ts", "server/http/auth/password_worker.ts"];

function words() {
  try {
    const { values, positionals } = parseArgs({ options: { out: { type: "string" } }, allowPositionals: true });
    return { wanted: wantedFrom(positionals), out: resolve(values.out ?? join(ROOT, "dist")) };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(USAGE);
  }
}

/** Makes one; what it is called with its size, or why there is none. */
function build({ target, file }: Wanted, out: string): string | Error {
  // Source maps are within the executable and are written beside it all the same.
  const beside = mkdtempSync(join(out, ".unfinished-"));
  try {
    const made = join(beside, "dashdock");
    const { success, stdout, stderr } = Bun.spawnSync(
      [process.execPath, "build", ...COMPILE_FLAGS, `--target=${target?.bun ?? "bun"}`, ...ENTRIES, "--outfile", made],
      { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] },
    );
    const size = statSync(made, { throwIfNoEntry: false })?.size;
    if (!success || size === undefined) return new Error(`${stdout}${stderr}`.trim());
    renameSync(made, join(out, file));
    return `${file}  ${(size / 1e6).toFixed(1)} MB`;
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

const { wanted, out } = words();
// Other files in the folder stay: the user may need them. Each executable replaces the one before it.
mkdirSync(out, { recursive: true });
let missing = 0;
for (const one of wanted) {
  const result = build(one, out);
  if (typeof result === "string") {
    console.log(result);
    continue;
  }
  missing++;
  const hint = one.target
    ? ` For another machine Bun takes ${one.target.bun} ${Bun.version} from the package registry.`
    : "";
  console.error(`${one.file} could not be built.${hint}\n${result.message}`);
}
process.exit(missing > 0 ? 1 : 0);
