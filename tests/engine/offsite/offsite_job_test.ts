import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Decrypter } from "age-encryption";
import { afterFacts, NEW_MEMORY } from "../../../server/domain/notify/camera_memory.ts";
import type { OffsiteState } from "../../../server/domain/offsite/offsite_schema.ts";
import { look } from "../../../server/engine/notify/look.ts";
import { fileAt } from "../../../server/store/destination/sums_rows.ts";
import { type AppOptions, type RunningApp, startApp } from "../../support/app/app.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { bucketRefusal, type FakeBucket, openFakeBucket } from "../../support/app/fake_bucket.ts";
import { House, put } from "../../support/app/held.ts";
import { listTree } from "../../support/app/sync.ts";

const EVENT = ["20260601_100000_EF.mp4", "20260601_100000_EF.thm", "20260601_100000_E.gps"];
const DRIVE = ["20260602_100000_NF.mp4", "20260602_100000_N.gps"];
const PASSPHRASE = "five words that are long";
/** More than two parts. */
const LONG = "20260603_100000_EF.mp4";
const LONG_BYTES = 20 * 1024 * 1024 + 12_345;

function offsiteOf(fake: FakeBucket, change: Record<string, unknown> = {}): AppOptions {
  const { endpoint, bucket, region, accessKey, secretKey } = fake;
  const offsite = { endpoint, bucket, region, access_key: accessKey, secret_key: secretKey, what: "all", ...change };
  return { settings: { offsite: offsite as never } };
}

/** A service that sends. */
async function sending(house: House, options: AppOptions): Promise<RunningApp> {
  const app = await startApp({ folder: house.folder, ...options });
  await app.client.open("/");
  await app.app.library.refresh();
  app.app.offsite.start();
  return app;
}

async function ask({ client }: RunningApp, what: "check" | "compare"): Promise<OffsiteState> {
  const answer = await client.send("POST", `/api/offsite/${what}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as OffsiteState;
}

async function until(app: RunningApp, isSo: (state: OffsiteState) => boolean): Promise<OffsiteState> {
  const end = performance.now() + 20_000;
  for (;;) {
    const state = (await (await app.client.fetch("/api/offsite")).json()) as OffsiteState;
    if (isSo(state)) return state;
    if (performance.now() > end) throw new Error(`it never came about: ${JSON.stringify(state)}`);
    await Bun.sleep(20);
  }
}

const isIdle = ({ state, waiting }: OffsiteState) => state === "idle" && waiting.bytes === 0;

/** Files of recordings at home. */
function atHome({ destination }: House): string[] {
  return listTree(destination).filter((path) => !path.startsWith(".") && !path.endsWith("/"));
}

function requireEqual(fake: FakeBucket, house: House): void {
  expect([...fake.objects.keys()].sort()).toEqual(atHome(house).sort());
  for (const [key, { bytes, times }] of fake.objects) {
    expect(times).toBe(1);
    expect(Buffer.from(bytes).equals(readFileSync(join(house.destination, key)))).toBe(true);
  }
  expect(fake.uploads.size).toBe(0);
}

/** Content of the long file. */
const NOISE = randomBytes(LONG_BYTES);

describe("copies off-site", () => {
  test("are what lies at home, byte for byte, once each", async () => {
    await using fake = openFakeBucket();
    using house = new House([...EVENT, ...DRIVE]);
    put(house, [LONG], NOISE);
    await using app = await sending(house, offsiteOf(fake));
    const state = await until(app, isIdle);
    requireEqual(fake, house);
    expect(state).toMatchObject({
      sent: { recordings: 3 },
      waiting: { recordings: 0 },
      refused: { recordings: 0 },
      problem: null,
    });
    // What has come since is sent by itself.
    put(house, ["20260604_100000_NF.mp4"]);
    await ask(app, "check");
    requireEqual(fake, house);
  });

  test("are only events and kept recordings where these are asked for", async () => {
    await using fake = openFakeBucket();
    using house = new House([...EVENT, ...DRIVE]);
    await using app = await sending(house, offsiteOf(fake, { what: "kept" }));
    expect(await ask(app, "check")).toMatchObject({ state: "idle", sent: { recordings: 0 } });
    await app.client.send("PATCH", "/api/settings/offsite", { what: "events", prefix: "car" });
    await until(app, ({ sent }) => sent.recordings === 1);
    expect((await app.client.send("PUT", "/api/recordings/20260602_100000_N/keep", {})).status).toBe(200);
    expect(await ask(app, "check")).toMatchObject({ sent: { recordings: 2 } });
    expect([...fake.objects.keys()].sort()).toEqual([...EVENT, ...DRIVE].map((name) => `car/${name}`).sort());
  });

  test("are opened with the passphrase by age’s own library, and hold no plain byte", async () => {
    await using fake = openFakeBucket();
    using house = new House(EVENT);
    put(house, [LONG], NOISE);
    await using app = await sending(house, offsiteOf(fake, { passphrase: PASSPHRASE }));
    await until(app, isIdle);
    expect([...fake.objects.keys()].sort()).toEqual(
      atHome(house)
        .map((path) => `${path}.age`)
        .sort(),
    );
    for (const [key, { bytes, homeHash }] of fake.objects) {
      const decrypter = new Decrypter();
      decrypter.addPassphrase(PASSPHRASE);
      const home = readFileSync(join(house.destination, key.replace(/\.age$/, "")));
      expect(Buffer.from(await decrypter.decrypt(new Uint8Array(bytes))).equals(home)).toBe(true);
      for (let at = 0; at + 64 <= home.length; at += 1_000_000)
        expect(Buffer.from(bytes).includes(home.subarray(at, at + 64))).toBe(false);
      expect(homeHash).not.toBe(new Bun.CryptoHasher("sha256").update(home).digest("hex"));
    }
  });

  test("go on where they were cut, also with a passphrase and after a restart", async () => {
    for (const passphrase of [null, PASSPHRASE]) {
      await using fake = openFakeBucket();
      using house = new House();
      put(house, [LONG], NOISE);
      const isPart = ({ query }: { query: URLSearchParams }, number: string) => query.get("partNumber") === number;
      fake.instead = (call) => (isPart(call, "3") ? bucketRefusal(403, "AccessDenied") : null);
      {
        await using app = await sending(house, offsiteOf(fake, { passphrase }));
        expect(await until(app, ({ problem }) => problem !== null)).toMatchObject({
          state: "problem",
          waiting: { recordings: 1 },
          problem: { sentence: "This key may not do that. It needs the rights to read, write and list the bucket." },
        });
      }
      fake.instead = null;
      const before = fake.calls.length;
      await using app = await sending(house, offsiteOf(fake, { passphrase }));
      await until(app, isIdle);
      const parts = fake.calls.slice(before).flatMap(({ query }) => query.get("partNumber") ?? []);
      expect(parts).toEqual(["3"]);
      expect(fake.uploads.size).toBe(0);
      if (passphrase === null) requireEqual(fake, house);
    }
  });

  test("are not made of bytes that turned on the disk, also those that were sent before a restart", async () => {
    const small = "20260603_100000_E.gps";
    for (const passphrase of [null, PASSPHRASE]) {
      await using fake = openFakeBucket();
      using house = new House();
      put(house, [LONG], NOISE);
      put(house, [small], "$GPRMC");
      const turn = (name: string) => {
        const path = join(house.destination, name);
        const { atime, mtime } = statSync(path);
        const bytes = readFileSync(path);
        bytes[5] = (bytes[5] ?? 0) ^ 1;
        writeFileSync(path, bytes);
        utimesSync(path, atime, mtime);
      };
      // The second part does not go on, so the first one is there when its bytes turn.
      fake.instead = ({ query }) => (query.get("partNumber") === "2" ? bucketRefusal(403, "AccessDenied") : null);
      {
        await using app = await sending(house, { settings: {} });
        for (const name of [LONG, small]) await app.app.checksums.takeAnew(fileAt(name));
        turn(small);
        await app.client.send("PATCH", "/api/settings/offsite", offsiteOf(fake, { passphrase }).settings?.offsite);
        await until(app, ({ state }) => state === "problem");
      }
      turn(LONG);
      fake.instead = null;
      await using app = await sending(house, { settings: {} });
      const state = await until(app, ({ refused, waiting }) => refused.recordings === 1 && waiting.bytes === 0);
      expect(state.problem?.sentence).toBe("The file at home is damaged. It is sent when it is whole again.");
      expect([[...fake.objects.keys()], fake.uploads.size]).toEqual([[], 0]);
      await app.app.checksums.settled();
      expect(app.app.checksums.damaged.map(({ name }) => name).sort()).toEqual([small, LONG]);
      // Known as damaged it is not taken for a file of its own either.
      await ask(app, "check");
      expect([...fake.objects.keys()]).toEqual([]);
    }
  });

  test("wait and are counted while the bucket cannot be reached", async () => {
    await using fake = openFakeBucket();
    using house = new House([...EVENT, ...DRIVE]);
    await using app = await sending(house, offsiteOf(fake, { endpoint: "http://127.0.0.1:9" }));
    const state = await until(app, (one) => one.state === "problem");
    expect(state.waiting).toEqual({ recordings: 2, bytes: 3 * EVENT.length + 3 * DRIVE.length });
  });

  test("of a file that has another length since it was sent are told, and stay", async () => {
    await using fake = openFakeBucket();
    using house = new House(DRIVE);
    await using app = await sending(house, offsiteOf(fake));
    await until(app, isIdle);
    put(house, DRIVE.slice(0, 1), "longer than it was");
    const state = await ask(app, "compare");
    expect(state).toMatchObject({ refused: { recordings: 1 }, problem: { key: DRIVE[0] } });
    expect(state.problem?.sentence).toContain("The bucket holds another file of this name.");
    expect(fake.objects.get(DRIVE[0] as string)).toMatchObject({ times: 1 });
  });

  test("never take the place of another file, and say so", async () => {
    await using fake = openFakeBucket();
    using house = new House(EVENT);
    fake.objects.set(EVENT[0] as string, { bytes: new Uint8Array(88), homeHash: null, times: 1 });
    await using app = await sending(house, offsiteOf(fake));
    const state = await until(app, ({ refused }) => refused.recordings === 1);
    expect(state.problem).toMatchObject({
      key: EVENT[0],
      sentence: expect.stringContaining("Nothing there is ever written over"),
    });
    expect(fake.objects.get(EVENT[0] as string)?.bytes.length).toBe(88);
    const page = await (await app.client.fetch("/settings")).text();
    expect(page).toContain("Refused: The bucket holds another file of this name.");
    expect(page).toContain('href="/help/offsite#when-something-is-refused"');
  });

  test("keep to that also where a server knows neither conditions nor lists of parts and uploads", async () => {
    await using fake = openFakeBucket();
    using house = new House(EVENT);
    put(house, [LONG], NOISE);
    fake.objects.set(EVENT[0] as string, { bytes: new Uint8Array(88), homeHash: null, times: 1 });
    let isBroken = true;
    fake.instead = ({ method, key, query, headers }) => {
      const isList = method === "GET" && (query.has("uploads") || (key !== "" && query.has("uploadId")));
      if (headers.has("if-none-match") || isList) return bucketRefusal(501, "NotImplemented");
      return isBroken && query.get("partNumber") === "2" ? bucketRefusal(403, "AccessDenied") : null;
    };
    await using app = await sending(house, offsiteOf(fake));
    await until(app, ({ problem, state }) => state === "problem" && problem !== null);
    isBroken = false;
    await ask(app, "check");
    await until(app, ({ sent }) => sent.recordings === 1);
    expect(fake.objects.get(EVENT[0] as string)?.bytes.length).toBe(88);
    expect(fake.calls.filter(({ query }) => query.get("partNumber") === "1").length).toBe(1);
    expect(Buffer.from(fake.objects.get(LONG)?.bytes ?? []).equals(NOISE)).toBe(true);
  });

  test("that are there already are taken as sent", async () => {
    await using fake = openFakeBucket();
    using house = new House([...EVENT, ...DRIVE]);
    put(house, [LONG], NOISE);
    {
      await using app = await sending(house, offsiteOf(fake));
      await until(app, isIdle);
    }
    for (const ending of ["", "-wal", "-shm"])
      await Bun.file(join(house.folder, "config", `offsite.db${ending}`))
        .delete()
        .catch(() => {});
    await using app = await sending(house, offsiteOf(fake));
    expect(await until(app, ({ sent }) => sent.recordings === 3)).toMatchObject({ problem: null });
    requireEqual(fake, house);
  });

  test("are compared with the bucket: what is gone is sent again, what has another length is told, old uploads are ended", async () => {
    await using fake = openFakeBucket();
    using house = new House([...EVENT, ...DRIVE]);
    await using app = await sending(house, offsiteOf(fake, { prefix: "car" }));
    await until(app, isIdle);
    fake.objects.delete(`car/${EVENT[0]}`);
    fake.objects.set(`car/${DRIVE[0]}`, { bytes: new Uint8Array(5), homeHash: null, times: 1 });
    const upload = { homeHash: null, parts: new Map() };
    fake.uploads.set("old", { ...upload, key: "car/x", begunAt: Date.now() - 90_000_000 });
    fake.uploads.set("new", { ...upload, key: "car/x", begunAt: Date.now() - 1000 });
    fake.uploads.set("other", { ...upload, key: "bus/x", begunAt: Date.now() - 90_000_000 });
    const state = await ask(app, "compare");
    expect(state).toMatchObject({ sent: { recordings: 1 }, refused: { recordings: 1 } });
    expect(fake.objects.has(`car/${EVENT[0]}`)).toBe(true);
    expect([...fake.uploads.keys()].sort()).toEqual(["new", "other"]);
  });

  test("are off until an address is set", async () => {
    using house = new House(EVENT);
    await using app = await sending(house, {});
    expect(await ask(app, "check")).toMatchObject({ state: "off", problem: null });
  });

  test("need a bucket and keys", async () => {
    await using fake = openFakeBucket();
    using house = new House(EVENT);
    await using app = await sending(house, offsiteOf(fake, { secret_key: null }));
    expect((await until(app, ({ problem }) => problem !== null)).problem?.sentence).toBe(
      "The bucket, the access key or the secret key is not set.",
    );
    await app.client.send("PATCH", "/api/settings/offsite", { secret_key: fake.secretKey });
    await until(app, isIdle);
    requireEqual(fake, house);
  });

  test("wait for their hours, in the time zone of the schedule; events need not where a user wishes so", async () => {
    await using fake = openFakeBucket();
    using house = new House([...EVENT, ...DRIVE]);
    const clock = new FakeClock("2026-06-07T10:15:00Z");
    fake.now = () => clock.now();
    const { settings } = offsiteOf(fake, { from: "01:00", to: "06:00" });
    // 15:45 there.
    const schedule = { timezone: "Asia/Kolkata" };
    await using app = await sending(house, { clock, settings: { ...settings, schedule } });
    const waiting = await until(app, ({ files }) => files.length === 2);
    expect(waiting).toMatchObject({ state: "waiting", waiting: { recordings: 2 } });
    expect(waiting.files.map(({ name, state }) => [name, state])).toEqual([
      [EVENT[0], "hours"],
      [DRIVE[0], "hours"],
    ] as never);
    expect(fake.objects.size).toBe(0);
    await app.client.send("PATCH", "/api/settings/offsite", { events_at_once: true });
    const urgent = await until(app, ({ sent, state }) => sent.recordings === 1 && state === "waiting");
    expect(urgent).toMatchObject({ waiting: { recordings: 1 } });
    expect([...fake.objects.keys()].sort()).toEqual([...EVENT].sort());
    // 00:59 there.
    await clock.advance(9 * 3_600_000 + 14 * 60_000);
    expect(fake.objects.size).toBe(EVENT.length);
    await clock.advance(60_000);
    await until(app, isIdle);
    requireEqual(fake, house);
  });

  test("keep to the rate that is set, and tell how much of a file is there", async () => {
    await using fake = openFakeBucket();
    using house = new House();
    put(house, [LONG], NOISE);
    const clock = new FakeClock("2026-06-07T10:15:00Z");
    fake.now = () => clock.now();
    const part = 8 * 1024 * 1024;
    await using app = await sending(house, { clock, ...offsiteOf(fake, { rate_limit: part / 8 }) });
    const parts = () => fake.calls.filter(({ query }) => query.has("partNumber")).length;
    const first = await until(app, ({ files }) => files[0]?.sent === part);
    expect([first.state, parts()]).toEqual(["sending", 1]);
    await clock.advance(7999);
    expect(parts()).toBe(1);
    await clock.advance(1);
    await until(app, ({ files }) => files[0]?.sent === 2 * part);
    expect(parts()).toBe(2);
    await clock.advance(8000);
    await until(app, ({ sent }) => sent.recordings === 0 && parts() === 3);
    await clock.advance(8000);
    await until(app, isIdle);
    requireEqual(fake, house);
  });

  test("wait while a camera syncs", async () => {
    await using fake = openFakeBucket();
    using house = new House(EVENT);
    await using app = await startApp({ folder: house.folder, rate: 400_000, ...offsiteOf(fake, { what: "events" }) });
    await app.client.open("/");
    const early: string[] = [];
    fake.instead = ({ method, key }) => {
      if (app.app.job.isRunning && method === "PUT") early.push(key);
      return null;
    };
    app.app.job.start("manual");
    app.app.offsite.start();
    const held = await until(app, ({ state, waiting }) => state === "waiting" && waiting.bytes > 0);
    expect([held.sent.recordings, app.app.job.isRunning]).toEqual([0, true]);
    await app.synced();
    await until(app, ({ sent }) => sent.recordings === 1);
    expect(early).toEqual([]);
  });

  test("that do not get through are told after three days, counted over restarts", async () => {
    await using fake = openFakeBucket();
    using house = new House(EVENT);
    const clock = new FakeClock("2026-06-07T10:15:00Z");
    fake.instead = () => bucketRefusal(403, "AccessDenied");
    const failing = async (app: RunningApp) => (await until(app, ({ state }) => state === "problem")).problem;
    let since = "";
    {
      await using app = await sending(house, { clock, ...offsiteOf(fake) });
      since = (await failing(app))?.since ?? "";
    }
    expect(since).toBe("2026-06-07T10:15:00.000Z");
    clock.jump(3 * 86_400_000);
    await using app = await sending(house, { clock, ...offsiteOf(fake) });
    const problem = await failing(app);
    expect(problem?.since).toBe(since);
    const facts = await look(app.app, null);
    expect(facts.offsite).toEqual({ since: Date.parse(since), sentence: problem?.sentence ?? "" });
    const wanted = { events: ["offsite_failed"], camera_missing_days: 3 } as const;
    expect(afterFacts(NEW_MEMORY, facts, wanted).drafts).toMatchObject([
      {
        code: "offsite_failed",
        title: "Nothing could be sent off-site for 3\u00a0days",
        text: problem?.sentence ?? "",
        path: "/settings#offsite",
      },
    ]);
    expect(afterFacts(NEW_MEMORY, { ...facts, now: facts.now - 1 }, wanted).drafts).toEqual([]);
  });
});
