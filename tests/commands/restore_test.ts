import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openApp } from "../../server/app.ts";
import { backupCommand } from "../../server/commands/backup.ts";
import { restoreCommand } from "../../server/commands/restore.ts";
import { stageBackup } from "../../server/engine/backup/read_backup.ts";
import { decideRestore, finishRestore, restore } from "../../server/store/config/restore_journal.ts";
import { errorCode } from "../../server/store/error_code.ts";
import { RUN_DATABASE_VERSION } from "../../server/store/file_versions.ts";
import { VERSION } from "../../server/version.ts";
import { startApp } from "../support/app/app.ts";
import { unzipped } from "../support/app/backup.ts";
import { EXECUTABLE } from "../support/app/executable.ts";
import { put, run } from "../support/app/held.ts";
import { dashdock } from "../support/app/process.ts";
import { KEY, OLD } from "../support/app/retention.ts";
import { mayMount, SmallDisk } from "../support/disk/disks.ts";
import { zipOf } from "../support/pack/unpacked.ts";

setDefaultTimeout(60_000);

type Command = typeof restoreCommand;
const KILLED = join(import.meta.dir, "../support/app/killed_restore.ts");
const BROUGHT = "20260401_000100_N";

let folder: string;
/** A service's folders as they were at the backup, and what became of them. */
let before: string;
let now: string;
let file: string;
let files: Map<string, Buffer>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "restore-"));
  [before, now, file] = [join(folder, "before"), join(folder, "now"), join(folder, "one.zip")];
  const options = { folder: before, settings: { viewer: { trip_gap_minutes: 17 } } };
  {
    await using app = await startApp(options);
    put(app, OLD);
    await run(app);
    await app.client.open("/");
    await app.client.send("POST", "/api/keys", { name: "Homepage", scope: "read" });
    await app.client.send("PUT", `/api/recordings/${KEY}/keep`, { note: "the white van" });
  }
  expect((await called(backupCommand, join(before, "config"), file)).text).toStartWith("Saved ");
  files = await unzipped(readFileSync(file));
  cpSync(before, now, { recursive: true });
  const settings = JSON.parse(readFileSync(join(now, "config", "settings.json"), "utf8"));
  settings.viewer.trip_gap_minutes = 3;
  settings.system.destination = join(now, "recordings");
  settings.web.port = 9123;
  writeFileSync(join(now, "config", "settings.json"), JSON.stringify(settings), { mode: 0o600 });
  rmSync(join(now, "config", "keys.json"));
  const kept = join(now, "recordings", ".dashdock", "kept.json");
  const { recordings } = JSON.parse(readFileSync(kept, "utf8"));
  writeFileSync(kept, JSON.stringify({ version: 1, recordings: { [BROUGHT]: { ...recordings[KEY], note: "later" } } }));
  using db = new Database(join(now, "config", "stats.db"));
  db.run("delete from runs");
  db.run("insert into runs (ts_seconds, success) values (5, 1), (6, 1)");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Sets a password from standard input. */
async function feed(config: string, input: string) {
  const child = Bun.spawn([EXECUTABLE, "password", "--stdin", "--config", config], {
    stdin: new TextEncoder().encode(input),
    stderr: "pipe",
  });
  return { err: await new Response(child.stderr).text(), code: await child.exited };
}

async function called(command: Command, config: string, path: string, ...more: string[]) {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const io = { env: {}, out: stream, err: stream, onSignal: () => () => {}, onOutputClosed: () => () => {} };
  const code = await command(["--config", config, path, ...more], io as unknown as Parameters<Command>[1]);
  return { code, text: written.join("") };
}

/** A copy of the folders as they are now, whose settings name it. */
function copied(name: string): { root: string; config: string } {
  const root = join(folder, name);
  cpSync(now, root, { recursive: true });
  const config = join(root, "config");
  const path = join(config, "settings.json");
  const text = readFileSync(path, "utf8").replaceAll(now, root);
  writeFileSync(path, text, { mode: 0o600 });
  return { root, config };
}

const rows = (config: string) => {
  using db = new Database(join(config, "stats.db"));
  return db.query("select ts_seconds from runs order by 1").all();
};
const json = (...parts: string[]) => JSON.parse(readFileSync(join(...parts), "utf8"));

/** All that a restore replaces. */
function stateOf(root: string) {
  const { viewer, system, web } = json(root, "config", "settings.json");
  return {
    trip: viewer.trip_gap_minutes,
    destination: system.destination.replace(root, ""),
    port: web.port,
    runs: rows(join(root, "config")),
    keys: existsSync(join(root, "config", "keys.json")) ? json(root, "config", "keys.json").keys.length : 0,
    kept: Object.keys(json(root, "recordings", ".dashdock", "kept.json").recordings).sort(),
  };
}
const OLD_STATE = { trip: 3, destination: "/recordings", port: 9123, keys: 0, kept: [BROUGHT] };
const NEW_STATE = { ...OLD_STATE, trip: 17, keys: 1, kept: [KEY, BROUGHT] };
const oldRuns = [{ ts_seconds: 5 }, { ts_seconds: 6 }];

/** Files below a folder with their bytes. */
function contentOf(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !/-(wal|shm)$/.test(entry.name)) {
      const path = join(entry.parentPath, entry.name);
      found.set(path, Bun.hash(readFileSync(path)).toString());
    }
  return found;
}

describe("dashdock restore FILE", () => {
  test("puts all of it in place, and keeps what was there", async () => {
    const { root, config } = copied("whole");
    expect(stateOf(root)).toEqual({ ...OLD_STATE, runs: oldRuns });
    const first = contentOf(root);
    const dry = await called(restoreCommand, config, file, "--dry-run");
    expect([dry.code, dry.text]).toEqual([
      0,
      expect.stringMatching(
        /^Backup of \S+, made by Dashdock \S+\nIt would replace 2\sruns, what became of \d+\srecordings?, 0\skeys, the settings viewer; it adds to 1\skept recording\. Nothing was changed\.\n$/,
      ),
    ]);
    expect(contentOf(root)).toEqual(first);
    const { code, text } = await called(restoreCommand, config, file);
    expect([code, text]).toEqual([0, expect.stringContaining("What was there is kept in restore-")]);
    expect(stateOf(root)).toEqual({ ...NEW_STATE, runs: rows(join(before, "config")) });
    const [kept = ""] = readdirSync(config).filter((name) => name.startsWith("restore-"));
    expect(rows(join(config, kept))).toEqual(oldRuns);
    expect(json(config, kept, "settings.json").viewer.trip_gap_minutes).toBe(3);
    expect(Object.keys(json(config, kept, "kept.json").recordings)).toEqual([BROUGHT]);
    expect(readdirSync(config).filter((name) => name.startsWith(".restore-"))).toEqual([]);
    const starting = await openApp({ configDir: config, env: {} });
    await using app = await starting.openStores();
    expect(app.keys.all.map(({ name }) => name)).toEqual(["Homepage"]);
    const { auth } = json(before, "config", "settings.json");
    expect(app.settings.current.auth.session_secret).not.toBe(auth.session_secret);
    expect(app.settings.current.auth.session_secret.length).toBeGreaterThan(31);
  });

  test("names keys that were revoked since then", async () => {
    const { config } = copied("revoked");
    writeFileSync(join(config, "keys.json"), '{"keys": []}');
    const dry = await called(restoreCommand, config, file, "--dry-run");
    expect(dry.text.split("\n")[2]).toBe(
      "The key “Homepage”, which is not here now, works again. Revoke it afterwards if it should not.",
    );
  });

  test("names no section for settings that the backup does not have, and that are as at first", async () => {
    const { root, config } = copied("older");
    const all = new Map<string, Uint8Array>(files);
    const settings = JSON.parse(String(files.get("settings.json")));
    const { notify: _, metrics: __, ...older } = settings;
    const text = new TextEncoder().encode(JSON.stringify({ ...older, viewer: { trip_gap_minutes: 3 } }));
    const manifest = JSON.parse(String(files.get("manifest.json")));
    all.delete("manifest.json");
    all.set("settings.json", text);
    const listed = [...all].map(([name, { length }]) => ({ name, bytes: length }));
    const about = new TextEncoder().encode(JSON.stringify({ ...manifest, files: listed }));
    writeFileSync(join(root, "older.zip"), zipOf([["manifest.json", about], ...all]));
    const { wouldReplace, discard } = await stageBackup(join(root, "older.zip"), config, 0);
    await discard();
    expect(wouldReplace.settings).toEqual([]);
  });

  test("leaves the old state or the new one, killed before any of its changes", async () => {
    const newRuns = rows(join(before, "config"));
    const restored = async (root: string, at: number) => {
      const child = Bun.spawn([process.execPath, KILLED, file, join(root, "config"), String(at)], { stderr: "ignore" });
      const text = await new Response(child.stdout).text();
      await child.exited;
      return { signal: child.signalCode, text };
    };
    const steps = Number((await restored(copied("steps").root, 0)).text);
    expect(steps).toBeGreaterThan(20);
    // Each file takes five: by steps of seven all kinds are met.
    for (const at of [1, 2, ...Array.from({ length: Math.floor((steps - 3) / 7) }, (_, n) => 7 * n + 3), steps]) {
      const { root, config } = copied(`killed-${at}`);
      expect([at, (await restored(root, at)).signal]).toEqual([at, "SIGKILL"]);
      const isDecided = at > 1;
      expect([at, (await finishRestore(config)) !== null]).toEqual([at, isDecided]);
      const expected = isDecided ? { ...NEW_STATE, runs: newRuns } : { ...OLD_STATE, runs: oldRuns };
      expect([at, stateOf(root)]).toEqual([at, expected]);
      if (isDecided) expect([at, rows(join(config, "restore-1970-01-01T00-00-00Z"))]).toEqual([at, oldRuns]);
      rmSync(root, { recursive: true });
    }
  });

  test("is finished by the next start of the service", async () => {
    const { root, config } = copied("started");
    const child = Bun.spawn([process.execPath, KILLED, file, config, "30"], { stderr: "ignore" });
    await child.exited;
    expect(existsSync(join(config, "restore-pending.json"))).toBe(true);
    const starting = await openApp({ configDir: config, env: {} });
    await starting.close();
    expect(existsSync(join(config, "restore-pending.json"))).toBe(false);
    expect(stateOf(root)).toEqual({ ...NEW_STATE, runs: rows(join(before, "config")) });
  });

  test("leaves nothing beside the settings when it was killed before it was decided, once the service has started", async () => {
    const { config } = copied("left");
    const child = Bun.spawn([process.execPath, KILLED, file, config, "1"], { stderr: "ignore" });
    await child.exited;
    const left = () => readdirSync(config).filter((name) => /restore/.test(name));
    expect(left()).toEqual([expect.stringMatching(/^\.restore-/)]);
    const starting = await openApp({ configDir: config, env: {} });
    await starting.close();
    expect(left()).toEqual([]);
  });

  test.skipIf(!mayMount())(
    "calls no backup damaged that the disk has no room for (needs the right to mount)",
    async () => {
      const { root } = copied("small");
      using disk = new SmallDisk(join(root, "disk"), "64k");
      const found = new Set<string>();
      for (let size = 64; !found.has("fits") && size < 4096; size += 16) {
        disk.remount(`size=${size}k`);
        const staged = await stageBackup(file, disk.path, 0, { mainRoot: join(root, "recordings") }).catch(String);
        if (typeof staged === "object") await staged.discard();
        found.add(typeof staged === "object" ? "fits" : staged);
      }
      expect([...found].filter((sentence) => sentence.startsWith("UnusableBackup"))).toEqual([]);
      expect(found.has("fits")).toBe(true);
    },
  );

  test("changes nothing when the disk is full at any of its steps", async () => {
    const { root, config } = copied("full");
    const first = contentOf(root);
    const failing = async (at: number) => {
      let done = 0;
      const staged = await stageBackup(file, config, 0);
      const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
      const restored = restore(config, staged.journal, () => {
        if (++done === at) throw full;
      });
      const code = await restored.then(
        () => null,
        (error: unknown) => errorCode(error),
      );
      if (code !== null) await staged.discard();
      return { code, done };
    };
    let at = 1;
    for (; at < 200; at++) {
      const { code } = await failing(at);
      if (code === null) break;
      expect([at, code, contentOf(root)]).toEqual([at, "ENOSPC", first]);
      expect([at, readdirSync(config).filter((name) => /restore/.test(name))]).toEqual([at, []]);
    }
    expect(at).toBeGreaterThan(20);
    expect(stateOf(root)).toEqual({ ...NEW_STATE, runs: rows(join(before, "config")) });
  });

  test("that fails with a start is taken back, and the service starts with what was there", async () => {
    const { root, config } = copied("gone");
    const staged = await stageBackup(file, config, 0);
    await decideRestore(config, staged.journal);
    renameSync(join(root, "recordings"), join(root, "elsewhere"));
    {
      const starting = await openApp({ configDir: config, env: {} });
      await using app = await starting.openStores();
      expect(app.restored).toMatchObject({ problem: "ENOENT" });
      expect(app.log.all.map(({ message }) => message)).toContain(
        "The backup was not restored (ENOENT). All is as it was before.",
      );
    }
    renameSync(join(root, "elsewhere"), join(root, "recordings"));
    expect(stateOf(root)).toEqual({ ...OLD_STATE, runs: oldRuns });
    expect(existsSync(join(config, "restore-pending.json"))).toBe(false);
  });

  test("that was taken back halfway by a process that was killed is finished", async () => {
    const { root, config } = copied("halfway");
    const staged = await stageBackup(file, config, 0);
    await decideRestore(config, staged.journal);
    const child = Bun.spawn([process.execPath, KILLED, "", config, "40"], { stderr: "ignore" });
    await child.exited;
    // The first file that was put in place goes back, with all that belongs to it.
    const { before: kept, stage, files: places } = staged.journal;
    const { name } = places.find((one) => one.isNew && !existsSync(join(config, stage, one.name))) ?? { name: "none" };
    renameSync(join(config, name), join(config, stage, name));
    renameSync(join(config, kept, name), join(config, name));
    expect(await finishRestore(config)).toEqual({ before: kept, problem: null });
    expect(stateOf(root)).toEqual({ ...NEW_STATE, runs: rows(join(before, "config")) });
  });

  test("is the only one: a second one that was decided meanwhile changes nothing", async () => {
    const { root, config } = copied("twice");
    const [one, other] = [await stageBackup(file, config, 0), await stageBackup(file, config, 0)];
    const ended = await Promise.allSettled([restore(config, one.journal), restore(config, other.journal)]);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(stateOf(root)).toEqual({ ...NEW_STATE, runs: rows(join(before, "config")) });
    expect(rows(join(config, one.journal.before))).toEqual(oldRuns);
  });

  const bytes = (text: string) => new TextEncoder().encode(text);
  type Entries = [name: string, bytes: Uint8Array][];
  /** The backup with some of its files as they should not be; the list of them fits. */
  const changed = (change: (all: Map<string, Uint8Array>) => void, about: object = {}): Uint8Array => {
    const all = new Map<string, Uint8Array>(files);
    const manifest = JSON.parse(String(files.get("manifest.json")));
    all.delete("manifest.json");
    change(all);
    const listed = [...all].map(([name, { length }]) => ({ name, bytes: length }));
    const entries: Entries = [
      ["manifest.json", bytes(JSON.stringify({ ...manifest, files: listed, ...about }))],
      ...all,
    ];
    return zipOf(entries);
  };
  const withTrigger = () => {
    using db = Database.deserialize(files.get("stats.db") ?? new Uint8Array());
    db.run("create trigger t after insert on runs begin delete from runs; end");
    return db.serialize();
  };
  const withoutColumns = () => {
    using db = new Database(":memory:");
    db.run("create table runs (ts_seconds real)");
    db.run(`pragma user_version = ${RUN_DATABASE_VERSION}`);
    return db.serialize();
  };
  const withMore = () => {
    using db = Database.deserialize(files.get("stats.db") ?? new Uint8Array());
    db.run("create table more (text default '; drop table runs; --')");
    return db.serialize();
  };
  const newerDatabase = () => {
    using db = Database.deserialize(files.get("stats.db") ?? new Uint8Array());
    db.run("pragma user_version = 99");
    return db.serialize();
  };
  const flipped = () => {
    const zip = Uint8Array.from(readFileSync(file));
    const at = Math.floor(zip.length / 2);
    zip[at] = (zip[at] ?? 0) ^ 0xff;
    return zip;
  };
  const [major = "0", minor = "0"] = VERSION.split(".");
  const bad: readonly [what: string, zip: () => Uint8Array, says: RegExp][] = [
    ["nothing", () => new Uint8Array(), /is no backup of Dashdock, or its end is missing\.$/],
    ["a text", () => bytes("hello"), /is no backup of Dashdock, or its end is missing\.$/],
    ["another ZIP", () => zipOf([["readme.txt", bytes("hello")]]), /is no backup of Dashdock\.$/],
    ["one that is cut off", () => readFileSync(file).subarray(0, -100), /its end is missing\.$/],
    ["one with a wrong byte", flipped, /damaged|is no backup/],
    [
      "a newer minor version",
      () => changed(() => {}, { version: `${major}.${Number(minor) + 1}.0` }),
      /newer than .* Update first\.$/,
    ],
    [
      "a newer major version",
      () => changed(() => {}, { version: `${Number(major) + 1}.0.0` }),
      /newer than .* Update first\.$/,
    ],
    [
      "a newer format",
      () => changed(() => {}, { format: 2 }),
      /is of a Dashdock newer than this one\. Update first\.$/,
    ],
    ["another product", () => changed(() => {}, { product: "other" }), /is no backup of Dashdock\.$/],
    ["a list that does not fit", () => changed(() => {}, { files: [] }), /does not have the files that it lists\.$/],
    ["a name that climbs", () => changed((all) => all.set("../evil.json", bytes("{}"))), /leads to a place outside/],
    ["a name from the root", () => changed((all) => all.set("/etc/evil", bytes("{}"))), /leads to a place outside/],
    ["a backslash", () => changed((all) => all.set("..\\evil", bytes("{}"))), /backslash/],
    [
      "a file that is unknown",
      () => changed((all) => all.set("sessions.json", bytes("{}"))),
      /unknown: sessions\.json\.$/,
    ],
    ["a camera that is unknown", () => changed((all) => all.set("cameras/x/stats.db", bytes(""))), /unknown: cameras/],
    ["no settings", () => changed((all) => all.delete("settings.json")), /has no settings\.$/],
    [
      "settings that are none",
      () => changed((all) => all.set("settings.json", bytes("[]"))),
      /settings of the backup cannot be used/,
    ],
    [
      "settings of a newer version",
      () => changed((all) => all.set("settings.json", bytes('{"version":999}'))),
      /settings of the backup cannot be used/,
    ],
    [
      "a list that is no JSON",
      () => changed((all) => all.set("keys.json", bytes("{"))),
      /keys\.json cannot be read\.$/,
    ],
    ["marks that are none", () => changed((all) => all.set("kept.json", bytes("[]"))), /kept\.json cannot be read\.$/],
    [
      "a history that is none",
      () => changed((all) => all.set("stats.db", bytes("no database"))),
      /stats\.db cannot be read\.$/,
    ],
    [
      "a history with a trigger",
      () => changed((all) => all.set("stats.db", withTrigger())),
      /stats\.db cannot be read\.$/,
    ],
    [
      "a history without its columns",
      () => changed((all) => all.set("stats.db", withoutColumns())),
      /stats\.db cannot be read\.$/,
    ],
    [
      "a history with a statement that does more",
      () => changed((all) => all.set("stats.db", withMore())),
      /stats\.db cannot be read\.$/,
    ],
    ["a newer history", () => changed((all) => all.set("stats.db", newerDatabase())), /newer Dashdock: stats\.db/],
    [
      "10,001 entries",
      () => zipOf(Array.from({ length: 10_001 }, (_, n) => [`f${n}`, bytes("")] as const)),
      /10,000 entries/,
    ],
    [
      "a name twice",
      () =>
        zipOf([
          ["manifest.json", bytes("{}")],
          ["manifest.json", bytes("{}")],
        ]),
      /more than once/,
    ],
  ];
  test("refuses what is no whole backup of this version, and changes nothing", async () => {
    const { root, config } = copied("bad");
    const first = contentOf(root);
    const path = join(folder, "bad.zip");
    for (const [what, zip, says] of bad) {
      writeFileSync(path, zip());
      const { code, text } = await called(restoreCommand, config, path);
      expect([what, code, text.trimEnd().split("\n").length]).toEqual([what, 1, 1]);
      expect(`${what}: ${text.trimEnd()}`).toMatch(says);
      expect([what, contentOf(root)]).toEqual([what, first]);
    }
  });

  test("goes before a password that is set, and before a sync of a camera", async () => {
    const { root, config } = copied("pending");
    const staged = await stageBackup(file, config, 0);
    await decideRestore(config, staged.journal);
    const sync = await dashdock(["sync", "--camera", "main", "--config", config], { cwd: folder });
    expect([sync.code, sync.err]).toEqual([2, expect.stringContaining("A backup is being restored into ")]);
    expect(existsSync(join(config, "restore-pending.json"))).toBe(true);
    {
      await using app = await startApp();
      const place = join(config, "listening.json");
      writeFileSync(place, JSON.stringify({ host: "127.0.0.1", port: Number(new URL(app.url).port) }));
      const { code, err } = await feed(config, "correct horse battery\n");
      expect([code, err]).toEqual([2, expect.stringContaining("The service is restoring a backup")]);
      rmSync(place);
    }
    expect(await feed(config, "correct horse battery\n")).toMatchObject({ code: 0 });
    expect(stateOf(root)).toEqual({ ...NEW_STATE, runs: rows(join(before, "config")) });
    expect(json(config, "settings.json").auth.password_hash).toStartWith("$argon2");
  });

  test("refuses a bomb, a link, a folder of recordings that is not there, and a service that runs", async () => {
    const { root, config } = copied("others");
    // A ZIP that claims 2 GiB in an entry: nothing of it is unpacked.
    const zip = Uint8Array.from(zipOf([["manifest.json", bytes("{}")]]));
    const line = zip.length - 22 - 46 - "manifest.json".length;
    const view = new DataView(zip.buffer);
    view.setUint32(line + 24, 0x8000_0000, true);
    view.setUint16(line + 10, 8, true);
    const path = join(folder, "bomb.zip");
    writeFileSync(path, zip);
    expect((await called(restoreCommand, config, path)).text).toBe(
      "The file is longer than 1 GiB when it is unpacked.\n",
    );
    const linked = Uint8Array.from(zipOf([["manifest.json", bytes("{}")]]));
    new DataView(linked.buffer).setUint32(line + 38, 0o120777 * 0x1_0000, true);
    writeFileSync(path, linked);
    expect((await called(restoreCommand, config, path)).text).toMatch(/"manifest\.json" is a link\.$/m);
    rmSync(join(root, "recordings"), { recursive: true });
    expect((await called(restoreCommand, config, file)).text).toMatch(/^The recordings folder .* is not available/);
    mkdirSync(join(root, "recordings"));
    await using app = await startApp();
    writeFileSync(
      join(config, "listening.json"),
      JSON.stringify({ host: "127.0.0.1", port: Number(new URL(app.url).port) }),
    );
    expect(await called(restoreCommand, config, file)).toEqual({
      code: 1,
      text: "The service is running. Stop it first.\n",
    });
    expect(rows(config)).toEqual(oldRuns);
  });
});
