import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { imageTagsOf } from "../assets/ship/changelog.ts";
import { TARGETS } from "../assets/ship/targets.ts";
import { scripts } from "../package.json";
import { fieldsOf, SECTION_NAMES } from "../server/domain/settings/settings.ts";
import { SHOWN } from "./support/app/guide.ts";
import { dashdock, temporaryPlace } from "./support/app/process.ts";

const ROOT = join(import.meta.dir, "..");
const MAP = readFileSync(join(ROOT, "server/README.md"), "utf8");
/** Everything that is written for people: the guide as it is shown, and what is for those who carry on the code. */
const README = [SHOWN, MAP, readFileSync(join(ROOT, "tests/README.md"), "utf8")].join("\n");

/** The rows of the table with this heading, cell by cell. */
function table(heading: string): string[][] {
  const [, after = ""] = README.split(`\n${heading}\n`);
  const rows = /^\|-[-|]*\n((?:\|.*\n)+)/.exec(after)?.[1] ?? "";
  return rows
    .trimEnd()
    .split("\n")
    .map((row) => row.split("|").slice(1, -1));
}

/** Words between backticks, in order. */
function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, inside = ""]) => inside);
}

/** The paragraph that begins with these words. */
function paragraph(begin: string): string {
  return README.split("\n\n").find((text) => text.startsWith(begin)) ?? "";
}

const VARIABLE = /^[A-Z][A-Z_]+$/;

/** The help of the program, or of a command. */
async function help(...topic: string[]): Promise<string> {
  await using place = await temporaryPlace();
  return (await dashdock(["help", ...topic], { cwd: place.cwd })).out;
}

describe("the guide's environment", () => {
  const first = table("| variable | first value of | setting |").flatMap(([names = ""]) => quoted(names));
  const always = quoted(paragraph("Read at every start:")).filter((text) => VARIABLE.test(text));

  test("names every variable that the first settings are taken from, and the password", () => {
    const known = SECTION_NAMES.flatMap((name) => fieldsOf(name).flatMap(([, { env }]) => (env ? [env.name] : [])));
    expect(first.toSorted()).toEqual([...known, "SERVICE_ADMIN_PASSWORD"].toSorted());
  });

  test("names every other variable that the program reads", () => {
    const read = new Set<string>();
    for (const path of new Glob("server/**/*.{ts,tsx}").scanSync(ROOT))
      for (const [, name = ""] of readFileSync(join(ROOT, path), "utf8").matchAll(/\benv\["([A-Z_]+)"\]/g))
        read.add(name.replace(/_FILE$/, ""));
    // The zone of the machine is read by Bun itself.
    const others = [...read, "TZ"].filter((name) => !first.includes(name));
    expect(always.filter((name) => !first.includes(name)).toSorted()).toEqual(others.toSorted());
  });
});

describe("the guide's commands", () => {
  const commands = table("| command | does |");
  const names = commands.flatMap(([name = ""]) => quoted(name).map((text) => text.split(" ")[0] ?? ""));

  test("are those of the program", async () => {
    const listed = [...(await help()).matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name = ""]) => name);
    expect(names.toSorted()).toEqual(listed.toSorted());
  });

  test("have the options that the guide names with them", async () => {
    for (const [name = "", does = ""] of commands) {
      const [command = ""] = quoted(name)[0]?.split(" ") ?? [];
      const options = quoted(does).flatMap((text) => text.match(/--[a-z-]+/g) ?? []);
      const told = options.length > 0 ? await help(command) : "";
      for (const option of options)
        expect([command, option, told.includes(`${option} `)]).toEqual([command, option, true]);
    }
  });

  test("and every other option that it names is one of a command's or of a script's", async () => {
    const told = (await Promise.all(names.map((name) => help(name)))).join("\n");
    const programs = ["tests/torture/main.ts", "tests/many/main.ts"];
    const scripted = programs.map((path) => readFileSync(join(ROOT, path), "utf8")).join("\n");
    // Commands of other programs have options of their own.
    const ours = README.replaceAll(
      /^ *(bun install|docker|gh|install|jq|pmtiles|rclone|restic|sha256sum|systemctl|useradd) .*$/gm,
      "",
    ).replaceAll(/`(npx|usermod) [^`]*`/g, "");
    const named = new Set(ours.match(/(?<=[\s`])--[a-z][a-z-]*/g));
    expect(named.size).toBeGreaterThan(10);
    for (const option of named)
      expect([option, new RegExp(`${option}\\b`).test(told + scripted)]).toEqual([option, true]);
  });

  test("and scripts are those of the package", () => {
    const named = [...README.matchAll(/\bnpm (start|test)\b|\bbun run ([a-z:-]+)/g)].map(
      ([, npm, bun = ""]) => npm ?? bun,
    );
    expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

describe("the guide's releases", () => {
  test("have the files and names that the build and the workflow give them", () => {
    const [, release = ""] = README.split("\n## What a release has\n");
    const [told = ""] = release.split("\n## ");
    const workflow = readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8");
    const [, file = ""] = /^bun run build \S+\nsha256sum dist\/(dashdock-\S+)/m.exec(told) ?? [];
    expect(TARGETS.map(({ name }) => `dashdock-${name}`)).toContain(file);
    expect(imageTagsOf("1.2.3").filter((tag) => !quoted(told).includes(tag))).toEqual([]);
    expect(workflow).toContain("sha256sum --check SHA256SUMS");
    expect(workflow.match(/actions\/attest-build-provenance@/g)).toHaveLength(2);
  });

  test("and the Bun it installs is the one of the package", () => {
    const named = new Set(README.match(/\bbun@[0-9.]*[0-9]/g));
    expect([...named]).toEqual([/bun@[0-9.]+/.exec(scripts.start)?.[0] ?? ""]);
  });
});

describe("the map of the code", () => {
  const rows = table("| floor | its rooms |");

  test("names every floor, and every room of those that have some", () => {
    const floors = rows.flatMap(([floor = ""]) => quoted(floor));
    const folders = (path: string) =>
      readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [entry.name] : [],
      );
    expect(floors.filter((floor) => floor.startsWith("server/") && !floor.includes("*")).toSorted()).toEqual(
      folders("server")
        .map((name) => `server/${name}`)
        .toSorted(),
    );
    for (const [floor = "", text = ""] of rows) {
      const [path = ""] = quoted(floor);
      if (!/^server\/[a-z]+$/.test(path)) continue;
      const rooms = folders(path);
      expect([path, rooms.filter((room) => !quoted(text).includes(room))]).toEqual([path, []]);
    }
  });

  test("names no file and no folder that is not there", () => {
    const named = [...README.matchAll(/`((?:server|islands|assets|tests)(?:\/[\w.]+)*)`/g)].map(
      ([, path = ""]) => path,
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
