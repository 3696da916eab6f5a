import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { tarOf } from "../assets/ship/archive.ts";
import { releaseFiles, sbomOfThis, writeNames } from "../assets/ship/release_files.ts";
import { NAMED_FILES, released } from "../assets/ship/release_texts.ts";
import { TARGETS } from "../assets/ship/targets.ts";
import { version } from "../package.json";
import { bundledLicences } from "../server/http/assets/bundled_licences.ts";
import { type Place, startCommand, temporaryPlace } from "./support/app/process.ts";

setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const filesBelow = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((path) => statSync(join(ROOT, path)).isFile());
const NAMES = {
  version: "1.2.3",
  repository: "https://code.example/Some/dashdock",
  image: "images.example/some/dashdock",
};
const CHAPTERS = readdirSync(join(ROOT, "assets/guide")).map((name) => `assets/guide/${name}`);
/** The front and the chapters of a release. */
const GUIDE = ["README.md", ...CHAPTERS].map((path) => released(path, read(path), NAMES)).join("\n");
const FRONT = released("README.md", read("README.md"), NAMES);
const shellOf = (guide: string) => [...guide.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = ""]) => text).join("\n");
/** A word of a command that stands for another; methods of HTTP do not. */
const PLACEHOLDER = /(?<![$\w"{-])\b(?!POST\b)[A-Z]{3,}\b(?![=\w])/g;
const DOWNLOAD = `${NAMES.repository}/releases/download/v1.2.3/`;

describe("the repository", () => {
  const texts = ["README.md", ...CHAPTERS, "compose.yaml", ...filesBelow("assets/deploy")];

  test.each(texts)("has no placeholder in %s for what is known only at a release", (path) => {
    expect(read(path).match(/\b(REPOSITORY|OWNER|IMAGE|TAG|VERSION)\b/g)).toBeNull();
    // Elements of XML are no placeholders.
    const text = path.endsWith(".xml") ? read(path).replaceAll(/<\/?\w+>/g, "") : read(path);
    expect(text.match(/<(repository|owner|image|tag|version|your-\w+)>/gi)).toBeNull();
  });

  test("has no command with a word that stands for another", () => {
    for (const path of ["README.md", ...CHAPTERS])
      expect([path, shellOf(read(path)).match(PLACEHOLDER)]).toEqual([path, null]);
  });
});

describe("the guide of a release", () => {
  test("has commands that can be pasted, with the names of the release", () => {
    const commands = shellOf(GUIDE);
    for (const line of [
      `git clone --branch v1.2.3 ${NAMES.repository} dashdock`,
      `curl -fLO ${DOWNLOAD}dashdock-linux-x64.gz`,
      `curl -fLO ${DOWNLOAD}compose.yaml`,
      "gh attestation verify dashdock-linux-x64 --repo Some/dashdock",
      `gh attestation verify oci://${NAMES.image}:1.2.3 --repo Some/dashdock`,
      "install -m 755 dashdock-linux-x64 /usr/local/bin/dashdock",
    ])
      expect(commands).toContain(`${line}\n`);
    expect(commands.match(PLACEHOLDER)).toBeNull();
    const { exitCode, stderr } = Bun.spawnSync(["sh", "-n"], { stdin: Buffer.from(commands), stderr: "pipe" });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  });

  test("names no file that a release does not have, and builds nothing but to compare", () => {
    const published = [
      ...["compose.yaml", "dashdock-extras.tar.gz", "dashdock.cdx.json", "dashdock-unraid.xml"],
      ...TARGETS.flatMap(({ name }) => [`dashdock-${name}`, `dashdock-${name}.gz`]),
      ...["SHA256SUMS", "SHA256SUMS.sig", "allowed_signers"],
    ];
    const named = [...GUIDE.matchAll(/releases\/download\/v1\.2\.3\/(\S+)/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !published.includes(name))).toEqual([]);
    expect(shellOf(GUIDE).match(/(bun run|docker compose) build.*/g)).toEqual(["bun run build linux-x64"]);
    const leads = [...FRONT.matchAll(/\]\(([^)]*)\)/g)].map(([, to = ""]) => to);
    expect(leads.filter((to) => !to.startsWith("https://"))).toEqual([]);
    expect(FRONT).toContain(`image: ${NAMES.image}:1.2.3`);
  });

  test("has no line that has to be scrolled, but for tables, links, pictures and commands", () => {
    const text = GUIDE.replaceAll(/^```.*?^```$/gms, "");
    expect(text.split("\n").filter((line) => line.length > 125 && !/^(\||!\[)|\]\(/.test(line))).toEqual([]);
  });

  test("cannot be made when the guide here has changed where it differs", () => {
    expect(() => released("README.md", "# Another guide\n", NAMES)).toThrow("is not there exactly once");
  });
});

describe("compose.yaml of a release", () => {
  const parse = (text: string) => Bun.YAML.parse(text) as { services: { dashdock: Record<string, unknown> } };

  test("takes the image, builds nothing, and is the same otherwise", () => {
    const { build, image, ...rest } = parse(released("compose.yaml", read("compose.yaml"), NAMES)).services.dashdock;
    expect([build, image]).toEqual([undefined, `${NAMES.image}:1.2.3`]);
    const { build: _, image: __, ...here } = parse(read("compose.yaml")).services.dashdock;
    expect(rest).toEqual(here);
  });
});

describe("the list of all that is inside", () => {
  const text = sbomOfThis();
  const list = JSON.parse(text) as {
    bomFormat: string;
    specVersion: string;
    metadata: { component: Component };
    components: Component[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  interface Component {
    "bom-ref": string;
    group?: string;
    name: string;
    version: string;
    purl: string;
    licenses: { license: { id: string } }[];
    hashes?: { alg: string; content: string }[];
  }
  const { components, dependencies, metadata } = list;

  test("is CycloneDX, the same each time, and has what licenses tells", () => {
    expect([list.bomFormat, list.specVersion]).toEqual(["CycloneDX", "1.6"]);
    expect(sbomOfThis()).toBe(text);
    expect(metadata.component).toMatchObject({ name: "dashdock", version, licenses: [{ license: { id: "MIT" } }] });
    const told = components.map(({ group, name, version: number, licenses }) => {
      const [{ license } = { license: { id: "" } }] = licenses;
      return `${group === undefined ? name : `${group}/${name}`} ${number}: ${license.id}`;
    });
    const [, ...others] = bundledLicences().filter(({ of }) => !of.includes(", in Bun"));
    expect(told).toEqual(others.map(({ of, name }) => `${of.replace(/^Bun/, "bun")}: ${name}`));
  });

  test("has a hash of each package, and says what needs what", () => {
    for (const { purl, hashes } of components.filter((one) => one.purl.startsWith("pkg:npm/"))) {
      expect(purl).toMatch(/^pkg:npm\/(%40[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/);
      expect(hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    }
    const known = [metadata.component, ...components].map((one) => one["bom-ref"]);
    expect(new Set(known).size).toBe(known.length);
    expect(dependencies.map(({ ref }) => ref)).toEqual(known);
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.includes(ref))).toEqual([]);
  });
});

describe("bun run release", () => {
  const release = (...words: string[]) => [process.execPath, join(ROOT, "assets/ship/release.ts"), ...words];
  const named = [NAMES.repository, "images.example/Some/dashdock"];

  /** A copy of what a release names and ships. */
  async function source(): Promise<Place> {
    const place = await temporaryPlace();
    for (const path of [...NAMED_FILES, "LICENSE", "assets/deploy", "assets/guide"])
      await cp(join(ROOT, path), place.at("source", path), { recursive: true });
    return place;
  }

  test("names writes them into the source, and files puts all of it beside the executables, compressed, with sums", async () => {
    await using place = await source();
    const run = async (...words: string[]) => {
      const { code, err } = await startCommand(release(...words), { cwd: place.cwd }).ended;
      expect([words[0], code, err]).toEqual([words[0], 0, ""]);
    };
    await Bun.write(place.at("dist", "dashdock-linux-x64"), "a program".repeat(1000));
    await run("names", `v${version}`, ...named, place.at("source"));
    await run("files", place.at("dist"), place.at("source"));
    await run("checksums", place.at("dist"));
    const made = (name: string) => Bun.file(place.at("dist", name));
    expect(gunzipSync(await made("dashdock-linux-x64.gz").bytes()).toString()).toBe("a program".repeat(1000));
    expect(await made("compose.yaml").text()).toContain(`image: images.example/some/dashdock:${version}\n`);
    expect(await made("README.md").text()).toContain(`/releases/download/v${version}/compose.yaml`);
    const leads = [...(await made("README.md").text()).matchAll(/\]\(([^)]*)\)/g)].map(([, to = ""]) => to);
    expect(leads.filter((to) => !/^(https:\/\/|#)/.test(to))).toEqual([]);
    const summed = (await made("SHA256SUMS").text()).matchAll(/^[0-9a-f]{64} {2}(.*)$/gm);
    const there = readdirSync(place.at("dist")).filter((name) => name !== "SHA256SUMS");
    expect([...summed].map(([, name]) => name)).toEqual(there.sort());
    const archive = place.at("dist", "dashdock-extras.tar.gz");
    const unpacked = await startCommand(["tar", "-xzf", archive], { cwd: place.cwd }).ended;
    expect([unpacked.code, unpacked.err]).toEqual([0, ""]);
    // Everything that the guide of the release takes from there.
    const paths = new Set(GUIDE.match(/\bassets\/deploy\/[\w.-]*\w/g));
    expect(paths.size).toBeGreaterThan(5);
    for (const path of paths) expect([path, existsSync(join(place.cwd, path))]).toEqual([path, true]);
    for (const path of filesBelow("assets/deploy")) {
      const text = readFileSync(join(place.cwd, path), "utf8");
      if (/compose\.\w+\.yaml$/.test(path)) expect([path, text.includes("build:")]).toEqual([path, false]);
      // Named files have no image of this machine left.
      if (NAMED_FILES.includes(path))
        expect([path, /(FROM |image: |<Repository>)dashdock\b/.test(text)]).toEqual([path, false]);
    }
    const icon = await Bun.file(join(place.cwd, "assets/deploy/home-assistant/dashdock/icon.png")).bytes();
    expect(icon).toEqual(await Bun.file(join(ROOT, "assets/icon-192.png")).bytes());
    expect(await made("dashdock-unraid.xml").text()).toContain(`<Repository>images.example/some/dashdock:${version}<`);
    expect(readdirSync(join(place.cwd, "assets/guide")).sort()).toEqual(readdirSync(join(ROOT, "assets/guide")).sort());
    expect(readdirSync(join(place.cwd, "completions")).sort()).toEqual(["_dashdock", "dashdock.bash", "dashdock.fish"]);
    expect(readFileSync(join(place.cwd, "dashdock.1"), "utf8")).toContain(".TH DASHDOCK 1");
    // Again it would have nothing to name.
    const again = release("names", `v${version}`, ...named, place.at("source"));
    expect((await startCommand(again, { cwd: place.cwd }).ended).code).toBe(1);
  });

  test("files makes the same bytes each time", async () => {
    await using place = await source();
    writeNames(NAMES, place.at("source"));
    const one = releaseFiles(place.at("source"));
    const other = releaseFiles(place.at("source"));
    expect(Object.keys(one)).toEqual(Object.keys(other));
    for (const [name, content] of Object.entries(one))
      expect([name, Bun.hash(content)]).toEqual([name, Bun.hash(other[name] ?? "")]);
    expect(() => tarOf({ ["a".repeat(101)]: "" })).toThrow("too long");
  });

  test("says what is missing", async () => {
    await using place = await temporaryPlace();
    await Bun.write(place.at("dist", "dashdock"), "");
    for (const [words, said] of [
      [["names", "v0.0.0", ...named, place.home], "The tag is v0.0.0"],
      [["names", `v${version}`, "dashdock", "x", place.home], "is no address of a repository"],
      [["names", `v${version}`, NAMES.repository, "", place.home], "has no name"],
      [["files", place.home], "There is no executable"],
      [["files", place.at("dist")], '"bun run release names" writes it'],
      [["labels", `v${version}`, "dashdock"], "is no address of a repository"],
    ] as const) {
      const { code, out, err } = await startCommand(release(...words), { cwd: place.cwd }).ended;
      expect([code, out, err]).toEqual([1, "", expect.stringContaining(said)]);
    }
  });

  test("labels tell version, source and licence of the image", async () => {
    await using place = await temporaryPlace();
    const words = release("labels", `v${version}`, `${NAMES.repository}/`, "0123abc");
    const { code, out } = await startCommand(words, { cwd: place.cwd }).ended;
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    for (const line of lines) expect(line).toMatch(/^org\.opencontainers\.image\.[a-z]+=\S/);
    for (const text of [`version=${version}`, "revision=0123abc", `source=${NAMES.repository}`, "licenses=MIT"])
      expect(lines).toContain(`org.opencontainers.image.${text}`);
  });
});
