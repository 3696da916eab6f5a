import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { LONGEST_BACKUP } from "../../server/domain/backup/longest_backup.ts";
import { ZipLayout } from "../../server/domain/viewer/zip_layout.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { unzipped } from "../support/app/backup.ts";
import type { Client } from "../support/app/client.ts";
import { put, run } from "../support/app/held.ts";
import { cheapHash } from "../support/app/http.ts";
import { temporaryPlace } from "../support/app/process.ts";
import { KEY, OLD } from "../support/app/retention.ts";
import { openSettings, putSettings, type Service, serve } from "../support/app/service.ts";
import { mayMount, SmallDisk } from "../support/disk/disks.ts";
import { zipOf } from "../support/pack/unpacked.ts";

setDefaultTimeout(60_000);

const PASSWORD = "correct horse battery";

const restored = (client: Client, file: BodyInit, query = "", init: RequestInit = {}) =>
  client.fetch(`/api/restore${query}`, {
    method: "POST",
    body: file,
    ...init,
    headers: { "content-type": "application/zip", "x-csrftoken": client.token },
  });
const leftovers = (folder: string) => readdirSync(join(folder, "config")).filter((name) => /restore/.test(name));
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];

describe("POST /api/restore", () => {
  let app: RunningApp;
  let file: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    app = await startApp({ settings: { viewer: { trip_gap_minutes: 17 } } });
    put(app, OLD);
    await run(app);
    await app.client.open("/");
    await app.client.send("PUT", `/api/recordings/${KEY}/keep`, { note: "the white van" });
    await app.client.send("POST", "/api/keys", { name: "Homepage", scope: "read" });
    file = await (await app.client.fetch("/api/backup")).bytes();
    await app.client.send("PATCH", "/api/settings/viewer", { trip_gap_minutes: 3 });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("checks the backup, says what it would replace, and changes nothing", async () => {
    const settings = readFileSync(join(app.folder, "config", "settings.json"), "utf8");
    for (const query of ["", "?apply=false"]) {
      const answer = await restored(app.client, file, query);
      expect(answer.status).toBe(200);
      const manifest = JSON.parse(String((await unzipped(file)).get("manifest.json")));
      using db = new Database(join(app.folder, "config", "ledger.db"), { readwrite: true });
      const { n } = db.query("select count(*) as n from recordings").get() as { n: number };
      expect(n).toBeGreaterThan(0);
      expect(await answer.json()).toEqual({
        version: manifest.version,
        made_at: manifest.made_at,
        would_replace: { runs: 1, recordings_in_ledger: n, kept: 1, keys: 1, settings: ["viewer"] },
        applied: false,
      });
    }
    expect(readFileSync(join(app.folder, "config", "settings.json"), "utf8")).toBe(settings);
    expect(leftovers(app.folder)).toEqual([]);
  });

  test("names a key that was revoked since then, and would work again", async () => {
    const { keys } = (await (await app.client.fetch("/api/keys")).json()) as { keys: { id: string; name: string }[] };
    const old = await (await app.client.fetch("/api/backup")).bytes();
    for (const { id } of keys) await app.client.send("DELETE", `/api/keys/${id}`);
    const answer = (await (await restored(app.client, old)).json()) as { returning_keys?: string[] };
    expect(answer.returning_keys).toEqual(["Homepage"]);
    await app.client.send("POST", "/api/keys", { name: "Homepage", scope: "read" });
  });

  const bomb = () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const packed = deflateRawSync(zeros);
    const entry = { name: "manifest.json", size: packed.length, unpacked: 10, crc: crc32(zeros), wall: 0 };
    const layout = new ZipLayout([entry]);
    return Buffer.concat([layout.head(0), packed, layout.directory(0, entry.crc), layout.end()]);
  };
  const bad: readonly (readonly [what: string, file: () => Uint8Array, says: RegExp])[] = [
    ["nothing", () => new Uint8Array(), /is no backup of Dashdock, or its end is missing\.$/],
    ["another file", () => new TextEncoder().encode("hello"), /is no backup of Dashdock/],
    ["one that is cut off", () => file.subarray(0, -100), /its end is missing\.$/],
    ["a name that climbs", () => zipOf([["../settings.json", new Uint8Array(1)]]), /leads to a place outside/],
    ["a bomb that says it is small", bomb, /has more bytes than it says/],
  ];
  for (const [what, zip, says] of bad)
    test(`refuses ${what} with one sentence`, async () => {
      const answer = await restored(app.client, Uint8Array.from(zip()));
      const { code, error } = (await answer.json()) as { code: string; error: string };
      expect([answer.status, code]).toEqual([422, "BACKUP_UNUSABLE"]);
      expect(error).toMatch(says);
      expect(error.split(/[.!?] /)).toHaveLength(1);
      expect(leftovers(app.folder)).toEqual([]);
    });

  test("refuses more than 100 MiB, an unknown question, and a request without the token", async () => {
    expect(await codeOf(await restored(app.client, new Uint8Array(LONGEST_BACKUP + 1)))).toEqual([
      413,
      "BODY_TOO_LARGE",
    ]);
    expect(await codeOf(await restored(app.client, file, "?apply=yes"))).toEqual([422, "VALIDATION_ERROR"]);
    const answer = await app.client.fetch("/api/restore", { method: "POST", body: file });
    expect(await codeOf(answer)).toEqual([403, "CSRF_FAILED"]);
    expect(leftovers(app.folder)).toEqual([]);
  });

  test("is for one at a time, and a client that goes leaves nothing behind", async () => {
    const stop = new AbortController();
    const sent = Promise.withResolvers<void>();
    const slow = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(file.subarray(0, 100));
        sent.resolve();
        return new Promise(() => {});
      },
    });
    const first = restored(app.client, slow, "", { signal: stop.signal }).catch(() => null);
    await sent.promise;
    let code = 0;
    // The first one is taken a moment after it is sent.
    while (code !== 409) code = (await restored(app.client, file)).status;
    stop.abort();
    await first;
    while ((await restored(app.client, file)).status !== 200);
    expect(leftovers(app.folder)).toEqual([]);
  });

  test("waits for a run to end before it restores, and says when a process cannot start its stores anew", async () => {
    app.simulator.fault("list-stall");
    app.app.job.start("manual");
    expect((await restored(app.client, file)).status).toBe(200);
    expect(await codeOf(await restored(app.client, file, "?apply=true"))).toEqual([409, "SYNC_ALREADY_RUNNING"]);
    app.app.job.stop();
    await app.synced();
    expect(await codeOf(await restored(app.client, file, "?apply=true"))).toEqual([409, "RESTART_IMPOSSIBLE"]);
    expect(leftovers(app.folder)).toEqual([]);
  });
});

describe.skipIf(!mayMount())("while the disk of the config folder is full (needs the right to mount)", () => {
  test("nothing is restored, and nothing is left of it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
    const disk = new SmallDisk(join(folder, "config"), "2m");
    try {
      await using app = await startApp({ folder });
      await app.client.open("/");
      const file = await (await app.client.fetch("/api/backup")).bytes();
      disk.fill();
      expect(await codeOf(await restored(app.client, file))).toEqual([507, "STORAGE_FULL"]);
      expect(leftovers(folder)).toEqual([]);
    } finally {
      disk[Symbol.dispose]();
      rmSync(folder, { recursive: true });
    }
  });
});

describe("POST /api/restore?apply=true", () => {
  /** A service behind a sign-in with a backup of it, and a setting that was changed since. */
  async function served(place: Awaited<ReturnType<typeof temporaryPlace>>): Promise<Service & { file: Uint8Array }> {
    const auth = { mode: "login", username: "admin", password_hash: await cheapHash(PASSWORD) };
    putSettings(place, openSettings("", { auth, viewer: { trip_gap_minutes: 17 } }));
    const service = await serve(place);
    const { client } = service;
    await client.signIn("admin", PASSWORD);
    const file = await (await client.fetch("/api/backup")).bytes();
    expect((await client.send("PATCH", "/api/settings/viewer", { trip_gap_minutes: 3 })).status).toBe(200);
    return { ...service, file };
  }
  const stored = (place: { at: (...names: string[]) => string }, ...names: string[]) =>
    JSON.parse(readFileSync(place.at("config", ...names, "settings.json"), "utf8"));

  test("restores it, keeps what was there, ends all sessions, and answers on the same port", async () => {
    await using place = await temporaryPlace();
    await using service = await served(place);
    const { client, file } = service;
    const other = new (client.constructor as typeof Client)(service.url);
    await other.signIn("admin", PASSWORD);
    const stream = await other.fetch("/api/sync/progress/stream");
    const { boot_id: boot } = (await (await client.fetch("/api/sync/progress")).json()) as { boot_id: string };

    const answer = await restored(client, Uint8Array.from(file), "?apply=true");
    const told = (await answer.json()) as { applied: boolean; boot_id: string; kept_in: string };
    expect([answer.status, told]).toEqual([
      200,
      expect.objectContaining({ applied: true, boot_id: boot, kept_in: expect.stringMatching(/^restore-2/) }),
    ]);
    // The other tab's stream ends, and no cookie of before lets in.
    await stream.text();
    const statusOf = (one: Client) =>
      one.fetch("/api/sync/progress").then(
        ({ status }) => status,
        () => 0,
      );
    let status = 0;
    while (status !== 401) status = await statusOf(client);
    expect(await statusOf(other)).toBe(401);
    await client.signIn("admin", PASSWORD);
    const settings = (await (await client.fetch("/api/settings")).json()) as { viewer: { trip_gap_minutes: number } };
    expect(settings.viewer.trip_gap_minutes).toBe(17);
    const now = (await (await client.fetch("/api/sync/progress")).json()) as { boot_id: string };
    expect(now.boot_id).not.toBe(boot);
    expect(stored(place, told.kept_in).viewer.trip_gap_minutes).toBe(3);
    expect(await (await client.fetch("/api/logs/recent")).text()).toContain(
      `What was there is kept in ${told.kept_in}`,
    );
    expect(
      ((await (await client.fetch("/api/auth/sessions")).json()) as { sessions: unknown[] }).sessions,
    ).toHaveLength(1);
    expect(service.running.out.match(/listening on/g)).toHaveLength(1);
    service.running.signal("SIGTERM");
    expect(await service.running.ended).toMatchObject({ code: 0 });
    expect(existsSync(place.at("config", "listening.json"))).toBe(false);
  });

  test("is finished by the next start when the process is killed as soon as it was decided", async () => {
    await using place = await temporaryPlace();
    {
      await using service = await served(place);
      const asked = restored(service.client, Uint8Array.from(service.file), "?apply=true").catch(() => null);
      while (!existsSync(place.at("config", "restore-pending.json")) && stored(place).viewer.trip_gap_minutes === 3)
        await Bun.sleep(0);
      process.kill(service.running.pid, "SIGKILL");
      await asked;
      await service.running.ended.catch(() => {});
    }
    await using again = await serve(place);
    await again.client.signIn("admin", PASSWORD);
    expect(stored(place).viewer.trip_gap_minutes).toBe(17);
    expect(readdirSync(place.at("config")).filter((name) => name.startsWith("restore-"))).toHaveLength(1);
  });
});
