import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { ReadingPace } from "../../../server/store/destination/file_digest.ts";
import { fileAt } from "../../../server/store/destination/sums_rows.ts";
import { asPlainUser } from "../../support/disk/disks.ts";
import { SumsBench, untilSettled, video, WRITTEN } from "../../support/disk/sums_bench.ts";

const FRONT = "20260607_101500_NF.mp4";
const REAR = "20260607_101500_NR.mp4";
const GPS = "20260607_101500_N.gps";

async function openBench() {
  const bench = new SumsBench();
  bench.put(FRONT, video(300_000));
  bench.put(`2026-06/${REAR}`, video(700_000, 9));
  bench.put(GPS, "$GPRMC");
  await bench.library.refresh();
  return bench;
}

/** Reads a file of the bench, and tells what it was. */
async function check(bench: SumsBench, checksums: ReturnType<SumsBench["checksums"]>, path: string) {
  await bench.library.refresh();
  const checked = await checksums.check(fileAt(path), bench.pace(), "forget");
  return checked.kind === "damaged" ? checked.row.damage : checked.kind === "unread" ? checked.why : checked.kind;
}

describe("files that come", () => {
  test("have their checksums taken, of all their bytes, and keep them", async () => {
    using bench = await openBench();
    const checksums = bench.checksums();
    const began = bench.clock.now();
    expect(checksums.has(FRONT)).toBe(false);
    checksums.noteCame(FRONT, "");
    checksums.noteCame(REAR, "2026-06");
    await untilSettled(bench, checksums.settled());
    expect([FRONT, REAR, GPS].map((name) => checksums.has(name))).toEqual([true, true, false]);
    await checksums.close();
    const again = bench.checksums();
    const row = again.sums.read((rows) => rows.find(fileAt(`2026-06/${REAR}`)), null);
    const bytes = readFileSync(join(bench.root, "2026-06", REAR));
    expect(row).toEqual({
      ...fileAt(`2026-06/${REAR}`),
      size: 700_000,
      modified: WRITTEN * 1000,
      sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
      crc: crc32(bytes),
      isWholeVideo: true,
      takenAt: row?.checkedAt ?? 0,
      checkedAt: expect.any(Number),
      damage: null,
      damagedAt: null,
    });
    expect(row?.checkedAt).toBeGreaterThanOrEqual(began);
    expect(row?.checkedAt).toBeLessThanOrEqual(bench.clock.now());
    await again.close();
  });

  test("are read for others only until those stop", async () => {
    using bench = await openBench();
    const checksums = bench.checksums();
    expect(await checksums.digestOf(FRONT)).not.toBeNull();
    const signal = AbortSignal.abort(new Error("those have stopped"));
    await expect(checksums.digestOf(FRONT, { signal })).rejects.toThrow("those have stopped");
    await checksums.close();
  });

  test("with checksums made on the way, as from a card, are not read again at once", async () => {
    using bench = await openBench();
    const checksums = bench.checksums();
    checksums.noteCame(FRONT, "", { sha256: "ab".repeat(32), crc: 5 });
    await untilSettled(bench, checksums.settled());
    const row = checksums.sums.find(fileAt(FRONT));
    expect(row).toMatchObject({ sha256: "ab".repeat(32), crc: 5, size: 300_000, isWholeVideo: true, checkedAt: 0 });
    // They were of other bytes than those on the disk: so was the copy.
    expect(await check(bench, checksums, FRONT)).toBe("other_bytes");
    await checksums.close();
  });

  test("and are gone, or links, before they are read are not judged", async () => {
    using bench = await openBench();
    const checksums = bench.checksums();
    rmSync(join(bench.root, FRONT));
    symlinkSync(join(bench.root, GPS), join(bench.root, FRONT));
    expect(await check(bench, checksums, FRONT)).toBe("link");
    expect(await check(bench, checksums, "20260607_101600_NF.mp4")).toBe("gone");
    mkdirSync(join(bench.root, "20260607_101600_NF.mp4"));
    expect(await check(bench, checksums, "20260607_101600_NF.mp4")).toBe("link");
    expect(checksums.damaged).toEqual([]);
    await checksums.close();
  });
});

test("files that are read at the same time get each its own checksums", async () => {
  using bench = await openBench();
  const names = Array.from({ length: 8 }, (_, at) => `2026060${at + 1}_101500_NF.mp4`);
  for (const [at, name] of names.entries()) bench.put(name, video(2_000_000 + at, at));
  await bench.library.refresh();
  const checksums = bench.checksums();
  const rows = await Promise.all(names.map((name) => checksums.check(fileAt(name), bench.pace(), "forget")));
  const shas = rows.map((one) => (one.kind === "unread" ? one.why : one.row.sha256));
  const own = names.map((name) =>
    new Bun.CryptoHasher("sha256").update(readFileSync(join(bench.root, name))).digest("hex"),
  );
  expect(shas).toEqual(own);
  await checksums.close();
});

test("nothing is taken for new while the checksums cannot be read", async () => {
  using bench = await openBench();
  const first = bench.checksums();
  await check(bench, first, FRONT);
  await first.close();
  bench.damage(FRONT);
  const other = new Database(join(bench.root, ".dashdock", "sums.db"));
  other.run("begin exclusive");
  const checksums = bench.checksums();
  let outcome: unknown = null;
  void check(bench, checksums, FRONT).then((found) => {
    outcome = found;
  });
  while (outcome === null) {
    await bench.clock.advance(100);
    await new Promise(setImmediate);
  }
  expect(outcome).toBe("busy");
  other.run("rollback");
  other.close();
  expect(await check(bench, checksums, FRONT)).toBe("other_bytes");
  await checksums.close();
});

test("a file that this program puts in the place of another has its checksums taken anew", async () => {
  using bench = await openBench();
  const checksums = bench.checksums();
  await check(bench, checksums, GPS);
  // Has the same size, within the seconds that times are kept to.
  bench.put(GPS, "$GPRMX");
  checksums.noteCame(GPS, "");
  await untilSettled(bench, checksums.settled());
  expect([checksums.damaged, await check(bench, checksums, GPS)]).toEqual([[], "whole"]);
  await checksums.close();
});

describe("a file that is read again", () => {
  test("is damaged when a bit has turned over, and whole when it is back", async () => {
    using bench = await openBench();
    const checksums = bench.checksums();
    expect(await check(bench, checksums, FRONT)).toBe("taken");
    expect(await check(bench, checksums, FRONT)).toBe("whole");
    const before = readFileSync(join(bench.root, FRONT));
    bench.damage(FRONT);
    expect(await check(bench, checksums, FRONT)).toBe("other_bytes");
    expect(checksums.damaged).toMatchObject([{ path: FRONT, why: "other_bytes", since: bench.clock.now() }]);
    expect([checksums.isDamaged(FRONT), checksums.has(FRONT)]).toEqual([true, false]);
    bench.put(FRONT, before);
    expect(await check(bench, checksums, FRONT)).toBe("whole");
    expect([checksums.damaged, checksums.has(FRONT)]).toEqual([[], true]);
    expect(bench.lines).toEqual([
      `WARNING ${FRONT} is damaged: its bytes are others, though no program has written to it`,
      `INFO ${FRONT} is whole again`,
    ]);
    await checksums.close();
  });

  test("keeps its checksums when its owner moves it, and damage on the way is seen", async () => {
    using bench = await openBench();
    const checksums = bench.checksums();
    await check(bench, checksums, FRONT);
    await check(bench, checksums, `2026-06/${REAR}`);
    await checksums.sums.write();
    mkdirSync(join(bench.root, "2026"));
    renameSync(join(bench.root, FRONT), join(bench.root, "2026", FRONT));
    renameSync(join(bench.root, "2026-06", REAR), join(bench.root, "2026", REAR));
    expect(await check(bench, checksums, `2026/${FRONT}`)).toBe("whole");
    bench.damage(`2026/${REAR}`);
    expect(await check(bench, checksums, `2026/${REAR}`)).toBe("other_bytes");
    await checksums.sums.write();
    const paths = checksums.sums.read((rows) => rows.after(fileAt(GPS), 9).map(({ folder }) => folder), []);
    expect(paths).toEqual(["2026", "2026"]);
    await checksums.close();
  });

  test("has its checksums taken anew when its owner wrote to it", async () => {
    using bench = await openBench();
    const checksums = bench.checksums();
    await check(bench, checksums, FRONT);
    bench.put(FRONT, video(300_000, 8), WRITTEN + 90);
    expect(await check(bench, checksums, FRONT)).toBe("taken");
    expect(await check(bench, checksums, FRONT)).toBe("whole");
    bench.damage(FRONT);
    expect(await check(bench, checksums, FRONT)).toBe("other_bytes");
    await checksums.close();
  });

  test("is cut short when its end is missing, whatever its time", async () => {
    using bench = await openBench();
    const checksums = bench.checksums();
    await check(bench, checksums, FRONT);
    bench.put(FRONT, video(300_000).subarray(0, 100_000), WRITTEN + 90);
    expect(await check(bench, checksums, FRONT)).toBe("cut_short");
    await checksums.close();
  });

  test("a copy in another folder is a file of its own", async () => {
    using bench = await openBench();
    bench.put(`mine/${FRONT}`, video(300_000));
    const checksums = bench.checksums();
    expect(await check(bench, checksums, FRONT)).toBe("taken");
    expect(await check(bench, checksums, `mine/${FRONT}`)).toBe("taken");
    bench.damage(`mine/${FRONT}`);
    expect(await check(bench, checksums, `mine/${FRONT}`)).toBe("other_bytes");
    expect(await check(bench, checksums, FRONT)).toBe("whole");
    expect(checksums.damaged.map(({ path }) => path)).toEqual([`mine/${FRONT}`]);
    await checksums.close();
  });

  test("is not judged when this user may not read it", async () => {
    using bench = await openBench();
    const checksums = bench.checksums();
    await check(bench, checksums, FRONT);
    bench.damage(FRONT);
    await asPlainUser(bench.folder, async () => {
      chmodSync(join(bench.root, FRONT), 0o000);
      expect(await check(bench, checksums, FRONT)).toBe("denied");
    });
    expect(checksums.damaged).toEqual([]);
    await checksums.close();
  });

  test("is not judged while it is written, nor when its disk went away", async () => {
    using bench = await openBench();
    const checksums = bench.checksums();
    await check(bench, checksums, FRONT);
    const writing = { elapsed: () => 0, after: () => writeFileSync(join(bench.root, FRONT), video(300_000, 1)) };
    const written = await checksums.check(fileAt(FRONT), writing, "forget");
    expect(written).toEqual({ kind: "unread", why: "changed" });
    utimesSync(join(bench.root, FRONT), WRITTEN, WRITTEN);
    const leaving = {
      elapsed: () => 0,
      after: () => {
        bench.isHere = false;
      },
    };
    expect(await checksums.check(fileAt(FRONT), leaving, "forget")).toEqual({ kind: "unread", why: "away" });
    expect(checksums.damaged).toEqual([]);
    bench.isHere = true;
    expect(await check(bench, checksums, FRONT)).toBe("other_bytes");
    await checksums.close();
  });
});

test("the checksums of a folder are not written into another one that is used from now on", async () => {
  using bench = await openBench();
  const checksums = bench.checksums();
  bench.place.begin(null);
  await check(bench, checksums, FRONT);
  await checksums.sums.write();
  await check(bench, checksums, `2026-06/${REAR}`);
  const before = `${bench.root}.before`;
  renameSync(bench.root, before);
  mkdirSync(bench.root);
  bench.place.forget();
  checksums.forgetFolder();
  await checksums.rest();
  expect(readdirSync(bench.root)).toEqual([]);
  const bytes = readFileSync(join(before, ".dashdock/sums.db"));
  bench.put(GPS, "$GPRMC");
  expect(await check(bench, checksums, GPS)).toBe("taken");
  await checksums.close();
  expect(readFileSync(join(before, ".dashdock/sums.db"))).toEqual(bytes);
  const rows = bench.checksums().sums.between(fileAt(FRONT).moment, fileAt(GPS).moment);
  expect(rows.map(({ ending }) => ending)).toEqual([fileAt(GPS).ending]);
});

test("a file that was being read when another folder was chosen has no checksums there", async () => {
  using bench = await openBench();
  const checksums = bench.checksums();
  const limits = bench.pace();
  const pace: ReadingPace = {
    after: (...piece) => {
      checksums.forgetFolder();
      return limits.after(...piece);
    },
    elapsed: () => limits.elapsed(),
  };
  const checked = await checksums.check(fileAt(FRONT), pace, "forget");
  expect(checked).toEqual({ kind: "unread", why: "away" });
  await checksums.close();
  expect(bench.checksums().has(FRONT)).toBe(false);
});
