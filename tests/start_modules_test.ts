import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";

const ROOT = join(import.meta.dir, "..");
const transpiler = new Bun.Transpiler({ loader: "tsx" });

/** All that is loaded with a file, without what is loaded when it is asked for: our files, and modules of the runtime. */
function loadedWith(entry: string): { files: Set<string>; runtime: Set<string> } {
  const files = new Set<string>();
  const runtime = new Set<string>();
  const visit = (path: string) => {
    if (files.has(path)) return;
    files.add(path);
    if (!/\.tsx?$/.test(path)) return;
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
