import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { anchorOf, CHAPTER_NAMES, headingsOf, isChapterName } from "../server/domain/guide/chapters.ts";
import { STATUS } from "../server/domain/status/status_schema.ts";
import { EXECUTABLE } from "./support/app/executable.ts";
import { blocks, CHAPTER_FILES, CHAPTERS, GUIDE, README, SHOWN } from "./support/app/guide.ts";
import { temporaryPlace } from "./support/app/process.ts";

const ROOT = join(import.meta.dir, "..");
const BLOCKS = blocks(SHOWN);
const UNIT = readFileSync(join(ROOT, "assets/deploy/dashdock.service"), "utf8");

const isThere = (to: string) =>
  /^https?:|^\/(settings|settings\/backup|logs|stats|stats\/coverage|stats\/card|trash|links|help\/changes)?(#.*)?$/.test(
    to,
  ) ||
  existsSync(join(ROOT, to)) ||
  to.startsWith("../deploy/");

function hasAnchor(name: string, anchor: string): boolean {
  const chapter = CHAPTERS.find((one) => one.name === name);
  return (
    chapter !== undefined && (anchor === "" || headingsOf(chapter).some(({ title }) => anchorOf(title) === anchor))
  );
}

describe("the guide", () => {
  test("has a file for each chapter, and each chapter has a title", () => {
    expect(Object.keys(CHAPTER_FILES).map((name) => name.replace(/\.md$/, ""))).toEqual([...CHAPTER_NAMES].sort());
    for (const { name, title, text } of CHAPTERS)
      expect([name, title !== "", text !== "", text.includes("<!-- made")]).toEqual([name, true, true, false]);
  });

  test("links to chapters and headings that there are, from the front too", () => {
    for (const [file, text] of [...Object.entries(CHAPTER_FILES), ["README.md", README] as const])
      for (const [, to = ""] of text.matchAll(/\]\(([^)]+)\)/g)) {
        const [, name, anchor = ""] = /^(?:assets\/guide\/)?(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(to) ?? [];
        if (name === undefined && anchor === "") expect([file, to, isThere(to)]).toEqual([file, to, true]);
        else if (isChapterName(name ?? file.replace(".md", "")))
          expect([file, to, hasAnchor(name ?? file.replace(".md", ""), anchor)]).toEqual([file, to, true]);
        else expect([file, to, isThere(to)]).toEqual([file, to, true]);
      }
  });

  test("is in the front with every chapter", () => {
    const linked = [...README.matchAll(/\]\(assets\/guide\/([\w-]+)\.md/g)].map(([, name = ""]) => name);
    expect(CHAPTER_NAMES.filter((name) => !linked.includes(name))).toEqual([]);
  });

  test("has no line that has to be scrolled, but for tables, links and what programs write", () => {
    const text = GUIDE.replaceAll(/^```.*?^```$/gms, "");
    expect(
      text.split("\n").filter((line) => line.length > 125 && !line.startsWith("|") && !line.includes("](")),
    ).toEqual([]);
  });

  test("has a front that fits: about 140 lines, with a compose file that is a part of the whole one", () => {
    expect(README.split("\n").length).toBeLessThan(150);
    const [small] = blocks(README).filter(({ language }) => language === "yaml");
    const parse = (text: string) => Bun.YAML.parse(text) as { services: { dashdock: Record<string, unknown> } };
    expect(small?.text.split("\n")).toHaveLength(8);
    const { ports, image, build, volumes } = parse(small?.text ?? "").services.dashdock;
    expect(parse(readFileSync(join(ROOT, "compose.yaml"), "utf8")).services.dashdock).toMatchObject({
      ports,
      image,
      build,
      volumes,
    });
  });

  test("shows the files of the proxies as they are", () => {
    for (const name of [
      "Caddyfile",
      "Caddyfile-sign-in",
      "Caddyfile-sub-path",
      "nginx-sign-in.conf",
      "nginx-sub-path.conf",
      "traefik.yaml",
    ]) {
      const file = readFileSync(join(ROOT, "assets/deploy", name), "utf8").trimEnd();
      expect([name, blocks(SHOWN).some(({ text }) => text === file)]).toEqual([name, true]);
    }
  });

  test("quotes what the program says where something is wrong", () => {
    const [, table = ""] = GUIDE.split("| what you see | why, and what helps |\n");
    const rows = table.split("\n\n")[0]?.split("\n") ?? [];
    const quoted = rows.flatMap((row) => [...row.matchAll(/"([^"]+?)(?: …)?"/g)].map(([, words = ""]) => words));
    expect(quoted.length).toBeGreaterThan(3);
    const said = ["server", "islands"]
      .flatMap((folder) =>
        [...new Glob("**/*.{ts,tsx}").scanSync(join(ROOT, folder))].map((name) => join(folder, name)),
      )
      .map((path) => readFileSync(join(ROOT, path), "utf8"))
      .join("\n");
    expect(quoted.filter((words) => !said.includes(words))).toEqual([]);
  });

  test("has a widget for Homepage that asks for what /api/status answers", () => {
    const [widget] = Bun.YAML.parse(block("Homepage")) as [{ Dashdock: { widget: Widget } }];
    const { type, url, mappings } = widget.Dashdock.widget;
    expect([type, new URL(url).pathname]).toEqual(["customapi", "/api/status"]);
    expect(mappings.filter(({ field }) => !Object.hasOwn(STATUS.entries, field))).toEqual([]);
  });

  test("has a scrape configuration for Prometheus that has its token where Prometheus looks for it", () => {
    const { scrape_configs } = Bun.YAML.parse(block("Prometheus and Grafana")) as { scrape_configs: unknown[] };
    expect(scrape_configs).toEqual([
      {
        job_name: "dashdock",
        // A token that the service would take, so that no user puts a sentence in its place.
        authorization: { credentials: expect.stringMatching(/^[!-~]{16,256}$/) },
        static_configs: [{ targets: ["127.0.0.1:8080"] }],
      },
    ]);
  });

  test("has an example for Traefik in which every name that is used is there", () => {
    const { http } = Bun.YAML.parse(block("Traefik")) as { http: Traefik };
    for (const { middlewares, service } of Object.values(http.routers)) {
      expect(middlewares.filter((name) => !Object.hasOwn(http.middlewares, name))).toEqual([]);
      expect(Object.hasOwn(http.services, service)).toBe(true);
    }
    expect(http.middlewares["authelia"]).toMatchObject({ forwardAuth: { authResponseHeaders: ["Remote-User"] } });
  });
});

interface Widget {
  readonly type: string;
  readonly url: string;
  readonly mappings: readonly { readonly field: string }[];
}
interface Traefik {
  readonly routers: Record<string, { readonly middlewares: readonly string[]; readonly service: string }>;
  readonly middlewares: Record<string, unknown>;
  readonly services: Record<string, unknown>;
}

function block(under: string): string {
  return BLOCKS.find((one) => one.under === under && one.language === "yaml")?.text ?? "";
}

const ANALYZE = Bun.which("systemd-analyze");
if (ANALYZE === null) console.log("No systemd-analyze found: what systemd says of the unit is not asked.");

describe("the systemd unit", () => {
  test("may write to the two folders that its service is told, and to no other", () => {
    const value = (name: string) =>
      [...UNIT.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, found = ""]) => found);
    expect(value("ProtectSystem")).toEqual(["strict"]);
    expect(value("Environment")).toEqual([
      `SERVICE_CONFIG_DIR=/var/lib/${value("StateDirectory")}`,
      `SERVICE_DESTINATION=${value("ReadWritePaths")}`,
    ]);
    expect(value("RequiresMountsFor")).toEqual(value("ReadWritePaths"));
  });

  test.skipIf(ANALYZE === null)("is taken by systemd, which finds little to be exposed", async () => {
    await using place = await temporaryPlace();
    mkdirSync(place.at("units"));
    const path = place.at("units", "dashdock.service");
    writeFileSync(path, UNIT.replace("/usr/local/bin/dashdock", EXECUTABLE));
    const ask = (...words: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([ANALYZE ?? "", ...words, path]);
      return { exitCode, said: `${stdout}${stderr}` };
    };
    expect(ask("verify")).toEqual({ exitCode: 0, said: "" });
    // The score goes up to 100; less is better.
    expect(ask("security", "--offline=true", "--threshold=20").exitCode).toBe(0);
  });
});
