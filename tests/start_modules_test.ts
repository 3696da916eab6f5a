import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";

const ROOT = join(import.meta.dir, "..");
const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

/** All that is loaded with a file, without what is loaded when it is asked for: our files, and modules of the runtime. */
function loadedWith(entry: string): { files: Set<string>; runtime: Set<string> } {
  const files = new Set<string>();
  const runtime = new Set<string>();
  const visit = (path: string) => {
    if (files.has(path)) return;
    files.add(path);
    if (!/\.tsx?$/.test(path)) return;
    const { [path.endsWith("x") ? "tsx" : "ts"]: transpiler } = transpilers;
    for (const { kind, path: specifier } of transpiler.scanImports(readFileSync(join(ROOT, path), "utf8"))) {
      if (kind !== "import-statement") continue;
      if (specifier.startsWith(".")) visit(posix.join(posix.dirname(path), specifier));
      else if (specifier.startsWith("bun:")) runtime.add(specifier);
    }
  };
  visit(entry);
  return { files, runtime };
}

test("the service listens before what it works with is loaded: pages, the engine, the camera, databases", () => {
  const { files, runtime } = loadedWith("server/commands/serve.ts");
  expect([...runtime]).toEqual([]);
  expect(
    [...files].filter((path) => /^server\/(pages|engine|dashcam|remote|store\/(clips|library))\//.test(path)),
  ).toEqual([]);
  // The probes are what is asked first.
  expect([...files].filter((path) => path.startsWith("server/api/")).sort()).toEqual([
    "server/api/cameras_asked.ts",
    "server/api/endpoint.ts",
    "server/api/probes.ts",
  ]);
});

/** Loaded one after the other until the service is open, by `serve`. */
const UNTIL_OPEN: readonly string[] = [
  "server/commands/cli.ts",
  "server/commands/serve.ts",
  "server/commands/recordings_folder.ts",
  "server/camera_unit.ts",
  "server/engine/transfer/disk_reservations.ts",
  "server/engine/transfer/wait_limits.ts",
  "server/store/config/run_history.ts",
  "server/engine/metrics/metrics_totals.ts",
  "server/engine/metrics/shared_metrics.ts",
];
/** All that may be loaded of rooms from which runs, pages and commands load what they need when they begin. */
const OF_LATE_ROOMS: readonly string[] = [
  "server/engine/card/given_up.ts",
  "server/engine/checksums/checksums.ts",
  "server/engine/checksums/kept_sums.ts",
  "server/engine/checksums/scrub.ts",
  "server/engine/coverage/ledger.ts",
  "server/engine/plan/visits.ts",
];
/** Bytes of source: so much more would be some megabytes more of memory, in a service that does nothing. */
const MOST_BYTES = 1_354_000;

test("an idle service holds nothing that only a run, a page or a command needs", () => {
  const files = new Set(UNTIL_OPEN.flatMap((entry) => [...loadedWith(entry).files]));
  const late =
    /^server\/(pages|remote)\/|^server\/engine\/(backup|card|checksums|coverage|import|mqtt|notify|offsite|pack|plan|shares)\//;
  expect([...files].filter((path) => late.test(path)).sort()).toEqual([...OF_LATE_ROOMS]);
  const bytes = [...files].reduce((sum, path) => sum + statSync(join(ROOT, path)).size, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
  // So that a list of what is loaded which lost its way is seen.
  expect(bytes).toBeGreaterThan(MOST_BYTES / 2);
});
