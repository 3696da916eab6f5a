import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { StopRequested } from "../../../server/engine/transfer/failure_of_error.ts";
import { EXECUTABLE } from "../../support/app/executable.ts";
import { onBothInterfaces, requestFor } from "../../support/app/interfaces.ts";
import { untilSize } from "../../support/app/process.ts";
import { cardOf, SyncBench, type SyncOverrides } from "../../support/app/sync.ts";
import { mayMount, SmallDisk } from "../../support/disk/disks.ts";

const MB = 1_000_000;
const SIZE = 5 * MB;
const VIDEOS_ONLY: SyncOverrides = { skipMetadata: ["t", "3", "g"] };
/** The way of writing a long body depends on the speed of the body before it. */
const [FIRST, SECOND] = ["20260607_101500_NF.mp4", "20260607_101600_NF.mp4"] as const;
const ROWS = [
  { which: "the first long file of a run", name: FIRST },
  { which: "a long file after one that came fast", name: SECOND },
] as const;

onBothInterfaces((generation) => {
  /** A third, small one is the newest: of that alone it is asked whether it has grown. */
  const longFiles = () =>
    SyncBench.open({
      generation,
      card: cardOf([FIRST, SECOND, "20260607_101700_NF.mp4"], (name) => (name.includes("1017") ? 20_000 : SIZE)),
    });
  const partialOf = (bench: SyncBench, name: string) => join(bench.destination, `.${name}`);

  /** The file comes in no faster than it can be watched, and never whole, however late a busy machine looks. */
  function holdBack(bench: SyncBench, name: string): void {
    bench.simulator.fault({ name: "stall", match: requestFor(name), after: 4_600_000 });
    void bench.simulator.asked(requestFor(name)).then(() => {
      bench.simulator.rate = 20 * MB;
    });
  }

  /** Checks that only the file's beginning is here, and that the next run goes on behind it. */
  async function expectContinued(bench: SyncBench, name: string): Promise<void> {
    const { wrong, partials, markers } = await bench.home();
    expect({ wrong, markers }).toEqual({ wrong: [], markers: [] });
    // One before it may have been on its way to its name, with all its bytes.
    const others = Object.entries(partials).filter(([other]) => other !== name);
    expect(others.filter(([, bytes]) => bytes !== SIZE)).toEqual([]);
    expect(partials[name]).toBeGreaterThan(0);
    bench.simulator.clearFaults();
    bench.simulator.rate = null;
    const before = bench.simulator.requests.length;
    expect((await bench.sync(VIDEOS_ONLY)).failure).toBeNull();
    expect(bench.rangesOf(name, before).at(-1)).toBe(`bytes=${partials[name]}-`);
    const home = await bench.home();
    expect(home).toEqual({ whole: bench.card.videos(), wrong: [], partials: {}, markers: [] });
  }

  describe.each(ROWS)("in the middle of $which", ({ name }) => {
    test.skipIf(!mayMount())(
      "a disk that runs full ends the run, keeps every byte, and the next one goes on",
      async () => {
        await using bench = await longFiles();
        using _ = new SmallDisk(bench.destination, "24m");
        bench.simulator.fault({ name: "silence", match: requestFor(name), after: 3 * MB, value: 600 });
        const run = bench.sync(VIDEOS_ONLY);
        await untilSize(partialOf(bench, name), 3 * MB);
        const filler = join(bench.destination, "filler");
        fill(filler);
        const { failure } = await run;
        expect(failure).toMatchObject({ kind: "trouble", reason: "disk" });
        expect(failure?.message).toMatch(/disk is full/);
        expect(statSync(partialOf(bench, name)).size).toBeGreaterThanOrEqual(3 * MB);
        expect(statSync(partialOf(bench, name)).size).toBeLessThan(SIZE);
        rmSync(filler);
        await expectContinued(bench, name);
      },
    );

    test.each([300_000, 1_300_000, 2_900_000])("a stop after %p bytes leaves a true beginning", async (bytes) => {
      await using bench = await longFiles();
      holdBack(bench, name);
      const stop = new AbortController();
      const run = bench.sync({ ...VIDEOS_ONLY, signal: stop.signal });
      await untilSize(partialOf(bench, name), bytes);
      stop.abort(new StopRequested());
      expect((await run).failure?.kind).toBe("stopped");
      const written = statSync(partialOf(bench, name)).size;
      await bench.simulator.quiet();
      // Nothing is written behind the back of a run that has ended.
      expect(statSync(partialOf(bench, name)).size).toBe(written);
      await expectContinued(bench, name);
    });

    test.each([400_000, 1_700_000, 4_100_000])("a kill -9 after %p bytes leaves a true beginning", async (bytes) => {
      await using bench = await longFiles();
      holdBack(bench, name);
      const command = [
        "sync",
        bench.simulator.address,
        "-d",
        bench.destination,
        "-u",
        "98",
        "-t",
        "5",
        "--skip-metadata",
        "t3g",
      ];
      const child = Bun.spawn([EXECUTABLE, ...command], {
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
      });
      await untilSize(partialOf(bench, name), bytes);
      child.kill("SIGKILL");
      expect(await child.exited).toBe(137);
      await bench.simulator.quiet();
      await expectContinued(bench, name);
    });

    test("a cut leaves all that came, and bytes of other files stay where they are", async () => {
      await using bench = await longFiles();
      bench.simulator.fault({ name: "cut-short", match: requestFor(name), after: 3 * MB, times: 3 });
      expect((await bench.sync(VIDEOS_ONLY)).failure).toBeNull();
      expect(await bench.home()).toEqual({ whole: bench.card.videos(), wrong: [], partials: {}, markers: [] });
      expect(existsSync(partialOf(bench, name))).toBe(false);
      const [first, compared] = bench.rangesOf(name);
      expect(first).toBeNull();
      // Bytes on their way to the disk when the connection ended may have to come again, and no more.
      expect(Number(/-([0-9]+)$/.exec(compared ?? "")?.[1])).toBeGreaterThan(2 * MB);
    });
  });

  test("a long file that is there already as a partial of all its bytes costs one request and no byte", async () => {
    await using bench = await longFiles();
    await bench.putPartial(FIRST, SIZE);
    expect((await bench.sync(VIDEOS_ONLY)).failure).toBeNull();
    expect(bench.rangesOf(FIRST)).toEqual([`bytes=${SIZE - 65_536}-${SIZE - 1}`]);
    expect(readFileSync(join(bench.destination, FIRST)).equals(await bench.card.bytes(FIRST))).toBe(true);
  });

  /** Takes all room that is left. */
  function fill(path: string): void {
    for (const bytes of [256 * 1024, 4096]) {
      try {
        for (;;) appendFileSync(path, Buffer.alloc(bytes));
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      }
    }
  }
});
