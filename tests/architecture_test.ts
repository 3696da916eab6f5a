import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { posix } from "node:path";
import { Glob } from "bun";

const ROOT = posix.join(import.meta.dir, "..");

/** Text of the program's files by path from the root, such as `server/domain/plan.ts`. */
type Sources = ReadonlyMap<string, string>;

const FLOORS: Readonly<Record<string, number>> = {
  domain: 0,
  store: 1,
  dashcam: 1,
  remote: 1,
  engine: 2,
  http: 3,
  api: 4,
  pages: 4,
};
const GROUND: readonly string[] = ["bounded_body", "clock", "topic", "log", "turns", "version", "when_asked"].map(
  (name) => `server/${name}.ts`,
);
const DOMAIN_PACKAGES: readonly string[] = ["valibot", "croner", "cronstrue"];
const ISLAND_PACKAGES: readonly string[] = ["preact", "@preact/signals", "uplot"];
/** Too large for any other page. */
const MAP_PACKAGES: readonly string[] = ["leaflet"];
const MAP_FILE_PACKAGES: readonly string[] = ["pmtiles", "protomaps-leaflet"];
const VIDEO_PACKAGES: readonly string[] = ["mediabunny"];
/** Names that only a server or only a browser has, and calls with a new result each time. */
const IMPURE =
  /\b(Bun|process|document|window|navigator|localStorage)\b[.[]|\b(fetch|setTimeout|setInterval)\(|\bDate\.now\b|\bnew Date(\(\)|;)|\bperformance\.|\bMath\.random\b/;
/** Rooms of each floor in order: a file imports from its own, from those before it, and from what lies beside them. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  domain:
    "text answers keys recordings checksums film settings logs runs viewer places pack shares retention sync import plan coverage card offsite notify camera backup status mqtt guide".split(
      " ",
    ),
  store: "library clips destination config card pack".split(" "),
  dashcam: ["simulator"],
  engine:
    "metrics retention transfer listed run import checksums plan coverage card places viewer pack shares camera notify backup status mqtt offsite".split(
      " ",
    ),
  http: "request auth listen assets".split(" "),
};

type Place = "ground" | "assembly" | "islands" | keyof typeof FLOORS;

function placeOf(path: string): Place {
  if (GROUND.includes(path)) return "ground";
  const [root, folder = "", ...deeper] = path.split("/");
  if (root === "islands") return "islands";
  return deeper.length === 0 || folder === "commands" ? "assembly" : folder;
}

/** The room that a file lies in, such as `engine/run`, or null for one that lies beside the rooms. */
function roomOf(path: string): { readonly floor: string; readonly room: string } | null {
  const [root, floor = "", room = "", ...deeper] = path.split("/");
  return root === "server" && deeper.length > 0 && floor in ROOMS ? { floor, room } : null;
}

/** Reason why a file may not import one of another room of its floor, or null. */
function roomProblem(path: string, target: string): string | null {
  const from = roomOf(path);
  const to = roomOf(target);
  const floor = to?.floor ?? "";
  if (to === null || from?.room === to.room || placeOf(path) !== floor) return null;
  const order = ROOMS[floor] ?? [];
  // Files beside the rooms are there for all rooms, so they come before the first one.
  const here = from === null ? -1 : order.indexOf(from.room);
  if (from !== null && here < 0) return `${floor}/${from.room} has no place among the rooms of ${floor}/`;
  const there = order.indexOf(to.room);
  if (there < 0) return `${floor}/${to.room} has no place among the rooms of ${floor}/`;
  if (there < here) return null;
  const name = from === null ? `what lies beside the rooms of ${floor}/` : `${floor}/${from.room}`;
  return `${name} comes before ${floor}/${to.room}: rooms of a floor are in the order ${order.join(", ")}`;
}

/** Reason why a file at `from` may not import one at `to`, or null. */
function floorProblem(from: Place, to: Place): string | null {
  if (from === to || from === "assembly") return null;
  if (from === "domain") return "domain/ imports only itself";
  if (from === "ground") return to === "domain" ? null : "the ground knows only domain/";
  if (from === "islands") return to === "domain" ? null : "islands/ imports no server folder but domain/";
  if (to === "ground" || (to === "islands" && from === "pages")) return null;
  const here = FLOORS[from];
  const there = FLOORS[to];
  if (here === undefined) return `${from}/ is no floor of the house`;
  if (there === undefined || there > here) return `${from}/ never imports upwards`;
  return there === here ? `${from}/ and ${to}/ are strangers` : null;
}

/** Imports of a file, types too. */
function importsOf(path: string, text: string): ReadonlySet<string> {
  const scanned = transpilerOf(path).scanImports(text);
  const values = scanned.filter(({ kind }) => kind !== "require-call").map((found) => found.path);
  const written = text.matchAll(/(?:^\s*(?:import|export)\b[^;"'`()]*?\bfrom\s*|\bimport\(\s*)["']([^"']+)["']/gm);
  return new Set([...values, ...[...written].map(([, specifier = ""]) => specifier)]);
}
const transpilerOf = (path: string) => new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts", tsconfig: JSX });
const JSX = JSON.stringify({ compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact" } });

/** Every breach of the house's rules, as sentences that name the file. */
function breaches(sources: Sources): string[] {
  const found: string[] = [];
  const edges = new Map<string, string[]>();
  for (const [path, text] of sources) {
    const say = (rule: string) => found.push(`${path}: ${rule}`);
    const imports = importsOf(path, text);
    edges.set(
      path,
      [...imports].filter(isRelative).map((specifier) => targetOf(path, specifier)),
    );
    for (const specifier of imports) {
      const rule = isRelative(specifier)
        ? relativeProblem(path, specifier, sources, text)
        : packageProblem(path, specifier);
      if (rule) say(`imports ${specifier}, but ${rule}`);
    }
    if (!path.endsWith(".d.ts")) for (const rule of textProblems(path, text)) say(rule);
  }
  for (const cycle of cyclesIn(edges)) found.push(`${cycle[0]}: imports itself in a circle: ${cycle.join(" → ")}`);
  return found;
}

const isRelative = (specifier: string) => specifier.startsWith(".");
const targetOf = (path: string, specifier: string) => posix.join(posix.dirname(path), specifier);

function relativeProblem(path: string, specifier: string, sources: Sources, text: string): string | null {
  const target = targetOf(path, specifier);
  const from = placeOf(path);
  if (/\.(css|svg|png|ico|br|mp4|jpg|json|md|conf|yaml|wasm|woff2)$|\/assets\/deploy\/Caddyfile/.test(specifier))
    return from === "domain" || from === "islands" ? `${from}/ takes no files` : null;
  if (!sources.has(target)) return "paths are relative, complete and with their extension";
  const onlyApp = `import type { App } from "${specifier}";`;
  if (target === "server/app.ts" && /^(api|pages)$/.test(from)) {
    const lines = text.split("\n").filter((line) => line.includes(`"${specifier}"`));
    return lines.every((line) => line === onlyApp) ? null : `the one arrow upwards is \`${onlyApp}\``;
  }
  return floorProblem(from, placeOf(target)) ?? roomProblem(path, target);
}

function packageProblem(path: string, specifier: string): string | null {
  const from = placeOf(path);
  const isOf = (packages: readonly string[]) => packages.some((name) => `${specifier}/`.startsWith(`${name}/`));
  if (from === "domain") return isOf(DOMAIN_PACKAGES) ? null : `domain/ takes only ${DOMAIN_PACKAGES.join(", ")}`;
  if (isOf(MAP_PACKAGES)) return path.startsWith("islands/viewer/map/") ? null : "only the viewer's map takes it";
  if (isOf(MAP_FILE_PACKAGES))
    return path.startsWith("islands/own_map/") ? null : "only the worker that draws the map file takes it";
  if (isOf(VIDEO_PACKAGES))
    return path.startsWith("islands/viewer/side_by_side/") ? null : "only the worker that makes videos takes it";
  if (from === "islands") return isOf(ISLAND_PACKAGES) ? null : `islands/ takes only ${ISLAND_PACKAGES.join(", ")}`;
  return /^[@~#]\/|^[#~]/.test(specifier) ? "there are no aliases" : null;
}

/** Problems that one file's text shows: purity, state, and the barrels of types that the linter lets pass. */
function* textProblems(path: string, text: string): Generator<string> {
  const place = placeOf(path);
  // Without comments and types; what stands at the left margin is at module level.
  const code = transpilerOf(path).transformSync(text);
  const impure = place === "domain" ? IMPURE.exec(code) : null;
  if (impure) yield `domain/ is pure and runs in the browser, without \`${impure[0]}\``;
  if (place === "islands" && /\buse(State|Reducer)\b/.test(code))
    yield "islands hold their state in signals: take useSignal, or a store";
  const [leaving] = (place === "islands" && !REACHED_BEFORE.includes(path) && LEAVING.exec(code)) || [];
  if (leaving) yield `an address leaves by \`reached()\` or \`asked()\`, and not by \`${leaving}\``;
  if (/^export (type \*|(type )?\{[^}]*\}) from\b/m.test(text))
    yield "no barrels: import a thing from the file it lives in";
  if (/^(export )?(let|var)\b/m.test(code)) yield "a module has no state: no `let` at module level";
  const [, word] = ASKING_COMMENT.exec(text) ?? [];
  if (word) yield `a comment begins with a verb or its thing, not with \`${word}\``;
  if (/^\s+static (?!readonly\b|async\b|override\b|get\b)#?\w+\s*[:=;]/m.test(text))
    yield "a module has no state: no static field that changes";
  for (const { index, 1: exported, 2: name = "", 3: type = "", 4: value = "" } of text.matchAll(TOP_LEVEL_CONST)) {
    const closing = /^(?:export .*)?\](.*);$/m.exec(text.slice(index))?.[1] ?? "";
    const isReadonly = /^(readonly |Readonly[A-Z<])/.test(type) || closing.startsWith(" as const");
    const isCollection = /^new (Map|Set|WeakMap|WeakSet|Array)\b/.test(value) || (exported && value.startsWith("["));
    if (isCollection && !isReadonly) yield `a module has no state: \`${name}\` must be readonly`;
    if (
      /^new (AbortController|EventTarget|Topic|FinalizationRegistry)\b|^(signal|computed|createContext)\b/.test(value)
    )
      yield `only assembly constructs: \`${name}\` is made at module level`;
    const changed = new RegExp(
      `\\b${name}(\\.\\w+|\\[[^\\]]*\\])+ ?([-+*/|&?]{0,2}=[^=>]|\\+\\+|--)|\\b${name}\\.(${CHANGING})\\(`,
    );
    if (changed.test(code)) yield `a module has no state: \`${name}\` is changed`;
  }
}
/** Ways out of a page for an address that has not the path in front below which the service is reached. */
const LEAVING =
  /(?<![#.\w])fetch\((?!reached\(|asked\()|\bnew (?:Worker|EventSource|Request)\(["'`]\/|\blocation\.(?:assign|replace)\((?!reached\(|asked\(|`\$\{(?:reached|asked)\(|link\.href\)|signIn\))|\blocation(?:\.href)? = |\b(?:push|replace)State\([^,;]*, [^,;]*, (?!reached\(|asked\(|`#)|\.(?:src|href|action|poster) = ["'`]\/|; path=\//;
/** A worker has no page: it gets its addresses as they are to be asked for. */
const REACHED_BEFORE: readonly string[] = [
  "islands/viewer/side_by_side/film_source.ts",
  "islands/own_map/file_parts.ts",
];
const TOP_LEVEL_CONST = /^(export )?const (\w+)(?:: ([^=]+?))? =\s+(\S.*)/gm;
/** Comments whose first word is one of a question, though they ask nothing. */
const ASKING_COMMENT =
  /(?:^[ \t]*\{?\/\*\*?(?:\s*\*)? |(?<!^[ \t]*\/\/.*\n)^[ \t]*\/\/ )(What|How|Whether|Of)\b(?![^.\n]*\?)/m;
const CHANGING = "set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin";

function cyclesIn(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: string[]) => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path]);
    if (trail.includes(path) || done.has(path)) return;
    for (const target of edges.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) walk(path, []);
  return cycles;
}

describe("the house", () => {
  test("keeps its own rules", async () => {
    const sources = new Map<string, string>();
    for await (const path of new Glob("{server,islands}/**/*.{ts,tsx}").scan(ROOT))
      sources.set(
        path,
        (await Bun.file(`${ROOT}/${path}`).text())
          .replace(/^#!.*/, "")
          // A macro would be run by the transpiler; as an import it is like any other.
          .replace(' with { type: "macro" }', ""),
      );
    expect(sources.size).toBeGreaterThan(10);
    expect(breaches(sources)).toEqual([]);
  });

  test("has style sheets that name no address of the host", async () => {
    const found: string[] = [];
    for await (const path of new Glob("assets/**/*.css").scan(ROOT))
      if (/url\(\s*["']?(\/|https?:)/.test(await Bun.file(`${ROOT}/${path}`).text())) found.push(path);
    expect(found).toEqual([]);
  });
});

const HOUSE: Readonly<Record<string, string>> = {
  "server/app.ts": "export interface App { clock: 1 }\nexport const build = () => 1;\n",
  "server/clock.ts":
    "export interface Clock { now(): number }\nexport const systemClock = { now: () => Date.now() };\n",
  "server/domain/plan.ts":
    '/** Date.now() and fetch() are not called */\nexport const NAMES: readonly string[] = ["a"];\n',
  "server/store/markers.ts": 'import { systemClock } from "../clock.ts";\nexport const at = () => systemClock.now();\n',
  "server/dashcam/camera.ts": 'import { NAMES } from "../domain/plan.ts";\nexport const names = () => NAMES;\n',
  "server/engine/sync.ts": 'import { names } from "../dashcam/camera.ts";\nexport const run = () => names();\n',
  "server/api/sync.ts": 'import type { App } from "../app.ts";\nexport const read = (app: App) => app.clock;\n',
  "server/pages/page.tsx": 'import Panel from "../../islands/panel.tsx";\nexport const page = () => <Panel />;\n',
  "islands/panel.tsx": 'import { h } from "preact";\nexport default function Panel() { return h("p", null); }\n',
};

describe("breaches()", () => {
  const check = (path: string, text: string, more: Record<string, string> = {}) =>
    breaches(new Map(Object.entries({ ...HOUSE, ...more, [path]: text })));

  test("finds nothing in a house that is in order", () => {
    expect(breaches(new Map(Object.entries(HOUSE)))).toEqual([]);
  });

  const samples: [path: string, text: string, rule: string][] = [
    ["server/app.ts", "let built = 0;\nexport const build = () => ++built;", "no `let` at module level"],
    ["server/store/bad.ts", 'import { run } from "../engine/sync.ts";\nrun();', "store/ never imports upwards"],
    ["server/remote/bad.ts", 'import type { x } from "../store/markers.ts";', "remote/ and store/ are strangers"],
    ["server/store/bad.ts", 'import { type x } from "../dashcam/camera.ts";', "store/ and dashcam/ are strangers"],
    ["server/api/bad.ts", 'import { page } from "../pages/page.tsx";\npage();', "api/ and pages/ are strangers"],
    ["server/api/bad.ts", 'import Panel from "../../islands/panel.tsx";\nPanel();', "api/ never imports upwards"],
    ["server/api/bad.ts", 'import { build } from "../app.ts";\nbuild();', "the one arrow upwards is"],
    ["server/api/bad.ts", 'import type { Clock } from "../app.ts";', "the one arrow upwards is"],
    ["server/http/bad.ts", 'import type { App } from "../app.ts";', "http/ never imports upwards"],
    ["server/engine/bad.ts", 'import type { App } from "../app.ts";', "engine/ never imports upwards"],
    ["server/engine/bad.ts", 'export type A = import("../app.ts").App;', "engine/ never imports upwards"],
    ["server/engine/bad.ts", 'export const late = () => import("../app.ts");', "engine/ never imports upwards"],
    ["server/garage/bad.ts", 'import { run } from "../engine/sync.ts";\nrun();', "garage/ is no floor"],
    ["server/topic.ts", 'import { at } from "./store/markers.ts";\nat();', "the ground knows only domain/"],
    ["server/domain/bad.ts", 'import type { Clock } from "../clock.ts";', "domain/ imports only itself"],
    ["server/domain/bad.ts", 'import { join } from "node:path";\njoin();', "domain/ takes only valibot"],
    ["server/domain/bad.ts", "export const now = () => Date.now();", "domain/ is pure"],
    ["server/domain/bad.ts", "export const now = () => new Date();", "domain/ is pure"],
    ["server/domain/bad.ts", 'export const get = () => fetch("/");', "domain/ is pure"],
    ["server/domain/bad.ts", "export const file = Bun.file;", "domain/ is pure"],
    ["islands/bad.tsx", 'import { at } from "../server/store/markers.ts";\nat();', "islands/ imports no server folder"],
    ["islands/bad.tsx", 'import { map } from "leaflet";\nmap();', "only the viewer's map takes it"],
    [
      "islands/bad.tsx",
      'import { paint } from "protomaps-leaflet";\npaint();',
      "only the worker that draws the map file",
    ],
    ["server/pages/bad.tsx", 'import { map } from "leaflet";\nmap();', "only the viewer's map takes it"],
    [
      "islands/bad.tsx",
      'import { Input } from "mediabunny";\nnew Input();',
      "only the worker that makes videos takes it",
    ],
    ["islands/bad.tsx", 'import { h } from "preactish";\nh();', "islands/ takes only preact"],
    ["islands/bad.tsx", 'export const ask = () => fetch("/api/status");', "an address leaves by `reached()`"],
    ["islands/bad.tsx", "export const ask = (address: string) => fetch(address);", "an address leaves by"],
    ["islands/bad.tsx", 'export const go = () => location.assign("/login");', "an address leaves by"],
    ["islands/bad.tsx", "export const go = (href: string) => location.assign(href);", "an address leaves by"],
    [
      "islands/bad.tsx",
      'export const go = (is: boolean) => location.replace(is ? "/" : "/x");',
      "an address leaves by",
    ],
    ["islands/bad.tsx", 'export const go = () => {\n  location.href = "/";\n};', "an address leaves by"],
    ["islands/bad.tsx", "export const go = () => history.pushState(null, '', '/stats');", "an address leaves"],
    ["islands/bad.tsx", 'export const open = () => new EventSource("/api/logs/stream");', "an address leaves by"],
    ["islands/bad.tsx", 'export const load = (image: Image) => {\n  image.src = "/x.png";\n};', "an address leaves by"],
    [
      "islands/bad.tsx",
      "export const keep = (page: Document) => {\n  page.cookie = 'a=b; path=/';\n};",
      "an address leaves",
    ],
    [
      "islands/bad.tsx",
      'import { signal } from "@preact/signals";\nexport const on = signal(1);',
      "made at module level",
    ],
    [
      "islands/bad.tsx",
      'import { useState } from "preact/hooks";\nexport const useOpen = () => useState(false);',
      "state in signals",
    ],
    ["islands/bad.tsx", "let shown = 0;\nexport const show = () => ++shown;", "no `let` at module level"],
    [
      "server/store/bad.ts",
      "const seen = new Map<string, number>();\nexport const has = () => seen.size;",
      "`seen` must",
    ],
    ["server/store/bad.ts", 'export const ALL = ["a"];', "`ALL` must be readonly"],
    [
      "server/store/bad.ts",
      'export const ALL = [\n  "a;",\n];\nexport const B = [""] as const;',
      "`ALL` must be readonly",
    ],
    ["server/store/bad.ts", "const count = { of: 0 };\nexport const up = () => count.of++;", "`count` is changed"],
    ["server/store/bad.ts", 'const all = ["a"];\nexport const up = () => all.push("b");', "`all` is changed"],
    ["server/store/bad.ts", "export class Bad {\n  static count = 0;\n}", "no static field"],
    ["server/store/bad.ts", 'import { at } from "./markers";\nat();', "with their extension"],
    ["server/store/bad.ts", 'import { at } from "@/store/markers.ts";\nat();', "no aliases"],
    ["server/store/bad.ts", 'export type { at } from "./markers.ts";', "no barrels"],
    ["server/store/bad.ts", 'export type * from "./markers.ts";', "no barrels"],
    ["server/store/bad.ts", "/** What is left. */\nexport const left = 1;", "not with `What`"],
    ["server/store/bad.ts", "export const left = 1;\n  // Of these one is left.", "not with `Of`"],
    ["server/domain/plan.ts", 'import { b } from "./plan.ts";\nexport const a = b;', "in a circle"],
  ];
  for (const [path, text, rule] of samples)
    test(`names ${path} and the rule: ${rule}`, () => {
      const found = check(path, text);
      expect(found).toHaveLength(1);
      expect(found[0]).toStartWith(`${path}: `);
      expect(found[0]).toContain(rule);
    });

  const RING = {
    "server/engine/run/job.ts": 'import { seen } from "../status/health.ts";\nexport const job = () => seen;\n',
    "server/engine/status/health.ts": 'import type { run } from "../run/scheduler.ts";\nexport const seen = 1;\n',
    "server/engine/run/scheduler.ts": "export const run = 1;\n",
  };

  test("names a ring of two rooms, of types as well, though no file is in a circle", () => {
    expect(check("server/engine/run/job.ts", RING["server/engine/run/job.ts"], RING)).toEqual([
      "server/engine/run/job.ts: imports ../status/health.ts, but engine/run comes before engine/status: rooms of a floor are in the order metrics, retention, transfer, listed, run, import, checksums, plan, coverage, card, places, viewer, pack, shares, camera, notify, backup, status, mqtt, offsite",
    ]);
  });

  test("names a room without a place, and what lies beside the rooms and looks into one", () => {
    const hall = 'import { run } from "../run/scheduler.ts";\nexport const hall = run;\n';
    const beside = 'import { run } from "./run/scheduler.ts";\nexport const beside = run;\n';
    expect(check("server/engine/hall/a.ts", hall, RING)).toContain(
      "server/engine/hall/a.ts: imports ../run/scheduler.ts, but engine/hall has no place among the rooms of engine/",
    );
    expect(check("server/engine/beside.ts", beside, RING).join()).toContain(
      "what lies beside the rooms of engine/ comes before engine/run",
    );
  });

  test("names a circle through several files, of types as well", () => {
    const there = 'import { b } from "./b.ts";\nexport const a = () => b;\n';
    for (const back of ['import type { a } from "./a.ts";', 'import { a } from "./a.ts";\na();', 'import("./a.ts");'])
      expect(check("server/store/b.ts", back, { "server/store/a.ts": there })).toEqual([
        "server/store/a.ts: imports itself in a circle: server/store/a.ts → server/store/b.ts → server/store/a.ts",
      ]);
  });
});

describe("the linter", () => {
  test("holds what it has rules for: circles, default exports, barrels and file names", async () => {
    const folder = await mkdtemp(posix.join(tmpdir(), "linted-"));
    const files = {
      "server/circle.ts": 'import type { B } from "./back.ts";\nexport type A = B | 1;\n',
      "server/back.ts": 'import type { A } from "./circle.ts";\nexport type B = A | 2;\n',
      "server/barrel.ts": 'export { at } from "./at.ts";\n',
      "server/at.ts": "export const at = 1;\n",
      "server/badName.ts": "export const x = 1;\n",
      "server/default.ts": "export default 1;\n",
      "islands/parts/default.tsx": "export default 1;\n",
      "islands/island.tsx": "export default 1;\n",
    };
    for (const [path, text] of Object.entries(files)) await Bun.write(posix.join(folder, path), text);
    await Bun.write(posix.join(folder, "biome.json"), Bun.file(`${ROOT}/biome.json`));
    const linter = Bun.spawn([`${ROOT}/node_modules/.bin/biome`, "lint", "--reporter=json"], {
      cwd: folder,
      stderr: "ignore",
    });
    const { diagnostics } = await new Response(linter.stdout).json();
    const found = diagnostics.map((one: Diagnostic) => `${one.location.path} ${one.category.split("/").at(-1)}`);
    await rm(folder, { recursive: true });
    expect(found.sort()).toEqual([
      "islands/parts/default.tsx noDefaultExport",
      "server/back.ts noImportCycles",
      "server/badName.ts useFilenamingConvention",
      "server/barrel.ts noBarrelFile",
      "server/circle.ts noImportCycles",
      "server/default.ts noDefaultExport",
    ]);
  });
});

interface Diagnostic {
  readonly category: string;
  readonly location: { readonly path: string };
}
