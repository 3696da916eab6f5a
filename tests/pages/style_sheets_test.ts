import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";

const ROOT = join(import.meta.dir, "..", "..");
/** Classes of the libraries that draw the charts and the map. */
const LIBRARY = /^(u|leaflet)-/;

async function textOf(pattern: string): Promise<string> {
  const texts: string[] = [];
  for await (const path of new Glob(pattern).scan(ROOT)) texts.push(await Bun.file(join(ROOT, path)).text());
  return texts.join("\n");
}

/** The names in selectors, of classes and ids. */
function namesIn(sheets: string): Set<string> {
  const rules = sheets.replace(/\/\*.*?\*\//gs, "").matchAll(/([^{};]+)\{/g);
  const selectors = [...rules].map(([, selector = ""]) => selector).filter((text) => !text.trim().startsWith("@"));
  return new Set(selectors.flatMap((text) => [...text.matchAll(/[.#]([a-z][\w-]*)/gi)].map(([, name = ""]) => name)));
}

test("every class and id of the style sheets is one that a page can have", async () => {
  const source = await textOf("{server,islands}/**/*.{ts,tsx}");
  const drawings = await textOf("assets/icons.svg");
  const words = new Set(`${source}\n${drawings}`.match(/[a-z][\w-]*/gi));
  const beginnings = [...source.matchAll(/["'` ]([a-z][\w-]*-)\$\{/g)].map(([, beginning = ""]) => beginning);
  const names = [...namesIn(await textOf("assets/*.css"))].filter((name) => !LIBRARY.test(name));
  const unknown = names.filter((name) => !words.has(name) && !beginnings.some((start) => name.startsWith(start)));
  expect(names.length).toBeGreaterThan(100);
  expect(unknown).toEqual([]);
});

test("every kind of recording has its colour", async () => {
  const looks = new Set((await textOf("islands/parts/recording_type.tsx")).match(/\bty-[a-z]\b/g));
  const names = namesIn(await textOf("assets/*.css"));
  expect(looks.size).toBeGreaterThan(3);
  expect([...looks].filter((look) => !names.has(look))).toEqual([]);
});

test("every property of the style sheets is used, and every one that is used is there", async () => {
  const sheets = (await textOf("assets/*.css")).replace(/\/\*.*?\*\//gs, "");
  const source = await textOf("{server,islands}/**/*.{ts,tsx}");
  const made = new Set([...sheets.matchAll(/[{;\s](--[\w-]+)\s*:/g)].map(([, name = ""]) => name));
  const used = new Set(
    [...`${sheets}\n${source}\n${await textOf("assets/icons.svg")}`.matchAll(/var\((--[\w-]+)/g)].map(
      ([, name = ""]) => name,
    ),
  );
  expect([...made].filter((name) => !used.has(name) && !source.includes(`"${name}"`))).toEqual([]);
  expect([...used].filter((name) => !made.has(name))).toEqual([]);
});
