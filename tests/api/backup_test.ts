import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApp } from "../../server/app.ts";
import { backupCommand } from "../../server/commands/backup.ts";
import { VERSION } from "../../server/version.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { rowsIn, unzipped } from "../support/app/backup.ts";
import { put, run } from "../support/app/held.ts";
import { KEY, OLD } from "../support/app/retention.ts";

setDefaultTimeout(30_000);

const PASSWORD = "correct horse battery";

let app: RunningApp;
let key: string;
beforeAll(async () => {
  app = await startApp({ mode: "login", password: PASSWORD });
  await app.client.signIn("admin", PASSWORD);
  put(app, OLD);
  await run(app);
  const { key: made } = (await (
    await app.client.send("POST", "/api/keys", { name: "Homepage", scope: "recordings" })
  ).json()) as { key: string };
  key = made;
  await app.client.send("PUT", `/api/recordings/${KEY}/keep`, { note: "the white van" });
});
afterAll(() => app[Symbol.asyncDispose]());

const leftovers = (folder: string) => readdirSync(folder).filter((name) => name.startsWith(".backup-"));

/** Exit code of the command, and what it printed. */
async function saved(config: string, file: string): Promise<{ code: number; text: string }> {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const io = { env: {}, out: stream, err: stream, onSignal: () => () => {}, onOutputClosed: () => () => {} };
  const code = await backupCommand(["--config", config, file], io as unknown as Parameters<typeof backupCommand>[1]);
  return { code, text: written.join("") };
}

describe("GET /api/backup", () => {
  test("has settings, history, ledger, marks and keys, and says what it is", async () => {
    const answer = await app.client.fetch("/api/backup");
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
      200,
      "application/zip",
      "private, no-store",
    ]);
    expect(answer.headers.get("content-disposition")).toMatch(
      /^attachment; filename="dashdock-backup-\d{4}-\d\d-\d\d\.zip"$/,
    );
    const files = await unzipped(await answer.bytes());
    const { files: listed, ...about } = JSON.parse(String(files.get("manifest.json")));
    expect(about).toEqual({ format: 1, product: "dashdock", version: VERSION, made_at: expect.any(String) });
    expect(listed).toEqual([...files].slice(1).map(([name, { length }]) => ({ name, bytes: length })));
    const names = [...files.keys()];
    for (const name of ["settings.json", "keys.json", "stats.db", "ledger.db", "kept.json"])
      expect(names).toContain(name);
    expect(rowsIn(files.get("stats.db"), "select count(*) as n from runs")).toEqual([{ n: 1 }]);
    expect(rowsIn(files.get("ledger.db"), "select count(*) > 0 as n from recordings")).toEqual([{ n: 1 }]);
    expect(String(files.get("kept.json"))).toContain("the white van");
    expect(leftovers(join(app.folder, "config"))).toEqual([]);
  });

  test("starts a service that has it all, with sessions signed anew", async () => {
    const files = await unzipped(await (await app.client.fetch("/api/backup")).bytes());
    const folder = join(app.folder, "again");
    mkdirSync(join(folder, "config"), { recursive: true });
    mkdirSync(join(folder, "recordings", ".dashdock"), { recursive: true });
    for (const [name, content] of files)
      if (name !== "kept.json" && name !== "manifest.json")
        writeFileSync(join(folder, "config", name), content, { mode: 0o600 });
    const { system, ...settings } = JSON.parse(String(files.get("settings.json")));
    const moved = { ...settings, system: { ...system, destination: join(folder, "recordings") } };
    writeFileSync(join(folder, "config", "settings.json"), JSON.stringify(moved), { mode: 0o600 });
    const opened = await openApp({ configDir: join(folder, "config"), env: {} });
    await using again = await opened.openStores();
    expect(again.history.latest()?.success).toBe(true);
    expect(again.keys.all.map(({ name }) => name)).toEqual(["Homepage"]);
    const { session_secret, password_hash } = again.settings.current.auth;
    expect(session_secret).not.toBe(app.app.settings.current.auth.session_secret);
    expect([session_secret.length > 20, password_hash]).toEqual([true, app.app.settings.current.auth.password_hash]);
  });

  test("has no secret of sessions, no session and no key of a program", async () => {
    const { session_secret } = app.app.settings.current.auth;
    const files = await unzipped(await (await app.client.fetch("/api/backup")).bytes());
    const stored = readFileSync(join(app.folder, "config", "settings.json"), "utf8");
    expect(stored).toContain(session_secret);
    for (const [name, content] of files)
      for (const secret of [session_secret, key.slice(7), PASSWORD])
        expect([name, content.includes(secret)]).toEqual([name, false]);
    expect([...files.keys()].filter((name) => /session|pack-key|shares|camera\//.test(name))).toEqual([]);
    const settings = JSON.parse(String(files.get("settings.json")));
    const { auth } = JSON.parse(stored);
    expect(settings).toEqual({ ...JSON.parse(stored), auth: { ...auth, session_secret: undefined } });
  });

  test("is for those who are signed in: no key, and nobody else", async () => {
    const bearer = { authorization: `Bearer ${key}` };
    expect((await fetch(`${app.url}/api/backup`)).status).toBe(401);
    expect((await fetch(`${app.url}/api/backup`, { headers: bearer })).status).toBe(403);
  });

  test("answers HEAD without making one", async () => {
    const head = await app.client.fetch("/api/backup", { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/zip"]);
  });

  test("leaves nothing behind when its client goes", async () => {
    const stop = new AbortController();
    const asked = app.client.fetch("/api/backup", { signal: stop.signal });
    stop.abort();
    await asked.catch(() => {});
    // The next one waits for its turn of the same database, and both have gone when it is read.
    await (await app.client.fetch("/api/backup")).bytes();
    while (leftovers(join(app.folder, "config")).length > 0) await app.client.fetch("/healthz");
    expect(leftovers(join(app.folder, "config"))).toEqual([]);
  });

  test("names the file that cannot be copied", async () => {
    await using other = await startApp();
    // The service has its own copy open; this is what another program left in its place.
    const path = join(other.folder, "config", "ledger.db");
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    writeFileSync(path, "no database at all, but long enough to be looked at");
    const answer = await other.client.fetch("/api/backup");
    const { code, error } = (await answer.json()) as { code: string; error: string };
    expect([answer.status, code]).toEqual([503, "BACKUP_FAILED"]);
    expect(error).toBe(`${path} cannot be copied (SQLITE_NOTADB), so there is no backup.`);
    expect(leftovers(join(other.folder, "config"))).toEqual([]);
  });
});

describe("dashdock backup FILE", () => {
  test("saves the same with the service stopped, for its owner only, and never over a file", async () => {
    const folder = join(app.folder, "elsewhere");
    mkdirSync(folder);
    await using other = await startApp();
    await run(other);
    await other.stop();
    const config = join(other.folder, "config");
    const file = join(folder, "one.zip");
    expect(await saved(config, file)).toEqual({
      code: 0,
      text: expect.stringMatching(/^Saved \/.*one\.zip, [\d.,]+\s.?B\n$/),
    });
    expect(Bun.file(file).size).toBeGreaterThan(0);
    expect((await Bun.file(file).stat()).mode & 0o777).toBe(0o600);
    const before = readFileSync(file);
    const files = await unzipped(before);
    expect(rowsIn(files.get("stats.db"), "select count(*) as n from runs")).toEqual([{ n: 1 }]);
    expect(await saved(config, file)).toEqual({
      code: 1,
      text: `${file} is there already, and is never written over. Choose another name.\n`,
    });
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(folder)).toEqual(["one.zip"]);
  });

  test("says why there is none: no settings, no folder, a service that runs", async () => {
    const file = join(app.folder, "two.zip");
    expect(await saved(join(app.folder, "nowhere"), file)).toEqual({
      code: 1,
      text: `There is no settings file at ${join(app.folder, "nowhere", "settings.json")}. Name its folder with --config.\n`,
    });
    const config = join(app.folder, "config");
    expect(await saved(config, join(app.folder, "none", "two.zip"))).toEqual({
      code: 1,
      text: `${join(app.folder, "none", "two.zip")} could not be written (ENOENT).\n`,
    });
    const place = join(config, "listening.json");
    writeFileSync(place, JSON.stringify({ host: "127.0.0.1", port: Number(new URL(app.url).port) }));
    expect(await saved(config, file)).toEqual({
      code: 1,
      text: "The service is running. Stop it first, or open /api/backup in the browser that you are signed in with.\n",
    });
    rmSync(place);
    expect(existsSync(file)).toBe(false);
  });
});
