import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { license, version } from "../../package.json";
import { completionFor, SHELLS } from "../../server/commands/completion.ts";
import { manPage } from "../../server/commands/man_page.ts";
import { anchorOf } from "../../server/domain/guide/chapters.ts";
import { LEFT_OUT } from "../../server/http/assets/bundled_licences.ts";
import { tarOf } from "./archive.ts";
import { NAMED_CHAPTERS, NAMED_FILES, type ReleaseNames, released, UNRAID_FILE } from "./release_texts.ts";
import { sbom } from "./sbom.ts";

const ROOT = join(import.meta.dir, "../..");
const DEPLOY = "assets/deploy";
const GUIDE = "assets/guide";
/** File names that the shells look for. */
const COMPLETIONS = { bash: "dashdock.bash", zsh: "_dashdock", fish: "dashdock.fish" } as const;

const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");

/** The list of all that is inside this version. */
export function sbomOfThis(): string {
  const licenceOf = (name: string): string => JSON.parse(read(ROOT, `node_modules/${name}/package.json`)).license;
  return sbom({
    lock: read(ROOT, "bun.lock"),
    version,
    licence: license,
    bun: Bun.version,
    licenceOf,
    leftOut: LEFT_OUT,
  });
}

/** Writes the names of a release into the source, before anything is built from it; says where. */
export function writeNames(names: ReleaseNames, root = ROOT): string {
  const texts = NAMED_FILES.map((path) => [path, released(path, read(root, path), names)] as const);
  for (const [path, text] of texts) writeFileSync(join(root, path), text);
  return NAMED_FILES.join("\n");
}

/** Files beside the executables of a release, by name. @throws Error while the source has no names of a release */
export function releaseFiles(root = ROOT): Record<string, string | Uint8Array> {
  const compose = read(root, "compose.yaml");
  if (compose.includes("build:")) throw new Error('compose.yaml has no image yet; "bun run release names" writes it.');
  const filesIn = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .map((path) => [path, read(root, path)]);
  const extras: Record<string, string | Uint8Array> = {
    ...Object.fromEntries([...filesIn(DEPLOY), ...filesIn(GUIDE)]),
    ...Object.fromEntries(SHELLS.map((shell) => [`completions/${COMPLETIONS[shell]}`, completionFor(shell)])),
    // Home Assistant looks for the picture beside the app's configuration.
    [`${DEPLOY}/home-assistant/dashdock/icon.png`]: readFileSync(join(ROOT, "assets/icon-192.png")),
    "dashdock.1": manPage(),
    LICENSE: read(root, "LICENSE"),
  };
  return {
    "README.md": releaseGuide(root),
    "compose.yaml": compose,
    "dashdock-extras.tar.gz": gzipSync(tarOf(extras), { level: 9 }),
    "dashdock.cdx.json": sbomOfThis(),
    [UNRAID_FILE]: read(root, `${DEPLOY}/unraid/templates/dashdock.xml`),
  };
}

/** The front of the guide with the chapters in it that a release says otherwise: they have its names. */
function releaseGuide(root: string): string {
  const [front = "", behind = ""] = read(root, "README.md").split("\n## Contributing\n");
  const chapters = NAMED_CHAPTERS.map((path) =>
    read(root, path).replaceAll(/^```.*?^```$|^(?=#+ )/gms, (found) => found || "#"),
  );
  const text = [front.trimEnd(), ...chapters.map((chapter) => chapter.trimEnd()), `## Contributing\n${behind}`].join(
    "\n\n",
  );
  const address = /\]\((\S+\/blob\/v[^/]+\/)/.exec(front)?.[1] ?? "";
  return (
    NAMED_CHAPTERS.reduce((sofar, path) => {
      const title = anchorOf(/^# (.*)$/m.exec(read(root, path))?.[1] ?? "");
      return sofar.replaceAll(`](${address}${path}#`, "](#").replaceAll(`](${address}${path})`, `](#${title})`);
    }, text)
      .replaceAll(/\]\(([\w-]+\.md)/g, `](${address}assets/guide/$1`)
      // A page of the service is none of a file.
      .replaceAll(/\[([^\]]+)\]\(\/[^)]*\)/g, "$1")
  );
}

/** Writes what goes with the executables into their folder, and each of them compressed; says what it wrote. */
export function writeReleaseFiles(folder: string, root = ROOT): string {
  const executables = executablesIn(folder);
  const files = releaseFiles(root);
  for (const name of executables) files[`${name}.gz`] = gzipSync(readFileSync(join(folder, name)), { level: 9 });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return Object.keys(files).join("\n");
}

/** The names of the executables in a folder. @throws Error when there is none */
export function executablesIn(folder: string): string[] {
  const found = existsSync(folder) ? readdirSync(folder) : [];
  const names = found.filter((name) => /^dashdock(-linux-[\w-]+)?$/.test(name)).sort();
  if (names.length === 0)
    throw new Error(`There is no executable in ${resolve(folder)}; "bun run build all" makes them.`);
  return names;
}
