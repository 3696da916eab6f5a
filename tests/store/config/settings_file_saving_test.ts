import { describe, expect, test } from "bun:test";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError } from "../../../server/domain/answers/errors.ts";
import { codeOf, HASH, rejection, SECRET, SettingsPlace } from "../../support/disk/settings_place.ts";

describe("SettingsFile.patch()", () => {
  test("saves the field, leaves the others and tells the listeners", async () => {
    await using place = new SettingsPlace();
    const file = await place.open();
    const heard: [string, string][] = [];
    const stop = file.onChange((now, before) => heard.push([before.sync.grouping, now.sync.grouping]));
    const before = file.current;
    const after = await file.patch("sync", { grouping: "daily" });
    expect(after).toBe(file.current);
    expect(after).toEqual({ ...before, sync: { ...before.sync, grouping: "daily" } });
    expect(place.stored).toEqual({ version: 2, ...after });
    expect(statSync(place.path).mode & 0o777).toBe(0o600);
    expect(place.names).toEqual(["settings.json"]);
    stop();
    await file.patch("sync", { grouping: "weekly" });
    expect(heard).toEqual([["none", "daily"]]);
  });

  test("refuses a wrong value and changes nothing", async () => {
    await using place = new SettingsPlace();
    const file = await place.open();
    const before = file.current;
    const text = place.text;
    expect(codeOf(await rejection(file.patch("web", { port: "80" })))).toBe("SETTINGS_INVALID");
    expect(file.current).toBe(before);
    expect(place.text).toBe(text);
  });

  test("asks its judge once what would come of it, together with what was edited meanwhile", async () => {
    await using place = new SettingsPlace();
    const file = await place.open();
    writeFileSync(place.path, place.text.replace('"grouping": "none"', '"grouping": "weekly"'));
    const asked: unknown[] = [];
    await file.patch("web", { port: 81 }, async (changed, before) => {
      asked.push([before.web.port, before.sync.grouping, changed.web.port, changed.sync.grouping]);
    });
    expect(asked).toEqual([[8080, "weekly", 81, "weekly"]]);
  });

  test("changes nothing when its judge refuses, and asks none about what breaks a rule of the schema", async () => {
    await using place = new SettingsPlace();
    const file = await place.open();
    const before = file.current;
    const text = place.text;
    const judge = () => Promise.reject(new AppError("SETTINGS_INVALID", "Not from here"));
    expect(String(await rejection(file.patch("web", { port: 81 }, judge)))).toContain("Not from here");
    expect(String(await rejection(file.patch("web", { port: 0 }, judge)))).not.toContain("Not from here");
    expect([file.current, place.text]).toEqual([before, text]);
    expect((await file.patch("web", { port: 82 })).web.port).toBe(82);
  });

  test("applies changes that arrive together one after the other", async () => {
    await using place = new SettingsPlace();
    const file = await place.open();
    await Promise.all([
      file.patch("web", { port: 81 }),
      rejection(file.patch("web", { port: 0 })),
      file.patch("web", { session_lifetime_hours: 5 }),
      file.update((settings) => ({ ...settings, auth: { ...settings.auth, password_hash: HASH } })),
      file.patch("sync", { grouping: "daily" }),
    ]);
    expect(file.current.web).toMatchObject({ port: 81, session_lifetime_hours: 5 });
    expect([file.current.auth.password_hash, file.current.sync.grouping]).toEqual([HASH, "daily"]);
    expect(place.stored).toEqual({ version: 2, ...file.current });
  });

  test("keeps unknown sections and fields where they are", async () => {
    await using place = new SettingsPlace();
    place.write({ version: 2, auth: { session_secret: SECRET }, sync: { future: { deep: [1] } }, plugins: ["a"] });
    const file = await place.open();
    await file.patch("sync", { grouping: "daily" });
    expect(place.stored.sync).toMatchObject({ grouping: "daily", future: { deep: [1] } });
    expect(place.stored.plugins).toEqual(["a"]);
    expect(place.warnings).toEqual([]);
  });

  test("puts the file in the place of a link to it and leaves what the link led to", async () => {
    await using place = new SettingsPlace();
    const elsewhere = join(place.folder, "elsewhere.json");
    writeFileSync(elsewhere, JSON.stringify({ version: 2, auth: { session_secret: SECRET } }), { mode: 0o600 });
    const text = readFileSync(elsewhere, "utf8");
    mkdirSync(join(place.folder, "config"));
    symlinkSync(elsewhere, place.path);
    await (await place.open()).patch("sync", { grouping: "daily" });
    expect(readFileSync(elsewhere, "utf8")).toBe(text);
    expect(place.stored.sync.grouping).toBe("daily");
  });

  test("answers SETTINGS_NOT_SAVED and keeps the running settings when the folder is gone", async () => {
    await using place = new SettingsPlace();
    const file = await place.open();
    const before = file.current;
    rmSync(join(place.folder, "config"), { recursive: true });
    expect(codeOf(await rejection(file.patch("web", { port: 81 })))).toBe("SETTINGS_NOT_SAVED");
    expect(file.current).toBe(before);
    mkdirSync(join(place.folder, "config"));
    expect((await file.patch("web", { port: 81 })).web.port).toBe(81);
    expect(place.stored.web.port).toBe(81);
  });

  test("leaves no temporary file behind when the rename fails", async () => {
    await using place = new SettingsPlace();
    const file = await place.open();
    rmSync(place.path);
    mkdirSync(join(place.path, "occupied"), { recursive: true });
    expect(codeOf(await rejection(file.patch("web", { port: 81 })))).toBe("SETTINGS_NOT_SAVED");
    expect(file.current.web.port).toBe(8080);
    expect(place.names).toEqual(["settings.json"]);
  });

  test.skipIf(process.getuid?.() !== 0)("leaves the file to its owner when root saves it", async () => {
    await using place = new SettingsPlace();
    const file = await place.open();
    chownSync(place.path, 1234, 1235);
    await file.patch("web", { port: 81 });
    const { uid, gid } = statSync(place.path);
    expect([uid, gid]).toEqual([1234, 1235]);
  });
});

describe("SettingsFile.update()", () => {
  test("saves secrets, and makes a new session secret in place of an empty one", async () => {
    await using place = new SettingsPlace();
    const file = await place.open();
    const before = file.current.auth.session_secret;
    const after = await file.update((settings) => ({
      ...settings,
      auth: { ...settings.auth, password_hash: HASH, session_secret: "" },
    }));
    expect(after.auth.session_secret).toMatch(/^[0-9a-f]{64}$/);
    expect(after.auth.session_secret).not.toBe(before);
    expect(place.stored.auth).toMatchObject({ password_hash: HASH, session_secret: after.auth.session_secret });
    expect(Object.isFrozen(after.auth)).toBe(true);
  });

  test("refuses a value that breaks a rule", async () => {
    await using place = new SettingsPlace();
    const file = await place.open();
    const error = await rejection(file.update((settings) => ({ ...settings, web: { ...settings.web, port: 0 } })));
    expect(codeOf(error)).toBe("SETTINGS_INVALID");
    expect(file.current.web.port).toBe(8080);
  });

  test("can set a password although the stored sign-in settings contradict each other", async () => {
    await using place = new SettingsPlace();
    place.write({ version: 2, auth: { mode: "proxy", session_secret: SECRET } });
    const file = await place.open();
    expect(place.warnings.join()).toContain("auth.trusted_proxies must name at least one proxy");
    await file.update((settings) => ({ ...settings, auth: { ...settings.auth, password_hash: HASH } }));
    expect(file.current.auth).toMatchObject({ mode: "proxy", password_hash: HASH });
  });
});

/** Command that gives a child process a file system of its own; undefined when the system does not allow it. */
const namespace = [
  ["unshare", "-m"],
  ["unshare", "-Urm"],
].find(
  (command) =>
    Bun.which("unshare") !== null &&
    Bun.spawnSync([...command, "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", tmpdir()]).exitCode === 0,
);

test.skipIf(namespace === undefined)("SettingsFile keeps the running settings when the disk is full", async () => {
  const folder = mkdtempSync(join(tmpdir(), "settings-full-"));
  const at = (file: string) => JSON.stringify(new URL(`../../../server/${file}`, import.meta.url).pathname);
  const code = `
    import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
    import { SettingsFile } from ${at("store/config/settings_file.ts")};
    import { initialSettings } from ${at("domain/settings/settings.ts")};
    import { Log } from ${at("log.ts")};
    import { systemClock } from ${at("clock.ts")};
    const folder = process.argv.at(-1);
    const path = folder + "/settings.json";
    const file = await SettingsFile.open({ path, log: new Log(systemClock), seed: initialSettings });
    const [before, text] = [file.current, readFileSync(path, "utf8")];
    try {
      while (true) writeFileSync(folder + "/fill", "x".repeat(4096), { flag: "a" });
    } catch {}
    const refused = await file.patch("web", { port: 81 }).catch((error) => error.code);
    const full = {
      refused,
      sameSettings: file.current === before,
      sameText: readFileSync(path, "utf8") === text,
      names: readdirSync(folder).sort(),
    };
    rmSync(folder + "/fill");
    const saved = (await file.patch("web", { port: 81 })).web.port;
    await file.close();
    console.log(JSON.stringify({ ...full, saved }));
  `;
  const script = 'mount -t tmpfs -o size=64k tmpfs "$1" && exec "$2" -e "$3" "$1"';
  const child = Bun.spawn([...(namespace ?? []), "sh", "-c", script, "sh", folder, process.execPath, code], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(child.stdout).text();
  await child.exited;
  rmSync(folder, { recursive: true, force: true });
  expect(JSON.parse(output)).toEqual({
    refused: "STORAGE_FULL",
    sameSettings: true,
    sameText: true,
    names: ["fill", "settings.json"],
    saved: 81,
  });
});
