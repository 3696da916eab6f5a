import { describe, expect, test } from "bun:test";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../server/clock.ts";
import { checksumsOfCommand } from "../../../server/commands/command_checksums.ts";
import type { Checksums } from "../../../server/engine/checksums/checksums.ts";
import { NEVER_READ } from "../../../server/engine/checksums/file_check.ts";
import { LimitedPace, NO_LIMITS } from "../../../server/engine/checksums/reading_pace.ts";
import { Log } from "../../../server/log.ts";
import { DestinationIdentity } from "../../../server/store/destination/destination_identity.ts";
import { fileAt } from "../../../server/store/destination/sums_rows.ts";
import { Library } from "../../../server/store/library/library.ts";
import { SyncBench, VIDEOS } from "../../support/app/sync.ts";
import { expectAllHome } from "../../support/camera/brought_home.ts";
import { mayMount, SmallDisk } from "../../support/disk/disks.ts";

const [FRONT, REAR] = VIDEOS;
const THUMB = "20260607_101500_NF.thm";

/** Works with the checksums of a bench's destination, as a service beside it does. */
async function beside<T>(bench: SyncBench, work: (checksums: Checksums) => Promise<T>): Promise<T> {
  const root = bench.destination;
  const log = new Log(systemClock);
  const library = new Library({ root, clock: systemClock, log });
  await library.refresh();
  const identity = DestinationIdentity.withoutMemory({ root, library, log });
  const checksums = checksumsOfCommand({ root, clock: systemClock, log, library, identity });
  try {
    return await work(checksums);
  } finally {
    await checksums.close();
  }
}

/** Reads a file again, so that it is known when it is damaged. */
async function check(bench: SyncBench, name: string): Promise<string> {
  const pace = new LimitedPace(systemClock, () => NO_LIMITS, new AbortController().signal);
  return await beside(bench, async (checksums) => (await checksums.check(fileAt(name), pace, "past")).kind);
}

/** Turns a bit of a file at home over, and finds that. */
async function damage(bench: SyncBench, name: string): Promise<Uint8Array<ArrayBuffer>> {
  // A busy machine may have left it to the next command.
  expect(["whole", "taken"]).toContain(await check(bench, name));
  const path = join(bench.destination, name);
  const { atimeMs, mtimeMs } = statSync(path);
  const bytes = new Uint8Array(readFileSync(path));
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
  expect(await check(bench, name)).toBe("damaged");
  return bytes;
}

const damagedIn = (bench: SyncBench) => beside(bench, async ({ damaged }) => damaged.map(({ path }) => path));

describe.each(["legacy", "v1009"] as const)("a damaged file, with a %s camera,", (generation) => {
  test("is replaced while the camera has it, and lies in the trash", async () => {
    await using bench = await SyncBench.open({ generation });
    await bench.sync();
    const bad = await damage(bench, FRONT);
    await damage(bench, THUMB);
    const { length } = bench.simulator.requests;
    const { failure, run } = await bench.sync();
    expect([failure, run.files]).toEqual([null, 0]);
    await expectAllHome(bench);
    expect(bench.trashed()).toEqual([FRONT, THUMB].sort());
    expect(new Set(bench.asked(length))).toEqual(new Set([FRONT, THUMB]));
    const kept = bench.tree().length;
    expect(await damagedIn(bench)).toEqual([]);
    expect(await check(bench, FRONT)).toBe("whole");
    // Nothing of it is asked for again.
    const after = bench.simulator.requests.length;
    await bench.sync();
    expect([bench.asked(after), bench.tree().length]).toEqual([[], kept]);
    const trash = new Bun.Glob(`.dashdock/trash/*-damaged/${FRONT}`);
    const [path = ""] = [...trash.scanSync({ cwd: bench.destination, dot: true })];
    expect(new Uint8Array(readFileSync(join(bench.destination, path)))).toEqual(bad);
  });

  test("stays when the camera does not have it any more", async () => {
    await using bench = await SyncBench.open({ generation });
    await bench.sync();
    await damage(bench, FRONT);
    bench.card.remove(FRONT);
    const { length } = bench.simulator.requests;
    expect((await bench.sync()).failure).toBeNull();
    expect([bench.asked(length), bench.trashed(), await damagedIn(bench)]).toEqual([[], [], [FRONT]]);
  });
});

test("a damaged file stays when the camera has other bytes under its name, and that is told once", async () => {
  await using bench = await SyncBench.open();
  await bench.sync();
  const bad = await damage(bench, FRONT);
  const other = Buffer.from(await bench.card.bytes(FRONT));
  other[other.length - 5] = (other[other.length - 5] ?? 0) ^ 1;
  bench.card.add(FRONT, other);
  expect((await bench.sync()).failure).toBeNull();
  expect(new Uint8Array(readFileSync(join(bench.destination, FRONT)))).toEqual(bad);
  expect([bench.trashed(), (await bench.home()).partials, await damagedIn(bench)]).toEqual([[], {}, [FRONT]]);
  expect(bench.told("WARNING")).toContain(
    `${FRONT} is damaged, and the camera has another file of this name: it stays as it is`,
  );
});

test("a damaged file stays when the camera's own is cut short, or is longer by now", async () => {
  await using bench = await SyncBench.open();
  await bench.sync();
  const whole = await bench.card.bytes(FRONT);
  const bad = await damage(bench, FRONT);
  for (const other of [whole.subarray(0, whole.length - 2000), Buffer.concat([whole, Buffer.alloc(4000)])]) {
    bench.card.add(FRONT, other);
    await bench.sync();
    expect(new Uint8Array(readFileSync(join(bench.destination, FRONT)))).toEqual(bad);
    expect([bench.trashed(), await damagedIn(bench)]).toEqual([[], [FRONT]]);
  }
});

test("a file that has lost its end is replaced", async () => {
  await using bench = await SyncBench.open();
  await bench.sync();
  expect(await check(bench, FRONT)).not.toBe("damaged");
  const path = join(bench.destination, FRONT);
  truncateSync(path, statSync(path).size >> 1);
  expect(await check(bench, FRONT)).toBe("damaged");
  expect((await bench.sync()).failure).toBeNull();
  await expectAllHome(bench);
  expect([bench.trashed(), await damagedIn(bench)]).toEqual([[FRONT], []]);
});

describe("a file that the disk could never read", () => {
  /** Notes what is noted when a disk cannot read a file of which nothing was known. */
  async function unreadable(bench: SyncBench): Promise<void> {
    await beside(bench, async ({ sums }) => {
      const row = { size: 0, modified: 0, sha256: NEVER_READ, crc: 0, isWholeVideo: false, takenAt: 1, checkedAt: 1 };
      sums.put({ ...fileAt(FRONT), ...row, damage: "unreadable", damagedAt: 1 });
    });
    expect(await damagedIn(bench)).toEqual([FRONT]);
  }

  test("and can by now is not replaced", async () => {
    await using bench = await SyncBench.open();
    await bench.sync();
    const own = Buffer.from(await bench.card.bytes(FRONT));
    own[own.length - 5] = (own[own.length - 5] ?? 0) ^ 1;
    writeFileSync(join(bench.destination, FRONT), own);
    await unreadable(bench);
    await bench.sync();
    expect(Buffer.compare(readFileSync(join(bench.destination, FRONT)), own)).toBe(0);
    expect([bench.trashed(), (await bench.home()).partials, await damagedIn(bench)]).toEqual([[], {}, []]);
  });
});

test("a kill between the two steps loses nothing: the next sync puts the new file in its place", async () => {
  await using bench = await SyncBench.open();
  await bench.sync();
  const bad = await damage(bench, FRONT);
  mkdirSync(join(bench.destination, ".dashdock/trash/20260607T120000Z-damaged"), { recursive: true });
  renameSync(
    join(bench.destination, FRONT),
    join(bench.destination, ".dashdock/trash/20260607T120000Z-damaged", FRONT),
  );
  writeFileSync(join(bench.destination, `.${FRONT}`), await bench.card.bytes(FRONT));
  expect((await bench.sync()).failure).toBeNull();
  await expectAllHome(bench);
  expect([await damagedIn(bench), await check(bench, FRONT)]).toEqual([[], "whole"]);
  const trashed = join(bench.destination, ".dashdock/trash/20260607T120000Z-damaged", FRONT);
  expect(new Uint8Array(readFileSync(trashed))).toEqual(bad);
});

describe("a whole copy that waits since a kill, of a recording that the camera has lost since,", () => {
  const TRASHED = ".dashdock/trash/20260607T120000000Z-damaged";
  /** What the kill has left of the two steps. */
  async function killed(
    bench: SyncBench,
    { isInTrash = true, cause = "damaged", copy }: { isInTrash?: boolean; cause?: string; copy?: Uint8Array } = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    await bench.sync();
    const bad = await damage(bench, FRONT);
    const folder = join(bench.destination, TRASHED.replace("damaged", cause));
    if (isInTrash) {
      mkdirSync(folder, { recursive: true });
      renameSync(join(bench.destination, FRONT), join(folder, FRONT));
    }
    writeFileSync(join(bench.destination, `.${FRONT}`), copy ?? (await bench.card.bytes(FRONT)));
    bench.card.remove(FRONT);
    return bad;
  }

  for (const isInTrash of [true, false])
    test(`is put in its place: the damaged one ${isInTrash ? "lay" : "goes"} in the trash`, async () => {
      await using bench = await SyncBench.open();
      const whole = Buffer.from(await bench.card.bytes(FRONT));
      await killed(bench, { isInTrash });
      const { length } = bench.simulator.requests;
      expect((await bench.sync()).failure).toBeNull();
      expect(Buffer.compare(readFileSync(join(bench.destination, FRONT)), whole)).toBe(0);
      expect([bench.asked(length), bench.trashed(), await damagedIn(bench)]).toEqual([[], [FRONT], []]);
      expect([(await bench.home()).partials, await check(bench, FRONT)]).toEqual([{}, "whole"]);
    });

  for (const [step, place, method] of [
    ["when the copy had come", "partial_file.ts", "PartialFile.prototype.flush"],
    ["when the damaged one was in the trash", "destination.ts", "Destination.prototype.finish"],
  ] as const)
    test(`is put in its place after a real kill ${step}`, async () => {
      await using bench = await SyncBench.open();
      await bench.sync();
      const bad = await damage(bench, FRONT);
      // The process ends itself there: no time of a signal from outside would be as exact.
      const server = join(import.meta.dir, "../../../server");
      const [type] = method.split(".");
      const preload = join(bench.destination, "..", "kill.ts");
      writeFileSync(
        preload,
        `import { ${type} } from ${JSON.stringify(join(server, "store/destination", place))};
        ${method} = () => process.kill(process.pid, "SIGKILL");`,
      );
      const words = ["sync", bench.simulator.address, "-d", bench.destination, "-u", "98"];
      const command = [process.execPath, "--preload", preload, join(server, "main.ts"), ...words];
      const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
      expect(await child.exited).toBe(137);
      const whole = await bench.card.bytes(FRONT);
      expect(Buffer.compare(readFileSync(join(bench.destination, `.${FRONT}`)), whole)).toBe(0);
      expect(bench.trashed()).toEqual(step.includes("trash") ? [FRONT] : []);
      bench.card.remove(FRONT);
      expect((await bench.sync()).failure).toBeNull();
      expect(Buffer.compare(readFileSync(join(bench.destination, FRONT)), whole)).toBe(0);
      expect([bench.trashed(), await damagedIn(bench), (await bench.home()).partials]).toEqual([[FRONT], [], {}]);
      const [trashed = ""] = new Bun.Glob(`.dashdock/trash/*-damaged/${FRONT}`).scanSync({
        cwd: bench.destination,
        dot: true,
      });
      expect(new Uint8Array(readFileSync(join(bench.destination, trashed)))).toEqual(bad);
    });

  test("stays as it is when it is not whole, or is another one", async () => {
    await using bench = await SyncBench.open();
    const whole = new Uint8Array(await bench.card.bytes(FRONT));
    const bad = await killed(bench, { isInTrash: false, copy: whole.subarray(0, whole.length - 1) });
    const other = whole.with(whole.length - 5, (whole.at(-5) ?? 0) ^ 1);
    for (const copy of [null, other, Buffer.concat([whole, Buffer.alloc(1)])]) {
      if (copy !== null) writeFileSync(join(bench.destination, `.${FRONT}`), copy);
      await bench.sync();
      expect(new Uint8Array(readFileSync(join(bench.destination, FRONT)))).toEqual(bad);
      expect([bench.trashed(), await damagedIn(bench)]).toEqual([[], [FRONT]]);
    }
    expect(Object.keys((await bench.home()).partials)).toEqual([FRONT]);
  });

  test("does not come back when a user has deleted the damaged one, also for good", async () => {
    await using bench = await SyncBench.open();
    await killed(bench, { cause: "hand" });
    await bench.sync();
    expect(bench.tree()).not.toContain(FRONT);
    await beside(bench, async (checksums) => checksums.noteLeaving([fileAt(FRONT)]));
    rmSync(join(bench.destination, ".dashdock/trash"), { recursive: true });
    await bench.sync();
    expect(bench.tree()).not.toContain(FRONT);
  });

  test("comes back when the trash was emptied of the damaged one meanwhile", async () => {
    await using bench = await SyncBench.open();
    await killed(bench);
    rmSync(join(bench.destination, ".dashdock/trash"), { recursive: true });
    await bench.sync();
    expect(await check(bench, FRONT)).toBe("whole");
  });
});

test("a camera that breaks off in the middle leaves the damaged file, and the next sync goes on", async () => {
  await using bench = await SyncBench.open();
  await bench.sync();
  const bad = await damage(bench, REAR);
  const off = bench.simulator.fault({ name: "cut-short", match: /NR\.mp4/, after: 50_000, times: 1 });
  await bench.sync();
  expect(new Uint8Array(readFileSync(join(bench.destination, REAR)))).toEqual(bad);
  expect(bench.trashed()).toEqual([]);
  off();
  await bench.sync();
  await expectAllHome(bench);
  expect(bench.trashed()).toEqual([REAR]);
});

test("a file that is what the camera has was never damaged: its checksums are taken anew", async () => {
  await using bench = await SyncBench.open();
  await bench.sync();
  await beside(bench, async ({ sums }) => {
    const row = sums.find(fileAt(FRONT));
    if (row === null) throw new Error("It has no checksums");
    sums.put({ ...row, sha256: "ab".repeat(32) });
  });
  expect(await check(bench, FRONT)).toBe("damaged");
  await bench.sync();
  await expectAllHome(bench);
  expect([bench.trashed(), await damagedIn(bench), await check(bench, FRONT)]).toEqual([[], [], "whole"]);
});

test("a damaged file in a folder of one's own is left alone, and told", async () => {
  await using bench = await SyncBench.open();
  await bench.sync();
  bench.put(`mine/${FRONT}`, await bench.card.bytes(FRONT));
  expect(await check(bench, `mine/${FRONT}`)).toBe("taken");
  await damage(bench, `mine/${FRONT}`);
  const { length } = bench.simulator.requests;
  await bench.sync();
  expect([bench.asked(length), bench.trashed(), await damagedIn(bench)]).toEqual([[], [], [`mine/${FRONT}`]]);
});

describe.skipIf(!mayMount())("on a disk of its own (needs the right to mount)", () => {
  test("a damaged file stays while the disk is full, and is replaced when there is room", async () => {
    await using bench = await SyncBench.open();
    using disk = new SmallDisk(bench.destination, "8m");
    expect((await bench.sync()).failure).toBeNull();
    const bad = await damage(bench, FRONT);
    disk.fill();
    await bench.sync();
    expect(new Uint8Array(readFileSync(join(bench.destination, FRONT)))).toEqual(bad);
    expect([bench.trashed(), await damagedIn(bench)]).toEqual([[], [FRONT]]);
    disk.free();
    expect((await bench.sync()).failure).toBeNull();
    await expectAllHome(bench);
    expect([bench.trashed(), await damagedIn(bench)]).toEqual([[FRONT], []]);
  });
});

test("a dry run mends nothing", async () => {
  await using bench = await SyncBench.open();
  await bench.sync();
  await damage(bench, FRONT);
  const { length } = bench.simulator.requests;
  await bench.sync({ dryRun: true });
  expect([bench.asked(length), bench.trashed(), await damagedIn(bench)]).toEqual([[], [], [FRONT]]);
});
