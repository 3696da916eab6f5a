import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../server/clock.ts";
import { StopRequested } from "../../../server/engine/transfer/failure_of_error.ts";
import { acquireLock, lockHolder } from "../../../server/store/destination/destination_lock.ts";
import { EVENT, FRONT, ImportBench, leftBy, REAR, videoOf } from "../../support/app/import.ts";
import { untilSize } from "../../support/app/process.ts";
import { asPlainUser, mayMount, SmallDisk } from "../../support/disk/disks.ts";

// Real disks and long files: five seconds are too little on a busy machine.
setDefaultTimeout(40_000);

const LONG = 400_000_000;
const THUMB = FRONT.replace("mp4", "thm");
const GPS = "20260607_101500_N.gps";

describe("names", () => {
  test("in any case come home under the right one, with companions, from a folder above", async () => {
    using bench = new ImportBench();
    bench.put("20260607_101500_nf.MP4", videoOf(5000, 1));
    bench.put("20260607_101500_NF.THM", "picture");
    bench.put("20260607_101500_n.Gps", "track");
    bench.put("20260607_101500_N.3gf", "forces");
    bench.putAt("elsewhere/deep/20260607_101500_NR.mp4", videoOf(5000, 2));
    const { failure, counts } = await bench.import({ grouping: "daily" });
    expect(failure).toBeNull();
    expect(counts).toMatchObject({ recordings: 2, files: 5, present: 0, removed: 0, left: [] });
    const names = [FRONT, THUMB, REAR, GPS, "20260607_101500_N.3gf"].map((name) => `2026-06-07/${name}`);
    expect(await bench.homeFiles()).toEqual(names.sort());
    expect(await bench.bytesAtHome(`2026-06-07/${FRONT}`)).toEqual(Buffer.from(videoOf(5000, 1)));
    expect((await bench.cardFiles()).length).toBe(5);
  });

  test("that are no recording's are told and left, hidden folders are not looked into", async () => {
    using bench = new ImportBench();
    bench.put(FRONT);
    bench.put("20261407_101500_NF.mp4");
    bench.putAt("BlackVue/Config/config.ini", "x");
    bench.putAt("DCIM/IMG_0001.JPG", "x");
    bench.putAt(`.Trashes/${EVENT}`, videoOf(10));
    bench.putAt(`.dashdock/trash/${EVENT}`, videoOf(10));
    const result = await bench.import();
    expect(leftBy(result)).toEqual({ foreign: 2, impossible: 1 });
    expect(result.counts.left[0]?.first).toEqual(["DCIM/IMG_0001.JPG", "BlackVue/Config/config.ini"]);
    expect(await bench.homeFiles()).toEqual([FRONT]);
  });

  test("twice on the card come once, and the other is compared", async () => {
    using bench = new ImportBench();
    for (let minute = 10; minute < 30; minute++) {
      const name = `20260608_08${minute}00_NF.mp4`;
      bench.putAt(`a/${name}`, videoOf(1000, 1));
      bench.putAt(`copy/${name.toLowerCase()}`, videoOf(1000, 1));
      bench.putAt(`other/${name}`, videoOf(1000, 2));
    }
    const result = await bench.import();
    expect(result.counts).toMatchObject({ recordings: 20, present: 20 });
    expect(leftBy(result)).toEqual({ differs: 20 });
    expect((await bench.homeFiles()).length).toBe(20);
  });
});

describe("links", () => {
  test("are never followed: not to files, not to folders, not in a circle", async () => {
    using bench = new ImportBench();
    const outside = join(bench.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, REAR), videoOf(10));
    bench.put(FRONT);
    symlinkSync(join(outside, REAR), join(bench.card, "BlackVue", "Record", REAR));
    symlinkSync(outside, join(bench.card, "outside"));
    symlinkSync(bench.card, join(bench.card, "BlackVue", "circle"));
    symlinkSync("nowhere", join(bench.card, EVENT));
    const result = await bench.import();
    expect(leftBy(result)).toEqual({ link: 4 });
    expect(await bench.homeFiles()).toEqual([FRONT]);
  });

  test("and other things that are no files are left without waiting for them", async () => {
    using bench = new ImportBench();
    execFileSync("mkfifo", [join(bench.card, REAR)]);
    bench.put(FRONT);
    expect(leftBy(await bench.import())).toEqual({ foreign: 1 });
  });
});

describe("what cannot be read", () => {
  test("a file and a folder are told, and all others come", async () => {
    using bench = new ImportBench();
    const file = bench.put(FRONT);
    bench.put(REAR);
    bench.putAt(`closed/${EVENT}`, videoOf(10));
    await asPlainUser(bench.root, async () => {
      chmodSync(file, 0);
      chmodSync(join(bench.card, "closed"), 0);
      const result = await bench.import();
      chmodSync(join(bench.card, "closed"), 0o755);
      expect(result.failure).toBeNull();
      expect(leftBy(result)).toEqual({ unreadable: 2 });
      expect(result.counts.left[0]?.first).toEqual(["closed", `BlackVue/Record/${FRONT}`]);
    });
    expect(await bench.homeFiles()).toEqual([REAR]);
  });

  test("the folder itself ends the import with a sentence, and nothing else is blamed for it", async () => {
    using bench = new ImportBench();
    const { failure } = await bench.import({ folder: join(bench.root, "nothing") });
    expect(failure).toMatchObject({ kind: "trouble", message: expect.stringContaining("was the card taken out") });
  });
});

describe("whole or not", () => {
  test("a video whose end is missing is left with its companions while it is fresh, and later taken as it is", async () => {
    using bench = new ImportBench();
    const torn = videoOf(5000).subarray(0, 3000);
    const path = bench.put(FRONT, torn);
    bench.put(THUMB, "picture");
    bench.put(REAR);
    const first = await bench.import();
    expect(leftBy(first)).toEqual({ unfinished: 2 });
    expect(await bench.homeFiles()).toEqual([REAR]);
    // The clock of a card may be that of another zone.
    utimesSync(path, Date.now() / 1000 + 3600, Date.now() / 1000 + 3600);
    expect(leftBy(await bench.import())).toEqual({ unfinished: 2 });

    utimesSync(path, Date.now() / 1000 - 700, Date.now() / 1000 - 700);
    const second = await bench.import();
    expect(second.counts).toMatchObject({ recordings: 1, files: 2, left: [] });
    expect(await bench.bytesAtHome(FRONT)).toEqual(Buffer.from(torn));
  });

  test("a longer video than is allowed, and an empty file, are told", async () => {
    using bench = new ImportBench();
    bench.put(FRONT, videoOf(5000));
    bench.put(REAR, "");
    bench.put(EVENT);
    expect(leftBy(await bench.import({ maxVideoBytes: 4000 }))).toEqual({ "too-long": 1, empty: 1 });
    expect(await bench.homeFiles()).toEqual([EVENT]);
  });
});

describe("what is at home", () => {
  test("counts as present wherever it lies, when it is the same", async () => {
    using bench = new ImportBench();
    bench.put(FRONT, videoOf(9_000_000, 1));
    bench.put(THUMB, "picture");
    bench.atHome(`my trip/${FRONT}`, videoOf(9_000_000, 1));
    bench.atHome(`2026/${THUMB}`, "picture");
    const result = await bench.import({ grouping: "daily" });
    expect(result.counts).toMatchObject({ recordings: 0, files: 0, present: 2, left: [] });
    expect(await bench.homeFiles()).toEqual([`2026/${THUMB}`, `my trip/${FRONT}`]);
  });

  test("is never written over: what differs is told, and both stay", async () => {
    using bench = new ImportBench();
    const home = videoOf(3000, 1);
    bench.put(FRONT, videoOf(3000, 2));
    bench.put(REAR, videoOf(4000, 1));
    bench.put(THUMB, "another");
    for (const [name, bytes] of [
      [FRONT, home],
      [REAR, home],
      [THUMB, "picture"],
    ] as const)
      bench.atHome(name, bytes);
    const result = await bench.import({ move: true });
    expect(leftBy(result)).toEqual({ differs: 3 });
    expect(await bench.bytesAtHome(FRONT)).toEqual(Buffer.from(home));
    expect((await bench.cardFiles()).length).toBe(3);
  });

  test("may be the second recording of a name", async () => {
    using bench = new ImportBench();
    bench.put(FRONT, videoOf(3000, 2));
    bench.atHome(FRONT, videoOf(3000, 1));
    bench.atHome(FRONT.replace(".mp4", ".2.mp4"), videoOf(3000, 2));
    expect((await bench.import()).counts).toMatchObject({ present: 1, left: [] });
  });

  test("is not imported from below the folder", async () => {
    using bench = new ImportBench();
    bench.put(FRONT);
    bench.atHome(REAR, videoOf(10));
    const { counts } = await bench.import({ folder: bench.root });
    expect(counts).toMatchObject({ recordings: 1, present: 0, left: [] });
  });

  test("is there at the same moment: the same bytes count as present, others as in the way", async () => {
    for (const isSame of [true, false]) {
      using bench = new ImportBench();
      const path = bench.putLong(FRONT, LONG);
      const importing = bench.import();
      await untilSize(join(bench.home, `.${FRONT}`), 1);
      if (isSame) execFileSync("cp", ["--sparse=always", path, join(bench.home, FRONT)]);
      else bench.atHome(FRONT, "mine");
      const result = await importing;
      expect(result.counts).toMatchObject({ recordings: 0, present: isSame ? 1 : 0 });
      expect(leftBy(result)).toEqual(isSame ? {} : { "in-the-way": 1 });
      expect(await bench.homeFiles()).toEqual([FRONT]);
      if (!isSame) expect(readFileSync(join(bench.home, FRONT), "utf8")).toBe("mine");
    }
  });

  test("was deleted there: it does not come again", async () => {
    using bench = new ImportBench();
    bench.put(FRONT);
    bench.put(REAR);
    bench.put(EVENT);
    bench.atHome(".dashdock/deleted", "20260607_101500_N\n");
    expect(leftBy(await bench.import())).toEqual({ deleted: 2 });
  });
});

describe("the disk at home", () => {
  test("is never filled beyond its limit, which ends the import", async () => {
    using bench = new ImportBench();
    bench.put(FRONT);
    const { failure } = await bench.import({ maxUsedDiskPercent: 0 });
    expect(failure).toMatchObject({ kind: "trouble", reason: "disk" });
    expect(await bench.homeFiles()).toEqual([]);
  });

  describe.skipIf(!mayMount())("as one of its own (needs the right to mount)", () => {
    test("has no room for one file, and smaller ones come", async () => {
      using bench = new ImportBench();
      using _ = new SmallDisk(bench.home, "8m");
      bench.putLong(FRONT, 20_000_000);
      bench.put(EVENT);
      const result = await bench.import();
      expect(result.failure).toBeNull();
      expect(leftBy(result)).toEqual({ "no-room": 1 });
      expect(await bench.homeFiles()).toEqual([EVENT]);
    });

    test("is full in the middle: the import ends, nothing half is left, and the next one goes on", async () => {
      using bench = new ImportBench();
      using disk = new SmallDisk(bench.home, "300m");
      bench.put(REAR);
      bench.putLong(EVENT, 250_000_000);
      const importing = bench.import();
      await untilSize(join(bench.home, `.${EVENT}`), 1);
      disk.fill();
      const { failure } = await importing;
      expect(failure).toMatchObject({ kind: "trouble", reason: "disk" });
      expect(await bench.homeFiles()).toEqual([REAR, "fill"].sort());

      disk.free();
      const again = await bench.import();
      expect(again.counts).toMatchObject({ recordings: 1, present: 1, left: [] });
    });
  });
});

describe("an import that does not come to its end", () => {
  test("keeps what came after a stop, and goes on behind the partial", async () => {
    using bench = new ImportBench();
    bench.put(FRONT);
    const path = bench.putLong(EVENT, LONG);
    const stopping = new AbortController();
    const importing = bench.import({ signal: stopping.signal });
    await untilSize(join(bench.home, `.${EVENT}`), 1);
    stopping.abort(new StopRequested());
    const stopped = await importing;
    expect(stopped.failure).toMatchObject({ kind: "stopped", message: "import stopped by user" });
    expect(await bench.homeFiles()).toEqual([`.${EVENT}`, FRONT]);

    const { counts } = await bench.import();
    expect(counts).toMatchObject({ recordings: 1, present: 1, left: [] });
    expect(await bench.homeFiles()).toEqual([FRONT, EVENT]);
    execFileSync("cmp", [path, join(bench.home, EVENT)]);
  });

  test("takes a partial of other bytes for none of its own", async () => {
    using bench = new ImportBench();
    bench.put(FRONT, videoOf(50_000, 1));
    bench.atHome(`.${FRONT}`, videoOf(90_000, 2));
    expect((await bench.import()).counts).toMatchObject({ recordings: 1 });
    expect(await bench.bytesAtHome(FRONT)).toEqual(Buffer.from(videoOf(50_000, 1)));
    expect(await bench.homeFiles()).toEqual([FRONT]);
  });

  test("removes a partial whose file is at home, and no other", async () => {
    using bench = new ImportBench();
    const bytes = videoOf(50_000, 1);
    bench.put(FRONT, bytes);
    bench.put(REAR, bytes);
    bench.atHome(FRONT, bytes);
    bench.atHome(REAR, bytes);
    bench.atHome(`.${FRONT}`, bytes.subarray(0, 20_000));
    bench.atHome(`.${REAR}`, videoOf(20_000, 2));
    expect((await bench.import()).counts).toMatchObject({ present: 2 });
    expect(await bench.homeFiles()).toEqual([`.${REAR}`, FRONT, REAR]);
  });

  test("ends when the card is taken out, with one sentence and not one for each file", async () => {
    using bench = new ImportBench();
    bench.putLong(FRONT, LONG);
    for (let minute = 10; minute < 40; minute++) bench.put(`20260608_08${minute}00_NF.mp4`);
    const importing = bench.import();
    await untilSize(join(bench.home, `.${FRONT}`), 1);
    rmSync(bench.card, { recursive: true });
    const result = await importing;
    expect(result.failure?.message).toContain("was the card taken out");
    expect(leftBy(result)).toEqual({});
  });

  test("does not begin while a sync has the folder, and says which", async () => {
    using bench = new ImportBench();
    bench.put(FRONT);
    mkdirSync(bench.home);
    const lock = acquireLock(bench.home, lockHolder("sync", systemClock));
    const { failure } = await bench.import();
    lock.release();
    expect(failure).toMatchObject({
      kind: "locked",
      message: expect.stringContaining("another sync is using this folder: sync on "),
    });
    expect(await bench.homeFiles()).toEqual([]);
  });
});

describe("moving", () => {
  test("removes from the card what came and what is the same at home, and nothing else", async () => {
    using bench = new ImportBench();
    bench.put(FRONT, videoOf(9_000_000, 1));
    bench.put(THUMB, "picture");
    bench.put(REAR, videoOf(9_000_000, 1));
    const changed = videoOf(9_000_000, 1);
    // Longer videos are compared at some places otherwise.
    changed[4_321_000] = 9;
    bench.put(EVENT, changed);
    bench.atHome(REAR, videoOf(9_000_000, 1));
    bench.atHome(EVENT, videoOf(9_000_000, 1));
    bench.putAt("DCIM/mine.jpg", "x");
    const result = await bench.import({ move: true });
    expect(result.counts).toMatchObject({ recordings: 1, files: 2, present: 1, removed: 3 });
    expect(leftBy(result)).toEqual({ foreign: 1, differs: 1 });
    expect(await bench.cardFiles()).toEqual([`BlackVue/Record/${EVENT}`, "DCIM/mine.jpg"]);
  });

  test("removes nothing in a dry run, which brings nothing either", async () => {
    using bench = new ImportBench();
    bench.put(FRONT);
    bench.put(REAR);
    bench.atHome(REAR, videoOf(1000));
    const { counts } = await bench.import({ move: true, dryRun: true });
    expect(counts).toMatchObject({ recordings: 1, present: 1, removed: 0 });
    expect(await bench.homeFiles()).toEqual([REAR]);
    expect((await bench.cardFiles()).length).toBe(2);
  });

  test("removes no file that is the one at home by another path", async () => {
    using bench = new ImportBench();
    bench.atHome(FRONT, videoOf(1000));
    bench.put(REAR);
    linkSync(join(bench.home, FRONT), join(bench.card, "BlackVue", "Record", FRONT));
    const result = await bench.import({ move: true });
    expect(result.counts).toMatchObject({ recordings: 1, present: 1, removed: 1 });
    expect(leftBy(result)).toEqual({ "not-removed": 1 });
    expect(await bench.cardFiles()).toEqual([`BlackVue/Record/${FRONT}`]);
    expect(await bench.homeFiles()).toEqual([FRONT, REAR]);
  });

  test("tells what the card does not let go", async () => {
    using bench = new ImportBench();
    bench.put(FRONT);
    await asPlainUser(bench.root, async () => {
      chmodSync(join(bench.card, "BlackVue", "Record"), 0o555);
      const result = await bench.import({ move: true });
      chmodSync(join(bench.card, "BlackVue", "Record"), 0o755);
      expect(result.counts).toMatchObject({ recordings: 1, removed: 0 });
      expect(leftBy(result)).toEqual({ "not-removed": 1 });
    });
    expect(existsSync(join(bench.card, "BlackVue", "Record", FRONT))).toBe(true);
  });
});

test("a failure of the camera does not keep a file from coming, and its marker goes", async () => {
  using bench = new ImportBench();
  bench.put(FRONT);
  bench.atHome(`${FRONT}.failed`, new Date().toISOString());
  expect((await bench.import()).counts.recordings).toBe(1);
  expect(await bench.homeFiles()).toEqual([FRONT]);
});

test("20,000 files are looked through while others run", async () => {
  using bench = new ImportBench();
  const video = videoOf(100);
  for (let at = 0; at < 10_000; at++) {
    const hour = String(Math.floor(at / 3600)).padStart(2, "0");
    const minute = String(Math.floor(at / 60) % 60).padStart(2, "0");
    const name = `20260607_${hour}${minute}${String(at % 60).padStart(2, "0")}_N`;
    bench.put(`${name}F.mp4`, video);
    bench.put(`${name}F.thm`, "picture");
  }
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  count();
  const { counts, failure } = await bench.import({ dryRun: true });
  isOver = true;
  expect(failure).toBeNull();
  expect(counts).toMatchObject({ recordings: 10_000, files: 20_000, left: [] });
  // Each file is opened by itself, and leaves a turn.
  expect(turns).toBeGreaterThan(10_000);
});
