import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { description, license, version } from "../../package.json";
import { imageTagsOf, notesOf } from "./changelog.ts";
import { executablesIn, writeNames, writeReleaseFiles } from "./release_files.ts";
import { keyFrom, SIGNERS, signRelease, SUMS, SUMS_SIGNATURE } from "./release_signing.ts";

/**
 * Commands that the workflow of a release runs; each of them runs anywhere:
 * `bun run release notes TAG` prints what CHANGELOG.md says of the tag's version, `… tags TAG IMAGE` the image's names, and
 * `… labels TAG REPOSITORY COMMIT` what the image says of itself. `… names TAG REPOSITORY IMAGE` writes these names into the
 * guide and the compose files, before anything is built. `… files [DIR]` writes what goes with the executables in `dist`,
 * `… checksums [DIR]` writes `SHA256SUMS` for all that is there, and `… sign [DIR]` signs that list.
 */
const ROOT = join(import.meta.dir, "../..");
/** The list of checksums, and files that are about it. */
const NOT_LISTED: readonly string[] = [SUMS, SUMS_SIGNATURE, SIGNERS];

function notes(tag = ""): string {
  return notesOf(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), tag, version);
}

function tags(tag = "", image = ""): string {
  notes(tag);
  return imageTagsOf(version)
    .map((one) => `${nameOf(image)}:${one}`)
    .join("\n");
}

/** Registries know no capitals, and owners of repositories may have some. */
function nameOf(image: string): string {
  if (image === "") throw new Error("The image has no name.");
  return image.toLowerCase();
}

/** The address of the repository, without a slash at its end. */
function addressOf(repository: string): string {
  if (!/^https:\/\/\S+\/\S+/.test(repository)) throw new Error(`"${repository}" is no address of a repository.`);
  return repository.replace(/\/+$/, "");
}

function labels(tag = "", repository = "", commit = ""): string {
  notes(tag);
  const source = addressOf(repository);
  return Object.entries({
    title: "Dashdock",
    description,
    licenses: license,
    version,
    revision: commit,
    source,
    url: source,
    documentation: `${source}/releases/download/${tag}/README.md`,
  })
    .map(([name, value]) => `org.opencontainers.image.${name}=${value}`)
    .join("\n");
}

function names(tag = "", repository = "", image = "", root = ROOT): string {
  notes(tag);
  return writeNames({ version, repository: addressOf(repository), image: nameOf(image) }, root);
}

function files(folder = join(ROOT, "dist"), root = ROOT): string {
  return writeReleaseFiles(folder, root);
}

/** Writes what `sha256sum -c` reads; says what it wrote. */
function checksums(folder = join(ROOT, "dist")): string {
  executablesIn(folder);
  const names = readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isFile() && !NOT_LISTED.includes(entry.name) ? [entry.name] : []))
    .sort();
  const lines = names.map((name) => {
    const digest = createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
    return `${digest}  ${name}`;
  });
  writeFileSync(join(folder, SUMS), `${lines.join("\n")}\n`);
  return lines.join("\n");
}

function sign(folder = join(ROOT, "dist")): string {
  return signRelease(folder, keyFrom(process.env));
}

const COMMANDS: Readonly<Record<string, (...words: string[]) => string>> = {
  notes,
  tags,
  labels,
  names,
  files,
  checksums,
  sign,
};

const [name = "", ...words] = process.argv.slice(2);
try {
  const command = COMMANDS[name];
  if (!command) throw new Error(`There is no "${name}". There is: ${Object.keys(COMMANDS).join(", ")}.`);
  console.log(command(...words));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
