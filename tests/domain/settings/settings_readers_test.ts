import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf, SECTION_NAMES } from "../../../server/domain/settings/settings.ts";

const ROOT = join(import.meta.dir, "..", "..", "..");
/** Files that treat all settings alike, or are about setting them. */
const MACHINERY =
  /^(server\/(domain\/settings\/(settings|form|field|sections)|api\/settings|pages\/settings|store\/config\/settings|seed)|islands\/settings)/;

/** Code that could read a setting, without comments. */
const SOURCES = [...new Bun.Glob("{server,islands}/**/*.{ts,tsx}").scanSync({ cwd: ROOT })]
  .filter((path) => !MACHINERY.test(path))
  .map((path) => readFileSync(join(ROOT, path), "utf8").replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, ""));

/** True when a file names the section and its field. */
function isRead(section: string, field: string): boolean {
  const [ofSection, ofField] = [section, field].map((name) => new RegExp(`\\b${name}\\b`));
  return SOURCES.some((text) => ofSection?.test(text) && ofField?.test(text));
}

describe("the settings page offers what something reads, and nothing else:", () => {
  for (const section of SECTION_NAMES)
    for (const [key, { unread }] of fieldsOf(section))
      test(`${section}.${key}`, () => {
        expect(isRead(section, key)).toBe(unread !== true);
      });
});
