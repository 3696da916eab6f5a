import { describe, expect, test } from "bun:test";
import { existsSync, lstatSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { StopRequested } from "../../../server/engine/transfer/failure_of_error.ts";
import { NoRoom } from "../../../server/engine/transfer/transfer_outcome.ts";
import { FileInTheWay } from "../../../server/store/destination/destination_problem.ts";
import { onBothInterfaces } from "../../support/app/interfaces.ts";
import { FILES_OF, SyncBench, VIDEOS } from "../../support/app/sync.ts";
import { bring } from "../../support/camera/bring.ts";

const VIDEO = VIDEOS[0];
const SIZE = 200_000;
const MINUTE = 60_000;

const whole = { kind: "completed", name: VIDEO, size: SIZE } as const;

onBothInterfaces((generation) => {
  describe("download() going on with a partial", () => {
    const rows = [
      { what: "asks for the rest only", partial: 120_000, ranges: ["bytes=120000-"], bytes: 80_000 },
      { what: "asks for a single byte", partial: SIZE - 1, ranges: [`bytes=${SIZE - 1}-`], bytes: 1 },
      {
        what: "finishes one that is whole already without a byte",
        partial: SIZE,
        ranges: [`bytes=${SIZE}-`],
        bytes: 0,
      },
      { what: "asks for all when the partial is empty", partial: 0, ranges: [null], bytes: SIZE },
    ];
    test.each(rows)("$what", async ({ partial, ranges, bytes }) => {
      await using bench = await SyncBench.open({ generation });
      await bench.putPartial(VIDEO, partial);
      const { outcome, heard } = await bring(bench, VIDEO);
      expect(outcome).toEqual(whole);
      expect(bench.rangesOf(VIDEO)).toEqual(ranges);
      expect(heard.bytes).toBe(bytes);
      expect(heard.opened).toEqual(bytes === 0 ? [] : [[partial, SIZE]]);
      expect(readFileSync(join(bench.destination, VIDEO)).equals(await bench.card.bytes(VIDEO))).toBe(true);
      expect((await bench.home()).partials).toEqual({});
    });

    test("starts over when the partial is larger than the file", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.put(`.${VIDEO}`, new Uint8Array(SIZE + 5000).fill(7));
      expect((await bring(bench, VIDEO)).outcome).toEqual(whole);
      expect(bench.rangesOf(VIDEO)).toEqual([`bytes=${SIZE + 5000}-`, null]);
      expect((await bench.home()).whole).toEqual([VIDEO]);
    });

    test("starts over when the file has become shorter than the partial", async () => {
      await using bench = await SyncBench.open({ generation });
      await bench.putPartial(VIDEO, 150_000);
      bench.card.add(VIDEO, 90_000);
      expect((await bring(bench, VIDEO)).outcome).toEqual({ ...whole, size: 90_000 });
      expect((await bench.home()).whole).toEqual([VIDEO]);
    });

    test("starts over when 416 does not say how long the file is", async () => {
      await using bench = await SyncBench.open({ generation });
      await bench.putPartial(VIDEO, 150_000);
      const content = await bench.card.bytes(VIDEO);
      await using curt = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: ({ headers }) =>
          headers.has("range") ? new Response("", { status: 416 }) : new Response(content.slice()),
      });
      expect((await bring(bench, VIDEO, { address: `127.0.0.1:${curt.port}` })).outcome).toEqual(whole);
    });

    test("gives up, keeping nothing wrong, when the camera answers 416 to everything", async () => {
      await using bench = await SyncBench.open({ generation });
      await bench.putPartial(VIDEO, 150_000);
      bench.simulator.fault({ name: "error-500", value: 416 });
      const { outcome } = await bring(bench, VIDEO);
      expect(outcome).toMatchObject({ kind: "failed", problem: { kind: "http", status: 416 } });
      expect((await bench.home()).whole).toEqual([]);
    });

    test("mends the head of a video that the camera closed in between", async () => {
      await using bench = await SyncBench.open({ generation });
      const closed = await bench.card.bytes(VIDEO);
      bench.put(`.${VIDEO}`, openHead(closed).subarray(0, 120_000));
      expect((await bring(bench, VIDEO)).outcome).toEqual(whole);
      expect(bench.rangesOf(VIDEO)).toEqual(["bytes=120000-", null]);
      expect((await bench.home()).whole).toEqual([VIDEO]);
    });
  });

  /** A video as it is while the camera still writes it: the length of its last box is not filled in. */
  function openHead(closed: Uint8Array): Uint8Array {
    const open = closed.slice();
    open.fill(0, 24 + 116 + 8, 24 + 116 + 16);
    return open;
  }

  describe("download() of the newest video", () => {
    test("takes what was added meanwhile", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.simulator.fault({ name: "growing", match: /_EF\.mp4/, times: 2, value: 30_000 });
      const newest = VIDEOS[2];
      const { outcome } = await bring(bench, newest, { newest: true });
      expect(outcome).toEqual({ kind: "completed", name: newest, size: SIZE });
      expect(bench.rangesOf(newest)).toEqual([null, `bytes=${SIZE - 30_000}-`, `bytes=${SIZE}-`]);
      expect((await bench.home()).whole).toEqual([newest]);
    });

    test("keeps one that goes on growing as a partial, and finishes it later", async () => {
      await using bench = await SyncBench.open({ generation });
      const newest = VIDEOS[2];
      const stopGrowing = bench.simulator.fault({ name: "growing", match: /_EF\.mp4/, times: 100, value: 1000 });
      expect((await bring(bench, newest, { newest: true })).outcome).toEqual({ kind: "growing" });
      const { [newest]: had = 0 } = (await bench.home()).partials;
      expect(had).toBeGreaterThan(SIZE / 2);
      stopGrowing();
      bench.simulator.requests.length = 0;
      expect((await bring(bench, newest)).outcome).toEqual({ kind: "completed", name: newest, size: SIZE });
      expect(bench.rangesOf(newest)).toEqual([`bytes=${had}-`]);
      expect((await bench.home()).whole).toEqual([newest]);
    });

    test("mends the head that the camera rewrote when it closed the file under our hands", async () => {
      await using bench = await SyncBench.open({ generation });
      const closed = await bench.card.bytes(VIDEO);
      const open = openHead(closed);
      const length = 130_000;
      let isClosed = false;
      bench.card.add(VIDEO, {
        get size() {
          return isClosed ? SIZE : length;
        },
        read(start, end) {
          const bytes = (isClosed ? closed : open).subarray(start, end);
          if (end === length) isClosed = true;
          return bytes;
        },
      });
      expect((await bring(bench, VIDEO, { newest: true })).outcome).toEqual(whole);
      expect((await bench.home()).whole).toEqual([VIDEO]);
    });

    test("does not take a pause in the camera's writing for the end of the recording", async () => {
      await using bench = await SyncBench.open({ generation });
      const closed = await bench.card.bytes(VIDEO);
      // Written in bursts: as long at the first look, longer at the second, no longer at the third.
      const open = openHead(closed);
      const written = [120_000, 150_000, 150_000];
      let look = 0;
      bench.card.add(VIDEO, {
        get size() {
          return written[look] ?? 150_000;
        },
        read(start, end) {
          if (end === written[look]) look++;
          return open.subarray(start, end);
        },
      });
      expect((await bring(bench, VIDEO, { newest: true })).outcome).toEqual({ kind: "growing" });
      expect((await bench.home()).partials).toEqual({ [VIDEO]: 150_000 });
      bench.card.add(VIDEO, closed);
      expect((await bring(bench, VIDEO, { newest: true })).outcome).toEqual(whole);
      expect((await bench.home()).whole).toEqual([VIDEO]);
    });

    test("that the camera never closed comes home as it is when it has not changed for ten minutes", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.card.add(VIDEO, openHead(await bench.card.bytes(VIDEO)));
      const now = Date.now();
      expect((await bring(bench, VIDEO, { newest: true, now })).outcome).toEqual({ kind: "growing" });
      const before = bench.simulator.requests.length;
      // Sooner it is only asked whether there is more of it.
      expect((await bring(bench, VIDEO, { now: now + 9 * MINUTE })).outcome).toEqual({ kind: "growing" });
      expect(bench.rangesOf(VIDEO, before)).toEqual([`bytes=${SIZE}-`]);
      // All of it is compared, for a camera may write into a file without making it longer.
      const late = bench.simulator.requests.length;
      expect((await bring(bench, VIDEO, { now: now + 10 * MINUTE })).outcome).toEqual(whole);
      expect(bench.rangesOf(VIDEO, late)[0]).toBeNull();
      expect((await bench.home()).whole).toEqual([VIDEO]);
    });

    test("takes it as it is when it can no longer be asked and is whole", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.simulator.fault({ name: "goes-away", match: new RegExp(VIDEO), value: 1 });
      expect((await bring(bench, VIDEO, { newest: true })).outcome).toEqual(whole);
    });
  });

  test("download() takes the rest at once of a video that was promised too short once", async () => {
    await using bench = await SyncBench.open({ generation });
    bench.simulator.fault({ name: "longer-than-promised", value: 74, times: 1 });
    expect((await bring(bench, VIDEO)).outcome).toEqual(whole);
    expect(bench.rangesOf(VIDEO)[1]).toBe(`bytes=${SIZE - 74}-`);
    expect((await bench.home()).whole).toEqual([VIDEO]);
  });

  describe("download() of a video whose boxes do not end where it ends", () => {
    /** Cut off by a power failure on the card itself: there is no more to be had. */
    async function damaged(): Promise<SyncBench> {
      const bench = await SyncBench.open({ generation });
      bench.card.add(VIDEO, (await bench.card.bytes(VIDEO)).slice(0, 150_000));
      return bench;
    }

    test("asks once more for what lies behind, waits, and takes it as it is ten minutes later", async () => {
      await using bench = await damaged();
      const now = Date.now();
      expect((await bring(bench, VIDEO, { now })).outcome).toEqual({ kind: "growing" });
      expect(bench.rangesOf(VIDEO)).toEqual([null, "bytes=150000-"]);
      expect((await bench.home()).partials).toEqual({ [VIDEO]: 150_000 });
      expect((await bring(bench, VIDEO, { now: now + 10 * MINUTE })).outcome).toEqual({ ...whole, size: 150_000 });
      expect((await bench.home()).whole).toEqual([VIDEO]);
    });

    test("waits anew when bytes have changed meanwhile, though the length has not", async () => {
      await using bench = await damaged();
      const now = Date.now();
      const before = await bench.card.bytes(VIDEO);
      expect((await bring(bench, VIDEO, { now })).outcome).toEqual({ kind: "growing" });
      const changed = before.slice();
      changed[70_000] = (changed[70_000] ?? 0) ^ 0xff;
      bench.card.add(VIDEO, changed);
      expect((await bring(bench, VIDEO, { now: now + 10 * MINUTE })).outcome).toEqual({ kind: "growing" });
      expect((await bring(bench, VIDEO, { now: now + 20 * MINUTE })).outcome).toEqual({ ...whole, size: 150_000 });
      expect((await bench.home()).whole).toEqual([VIDEO]);
    });

    test("does not count the minutes of a clock that was set back", async () => {
      await using bench = await damaged();
      const now = Date.now();
      expect((await bring(bench, VIDEO, { now })).outcome).toEqual({ kind: "growing" });
      expect((await bring(bench, VIDEO, { now: now - 365 * 24 * 60 * MINUTE })).outcome).toEqual({ kind: "growing" });
      expect((await bring(bench, VIDEO, { now: now - 364 * 24 * 60 * MINUTE })).outcome).toEqual({
        ...whole,
        size: 150_000,
      });
    });

    test("does not wait where a shorter file has come in its place", async () => {
      await using bench = await damaged();
      const now = Date.now();
      expect((await bring(bench, VIDEO, { now })).outcome).toEqual({ kind: "growing" });
      bench.card.add(VIDEO, 90_000);
      expect((await bring(bench, VIDEO, { now: now + MINUTE })).outcome).toEqual({ ...whole, size: 90_000 });
      expect((await bench.home()).whole).toEqual([VIDEO]);
    });

    test("takes it when the camera cannot say what lies behind it", async () => {
      await using bench = await damaged();
      bench.simulator.fault({ name: "wrong-range", value: 7 });
      const now = Date.now();
      expect((await bring(bench, VIDEO, { now })).outcome).toEqual({ kind: "growing" });
      expect((await bring(bench, VIDEO, { now: now + 10 * MINUTE })).outcome).toEqual({ ...whole, size: 150_000 });
      expect((await bench.home()).whole).toEqual([VIDEO]);
    });
  });

  describe("download() on a disk without room", () => {
    test("writes nothing of a file whose known size does not fit", async () => {
      await using bench = await SyncBench.open({ generation });
      const { outcome, heard } = await bring(bench, VIDEO, { room: SIZE - 1 });
      expect(outcome).toMatchObject({ kind: "failed", problem: expect.any(NoRoom) });
      expect(heard.bytes).toBe(0);
      expect((await bench.home()).whole).toEqual([]);
    });

    test("keeps the partial, and needs room for the rest only", async () => {
      await using bench = await SyncBench.open({ generation });
      await bench.putPartial(VIDEO, 120_000);
      expect((await bring(bench, VIDEO, { room: 79_999 })).outcome).toMatchObject({ problem: expect.any(NoRoom) });
      expect((await bench.home()).partials).toEqual({ [VIDEO]: 120_000 });
      expect((await bring(bench, VIDEO, { room: 80_000 })).outcome).toEqual(whole);
      expect((await bench.home()).whole).toEqual([VIDEO]);
    });
  });

  test("download() refuses a link in the place of a partial, and nothing outside is written", async () => {
    await using bench = await SyncBench.open({ generation });
    bench.put("../outside", "untouched");
    const link = join(bench.destination, `.${VIDEO}`);
    bench.put(".keep", "");
    symlinkSync("../outside", link);
    const { outcome } = await bring(bench, VIDEO);
    expect(outcome).toMatchObject({ kind: "failed", problem: expect.any(FileInTheWay) });
    expect(readFileSync(join(dirname(bench.destination), "outside"), "utf8")).toBe("untouched");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(existsSync(join(bench.destination, VIDEO))).toBe(false);

    // It is the one file that fails, by its name; all others come home.
    const { failure, counts } = await bench.sync();
    expect(failure).toBeNull();
    expect(counts.failed).toBe(1);
    expect(bench.told("WARNING")).toEqual([expect.stringMatching(/NF\.mp4.* is a link/)]);
    expect(readFileSync(join(dirname(bench.destination), "outside"), "utf8")).toBe("untouched");
  });

  test("a FIFO in the place of a partial fails its file alone, by its name", async () => {
    await using bench = await SyncBench.open({ generation });
    bench.put(".keep", "");
    Bun.spawnSync(["mkfifo", join(bench.destination, `.${VIDEO}`)]);
    const { failure, counts } = await bench.sync();
    expect(failure).toBeNull();
    expect(counts.failed).toBe(1);
    expect(bench.told("WARNING")).toEqual([expect.stringMatching(/NF\.mp4 is not a file; remove it/)]);
  });

  test("download() keeps a partial when it is stopped in the middle of a body", async () => {
    await using bench = await SyncBench.open({ generation });
    bench.simulator.fault({ name: "stall", after: 100_000 });
    const stop = new AbortController();
    const work = bring(bench, VIDEO, { signal: stop.signal });
    await bench.simulator.asked(/NF\.mp4/);
    stop.abort(new StopRequested());
    expect((await work).outcome).toEqual({ thrown: expect.any(StopRequested) });
    const home = await bench.home();
    expect(home.wrong).toEqual([]);
    expect(home.whole).toEqual([]);
  });

  test("a video is asked for a second time after a server error, and only once", async () => {
    await using bench = await SyncBench.open({ generation });
    bench.simulator.fault({ name: "error-500", times: 1 });
    expect((await bench.sync()).counts).toMatchObject({ completed: FILES_OF[generation], failed: 0 });
    await using other = await SyncBench.open({ generation });
    other.simulator.fault({ name: "error-500", value: 503, match: /NR\.mp4$/ });
    expect((await other.sync()).counts).toMatchObject({ completed: FILES_OF[generation] - 1, failed: 1 });
    expect(other.rangesOf(VIDEOS[1])).toEqual([null, null]);
  });

  test.each(["named", "chunked"])(
    "download() leaves nothing of a video that is empty on the card, its length %s",
    async (how) => {
      await using bench = await SyncBench.open({ generation });
      bench.card.add(VIDEO, new Uint8Array(0));
      if (how === "chunked") bench.simulator.fault("chunked");
      expect((await bring(bench, VIDEO)).outcome).toEqual({ kind: "empty" });
      expect(bench.tree()).toEqual([".keep"]);
    },
  );
});
