import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const TEXT = readFileSync(join(ROOT, "SECURITY.md"), "utf8");
const [, MODEL = ""] = TEXT.split("\n## Threat model\n");
const [, ...PARTS] = (MODEL.split("\n## ")[0] ?? "").split("\n### ");
/** Rows of the tables, without their heads. */
const ROWS = PARTS.flatMap((part) =>
  part
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (may|scope) /.test(line))
    .map((line) => [line] as const),
);

describe("the threat model", () => {
  test("has all from whom something is to be feared", () => {
    const who = PARTS.map((part) => part.split("\n")[0] ?? "");
    for (const word of [
      "stranger",
      "another site",
      "watch only",
      "key",
      "share link",
      "proxy",
      "camera",
      "disk",
      "release",
    ])
      expect([word, who.filter((title) => title.includes(word)).length]).toEqual([word, 1]);
    for (const scope of ["metrics", "read", "recordings", "sync"]) expect(MODEL).toContain(`| \`${scope}\` |`);
    expect(ROWS.length).toBeGreaterThan(30);
  });

  test.each(ROWS)("%s", (row) => {
    const [, file = "", name = ""] = /\| `(tests\/[\w/]+_test\.ts)` "([^"]+)" \|$/.exec(row) ?? [];
    expect([file, existsSync(join(ROOT, file)), name !== ""]).toEqual([file, true, true]);
    // Values in the name of a test are "…" in the table.
    const text = readFileSync(join(ROOT, file), "utf8").replaceAll(/\$\{[^{}]*\}/g, "…");
    const named = new RegExp(`(test|describe|\\))\\(\\s*(["\`])${RegExp.escape(name)}\\2,`);
    expect([name, named.test(text)]).toEqual([name, true]);
  });
});

test("leads to what there is", () => {
  for (const [, to = ""] of TEXT.matchAll(/\]\(([^)]+)\)/g))
    expect([to, existsSync(join(ROOT, to))]).toEqual([to, true]);
});
