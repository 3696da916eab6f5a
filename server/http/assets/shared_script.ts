import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Metafile, Plugin } from "esbuild";

/** Number of islands that need a module, from which it is in the one script that all pages load. */
const MOST_ISLANDS = 9;

const REGISTRY = "islands/registry.ts";
const ISLAND = /^islands\/([a-z0-9_]+)\.tsx$/;
const NAME = "virtual:shared";

/**
 * The modules that most pages need, from a bundle that was made without a shared script. The bundler makes a file for
 * each set of islands that share something, and many small files travel worse than one: each is compressed by itself.
 */
export function sharedModules({ outputs }: Metafile): string[] {
  const always = new Set<string>();
  const users = new Map<string, number>();
  for (const [path, { entryPoint = "" }] of Object.entries(outputs)) {
    if (entryPoint === "islands/boot.ts") for (const module of modulesOf(outputs, path)) always.add(module);
    if (!ISLAND.test(entryPoint)) continue;
    for (const module of modulesOf(outputs, path)) users.set(module, (users.get(module) ?? 0) + 1);
  }
  const most = [...users].flatMap(([module, count]) => (count >= MOST_ISLANDS ? [module] : []));
  const entries = new Set(Object.values(outputs).map(({ entryPoint }) => entryPoint));
  return [...new Set([...always, ...most])].filter((module) => !entries.has(module));
}

/** The modules of a script and of all that it imports. */
function modulesOf(outputs: Metafile["outputs"], start: string): string[] {
  const seen = new Set<string>();
  const modules = new Set<string>();
  const follow = (path: string) => {
    const output = outputs[path];
    if (seen.has(path) || !output) return;
    seen.add(path);
    for (const [module, { bytesInOutput }] of Object.entries(output.inputs)) if (bytesInOutput > 0) modules.add(module);
    for (const { path: next, kind } of output.imports) if (kind === "import-statement") follow(next);
  };
  follow(start);
  return [...modules];
}

/** The island that a module is loaded for; null in the scripts of all pages. */
interface LoadedFor {
  readonly island: string | null;
}

/**
 * Puts modules of most pages into one script. Modules that an island shares with few others go into the script of each:
 * a page has one island, and no module has a state of its own. Packages are never doubled.
 */
export function inFewScripts(root: string, { outputs }: Metafile, shared: readonly string[]): Plugin {
  const entries = new Set(Object.values(outputs).map(({ entryPoint }) => entryPoint));
  const isShared = new Set(shared);
  const ownName = (path: string) => path.slice(join(root, "/").length);
  return {
    name: "few scripts",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${NAME}$`) }, () => ({ path: NAME, namespace: NAME }));
      onLoad({ filter: /.*/, namespace: NAME }, () => ({
        contents: shared.map((module) => `import ${JSON.stringify(`./${module}`)};`).join("\n"),
        resolveDir: root,
      }));
      onResolve({ filter: /^\.\.?\// }, ({ path, kind, resolveDir, importer, pluginData }) => {
        const found = resolve(resolveDir, path);
        const own = ownName(found);
        const [, opened = null] = (ownName(importer) === REGISTRY && ISLAND.exec(own)) || [];
        if (opened !== null) return { path: found, pluginData: { island: opened } satisfies LoadedFor };
        const { island = null } = (pluginData ?? {}) as Partial<LoadedFor>;
        if (island === null || isShared.has(own) || own.startsWith("node_modules/")) return null;
        // A module that is also loaded by itself, when it is needed, is there once.
        if (kind === "import-statement" && entries.has(own)) return null;
        return { path: found, suffix: `?${island}`, pluginData: { island } satisfies LoadedFor };
      });
      onLoad({ filter: /\.tsx?$/, namespace: "file" }, ({ path, pluginData }) => {
        const source = readFileSync(path, "utf8");
        const contents = entries.has(ownName(path)) ? `${source}\nimport "${NAME}";\n` : source;
        return { contents, loader: path.endsWith("x") ? "tsx" : "ts", pluginData };
      });
    },
  };
}
