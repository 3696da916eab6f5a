import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { LimitedPace, SCRUB_LIMITS } from "../../../server/engine/checksums/reading_pace.ts";
import { Scrub } from "../../../server/engine/checksums/scrub.ts";
import type { ScrubParts } from "../../../server/engine/checksums/scrub_parts.ts";
import { fileAt } from "../../../server/store/destination/sums_rows.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { SumsBench, video } from "../../support/disk/sums_bench.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
const FILES = ["20260601_101500_NF.mp4", "2026-06/20260602_101500_NF.mp4", "2026-06/20260603_101500_NF.mp4"] as const;
const [FIRST, SECOND, THIRD] = FILES;

/** A library of three videos, and the reading of it in the background. */
async function openBench(parts: Partial<ScrubParts> = {}) {
  const bench = new SumsBench();
  for (const [at, path] of FILES.entries()) bench.put(path, video(1_000_000, at + 1));
  await bench.library.refresh();
  const began: number[] = [];
  let reading = 0;
  const start = (more: Partial<ScrubParts> = {}) => {
    const checksums = bench.checksums();
    const { clock, log, library } = bench;
    const scrub = new Scrub({
      clock,
      log,
      library,
      checksums,
      days: () => 90,
      isOnCamera: () => null,
      trash: { entries: async () => [], problem: null },
      isHere: () => bench.isHere,
      isBusy: () => bench.isBusy,
      refusal: async () => null,
      async during(work) {
        began.push(clock.now());
        reading++;
        await work().finally(() => {
          reading--;
        });
      },
      ...parts,
      ...more,
    });
    scrub.start();
    const end = async () => {
      await scrub.close();
      await checksums.close();
    };
    return { checksums, scrub, end };
  };
  /** Lets so much time go by, and all that is read in it come to its end. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= MINUTE) {
      await bench.clock.advance(Math.min(MINUTE, left));
      // Until it waits for the end of a run.
      for (let looks = 0; reading > 0 && !(bench.isBusy && looks > 20); looks++) {
        await bench.clock.advance(5);
        await new Promise(setImmediate);
      }
    }
  };
  return { bench, start, began, pass, [Symbol.dispose]: () => bench[Symbol.dispose]() };
}

const rowOf = (checksums: ReturnType<SumsBench["checksums"]>, path: string) => checksums.sums.find(fileAt(path));

describe("recordings that were there before", () => {
  test("are waited for in an empty folder, in which nothing is done", async () => {
    using place = await openBench();
    const { bench, began } = place;
    for (const path of FILES) rmSync(join(bench.root, path));
    await bench.library.refresh();
    const { checksums, end } = place.start();
    await place.pass(3 * MINUTE);
    expect(began).toEqual([]);
    bench.put(FIRST, video(1_000_000, 1));
    await bench.library.refresh();
    await place.pass(MINUTE);
    expect(began).toHaveLength(1);
    expect(rowOf(checksums, FIRST)?.damage).toBeNull();
    await end();
  });

  test("have their checksums taken a minute after the start, and the disk is left alone then", async () => {
    using place = await openBench();
    const { bench, began } = place;
    const { checksums, end } = place.start();
    await place.pass(MINUTE - 1);
    expect(began).toEqual([]);
    await place.pass(MINUTE);
    expect(FILES.map((path) => rowOf(checksums, path)?.damage)).toEqual([null, null, null]);
    const { length } = began;
    await place.pass(60 * MINUTE);
    expect(began.length).toBe(length);
    bench.put("20260604_101500_NF.mp4", video(5000));
    await bench.library.refresh();
    await place.pass(2 * MINUTE);
    expect(began.length).toBe(length + 1);
    expect(rowOf(checksums, "20260604_101500_NF.mp4")?.size).toBe(5000);
    await end();
  });

  test("have them taken again when the file of them was damaged, and is begun anew", async () => {
    using place = await openBench();
    const { bench } = place;
    const { checksums, end } = place.start();
    await place.pass(2 * MINUTE);
    bench.put(".dashdock/sums.db", "no database at all, and long enough to look like one".repeat(99));
    await place.pass(MINUTE);
    expect(rowOf(checksums, FIRST)).toBeNull();
    await place.pass(2 * MINUTE);
    expect(FILES.map((path) => rowOf(checksums, path)?.damage)).toEqual([null, null, null]);
    expect(checksums.trouble).toContain("are taken anew");
    await end();
  });

  test("are not read with 0 days, but for those that wait for it on the camera's card", async () => {
    using place = await openBench({ days: () => 0, isOnCamera: (moment) => moment === fileAt(SECOND).moment });
    const { checksums, end } = place.start();
    await place.pass(5 * MINUTE);
    expect(FILES.map((path) => rowOf(checksums, path) !== null)).toEqual([false, true, false]);
    await end();
  });
});

test("two services read the files of one folder, and call none of them damaged or missing", async () => {
  using it = await openBench();
  const [one, other] = [it.start(), it.start()];
  await it.pass(3 * MINUTE);
  for (const { checksums } of [one, other]) {
    checksums.refresh();
    expect(FILES.map((path) => checksums.has(basename(path)))).toEqual([true, true, true]);
    expect(checksums.damaged).toEqual([]);
  }
  it.bench.damage(SECOND);
  it.bench.clock.pass(90 * DAY);
  await it.pass(5 * MINUTE);
  for (const { checksums, end } of [one, other]) {
    checksums.refresh();
    expect(checksums.damaged.map(({ path, why }) => [path, why])).toEqual([[SECOND, "other_bytes"]]);
    await end();
  }
  expect(it.bench.lines.filter((line) => line.startsWith("error"))).toEqual([]);
});

describe("recordings with checksums", () => {
  test("are read again after so many days, and not before", async () => {
    using place = await openBench();
    const { bench } = place;
    const { checksums, end } = place.start();
    await place.pass(2 * MINUTE);
    const taken = rowOf(checksums, FIRST)?.checkedAt ?? 0;
    bench.damage(SECOND);
    bench.clock.pass(89 * DAY);
    await place.pass(5 * MINUTE);
    expect([checksums.damaged, rowOf(checksums, FIRST)?.checkedAt]).toEqual([[], taken]);
    bench.clock.pass(DAY);
    await place.pass(3 * MINUTE);
    expect(checksums.damaged.map(({ path, why }) => [path, why])).toEqual([[SECOND, "other_bytes"]]);
    expect(rowOf(checksums, FIRST)?.checkedAt).toBeGreaterThanOrEqual(taken + 90 * DAY);
    await end();
  });

  test("go on where the reading was before a restart", async () => {
    using place = await openBench();
    const { bench } = place;
    const first = place.start();
    await place.pass(2 * MINUTE);
    await first.end();
    // Two were due while the service was stopped, one is not yet.
    const middle = bench.checksums();
    const row = rowOf(middle, THIRD);
    if (row === null) throw new Error("It was not read");
    middle.sums.put({ ...row, checkedAt: row.checkedAt + 45 * DAY });
    await middle.close();
    bench.clock.pass(91 * DAY);
    const then = bench.clock.now();
    const second = place.start();
    await place.pass(3 * MINUTE);
    const read = FILES.map((path) => (rowOf(second.checksums, path)?.checkedAt ?? 0) >= then);
    expect(read).toEqual([true, true, false]);
    await second.end();
  });

  test("that a clock ahead has dated are read again", async () => {
    using place = await openBench();
    const { bench } = place;
    bench.clock.jump(3650 * DAY);
    const first = place.start();
    await place.pass(2 * MINUTE);
    bench.clock.jump(-3650 * DAY);
    bench.damage(FIRST);
    await place.pass(3 * MINUTE);
    expect(first.checksums.damaged.map(({ path }) => path)).toEqual([FIRST]);
    await first.end();
  });

  test("that are gone, or links by now, keep no others from being read", async () => {
    using place = await openBench();
    const { bench } = place;
    const { checksums, end } = place.start();
    await place.pass(2 * MINUTE);
    rmSync(join(bench.root, FIRST));
    rmSync(join(bench.root, SECOND));
    symlinkSync(join(bench.root, THIRD), join(bench.root, SECOND));
    bench.damage(THIRD);
    bench.clock.pass(90 * DAY);
    await bench.library.refresh();
    await place.pass(3 * MINUTE);
    expect(checksums.damaged.map(({ path }) => path)).toEqual([THIRD]);
    await end();
  });
});

describe("the reading", () => {
  test.each([
    ["takes 20 MB a second at most", 1_000_000, 4, 46],
    ["takes a fifth of one core at most, however little it reads", 1000, 30, 120],
  ])("%s", async (_name, bytes, busyMs, waitsMs) => {
    const clock = new FakeClock();
    const pace = new LimitedPace(clock, () => SCRUB_LIMITS, new AbortController().signal);
    for (let piece = 0; piece < 3; piece++) {
      let isOver = false;
      const waited = pace.after(bytes, busyMs)?.then(() => {
        isOver = true;
      });
      await clock.advance(waitsMs - 1);
      expect(isOver).toBe(false);
      await clock.advance(1);
      await waited;
    }
  });

  test("waits while a run goes on, and goes on behind it", async () => {
    using place = await openBench();
    const { bench } = place;
    bench.isBusy = true;
    const { checksums, end } = place.start();
    await place.pass(10 * MINUTE);
    expect(FILES.map((path) => rowOf(checksums, path))).toEqual([null, null, null]);
    bench.isBusy = false;
    await place.pass(2 * MINUTE);
    expect(rowOf(checksums, THIRD)).not.toBeNull();
    await end();
  });

  test("calls nothing damaged while the disk is away", async () => {
    using place = await openBench();
    const { bench } = place;
    const { checksums, end } = place.start();
    await place.pass(2 * MINUTE);
    const before = readFileSync(join(bench.root, FIRST));
    bench.damage(FIRST);
    bench.clock.pass(90 * DAY);
    bench.isHere = false;
    await place.pass(5 * MINUTE);
    expect(checksums.damaged).toEqual([]);
    bench.put(FIRST, before);
    bench.isHere = true;
    await place.pass(3 * MINUTE);
    expect(checksums.damaged).toEqual([]);
    await end();
  });
});
