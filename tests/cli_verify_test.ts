import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { openSimulator } from "../server/dashcam/simulator/simulator.ts";
import { dashdock, type Ended, start } from "./support/app/process.ts";
import { cardOf, VIDEOS } from "./support/app/sync.ts";
import { mayMount, SmallDisk } from "./support/disk/disks.ts";
import { SumsBench, video } from "./support/disk/sums_bench.ts";

// Real processes: five seconds are too little on a busy machine.
setDefaultTimeout(40_000);

const FIRST = "20260607_101500_NF.mp4";
const SECOND = "2026-06/20260608_101500_NF.mp4";
const ODD = "back\\slash\nand line/20260609_101500_NF.mp4";

let bench: SumsBench;
beforeEach(() => {
  bench = new SumsBench();
  mkdirSync(join(bench.folder, "cwd"));
  for (const path of [FIRST, SECOND, ODD]) bench.put(path, video(5000, path.length));
});
afterEach(() => bench[Symbol.dispose]());

const run = (...args: string[]): Promise<Ended> =>
  dashdock(["verify", "-d", bench.root, ...args], { cwd: join(bench.folder, "cwd") });
const plain = (text: string) => text.replaceAll("\u00a0", " ").replaceAll("\u202f", " ");
const isOver = (work: Promise<unknown>) =>
  Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);
/** True while a process has a file open whose path has this in it. */
const hasOpen = (pid: number, part: string) =>
  readdirSync(`/proc/${pid}/fd`).some((descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`).includes(part);
    } catch {
      // It was closed meanwhile.
      return false;
    }
  });
const sumsPath = () => join(bench.root, ".dashdock", "sums.db");

describe("verify", () => {
  test("takes checksums where there are none, and ends with 0 while all is whole", async () => {
    const first = await run();
    const taken = "Checksums of 3 were taken now: nothing was known of them, or they were changed on purpose.";
    expect([first.code, plain(first.out), first.err]).toEqual([
      0,
      `ok  3 files (15 kB) read, and none is damaged or missing. ${taken}\n`,
      "",
    ]);
    const second = await run();
    expect([second.code, plain(second.out), second.err]).toEqual([
      0,
      "ok  3 files (15 kB) read, and none is damaged or missing.\n",
      "",
    ]);
    expect(existsSync(join(bench.folder, "cwd", "data"))).toBe(false);
  });

  test("names what is damaged or missing, and ends with 1", async () => {
    await run();
    bench.damage(SECOND);
    rmSync(join(bench.root, FIRST));
    const { code, out } = await run();
    expect([code, plain(out)]).toEqual([
      1,
      [
        `no  ${SECOND}: damaged, its bytes are others, though no program has written to it.`,
        `no  ${FIRST}: missing, though Dashdock has not deleted it.`,
        "no  2 files (10 kB) read, 2 damaged or missing.",
        "",
      ].join("\n"),
    ]);
    const json = await run("--json");
    expect([json.code, JSON.parse(json.out)]).toEqual([
      1,
      {
        checked: 2,
        total: 2,
        damaged: [
          { path: SECOND, why: "other_bytes" },
          { path: FIRST, why: "missing" },
        ],
        ...{ bytes: 10_000, taken: 0, not_judged: [], stopped: false },
      },
    ]);
    const late = await run("--since", "2026-06-09", "--json");
    expect([late.code, JSON.parse(late.out)]).toMatchObject([0, { checked: 1, total: 1, damaged: [] }]);
    const forgotten = await run("--forget-missing");
    expect([forgotten.code, plain(forgotten.err)]).toEqual([1, "1 missing file will not be missed again.\n"]);
    expect(JSON.parse((await run("--json")).out).damaged).toEqual([{ path: SECOND, why: "other_bytes" }]);
  });

  test("prints checksums as sha256sum takes them, odd names too", async () => {
    const none = await run("--sums");
    expect([none.code, none.out]).toEqual([2, ""]);
    expect(none.err).toContain("dashdock verify takes them");
    await run();
    const { code, out, err } = await run("--sums");
    expect([code, err, out.split("\n").length]).toEqual([0, "", 4]);
    expect(out).toContain("  back\\\\slash\\nand line/20260609_101500_NF.mp4\n");
    const check = () => Bun.spawnSync(["sha256sum", "-c", "--strict"], { cwd: bench.root, stdin: Buffer.from(out) });
    expect(check().exitCode).toBe(0);
    bench.damage(FIRST);
    expect(check().exitCode).toBe(1);
  });

  test("ends with 2 where there are no recordings, and with a wrong command line", async () => {
    rmSync(bench.root, { recursive: true });
    const gone = await run();
    expect([gone.code, gone.err]).toEqual([2, `There are no recordings in ${bench.root}.\n`]);
    expect(existsSync(bench.root)).toBe(false);
    mkdirSync(bench.root);
    expect((await run()).code).toBe(2);
    for (const args of [["--since", "yesterday"], ["--sums", "--json"], ["--nonsense"], ["more"]])
      expect((await run(...args)).code).toBe(2);
  });

  test("calls nothing whole when the checksums are of a newer version, and ends with 2", async () => {
    await run();
    const db = new Database(sumsPath());
    db.run("pragma user_version = 99");
    db.close();
    for (const args of [[], ["--json"], ["--sums"]]) {
      const { code, out, err } = await run(...args);
      expect([args, code, out]).toEqual([args, 2, ""]);
      expect(err).toContain("The checksums cannot be read: .dashdock/sums.db was written by a newer Dashdock");
    }
  });

  test("goes on after it was killed in the middle of writing down", async () => {
    for (let number = 0; number < 2000; number++) {
      const [hour, minute] = [Math.floor(number / 60) % 24, number % 60].map((part) => String(part).padStart(2, "0"));
      bench.put(`2026-07/2026070${1 + Math.floor(number / 1440)}_${hour}${minute}00_N.gps`, `${number}`);
    }
    for (let kills = 0; kills < 3; kills++) {
      await using running = start(["verify", "-d", bench.root], { cwd: join(bench.folder, "cwd") });
      // A journal lies there while rows are written.
      while (!existsSync(`${sumsPath()}-journal`) && !(await isOver(running.ended))) await new Promise(setImmediate);
      for (let rounds = 0; rounds < kills; rounds++) await new Promise(setImmediate);
      await running[Symbol.asyncDispose]();
    }
    const { code, out } = await run("--json");
    expect([code, JSON.parse(out)]).toMatchObject([0, { checked: 2003, total: 2003, damaged: [] }]);
    const db = new Database(sumsPath());
    expect(db.query("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(db.query("select count(*) as count from files").get()).toEqual({ count: 2003 });
    db.close();
  });

  test("stops at once when it is interrupted, says how far it was, and ends with 1", async () => {
    for (let number = 1; number < 9; number++) {
      bench.put(`2026070${number}_101500_NF.mp4`, "");
      truncateSync(join(bench.root, `2026070${number}_101500_NF.mp4`), 2_000_000_000);
    }
    await using running = start(["verify", "-d", bench.root], { cwd: join(bench.folder, "cwd") });
    // The first of the long files is being read.
    while (!hasOpen(running.pid, "/202607") && !(await isOver(running.ended))) await new Promise(setImmediate);
    running.signal("SIGINT");
    const { code, out } = await running.ended;
    expect([code, plain(out)]).toEqual([1, expect.stringMatching(/^!! {2}Stopped after [0-9]+ of 11 files\.\n$/)]);
  });

  test.skipIf(!mayMount())("on a read-only disk compares, writes nothing down and says so", async () => {
    const path = join(bench.folder, "disk");
    using disk = new SmallDisk(path, "1m");
    bench.put(`../disk/${FIRST}`, video(5000));
    const read = () => dashdock(["verify", "-d", path], { cwd: join(bench.folder, "cwd") });
    expect((await read()).code).toBe(0);
    disk.remount("ro");
    const { code, out, err } = await read();
    expect([code, plain(out)]).toEqual([0, "ok  1 file (5 kB) read, and none is damaged or missing.\n"]);
    expect(err).toContain("checksums cannot be written down");
    disk.remount("rw");
    bench.damage(`../disk/${FIRST}`);
    disk.remount("ro");
    expect((await read()).code).toBe(1);
  });

  test.skipIf(!mayMount())("on a full disk says that nothing was written down", async () => {
    const path = join(bench.folder, "disk");
    using disk = new SmallDisk(path, "1m");
    bench.put(`../disk/${FIRST}`, video(5000));
    mkdirSync(join(path, ".dashdock"));
    disk.fill();
    const { code, err } = await dashdock(["verify", "-d", path], { cwd: join(bench.folder, "cwd") });
    expect([code, err]).toEqual([0, expect.stringContaining("the disk of the recordings is full")]);
  });
});

describe("a sync without the service", () => {
  test("takes checksums of all that came home, which verify knows then", async () => {
    const camera = await openSimulator({ card: cardOf(VIDEOS) });
    try {
      rmSync(bench.root, { recursive: true });
      const cwd = join(bench.folder, "cwd");
      const synced = await dashdock(["sync", camera.address, "-d", bench.root, "-u", "98"], { cwd });
      expect(synced.code).toBe(0);
      const { code, out } = await run("--json");
      expect([code, JSON.parse(out)]).toMatchObject([0, { checked: 12, total: 12, taken: 0, damaged: [] }]);
      // Recordings that were sorted by hand are the same.
      mkdirSync(join(bench.root, "mine"));
      renameSync(join(bench.root, VIDEOS[0]), join(bench.root, "mine", VIDEOS[0]));
      expect(JSON.parse((await run("--json")).out)).toMatchObject({ checked: 12, taken: 0, damaged: [] });
    } finally {
      await camera.close();
    }
  });
});
