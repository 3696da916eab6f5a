import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TimeStamps } from "../../../server/engine/pack/time_stamps.ts";
import { Log } from "../../../server/log.ts";
import { StampFiles } from "../../../server/store/config/stamp_files.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { type OwnAuthority, ownAuthority } from "../../support/pack/own_authority.ts";

const hasOpenssl = Bun.which("openssl") !== null;
const SUMS = new TextEncoder().encode("a list\n");
const NEVER = new AbortController().signal;
const NONE = { stamp: null, state: "failed" } as const;

describe.skipIf(!hasOpenssl)("time stamps", () => {
  let authority: OwnAuthority;
  let folder: string;
  let clock: FakeClock;
  let told: string[];
  beforeAll(() => {
    authority = ownAuthority();
  });
  afterAll(() => authority[Symbol.dispose]());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "stamps-"));
    clock = new FakeClock();
    told = [];
  });
  afterEach(() => {
    authority.instead = null;
    rmSync(folder, { recursive: true });
  });
  const open = (limitMs = 10_000) =>
    new TimeStamps({
      files: new StampFiles(join(folder, "timestamps")),
      clock,
      log: new Log(clock, [({ message }) => told.push(message)]),
      limitMs,
    });

  test("are those that OpenSSL checks, asked for once, and kept over a restart", async () => {
    const stamps = open();
    const before = authority.requests.length;
    const all = await Promise.all(Array.from({ length: 5 }, () => stamps.of(SUMS, authority.address, NEVER)));
    const [first] = all;
    expect(all.map(({ state }) => state)).toEqual(Array(5).fill("stamped"));
    expect(authority.requests.length).toBe(before + 1);
    // The list itself never leaves the house.
    expect(Buffer.from(authority.requests.at(-1) ?? []).includes("list")).toBe(false);
    expect(await open().of(SUMS, authority.address, NEVER)).toEqual(first as NonNullable<typeof first>);
    expect(authority.requests.length).toBe(before + 1);
    writeFileSync(join(folder, "list"), SUMS);
    writeFileSync(join(folder, "stamp.tsr"), first?.stamp ?? new Uint8Array());
    const command = ["openssl", "ts", "-verify", "-data", "list", "-in", "stamp.tsr", "-CAfile", authority.certificate];
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder });
    expect([exitCode, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining("Verification: OK")]);
  });

  test("are left out where none is asked for, and for no answer that is one of ours", async () => {
    expect(await open().of(SUMS, null, NEVER)).toEqual({ stamp: null, state: "off" });
    for (const [instead, words] of [
      [() => new Response("no", { status: 500 }), "answered with status 500"],
      [() => new Response(null, { status: 302, headers: { location: authority.address } }), "answered with status 302"],
      [() => new Response("<html>"), "sent no time stamp of this hash"],
      [() => new Response(new Uint8Array(300_000)), "sent too much"],
      [
        (stamp: Uint8Array<ArrayBuffer>) => {
          const at = Buffer.from(stamp).indexOf(new Bun.CryptoHasher("sha256").update(SUMS).digest());
          return new Response(stamp.with(at, (stamp[at] ?? 0) ^ 1));
        },
        "sent no time stamp of this hash",
      ],
    ] as const) {
      authority.instead = instead;
      told.length = 0;
      expect(await open().of(SUMS, authority.address, NEVER)).toEqual(NONE);
      expect(told).toEqual([expect.stringContaining(words)]);
    }
    expect(await open().of(SUMS, "http://127.0.0.1:1/tsa", NEVER)).toEqual(NONE);
  });

  test("that do not come in time are left out, and not asked for again in the next hour", async () => {
    authority.instead = () => new Promise(() => {});
    const stamps = open(1000);
    expect(await stamps.of(SUMS, authority.address, NEVER)).toEqual(NONE);
    expect(told).toEqual([expect.stringContaining("did not answer within 1 s")]);
    authority.instead = null;
    const before = authority.requests.length;
    expect(await stamps.of(SUMS, authority.address, NEVER)).toEqual(NONE);
    expect(authority.requests.length).toBe(before);
    // Another address was not asked yet.
    expect(await stamps.of(SUMS, `${authority.address}?other`, NEVER)).toMatchObject({ state: "stamped" });
  });

  test("are asked for again after an hour", async () => {
    authority.instead = () => new Response("no", { status: 503 });
    const stamps = open();
    expect(await stamps.of(SUMS, authority.address, NEVER)).toEqual(NONE);
    authority.instead = null;
    await clock.advance(3_600_000);
    expect(await stamps.of(SUMS, authority.address, NEVER)).toMatchObject({ state: "stamped" });
  });

  test("let a client go, and are there for the next one", async () => {
    const gone = new AbortController();
    const release = Promise.withResolvers<void>();
    authority.instead = async (stamp) => {
      gone.abort(new Error("gone"));
      await release.promise;
      return new Response(stamp);
    };
    const stamps = open();
    await expect(stamps.of(SUMS, authority.address, gone.signal)).rejects.toThrow("gone");
    release.resolve();
    expect(await stamps.of(SUMS, authority.address, NEVER)).toMatchObject({ state: "stamped" });
  });

  test("of which a file is damaged are asked for anew, and the oldest of many go", async () => {
    const files = new StampFiles(join(folder, "timestamps"), 3);
    const hashes = Array.from({ length: 5 }, (_, at) => String(at).repeat(64));
    for (const hash of hashes) await files.keep(hash, new Uint8Array(9));
    expect(readdirSync(join(folder, "timestamps"))).toHaveLength(3);
    const hash = new Bun.CryptoHasher("sha256").update(SUMS).digest("hex");
    await files.keep(hash, new TextEncoder().encode("damaged"));
    expect(await open().of(SUMS, authority.address, NEVER)).toMatchObject({ state: "stamped" });
  });
});
