import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Client } from "./support/app/client.ts";
import { type Ended, type Place, temporaryPlace, treeOf } from "./support/app/process.ts";
import {
  call,
  feed,
  openSettings,
  putSettings,
  serve,
  serveArgs,
  settingsPath,
  storedSettings,
} from "./support/app/service.ts";
import { Frames } from "./support/browser/frames.ts";

setDefaultTimeout(20_000);

const OLD = "the old long password";
const NEW = "the new long password";

let place: Place;
beforeEach(async () => {
  place = await temporaryPlace();
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

describe("a settings file that cannot be used stops the start with one line and stays as it is:", () => {
  const rows: [name: string, text: string, mode: number, said: string][] = [
    ["no JSON", '{"version": 2, "web": {', 0o600, "it is not valid JSON. Correct it, or move it away"],
    ["empty", "", 0o600, "it is not valid JSON"],
    ["an array", "[]", 0o600, "it does not hold a JSON object"],
    ["null", "null", 0o600, "it does not hold a JSON object"],
    ["a scalar", '"settings"', 0o600, "it does not hold a JSON object"],
    ["of a newer version", '{"version": 3}', 0o600, "newer than version 2"],
    ["of a version that is no number", '{"version": "2"}', 0o600, "a version that is not a whole number"],
    ["of a version that is no whole number", '{"version": 1.5}', 0o600, "a version that is not a whole number"],
    ["with null for a sign-in section", '{"version": 2, "auth": null}', 0o600, "auth must be an object"],
    ["with a list for a sign-in section", '{"auth": ["x"]}', 0o600, "auth must be an object"],
    [
      "with null for a password",
      '{"version": 2, "auth": {"password_hash": null}}',
      0o600,
      "auth.password_hash must be a string. Correct it, or remove it to choose a new password",
    ],
    ["with a number for a password", '{"version": 2, "auth": {"password_hash": 5}}', 0o600, "auth.password_hash"],
    ["with an unknown way to sign in and no password", '{"auth": {"mode": "off"}}', 0o600, "auth.mode must be one of"],
    ["readable for the group", '{"version": 2}', 0o640, "Run: chmod 600 "],
    ["readable for everybody", '{"version": 2}', 0o644, "Run: chmod 600 "],
  ];
  test.each(rows)("%s", async (_name, text, mode, said) => {
    putSettings(place, text, mode);
    const before = await stat(settingsPath(place), { bigint: true });
    const ended = await call(place, serveArgs(place)).ended;
    expectStopped(ended, said);
    const after = await stat(settingsPath(place), { bigint: true });
    expect([after.ino, after.mtimeNs, after.mode]).toEqual([before.ino, before.mtimeNs, before.mode]);
    expect(await readFile(settingsPath(place), "utf8")).toBe(text);
    expect(await treeOf(place.home)).toEqual(["config", "config/settings.json"]);
  });

  test("a folder", async () => {
    mkdirSync(settingsPath(place), { recursive: true });
    expectStopped(await call(place, serveArgs(place)).ended, "it is not a file. Move it away");
  });

  function expectStopped({ code, out, err }: Ended, said: string): void {
    expect([code, out]).toEqual([2, ""]);
    expect(err).toStartWith(`Dashdock cannot start: Cannot use the settings file ${settingsPath(place)}: `);
    expect(err).toContain(said);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  }
});

describe("a settings file with wrong fields", () => {
  test("starts with the defaults in their place, one warning each, and is kept as .bak", async () => {
    const text = JSON.stringify({ version: 2, web: null, sync: { priority: "size", grouping: "daily" } });
    putSettings(place, text);
    await using service = await serve(place);
    service.running.signal("SIGTERM");
    const { code, err } = await service.running.ended;
    expect(code).toBe(0);
    const warnings = err.split("\n").filter((line) => line.includes("WARNING"));
    for (const path of ["web ", "sync.priority "])
      expect(warnings.filter((line) => line.includes(`settings.json: ${path}`))).toHaveLength(1);
    expect(await readFile(`${settingsPath(place)}.bak`, "utf8")).toBe(text);
    const stored = await storedSettings(place);
    expect([stored["sync"]?.["priority"], stored["sync"]?.["grouping"]]).toEqual(["date", "daily"]);
  });

  test("of version 1 goes on in today's", async () => {
    putSettings(place, { version: 1, auth: { mode: "none" }, metrics: { state_file: "/config/metrics-state.json" } });
    await using service = await serve(place);
    const settings = (await (await service.client.fetch("/api/settings")).json()) as Record<string, unknown>;
    expect(settings).toMatchObject({ version: 2, metrics: { state_file: "" }, auth: { mode: "none" } });
  });
});

describe("password", () => {
  const setPassword = (text: string) => feed(place, ["password", "--stdin", "--config", place.at("config")], text);

  test("set while the service is stopped is the one to sign in with", async () => {
    putSettings(place, openSettings("", { auth: { mode: "login" } }));
    expect(await setPassword(`${NEW}\n`)).toEqual({
      code: 0,
      out: "The password is set; everyone has to sign in again\n",
      err: "",
    });
    expect(await readFile(settingsPath(place), "utf8")).not.toContain(NEW);
    expect((await readdir(place.at("config"))).sort()).toEqual(["settings.json"]);
    await using service = await serve(place);
    expect((await service.client.signIn("admin", NEW)).status).toBe(302);
  });

  test("of the account to watch only is set beside the admin's, and removed by an empty one", async () => {
    const setViewer = (text: string) =>
      feed(place, ["password", "--viewer", "--stdin", "--config", place.at("config")], text);
    await using service = await serve(place, [], { env: { SERVICE_ADMIN_PASSWORD: OLD } });
    expect((await setViewer("short")).code).toBe(2);
    expect(await setViewer(`${NEW}\n`)).toEqual({
      code: 0,
      out: "The account “viewer” may look and save; its browsers have to sign in again\n",
      err: "",
    });
    const { client } = service;
    expect((await client.signIn("viewer", NEW)).status).toBe(302);
    expect(await (await client.fetch("/api/auth/me")).json()).toMatchObject({ username: "viewer", role: "viewer" });
    expect((await new Client(service.url).signIn("admin", OLD)).status).toBe(302);
    expect((await setViewer("\n")).out).toBe("The account that may only look is removed\n");
    // A sign-in reads what the command has just written.
    expect((await new Client(service.url).signIn("viewer", NEW)).status).toBe(401);
    expect((await client.fetch("/api/auth/me")).status).toBe(401);
  });

  test("set while the service runs ends all sessions, and the streams they read", async () => {
    await using service = await serve(place, [], { env: { SERVICE_ADMIN_PASSWORD: OLD } });
    const { client } = service;
    expect((await client.signIn("admin", OLD)).status).toBe(302);
    await using frames = await Frames.open(client, "/api/sync/progress/stream");
    expect((await frames.next())?.event).toBe("progress");
    const { code, err } = await setPassword(`${NEW}\r\n`);
    expect([code, err]).toEqual([0, ""]);
    await frames.ended();
    expect((await client.fetch("/api/auth/me")).status).toBe(401);
    const fresh = new Client(service.url);
    expect((await fresh.signIn("admin", OLD)).status).toBe(401);
    expect((await fresh.signIn("admin", NEW)).status).toBe(302);
  });

  test("set after too many guesses at the old one is the one to sign in with, at once", async () => {
    await using service = await serve(place, [], { env: { SERVICE_ADMIN_PASSWORD: OLD } });
    const guesses = Array.from({ length: 11 }, () => new Client(service.url).signIn("admin", "a guess that is wrong"));
    const answers = (await Promise.all(guesses)).map(({ status }) => status);
    expect([answers.filter((status) => status === 401).length, answers.includes(429)]).toEqual([10, true]);
    expect((await new Client(service.url).signIn("admin", OLD)).status).toBe(429);
    expect((await setPassword(NEW)).code).toBe(0);
    expect((await new Client(service.url).signIn("admin", NEW)).status).toBe(302);
  });

  test.skipIf(process.getuid?.() !== 0)(
    "set by root leaves the file to the user it belongs to (needs root)",
    async () => {
      putSettings(place, openSettings(""));
      chmodSync(dirname(place.home), 0o755);
      for (const path of [place.at("config"), settingsPath(place)]) chownSync(path, 12345, 23456);
      expect((await setPassword(NEW)).code).toBe(0);
      const { uid, gid, mode } = await stat(settingsPath(place));
      expect([uid, gid, mode & 0o777]).toEqual([12345, 23456, 0o600]);
      expect((await storedSettings(place))["auth"]?.["password_hash"]).toStartWith("$argon2id$");
    },
  );

  test("too short, too long or without a settings file is refused with a sentence, and nothing changes", async () => {
    expect(await setPassword(NEW)).toMatchObject({ code: 2, err: expect.stringContaining("no settings file at ") });
    expect(await treeOf(place.home)).toEqual([]);
    putSettings(place, openSettings(""));
    const before = await readFile(settingsPath(place), "utf8");
    for (const [text, said] of [
      ["short", "at least 12"],
      ["x".repeat(1025), "at most 1024"],
      ["", "at least 12"],
    ] as const) {
      const { code, out, err } = await setPassword(text);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(said);
    }
    expect(await readFile(settingsPath(place), "utf8")).toBe(before);
  });
});
