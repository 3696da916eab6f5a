import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { bundleAssets } from "../../server/http/assets/bundle.ts";

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

interface Sheet {
  readonly file: string;
  readonly layer: string;
  readonly text: string;
}

/** Layers whose sheets belong to one part of a page each; those before hold what several parts share. */
const LAYERS_OF_PARTS: readonly string[] = ["pages", "screens"];

/** The sheets that `app.css` bundles, without their comments. */
async function bundledSheets(): Promise<Sheet[]> {
  const imports = (await textOf("assets/app.css")).matchAll(/@import "\.\/(\w+\.css)" layer\((\w+)\);/g);
  return await Promise.all(
    [...imports].map(async ([, file = "", layer = ""]) => {
      return { file, layer, text: (await textOf(`assets/${file}`)).replace(/\/\*.*?\*\//gs, "") };
    }),
  );
}

/** Text that stands before the braces of a sheet's outermost blocks, and its statements without any. */
function outermost(text: string): string[] {
  let depth = 0;
  let prelude = "";
  const found: string[] = [];
  for (const mark of text) {
    if (depth === 0 && (mark === "{" || mark === ";")) {
      found.push(prelude.trim().replaceAll(/\s+/g, " "));
      prelude = "";
    } else if (depth === 0 && mark !== "}") prelude += mark;
    if (mark === "{") depth++;
    if (mark === "}") depth--;
  }
  return found;
}

/** Reasons why rules of one part of a page could reach another, each with the sheet's name. */
function scopeProblems(sheets: readonly Sheet[]): string[] {
  const owners = new Map<string, string>();
  return sheets.flatMap(({ file, layer, text }) => {
    if (!LAYERS_OF_PARTS.includes(layer)) return [];
    const own = new Set<string>();
    return outermost(text).flatMap((prelude) => {
      const [, roots] = /^@scope \((.+)\)$/.exec(prelude) ?? [];
      if (roots === undefined) return [`${file}: "${prelude}" stands outside of a scope`];
      return roots.split(/,\s*/).flatMap((root) => {
        if (own.has(root)) return [`${file} has two scopes with the root ${root}`];
        own.add(root);
        const other = owners.get(`${layer} ${root}`);
        owners.set(`${layer} ${root}`, other ?? file);
        return other === undefined ? [] : [`${file} and ${other} share the root ${root}`];
      });
    });
  });
}

test("no rule of one part of a page reaches another part", async () => {
  const sheets = await bundledSheets();
  expect(sheets.filter(({ layer }) => LAYERS_OF_PARTS.includes(layer)).length).toBeGreaterThan(15);
  expect(scopeProblems(sheets)).toEqual([]);
});

test("a rule outside of a scope is named with its sheet, and so is a root that two sheets share", () => {
  const part = (file: string, text: string, layer = "pages"): Sheet => ({ file, layer, text });
  expect(
    scopeProblems([
      part("chips.css", ".chip { color: red; }", "parts"),
      part("list.css", "@scope (.list) { .trip { color: red; } } .trip, .day { color: red; }"),
      part("days.css", "@scope (.days, .list) { .day { color: red; } }"),
      part("narrow.css", "@scope (.list) { .day { color: red; } }", "screens"),
      part(
        "map.css",
        "@media print { .map { color: red; } } @scope (.map) { a { top: 0; } } @scope (.map) { b { top: 0; } }",
      ),
    ]),
  ).toEqual([
    'list.css: ".trip, .day" stands outside of a scope',
    "days.css and list.css share the root .list",
    'map.css: "@media print" stands outside of a scope',
    "map.css has two scopes with the root .map",
  ]);
});

test("the bundled style sheet has every scope", async () => {
  const { base64 } = (await bundleAssets()).files.find(({ name }) => name === "app.css") ?? { base64: "" };
  const bundled = new TextDecoder().decode(Bun.gunzipSync(Buffer.from(base64, "base64")));
  const written = (await bundledSheets()).flatMap(({ text }) => text.match(/@scope \(/g) ?? []);
  expect(written.length).toBeGreaterThan(20);
  expect(bundled.match(/@scope ?\(/g)?.length).toBe(written.length);
});
