import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";

/**
 * `bun run image-root DIR [--architecture amd64|arm64] [--libraries ROOT] [--program FILE]`: puts together all that the
 * image holds, as the Dockerfile does: the program, the C library it needs, users, and the two folders. There is no shell
 * and no other program. Certificates and time zones are within the program. The libraries are taken from a Debian of the
 * same architecture below ROOT; the program is built when none is named, and what is in `dist` stays. Needs root, for the owners of the folders.
 */
const USAGE = 2;
const PROGRAM = "usr/local/bin/dashdock";

/** The user of the image: `USER` in the Dockerfile, and SERVICE_IMAGE_UID and _GID for a start as root. */
const USER = 1000;

interface Architecture {
  readonly target: string;
  /** The path by which the kernel finds the loader; it stands in the program. */
  readonly loader: string;
  readonly libraries: string;
}

/** Machines by their names in `TARGETARCH`. */
const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  amd64: { target: "linux-x64", loader: "/lib64/ld-linux-x86-64.so.2", libraries: "/lib/x86_64-linux-gnu" },
  arm64: { target: "linux-arm64", loader: "/lib/ld-linux-aarch64.so.1", libraries: "/lib/aarch64-linux-gnu" },
};

/** Libraries that the program is linked with (`ldd` lists them) or that the C library loads when a thread ends. */
const LIBRARIES: readonly string[] = ["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "libgcc_s.so.1"];
/** Whose licences these are under, in Debian's words. */
const COPYRIGHTS: readonly string[] = ["usr/share/doc/libc6", "usr/share/doc/gcc-12-base"];

const FILES: Readonly<Record<string, string>> = {
  "etc/passwd": `root:x:0:0:root:/:/sbin/nologin\ndashdock:x:${USER}:${USER}:dashdock:/config:/sbin/nologin\n`,
  "etc/group": `root:x:0:\ndashdock:x:${USER}:\n`,
  // Names come from the engine's own hosts file first, then from its resolver.
  "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
};

function fail(message: string, code = 1): never {
  console.error(message);
  process.exit(code);
}

function put(root: string, path: string, from: string, mode: number): void {
  const to = join(root, path);
  mkdirSync(dirname(to), { recursive: true });
  // Through the links of Debian: the image has only the files.
  copyFileSync(from, to);
  chmodSync(to, mode);
}

function readWords() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        architecture: { type: "string", default: process.arch === "arm64" ? "arm64" : "amd64" },
        libraries: { type: "string", default: "/" },
        program: { type: "string" },
      },
      allowPositionals: true,
    });
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0) return fail("Name one folder: bun run image-root DIR", USAGE);
    return { ...values, folder: resolve(folder) };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error), USAGE);
  }
}

/** Builds the program in a folder of its own, beside the image's: the build empties the one that it is given. */
function putBuilt(target: string): void {
  const out = mkdtempSync(`${folder}.unfinished-`);
  const build = [process.execPath, join(import.meta.dir, "build.ts"), target, "--out", out];
  const { exitCode } = Bun.spawnSync(build, { stdio: ["ignore", "inherit", "inherit"] });
  if (exitCode === 0) put(folder, PROGRAM, join(out, `dashdock-${target}`), 0o755);
  rmSync(out, { recursive: true, force: true });
  if (exitCode !== 0) process.exit(exitCode);
}

const { folder, architecture: name, libraries, program } = readWords();
const architecture = ARCHITECTURES[name];
if (!architecture) fail(`There is no image for ${name}. There is: ${Object.keys(ARCHITECTURES).join(", ")}.`, USAGE);
if (process.getuid?.() !== 0) fail("Run this as root: the folders of the image belong to its user.");
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty.`, USAGE);

const libraryOf = (path: string) => {
  const found = join(libraries, path);
  if (!existsSync(found)) fail(`${found} is missing: --libraries names the root of a Debian for ${name}.`);
  return found;
};
mkdirSync(folder, { recursive: true });
chmodSync(folder, 0o755);
if (program === undefined) putBuilt(architecture.target);
else put(folder, PROGRAM, program, 0o755);
// Puts the file itself: the link to it is absolute, and would lead out of ROOT.
put(folder, architecture.loader, libraryOf(join(architecture.libraries, basename(architecture.loader))), 0o755);
for (const file of LIBRARIES) {
  const path = join(architecture.libraries, file);
  put(folder, path, libraryOf(path), 0o644);
}
for (const path of COPYRIGHTS) cpSync(libraryOf(join(path, "copyright")), join(folder, path, "copyright"));
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text, { mode: 0o644 });
}
for (const [path, mode, owner] of [
  ["tmp", 0o1777, 0],
  ["config", 0o700, USER],
  ["recordings", 0o755, USER],
] as const) {
  mkdirSync(join(folder, path));
  chmodSync(join(folder, path), mode);
  chownSync(join(folder, path), owner, owner);
}
