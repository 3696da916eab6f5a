import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import type { BuildOptions, build, Plugin } from "esbuild";
import { inFewScripts, sharedModules } from "./shared_script.ts";

/** One file as browsers get it. */
export interface BundledFile {
  /** Without its hash, such as `boot.js`. */
  readonly name: string;
  /** With it, such as `boot-O2ZOMMJF.js`. */
  readonly hashed: string;
  readonly type: string;
  /** The bytes in base64: text is gzipped, pictures are as they are. */
  readonly base64: string;
  readonly gzipped: boolean;
}

export interface Bundle {
  readonly files: readonly BundledFile[];
  /** Island → the hashed names of all scripts it needs, so that a page can ask for them at once. */
  readonly islands: Readonly<Record<string, readonly string[]>>;
  /** The packages that are in it. */
  readonly packages: readonly string[];
}

const ROOT = join(import.meta.dir, "..", "..", "..");
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};
const PICTURES: readonly string[] = [
  "favicon.svg",
  "icon-192.png",
  "icon-512.png",
  "icon-maskable.png",
  "icon-apple.png",
];

/** As long as esbuild's own. */
const HASH_LENGTH = 8;

/** Sources of the bundles, beside the packages that the lock file names. */
const SOURCES: readonly string[] = ["islands", "assets", "server/domain"];
/** Bundles that were made before: every command, and every test of one, would else wait for a new one. */
const KEPT = join(ROOT, "node_modules", ".cache", "dashdock");

/**
 * Everything browsers load: the islands as modules, one style sheet, the pictures. Called as a macro, so it runs when
 * the program is built (or transpiled, in development) and esbuild is no part of the executable.
 */
export async function bundleAssets(): Promise<Bundle> {
  const kept = join(KEPT, `${fingerprint()}.json`);
  try {
    return JSON.parse(readFileSync(kept, "utf8")) as Bundle;
  } catch {
    // Not made yet, or cut short: it is made anew.
  }
  const bundle = await makeBundle();
  keep(kept, JSON.stringify(bundle));
  return bundle;
}

/** Changes when anything does that goes into a bundle, or this file itself. */
function fingerprint(): string {
  const hash = createHash("sha1");
  const own = ["bundle.ts", "shared_script.ts"].map((name) => join(import.meta.dir, name));
  for (const path of [join(ROOT, "bun.lock"), ...own]) hash.update(readFileSync(path));
  for (const folder of SOURCES) {
    const found = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
    const files = found.filter((entry) => entry.isFile() && extname(entry.name) in TYPES_OF_SOURCES);
    for (const { parentPath, name } of files) {
      hash.update(`${parentPath.slice(ROOT.length)}/${name}\0`);
      hash.update(readFileSync(join(parentPath, name)));
    }
  }
  return hash.digest("hex");
}
const TYPES_OF_SOURCES: Readonly<Record<string, true>> = {
  ".ts": true,
  ".tsx": true,
  ".css": true,
  ".svg": true,
  ".png": true,
};

/** Best effort: the next process makes it again where nothing can be written. */
function keep(path: string, text: string): void {
  try {
    mkdirSync(KEPT, { recursive: true });
    for (const name of readdirSync(KEPT)) rmSync(join(KEPT, name), { force: true });
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, text);
    renameSync(unfinished, path);
  } catch {
    // A folder that may not be written, or another process that is doing the same.
  }
}

/**
 * uPlot keeps every way of drawing in one object, so unused ways would stay in the bundle. The charts draw by
 * themselves (`islands/stats/`), but for straight lines and points.
 */
const WITHOUT_UNUSED_PATHS: Plugin = {
  name: "without unused paths",
  setup({ onLoad }) {
    onLoad({ filter: /uPlot\.esm\.js$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8").replaceAll(/^\s*\(paths\.(stepped|bars|spline)\s*=.*$/gm, "");
      return { contents, loader: "js" };
    });
  },
};

/** Packages that `protomaps-leaflet` would take in a version of its own, or as a script of an older and larger kind. */
const ONCE: Readonly<Record<string, string>> = {
  pmtiles: "./node_modules/pmtiles/dist/esm/index.js",
  rbush: "./node_modules/rbush/index.js",
};

const WORKERS: readonly string[] = ["islands/own_map/map_worker.ts", "islands/viewer/side_by_side/video_worker.ts"];

async function makeBundle(): Promise<Bundle> {
  // Only now: loading it takes longer than reading a bundle that was made before.
  const esbuild = await import("esbuild");
  const options = {
    absWorkingDir: ROOT,
    entryPoints: [
      "islands/boot.ts",
      "islands/page_links.ts",
      ...["app", "shared", "coverage", "card", "help", "map", "moments", "places"].map(
        (sheet) => `assets/${sheet}.css`,
      ),
    ],
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    outdir: "out",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    logLevel: "silent",
    write: false,
    metafile: true,
  } satisfies BuildOptions & { readonly write: false; readonly metafile: true };
  // The first one tells what pages have in common.
  const { metafile: apart } = await esbuild.build({ ...options, plugins: [WITHOUT_UNUSED_PATHS] });
  const few = inFewScripts(ROOT, apart, sharedModules(apart));
  const { outputFiles, metafile } = await esbuild.build({ ...options, plugins: [WITHOUT_UNUSED_PATHS, few] });
  // Workers share nothing with pages: each is one script.
  const workers = await esbuild.build({ ...options, entryPoints: [...WORKERS], splitting: false, alias: { ...ONCE } });
  const files: BundledFile[] = [...outputFiles, ...workers.outputFiles].map(({ path, contents }) => {
    const hashed = basename(path);
    return fileOf(hashed.replace(/-[A-Z0-9]{8}(?=\.)/, ""), hashed, contents);
  });
  for (const name of PICTURES) {
    const contents = readFileSync(join(ROOT, "assets", name));
    const hash = createHash("sha256").update(contents).digest("hex").slice(0, HASH_LENGTH).toUpperCase();
    files.push(fileOf(name, name.replace(/(?=\.[a-z]+$)/, `-${hash}`), contents));
  }
  const packages = packagesOf({ ...metafile.outputs, ...workers.metafile.outputs });
  return { files, islands: islandsOf(metafile.outputs), packages };
}

function fileOf(name: string, hashed: string, contents: Uint8Array): BundledFile {
  const extension = extname(name);
  const gzipped = extension !== ".png";
  const plain = Buffer.from(contents);
  const bytes = gzipped ? Buffer.from(Bun.gzipSync(plain, { library: "libdeflate", level: 12 })) : plain;
  return {
    name,
    hashed,
    type: TYPES[extension] ?? "application/octet-stream",
    base64: bytes.toString("base64"),
    gzipped,
  };
}

type Outputs = NonNullable<Awaited<ReturnType<typeof build>>["metafile"]>["outputs"];

function packagesOf(outputs: Outputs): string[] {
  const paths = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const names = paths.flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? ""] : [],
  );
  return [...new Set(names)].filter((name) => name !== "").sort();
}

/** By island the scripts that its own imports lead to, beginning with itself. */
function islandsOf(outputs: Outputs): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    const [, island] = /^islands\/([a-z0-9_]+)\.tsx$/.exec(entryPoint ?? "") ?? [];
    if (island === undefined) continue;
    const scripts = new Set<string>();
    const follow = (at: string) => {
      if (scripts.has(at)) return;
      scripts.add(at);
      for (const { path: next, kind } of outputs[at]?.imports ?? []) if (kind === "import-statement") follow(next);
    };
    follow(path);
    found[island] = [...scripts].map((at) => basename(at));
  }
  return found;
}
