import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { version } from "../package.json";
import { EXECUTABLE } from "./support/app/executable.ts";
import { type Ended, type Place, type Running, temporaryPlace, treeOf } from "./support/app/process.ts";
import { call, type Program, type Service, serve, storedSettings } from "./support/app/service.ts";

// A process may have to wait for its turn.
setDefaultTimeout(60_000);

const PASSWORD = "a long enough password";

let place: Place;
beforeAll(async () => {
  place = await temporaryPlace();
});
afterAll(async () => {
  await place[Symbol.asyncDispose]();
});

/** The executable alone, started in an empty folder: there is no package, no module and no source around it. */
const program = (): Program => ({ command: [EXECUTABLE], cwd: place.cwd });

async function dashdock(...args: string[]): Promise<Ended> {
  await using running = call(place, args, { program: program() });
  return await running.ended;
}

describe("the executable", () => {
  test("is one file, and holds everything", async () => {
    expect(await readdir(dirname(EXECUTABLE))).toEqual(["dashdock"]);
    expect((await stat(EXECUTABLE)).mode & 0o111).toBe(0o111);
  });

  test("tells its version and its commands, and writes nothing", async () => {
    expect(await dashdock("version")).toEqual({ code: 0, out: `dashdock ${version}\n`, err: "" });
    const { code, out } = await dashdock("help");
    expect(code).toBe(0);
    for (const command of ["serve", "sync", "demo", "camera", "password", "healthcheck", "version", "help"])
      expect(out).toMatch(new RegExp(`^  ${command} +\\S`, "m"));
    expect([await treeOf(place.cwd), await treeOf(place.home)]).toEqual([[], []]);
  });

  test("refuses what it does not know with 2", async () => {
    expect((await dashdock("nope")).code).toBe(2);
    expect((await dashdock("demo", "--nope")).code).toBe(2);
  });

  test("reads neither a .env nor a bunfig.toml that happens to lie around", async () => {
    await using elsewhere = await temporaryPlace();
    await Bun.write(join(elsewhere.cwd, ".env"), "SERVICE_PORT=nonsense\n");
    await Bun.write(join(elsewhere.cwd, "bunfig.toml"), 'preload = ["./nothing.ts"]\n');
    await using service = await serve(elsewhere, [], { program: { command: [EXECUTABLE], cwd: elsewhere.cwd } });
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });
});

describe("the executable as a service", () => {
  let service: Service;
  beforeAll(async () => {
    service = await serve(place, [], { program: program() });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test("answers probes and asks for a password first", async () => {
    const health = await fetch(`${service.url}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
    const ready = await fetch(`${service.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: "ready", settings_loaded: true }]);
    const page = await service.client.fetch("/");
    expect([page.status, page.headers.get("location")]).toEqual([302, "/first-run"]);
  });

  test("takes a password on the first-run page and lets in who knows it", async () => {
    const { client } = service;
    const { response, text } = await client.open("/first-run");
    expect([response.status, text.includes('name="confirm"')]).toEqual([200, true]);
    const set = await client.submit("/first-run", { username: "admin", password: PASSWORD, confirm: PASSWORD });
    expect([set.status, set.headers.get("location")]).toEqual([302, "/login"]);
    expect((await storedSettings(place))["auth"]?.["password_hash"]).toStartWith("$argon2id$");
    expect((await client.signIn("admin", "not the password")).status).toBe(401);
    expect((await client.signIn("admin", PASSWORD)).status).toBe(302);
    expect(await (await client.fetch("/api/auth/me")).json()).toEqual({
      username: "admin",
      mode: "login",
      role: "admin",
    });
    const { text: home } = await client.open("/");
    expect(home).toContain("Dashdock");
  });

  test("is found by its own health check", async () => {
    const { port } = new URL(service.url);
    expect(await dashdock("healthcheck", "--port", port)).toMatchObject({ code: 0, err: "" });
  });

  test("ends on SIGTERM with 0, having written only into its two folders", async () => {
    service.running.signal("SIGTERM");
    const { code, out, err } = await service.running.ended;
    expect([code, out.split("\n").length]).toEqual([0, 2]);
    expect(err).not.toMatch(/ERROR|\n\s+at /);
    expect(await treeOf(place.cwd)).toEqual([]);
    const found = (await treeOf(place.home)) ?? [];
    expect(found.filter((path) => !/^(config|recordings)(\/|$)/.test(path))).toEqual([]);
    expect(found).toContain("config/settings.json");
    expect(await readFile(place.at("config", "logs", "dashdock.log"), "utf8")).toContain("Stopping");
  });
});

describe("the executable without a word about folders", () => {
  test("serves from ./data, as the help says", async () => {
    await using fresh = await temporaryPlace();
    const running = call(fresh, ["--port", "0", "--host", "127.0.0.1"], {
      program: { command: [EXECUTABLE], cwd: fresh.cwd },
    });
    await using _ = running;
    await running.says(/listening on/);
    const stored = JSON.parse(await readFile(join(fresh.cwd, "data/config/settings.json"), "utf8"));
    expect(stored.system.destination).toBe(join(fresh.cwd, "data/recordings"));
  });
});

describe("the executable's demo", () => {
  test("brings the embedded recordings home, and leaves nothing behind when SIGTERM ends it", async () => {
    await using fresh = await temporaryPlace();
    await mkdir(fresh.at("tmp"));
    const running: Running = call(fresh, ["demo", "--port", "0", "--recordings", "4", "--rate", "1000000000"], {
      program: { command: [EXECUTABLE], cwd: fresh.cwd },
      env: { TMPDIR: fresh.at("tmp") },
    });
    await using _ = running;
    await running.says(/Compared [0-9]+\u00a0files with the camera byte by byte: all are the same\n/);
    expect(running.out).toMatch(/^Open this address in a browser:\nhttp:\/\/127\.0\.0\.1:[0-9]+\n/m);
    running.signal("SIGTERM");
    expect((await running.ended).code).toBe(0);
    expect([await treeOf(fresh.cwd), await treeOf(fresh.home)]).toEqual([[], ["tmp"]]);
  });
});
