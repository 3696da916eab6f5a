import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "../../package.json";
import { imageTagsOf, notesOf } from "./changelog.ts";

/**
 * What the workflow of a release runs, each a command that runs anywhere:
 * `bun run release notes TAG` prints what CHANGELOG.md says of the tag's version, `bun run release tags TAG IMAGE` prints
 * the image's names, and `bun run release checksums [DIR]` writes `SHA256SUMS` for the executables in `dist`.
 */
const ROOT = join(import.meta.dir, "../..");
const SUMS = "SHA256SUMS";

function notes(tag = ""): string {
  return notesOf(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), tag, version);
}

function tags(tag = "", image = ""): string {
  notes(tag);
  // Registries know no capitals, and owners of repositories may have some.
  return imageTagsOf(version)
    .map((one) => `${image.toLowerCase()}:${one}`)
    .join("\n");
}

/** Writes what `sha256sum -c` reads; says what it wrote. */
function checksums(folder = join(ROOT, "dist")): string {
  const found = existsSync(folder) ? readdirSync(folder) : [];
  const names = found.filter((name) => name.startsWith("dashdock")).sort();
  if (names.length === 0)
    throw new Error(`There is no executable in ${resolve(folder)}; "bun run build all" makes them.`);
  const lines = names.map((name) => {
    const digest = createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
    return `${digest}  ${name}`;
  });
  writeFileSync(join(folder, SUMS), `${lines.join("\n")}\n`);
  return lines.join("\n");
}

const COMMANDS: Readonly<Record<string, (...words: string[]) => string>> = { notes, tags, checksums };

const [name = "", ...words] = process.argv.slice(2);
try {
  const command = COMMANDS[name];
  if (!command) throw new Error(`There is no "${name}". There is: ${Object.keys(COMMANDS).join(", ")}.`);
  console.log(command(...words));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
