import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dir, "../../..");
const KEPT = join(ROOT, "node_modules", ".cache", "dashdock-tests");
/** Sources of the executable, beside the packages that the lock file names. */
const SOURCES: readonly string[] = [
  "server",
  "islands",
  "assets",
  "package.json",
  "bun.lock",
  "LICENSE",
  "CHANGELOG.md",
  "tests/support/app/executable.ts",
];

/**
 * The path of the executable, as the build command of package.json makes it. It starts several times as fast as the
 * program does from source, and tests start hundreds. Built while tests are loaded, for which no test's time counts, and
 * only when what it is made of has changed.
 */
export const EXECUTABLE: string = built();

function built(): string {
  const kept = join(KEPT, fingerprint());
  const path = join(kept, "dashdock");
  if (statSync(path, { throwIfNoEntry: false })) return path;
  mkdirSync(KEPT, { recursive: true });
  for (const name of older()) rmSync(join(KEPT, name), { recursive: true, force: true });
  // Tests run in several processes: each that finds none builds, and the first one done is the one that is used.
  const unfinished = mkdtempSync(join(KEPT, "unfinished-"));
  try {
    build(unfinished);
    renameSync(unfinished, kept);
  } catch (error) {
    // Another process was done first.
    if (!statSync(path, { throwIfNoEntry: false })) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return path;
}

/** Changes when anything does that the executable is made of. */
function fingerprint(): string {
  const hash = createHash("sha1").update(`${process.execPath} ${Bun.version}`);
  for (const source of SOURCES) {
    const isFolder = statSync(join(ROOT, source)).isDirectory();
    const names = isFolder ? readdirSync(join(ROOT, source), { recursive: true, encoding: "utf8" }).sort() : [""];
    for (const name of names) {
      const { size, mtimeMs } = statSync(join(ROOT, source, name));
      hash.update(`${source}/${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest("hex");
}

/** All kept ones but the latest: another process may be using that just now. */
function older(): string[] {
  const made = (name: string) => statSync(join(KEPT, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const kept = readdirSync(KEPT).filter((name) => !name.startsWith("unfinished-"));
  return kept.sort((a, b) => made(b) - made(a)).slice(1);
}

/** Builds it as the build script does, in another folder than `dist`. */
function build(folder: string): void {
  const home = join(folder, "home");
  const out = join(folder, "out");
  const { success, stderr } = Bun.spawnSync([process.execPath, "assets/ship/build.ts", "--out", out], {
    cwd: ROOT,
    env: { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, HOME: home },
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (!success) throw new Error(`The executable cannot be built:\n${stderr}`);
  renameSync(join(out, "dashdock"), join(folder, "dashdock"));
  for (const each of [home, out]) rmSync(each, { recursive: true, force: true });
}
