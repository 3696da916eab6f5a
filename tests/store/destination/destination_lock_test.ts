import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { failureOf } from "../../../server/engine/transfer/failure_of_error.ts";
import { Log } from "../../../server/log.ts";
import {
  acquireLock,
  LockFailed,
  LockHeld,
  type LockHolder,
} from "../../../server/store/destination/destination_lock.ts";
import { type FlockOutcome, outcomeOf } from "../../../server/store/destination/flock.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { asPlainUser } from "../../support/disk/disks.ts";

const HOLDER: LockHolder = { command: "sync", pid: 7, host: "nas", startedAt: "2026-06-07T10:15:00Z" };
const OTHER: LockHolder = { command: "serve", pid: 1, host: "4f2a", startedAt: "2026-06-07T10:20:00Z" };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "lock-"));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function refusal(take: () => unknown): Error {
  try {
    take();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("it was not refused");
}

describe("the kernel's lock", () => {
  test("excludes a second sync, which learns who holds it", () => {
    const lock = acquireLock(root, HOLDER);
    const error = refusal(() => acquireLock(root, OTHER));
    expect(error).toBeInstanceOf(LockHeld);
    expect((error as LockHeld).holder).toEqual(HOLDER);
    expect(error.message).toBe("another sync is using this folder: sync on nas, process 7, since 2026-06-07T10:15:00Z");
    lock.release();
    lock.release();
    acquireLock(root, OTHER).release();
  });

  test("leaves an empty file and nothing else", () => {
    const lock = acquireLock(root, HOLDER);
    expect(JSON.parse(readFileSync(join(root, ".dashdock.lock"), "utf8"))).toEqual(HOLDER);
    lock.release();
    expect(readdirSync(root)).toEqual([".dashdock.lock"]);
    expect(readFileSync(join(root, ".dashdock.lock"), "utf8")).toBe("");
  });

  test("may be taken by another container whose user is of the same group, and by no other user", () => {
    mkdirSync(join(root, ".dashdock"));
    for (const file of [".dashdock.lock", join(".dashdock", "lock")]) {
      acquireLock(root, HOLDER, { file }).release();
      expect([file, (statSync(join(root, file)).mode & 0o777).toString(8)]).toEqual([file, "660"]);
    }
  });

  test.if(process.getuid?.() === 0)("belongs to the folder's owner when root makes it (needs root)", () => {
    chownSync(root, 12_345, 23_456);
    acquireLock(root, HOLDER).release();
    const { uid, gid } = statSync(join(root, ".dashdock.lock"));
    expect([uid, gid]).toEqual([12_345, 23_456]);
  });

  test("what an earlier process left in the file means nothing", () => {
    for (const content of ["", "garbage", '{"pid":"x"}', "x".repeat(100_000), JSON.stringify(OTHER)]) {
      writeFileSync(join(root, ".dashdock.lock"), content);
      const lock = acquireLock(root, HOLDER);
      expect(JSON.parse(readFileSync(join(root, ".dashdock.lock"), "utf8"))).toEqual(HOLDER);
      lock.release();
    }
  });

  test("a holder whose line cannot be read is just somebody", () => {
    const lock = acquireLock(root, HOLDER);
    for (const content of ["", "garbage", '{"pid":"x"}', "null"]) {
      writeFileSync(join(root, ".dashdock.lock"), content);
      const error = refusal(() => acquireLock(root, OTHER));
      expect((error as LockHeld).holder).toBeNull();
      expect(error.message).toBe("another sync is using this folder; it did not say who it is");
    }
    lock.release();
  });

  test("reading the file from outside does not loosen it", () => {
    const lock = acquireLock(root, HOLDER);
    readFileSync(join(root, ".dashdock.lock"));
    expect(refusal(() => acquireLock(root, OTHER))).toBeInstanceOf(LockHeld);
    lock.release();
  });

  test("of another process counts, and is gone when that process is killed", async () => {
    const script = `
      import { acquireLock } from ${JSON.stringify(join(import.meta.dir, "../../../server/store/destination/destination_lock.ts"))};
      acquireLock(${JSON.stringify(root)}, ${JSON.stringify(OTHER)});
      console.log("held");
      setInterval(() => {}, 1000);
    `;
    await using child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
    const { value } = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toContain("held");
    expect((refusal(() => acquireLock(root, HOLDER)) as LockHeld).holder).toEqual(OTHER);
    child.kill("SIGKILL");
    await child.exited;
    acquireLock(root, HOLDER).release();
  });

  test("can be taken and given back any number of times", () => {
    const descriptors = () => (process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0);
    const before = descriptors();
    for (let round = 0; round < 200; round++) {
      const lock = acquireLock(root, HOLDER);
      refusal(() => acquireLock(root, OTHER));
      lock.release();
    }
    expect(descriptors()).toBeLessThanOrEqual(before + 1);
  });
});

describe("a folder that cannot be locked says so in one sentence", () => {
  test.each<[string, () => string, string, RegExp]>([
    ["vanished", () => join(root, "gone"), "ENOENT", /is not there; is its disk mounted\?$/],
    [
      "not a folder",
      () => {
        writeFileSync(join(root, "file"), "");
        return join(root, "file");
      },
      "ENOTDIR",
      /is not a folder$/,
    ],
    [
      "with a link for a lock file",
      () => {
        writeFileSync(join(root, "precious"), "precious");
        symlinkSync(join(root, "precious"), join(root, ".dashdock.lock"));
        return root;
      },
      "ELOOP",
      /has a link where its lock file belongs; remove \.dashdock\.lock$/,
    ],
    [
      "with a folder for a lock file",
      () => {
        mkdirSync(join(root, ".dashdock.lock"));
        return root;
      },
      "EISDIR",
      /cannot be locked \(EISDIR\)$/,
    ],
  ])("%s", (_, make, code, text) => {
    const error = refusal(() => acquireLock(make(), HOLDER));
    expect(error).toBeInstanceOf(LockFailed);
    expect((error as LockFailed).code).toBe(code);
    expect(error.message).toMatch(text);
    if (existsSync(join(root, "precious"))) expect(readFileSync(join(root, "precious"), "utf8")).toBe("precious");
  });

  test("not ours to write", () =>
    asPlainUser(root, async () => {
      chmodSync(root, 0o555);
      expect(refusal(() => acquireLock(root, HOLDER)).message).toMatch(/may not be written by this user$/);
      chmodSync(root, 0o755);
    }));

  test("a lock file we may only read is locked all the same", () =>
    asPlainUser(root, async () => {
      writeFileSync(join(root, ".dashdock.lock"), "");
      chmodSync(join(root, ".dashdock.lock"), 0o444);
      const lock = acquireLock(root, HOLDER);
      expect(refusal(() => acquireLock(root, OTHER))).toBeInstanceOf(LockHeld);
      lock.release();
    }));
});

describe("a lock call that fails is not another sync", () => {
  const { errno } = constants;
  test("only the kernel's own word for it is", () => {
    const rows: [number, unknown][] = [
      [0, "locked"],
      [errno.EAGAIN, "held"],
      [errno.ENOLCK, "unsupported"],
      [errno.EOPNOTSUPP, "unsupported"],
      [errno.EIO, { failed: "EIO" }],
      [errno.ESTALE, { failed: "ESTALE" }],
    ];
    for (const [answer, outcome] of rows) expect(outcomeOf(() => answer)).toEqual(outcome as FlockOutcome);
  });

  test("and an interrupted call is made again, but not for ever", () => {
    const answers = [errno.EINTR, errno.EINTR, 0];
    expect(outcomeOf(() => answers.shift() ?? 0)).toBe("locked");
    expect(outcomeOf(() => errno.EINTR)).toEqual({ failed: "EINTR" });
  });

  test.each([
    ["EIO", /is on a disk that reports an input\/output error; check its health$/],
    ["ENOTCONN", /is not connected any more; is its disk mounted\?$/],
    ["EPROTO", /cannot be locked \(EPROTO\)$/],
  ])("%s is said in plain words, and nothing is left open or claimed", (code, words) => {
    const error = refusal(() => acquireLock(root, HOLDER, { flock: () => ({ failed: code }) }));
    expect(error).toBeInstanceOf(LockFailed);
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(failureOf(error)).toMatchObject({ kind: "trouble", reason: "unknown" });
    expect(readdirSync(root)).toEqual([".dashdock.lock"]);
    acquireLock(root, HOLDER).release();
  });
});

describe("a filesystem without locks", () => {
  const flock = (): FlockOutcome => "unsupported";
  const claim = () => join(root, ".dashdock.lock.claim");
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  let clock: FakeClock;
  let log: Log;
  beforeEach(() => {
    clock = new FakeClock();
    log = new Log(clock);
  });
  const take = (holder: LockHolder) => acquireLock(root, holder, { clock, log, flock });
  const age = (seconds: number) => {
    const at = new Date(statSync(claim()).mtimeMs - seconds * 1000);
    utimesSync(claim(), at, at);
  };

  test("a claim file excludes others, says who it is, warns, and goes away", async () => {
    const lock = take(HOLDER);
    expect(log.lines.map(({ level }) => level)).toEqual(["WARNING"]);
    expect((refusal(() => take(OTHER)) as LockHeld).holder).toEqual(HOLDER);
    lock.release();
    lock.release();
    await turn();
    expect(clock.sleeping).toBe(0);
    expect(readdirSync(root)).toEqual([".dashdock.lock"]);
    take(OTHER).release();
  });

  test("the claim is renewed every half minute while it counts", async () => {
    const lock = take(HOLDER);
    for (let beat = 0; beat < 3; beat++) {
      age(119);
      expect(refusal(() => take(OTHER))).toBeInstanceOf(LockHeld);
      const old = statSync(claim()).mtimeMs;
      await clock.advance(30_000);
      expect(statSync(claim()).mtimeMs).toBeGreaterThan(old + 100_000);
    }
    lock.release();
  });

  test.each([121, 86_400, -86_400])("a claim without a sign for %d s is nobody's", async (seconds) => {
    writeFileSync(claim(), JSON.stringify({ ...OTHER, id: "dead" }));
    age(seconds);
    const lock = take(HOLDER);
    expect(JSON.parse(readFileSync(claim(), "utf8"))).toMatchObject(HOLDER);
    expect(readdirSync(root).sort()).toEqual([".dashdock.lock", ".dashdock.lock.claim"]);
    lock.release();
  });

  test("a claim that was taken away is not renewed and not removed", async () => {
    const lock = take(HOLDER);
    writeFileSync(claim(), "somebody else's");
    await clock.advance(30_000);
    expect(log.lines.at(-1)?.message).toContain("was taken away");
    expect(clock.sleeping).toBe(0);
    lock.release();
    expect(readFileSync(claim(), "utf8")).toBe("somebody else's");
  });
});
