import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { TARGETS, wantedFrom } from "../assets/ship/targets.ts";
import { description, license, scripts } from "../package.json";
import { fieldsOf, SECTION_NAMES } from "../server/domain/settings/settings.ts";
import { bundledLicences } from "../server/http/assets/bundled_licences.ts";
import { EXECUTABLE } from "./support/app/executable.ts";
import { startCommand, temporaryPlace } from "./support/app/process.ts";

const ROOT = join(import.meta.dir, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
/** The instructions, each on one line and without comments. */
const INSTRUCTIONS = read("Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "");
const instructions = (name: string) => INSTRUCTIONS.filter((line) => line.startsWith(`${name} `));

describe("bun run build", () => {
  test("makes one for this machine, those that are named, or all", () => {
    expect(wantedFrom([])).toEqual([{ target: null, file: "dashdock" }]);
    expect(wantedFrom(["linux-arm64"]).map(({ file, target }) => [file, target?.bun])).toEqual([
      ["dashdock-linux-arm64", "bun-linux-arm64"],
    ]);
    expect(wantedFrom(["all"]).map(({ file }) => file)).toEqual(TARGETS.map(({ name }) => `dashdock-${name}`));
    expect(TARGETS.map(({ bun }) => bun).filter((bun) => bun.includes("x64") && !bun.endsWith("-baseline"))).toEqual(
      [],
    );
  });

  test("and bun run image-root begin in a checkout without packages", () => {
    for (const name of ["build", "image-root"] as const)
      expect(scripts[name]).toStartWith("bun install --frozen-lockfile --silent && ");
  });

  test("puts the executable beside what lies in the folder already; another folder's build has the same bytes", async () => {
    await using place = await temporaryPlace();
    const sources = ["server", "islands", "assets", "package.json", "bun.lock", "tsconfig.json", "bunfig.toml"];
    const texts = ["LICENSE", "CHANGELOG.md"];
    const bundled = bundledLicences().flatMap(({ of }) => /^([^ ]+) [0-9.]+$/.exec(of)?.[1] ?? []);
    const packages = [...bundled, "bun-types", "esbuild", "@esbuild"].map((name) => `node_modules/${name}`);
    for (const path of [...sources, ...texts, ...packages.filter((name) => existsSync(join(ROOT, name)))])
      await cp(join(ROOT, path), place.at("..", "source", path), { recursive: true });
    await Bun.write(place.at("kept"), "kept");
    await Bun.write(place.at("dashdock"), "of an earlier version");
    const build = place.at("..", "source", "assets/ship/build.ts");
    await using running = startCommand([process.execPath, build, "--out", place.home], { cwd: place.cwd });
    expect((await running.ended).code).toBe(0);
    expect(readdirSync(place.home).sort()).toEqual(["dashdock", "kept"]);
    expect(Bun.file(place.at("dashdock")).size).toBeGreaterThan(1_000_000);
    const sumOf = async (path: string) =>
      new Bun.CryptoHasher("sha256").update(await Bun.file(path).bytes()).digest("hex");
    expect(await sumOf(place.at("dashdock"))).toBe(await sumOf(EXECUTABLE));
  });

  test("refuses what it does not know before anything is made", async () => {
    await using place = await temporaryPlace();
    await Bun.write(place.at("kept"), "kept");
    const words = [process.execPath, join(ROOT, "assets/ship/build.ts"), "linux-mips", "--out", place.home];
    await using running = startCommand(words, { cwd: place.cwd });
    const { code, err } = await running.ended;
    expect([code, err]).toEqual([2, expect.stringMatching(/^There is no build for "linux-mips"\. There is: all, /)]);
    expect(existsSync(place.at("kept"))).toBe(true);
  });
});

describe("the Dockerfile", () => {
  test("copies what is there, and what .dockerignore lets in", () => {
    const allowed = [...read(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, path = ""]) => path);
    const copied = instructions("COPY")
      .filter((line) => !line.includes("--from="))
      .flatMap((line) => line.split(" ").slice(1, -1));
    expect(copied.length).toBeGreaterThan(5);
    for (const path of copied)
      expect([path, existsSync(join(ROOT, path)), allowed.includes(path)]).toEqual([path, true, true]);
    expect(allowed.filter((path) => !copied.includes(path))).toEqual([]);
  });

  test("runs scripts of the package, with the Bun that the package names", () => {
    const runs = instructions("RUN").join("\n");
    const named = [...runs.matchAll(/bun run ([a-z-]+)/g)].map(([, name = ""]) => name);
    expect(named).toEqual(["image-root"]);
    expect(Object.keys(scripts)).toContain("image-root");
    expect(/bun@[0-9.]+/.exec(runs)?.[0]).toBe(/bun@[0-9.]+/.exec(scripts.start)?.[0] ?? "");
  });

  test("ends on nothing but the program, which is not root, and asks itself for its health", () => {
    const last = INSTRUCTIONS.slice(INSTRUCTIONS.indexOf("FROM scratch"));
    expect(last.filter((line) => line.startsWith("COPY "))).toEqual(["COPY --from=build /image/ /"]);
    expect(last.filter((line) => line.startsWith("RUN "))).toEqual([]);
    expect(last).toContain("USER 1000:1000");
    const labels = last.find((line) => line.startsWith("LABEL ")) ?? "";
    for (const text of ['title="Dashdock"', `description="${description}"`, `licenses="${license}"`])
      expect(labels).toContain(`org.opencontainers.image.${text}`);
    expect(last).toContain('VOLUME ["/config", "/recordings"]');
    expect(last).toContain("EXPOSE 8080");
    expect(last.find((line) => line.startsWith("HEALTHCHECK "))).toEndWith(
      'CMD ["/usr/local/bin/dashdock", "healthcheck"]',
    );
    expect(last.slice(-2)).toEqual(['ENTRYPOINT ["/usr/local/bin/dashdock"]', 'CMD ["serve"]']);
  });

  test("gets digests for its base images from bun run pin-bases, and newer ones the next time", async () => {
    await using place = await temporaryPlace();
    await mkdir(place.at("bin"));
    await Bun.write(place.at("Dockerfile"), read("Dockerfile").replaceAll(/@sha256:[0-9a-f]+/g, ""));
    const pin = async (digest: string) => {
      await Bun.write(place.at("bin", "docker"), `#!/bin/sh\necho "${digest}"\n`);
      await chmod(place.at("bin", "docker"), 0o755);
      const words = [process.execPath, join(ROOT, "assets/ship/pin_bases.ts"), place.home];
      const env = { PATH: `${place.at("bin")}:${process.env["PATH"]}` };
      await using running = startCommand(words, { cwd: place.cwd, env });
      const { code, err } = await running.ended;
      const bases = [...(await Bun.file(place.at("Dockerfile")).text()).matchAll(/^FROM .*$/gm)].map(([line]) => line);
      return { code, err, bases };
    };
    for (const digit of ["a", "b"]) {
      const digest = `sha256:${digit.repeat(64)}`;
      expect(await pin(digest)).toEqual({
        code: 0,
        err: "",
        bases: [
          `FROM debian:bookworm-slim@${digest} AS libraries`,
          `FROM --platform=$BUILDPLATFORM node:22-bookworm-slim@${digest} AS build`,
          "FROM scratch",
        ],
      });
    }
    const refused = await pin("no such host");
    expect([refused.code, refused.err]).toEqual([
      1,
      "The digest of debian:bookworm-slim cannot be looked up: no such host\n",
    ]);
  });
});

interface Service {
  build?: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  environment?: Record<string, unknown>;
  volumes?: string[];
  ports?: string[];
  networks?: Record<string, unknown>;
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks?: Record<string, unknown>;
  configs?: Record<string, { content: string }>;
}

describe.each(["compose.yaml", "assets/deploy/compose.proxy.yaml"])("%s", (path) => {
  const compose = Bun.YAML.parse(read(path)) as Compose;
  const dashdock = compose.services["dashdock"] ?? {};

  test("runs the image of this repository with all hardening on", () => {
    expect(resolve(ROOT, join(path, ".."), dashdock.build ?? "")).toBe(ROOT);
    expect(dashdock).toMatchObject({
      user: "1000:1000",
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
  });

  test("keeps both folders in volumes that are declared, and whose owner is the image's", () => {
    expect(dashdock.volumes).toEqual(["config:/config", "recordings:/recordings"]);
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(["config", "recordings"]));
  });

  test("sets variables that the program reads", () => {
    const known = SECTION_NAMES.flatMap((name) => fieldsOf(name).flatMap(([, { env }]) => (env ? [env.name] : [])));
    const more = ["TZ", "SERVICE_TRUST_PROXY"];
    const set = Object.keys(dashdock.environment ?? {});
    expect(set).toContain("ADDRESS");
    expect(set.filter((name) => ![...known, ...more].includes(name))).toEqual([]);
  });

  test("names networks and files that it declares", () => {
    for (const { networks = {} } of Object.values(compose.services))
      for (const name of Object.keys(networks)) expect(Object.keys(compose.networks ?? {})).toContain(name);
  });
});
