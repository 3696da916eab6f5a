import { describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type CardFile, syntheticVideo } from "../../../server/dashcam/simulator/simulated_video.ts";
import type { Fault } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { noFailures } from "../../../server/domain/runs/run.ts";
import { onBothInterfaces, requestFor, requestsFor } from "../../support/interfaces.ts";
import { untilSize } from "../../support/process.ts";
import { cardOf, SyncBench, type SyncOverrides, VIDEOS } from "../../support/sync.ts";

const MB = 1_000_000;
const MINUTE = 60_000;
const [VICTIM] = VIDEOS;
/** Every file that failed before is tried again at once. */
const AGAIN: SyncOverrides = { retryFailedAfterMs: 0 };
/** A camera that leaves is not waited for. */
const HASTY: SyncOverrides = { patience: { retryMs: [], silentCameraMs: 0, probeEveryMs: 0 } };

const victimOf = (size: number) => cardOf(VIDEOS, (name) => (name === VICTIM ? size : 20_000));

/**
 * Runs until the camera leaves in the middle of a file, of which exactly so many bytes are here then.
 * @param passes how many answers about that file go through before, and `from` where the broken one begins
 */
async function leaveAt(
  bench: SyncBench,
  name: string,
  bytes: number,
  { passes = 0, from = 0 }: { passes?: number; from?: number } = {},
): Promise<void> {
  const match = requestFor(name);
  const lifts = [
    bench.simulator.fault({ name: "silence", match, after: 0, value: 0, times: passes }),
    bench.simulator.fault({ name: "stall", match, after: bytes - from }),
  ];
  // It leaves when all it sent has been taken: what a reset catches on its way is lost.
  const path = join(bench.destination, `.${name}`);
  const isHere =
    (statSync(path, { throwIfNoEntry: false })?.size ?? 0) < bytes
      ? untilSize(path, bytes)
      : bench.until(({ current_file: file }) => file?.filename === name && file.downloaded_bytes === bytes);
  const run = bench.sync(HASTY);
  await isHere;
  await bench.simulator.goAway();
  expect((await run).failure?.kind).toBe("away");
  expect((await bench.home()).partials).toEqual({ [name]: bytes });
  for (const lift of lifts) lift();
  await bench.simulator.comeBack();
}

/** Everything on the card is at home, byte by byte, and nothing else is. */
async function expectAllHome(bench: SyncBench): Promise<void> {
  expect(await bench.home()).toEqual({ whole: bench.offered(), wrong: [], partials: {}, markers: [] });
}

/** One run that brings all that is missing. */
async function expectNextBringsAll(bench: SyncBench, overrides: SyncOverrides = {}): Promise<void> {
  const { failure, fileFailures } = await bench.sync({ ...AGAIN, ...overrides });
  expect(failure).toBeNull();
  expect(fileFailures).toEqual(noFailures());
  await expectAllHome(bench);
}

/** Bytes that are of no video. */
function noise(bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) => (at * 7919 + (at >> 7)) % 251);
}

onBothInterfaces((generation) => {
  describe("a card that was formatted, on which the name has come again", () => {
    const lengths = [
      { what: "as long as before", isAsLong: true, size: (before: number) => before },
      { what: "longer", isAsLong: false, size: (before: number) => before + 300_000 },
      { what: "shorter than what came of the first", isAsLong: false, size: () => 90_000 },
    ];
    const rows = [
      { partial: MB, before: 2 * MB },
      { partial: 400_000, before: 900_000 },
      { partial: 100_000, before: 900_000 },
    ].flatMap((row) => [false, true].flatMap((validators) => lengths.map((each) => ({ ...row, ...each, validators }))));
    // Of a small partial nothing is asked again: what could tell is the length, or a validator.
    const told = rows.filter(({ partial, validators, isAsLong }) => partial > 100_000 || validators || !isAsLong);
    test.each(told)(
      "is not continued behind $partial bytes of the first, validators $validators, when it is $what",
      async ({ partial, before, validators, size }) => {
        await using bench = await SyncBench.open({ generation, card: victimOf(before), validators });
        await leaveAt(bench, VICTIM, partial);
        bench.card.add(VICTIM, syntheticVideo("after the card was formatted", size(before), 60));
        await expectNextBringsAll(bench);
      },
    );

    test.each([MB, 400_000])("is not continued behind %p bytes of which nothing was noted", async (partial) => {
      await using bench = await SyncBench.open({ generation, card: victimOf(2 * MB) });
      const other = syntheticVideo("before the card was formatted", 2 * MB, 60);
      bench.put(`.${VICTIM}`, await other.read(0, partial));
      await expectNextBringsAll(bench);
    });

    test("keeps what came of the second when that breaks off, and what is noted of it is its own", async () => {
      await using bench = await SyncBench.open({ generation, card: victimOf(MB), validators: true });
      await leaveAt(bench, VICTIM, 100_000);
      bench.card.add(VICTIM, syntheticVideo("after the card was formatted", MB, 60));
      await leaveAt(bench, VICTIM, 60_000, { passes: 1 });
      const before = bench.simulator.requests.length;
      await expectNextBringsAll(bench);
      expect(bench.rangesOf(VICTIM, before)).toEqual(["bytes=60000-"]);
    });

    test("does not lend its validators to bytes of the first when nothing comes of it", async () => {
      await using bench = await SyncBench.open({ generation, card: victimOf(MB), validators: true });
      await leaveAt(bench, VICTIM, 100_000);
      bench.card.add(VICTIM, syntheticVideo("after the card was formatted", MB, 60));
      // The answer to the request for the whole breaks before its first byte.
      bench.simulator.fault({ name: "cut-short", match: requestFor(VICTIM), after: 0 });
      await bench.sync();
      bench.simulator.clearFaults();
      expect((await bench.home()).whole).not.toContain(VICTIM);
      await expectNextBringsAll(bench);
    });
  });

  describe("a partial that holds foreign bytes", () => {
    const video = (bytes: number) => syntheticVideo("of another recording", 2 * MB, 60).read(0, bytes);
    const rows: { what: string; bytes: Uint8Array | Promise<Uint8Array> | Uint8Array }[] = [
      { what: "noise of 500 kB", bytes: noise(500_000) },
      { what: "noise of 100 kB", bytes: noise(100_000) },
      { what: "a few bytes of noise", bytes: noise(5) },
      { what: "noise as long as the file", bytes: noise(900_000) },
      { what: "noise longer than the file", bytes: noise(950_000) },
      { what: "zeros of 100 kB", bytes: new Uint8Array(100_000) },
      { what: "zeros of 500 kB", bytes: new Uint8Array(500_000) },
      { what: "text of 100 kB", bytes: new TextEncoder().encode("Access denied\n".repeat(7000)) },
      { what: "500 kB of another video", bytes: video(500_000) },
      { what: "100 kB of another video", bytes: video(100_000) },
    ];
    for (const size of [900_000, 1_200_000])
      test.each(rows)(`is begun anew for a file of ${size} bytes: $what`, async ({ bytes }) => {
        await using bench = await SyncBench.open({ generation, card: victimOf(size) });
        bench.put(`.${VICTIM}`, await bytes);
        await expectNextBringsAll(bench);
      });

    test("of a small file is begun anew when it is as long as that", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.put(`.${VICTIM}`, noise(200_000));
      await expectNextBringsAll(bench);
    });
  });

  describe("a file whose room the camera took before it wrote it", () => {
    /** Inside the index, so that the boxes show it: `ftyp` ends at 24, `moov` at 140. */
    const WRITTEN = 60;
    const preallocated: Fault = { name: "preallocated", match: requestFor(VICTIM), after: WRITTEN };

    test.each([0, 8, 24, 100, 139, 150].map((after) => ({ after })))(
      "and wrote $after bytes of stays a partial, and comes home when it was closed",
      async ({ after }) => {
        await using bench = await SyncBench.open({ generation, card: victimOf(900_000) });
        const lift = bench.simulator.fault({ ...preallocated, after });
        expect((await bench.sync()).failure).toBeNull();
        const home = await bench.home();
        expect(home.whole).not.toContain(VICTIM);
        expect(home.partials).toEqual({ [VICTIM]: 900_000 });
        // Its length says nothing, so soon after it nothing new is to be seen.
        bench.clockOffset = 5 * MINUTE;
        expect((await bench.sync()).failure).toBeNull();
        expect((await bench.home()).whole).toEqual(home.whole);
        lift();
        bench.clockOffset = 11 * MINUTE;
        await expectNextBringsAll(bench);
      },
    );

    test.each([700_000, 400_000, 100_000])("is not continued behind %p bytes of zeros", async (partial) => {
      await using bench = await SyncBench.open({ generation, card: victimOf(900_000) });
      const lift = bench.simulator.fault(preallocated);
      await leaveAt(bench, VICTIM, partial);
      lift();
      await expectNextBringsAll(bench);
    });

    const moments = [0, 1, 2, 3, 4].flatMap((times) => [1_700_000, 100_000].map((partial) => ({ times, partial })));
    test.each(moments)(
      "and which it closes after $times further requests is whole in the end, when $partial bytes of zeros were here",
      async ({ times, partial }) => {
        await using bench = await SyncBench.open({ generation, card: victimOf(2 * MB) });
        const lift = bench.simulator.fault(preallocated);
        await leaveAt(bench, VICTIM, partial);
        lift();
        bench.simulator.fault({ ...preallocated, times });
        expect((await bench.sync()).failure).toBeNull();
        const home = await bench.home();
        expect(home.whole.includes(VICTIM) || home.partials[VICTIM] === 2 * MB).toBe(true);
        bench.simulator.clearFaults();
        bench.clockOffset = 11 * MINUTE;
        await expectNextBringsAll(bench);
      },
    );
  });

  describe("a video in whose writing the camera pauses at 400 of 900 kB, and which is not the newest by name", () => {
    const FUTURE = "20990101_000000_NF.mp4";
    const rows = [
      { what: "another recording is newer", videos: VIDEOS, name: VICTIM },
      { what: "one file is dated 2099", videos: [...VIDEOS, FUTURE], name: VIDEOS[2] },
    ];
    const open = async ({ videos, name }: (typeof rows)[number], validators = false) => {
      const bench = await SyncBench.open({
        generation,
        card: cardOf(videos, (each) => (each === name ? 900_000 : 20_000)),
        validators,
      });
      const lift = bench.simulator.fault({ name: "paused", match: requestFor(name), after: 400_000 });
      /** The next run, so many minutes after the first. */
      const later = async (minutes: number) => {
        bench.clockOffset = minutes * MINUTE;
        expect((await bench.sync()).failure).toBeNull();
        return await bench.home();
      };
      const atFirst = await later(0);
      expect(atFirst.partials).toEqual({ [name]: 400_000 });
      expect(atFirst.whole).not.toContain(name);
      expect(atFirst.wrong).toEqual([]);
      // Nor does anything that is written beside it.
      const moment = name.slice(0, 17);
      expect(atFirst.whole).toEqual(
        bench.offered().filter((each) => !each.startsWith(moment) || (each.endsWith(".mp4") && each !== name)),
      );
      return { bench, lift, later, name };
    };

    describe.each(rows)("because $what", (row) => {
      test("stays a partial for ten minutes, for which one request a run is enough", async () => {
        const { bench, later, name } = await open(row);
        await using _ = bench;
        for (const minutes of [3, 9]) {
          const before = bench.simulator.requests.length;
          expect((await later(minutes)).partials).toEqual({ [name]: 400_000 });
          expect(bench.rangesOf(name, before)).toEqual(["bytes=400000-"]);
        }
      });

      test.each([3, 9, 11, 600].flatMap((minutes) => [false, true].map((validators) => ({ minutes, validators }))))(
        "comes home whole when it was closed $minutes minutes later, validators $validators",
        async ({ minutes, validators }) => {
          const { bench, lift, later } = await open(row, validators);
          await using _ = bench;
          lift();
          await later(minutes);
          await expectAllHome(bench);
        },
      );

      test("stays a partial when it has grown within these minutes, and begins to wait anew", async () => {
        const { bench, lift, later, name } = await open(row);
        await using _ = bench;
        lift();
        const goesOn = bench.simulator.fault({ name: "paused", match: requestFor(name), after: 600_000 });
        expect((await later(11)).partials).toEqual({ [name]: 600_000 });
        expect((await later(20)).partials).toEqual({ [name]: 600_000 });
        goesOn();
        await later(22);
        await expectAllHome(bench);
      });

      test("comes home as it is when it is the same after eleven minutes: there is no more of it", async () => {
        const { bench, later, name } = await open(row);
        await using _ = bench;
        const { partials, markers } = await later(11);
        expect({ partials, markers }).toEqual({ partials: {}, markers: [] });
        const written = (await bench.card.bytes(name)).subarray(0, 400_000);
        expect(readFileSync(join(bench.destination, name)).equals(written)).toBe(true);
      });

      test("is not continued when the name came again with other bytes within these minutes", async () => {
        const { bench, lift, later, name } = await open(row);
        await using _ = bench;
        lift();
        bench.card.add(name, syntheticVideo("after the card was formatted", 900_000, 60));
        await later(5);
        bench.clockOffset = 20 * MINUTE;
        await expectNextBringsAll(bench);
      });

      test("keeps what came of it when the camera leaves while it is continued", async () => {
        const { bench, lift, name } = await open(row);
        await using _ = bench;
        lift();
        bench.clockOffset = 5 * MINUTE;
        // Whether there is more, and whether it is of the same file, are questions of their own.
        await leaveAt(bench, name, 700_000, { passes: 2, from: 400_000 });
        const before = bench.simulator.requests.length;
        await expectNextBringsAll(bench);
        expect(bench.rangesOf(name, before).at(-1)).toBe("bytes=700000-");
      });
    });
  });

  describe("a camera or a router that answers 200 with something else", () => {
    const videos = Array.from({ length: 30 }, (_, minute) => `20260607_10${String(minute + 10)}00_NF.mp4`);
    const answers = ["text-200", "json-200", "json-untyped", "html-200", "html-untyped", "xml-200"] as const;

    test.each(answers)("to 25 of 30 videos leaves nothing of them, and no markers (%s)", async (name) => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 5000) });
      for (const video of videos.slice(0, 5)) bench.put(video, await bench.card.bytes(video));
      bench.simulator.fault(name);
      const { failure, run } = await bench.sync();
      expect(failure).toMatchObject({ kind: "trouble", reason: "http" });
      expect(failure?.message).toMatch(/something else came instead of the file/);
      expect(run).toMatchObject({ success: false, exitCode: 2 });
      expect(run.failures.http).toBe(26);
      const home = await bench.home();
      const { wrong, partials, markers } = home;
      expect({ wrong, partials, markers }).toEqual({ wrong: [], partials: {}, markers: [] });
      expect(home.whole.filter((each) => each.endsWith(".mp4"))).toEqual(videos.slice(0, 5));
      bench.simulator.clearFaults();
      expect((await bench.sync()).failure).toBeNull();
      await expectAllHome(bench);
    });

    test.each(["text-200", "html-untyped"] as const)(
      "in the middle of a run leaves nothing, and what came before stays (%s)",
      async (name) => {
        await using bench = await SyncBench.open({ generation, card: cardOf(videos, 5000) });
        bench.simulator.fault({ name, match: /_10(1[5-9]|[23]\d)00_NF\.mp4$/ });
        const { failure, fileFailures } = await bench.sync();
        expect(failure).toBeNull();
        expect(fileFailures).toEqual({ ...noFailures(), http: 25 });
        const { wrong, partials } = await bench.home();
        expect({ wrong, partials }).toEqual({ wrong: [], partials: {} });
        bench.simulator.clearFaults();
        await expectNextBringsAll(bench);
      },
    );

    test.each(answers)("to a request for the rest keeps the partial, and what is known of it (%s)", async (name) => {
      await using bench = await SyncBench.open({ generation, card: victimOf(900_000), validators: true });
      await leaveAt(bench, VICTIM, 700_000);
      const lift = bench.simulator.fault({ name, match: requestFor(VICTIM) });
      expect((await bench.sync()).fileFailures).toEqual({ ...noFailures(), http: 1 });
      expect((await bench.home()).partials).toEqual({ [VICTIM]: 700_000 });
      lift();
      const before = bench.simulator.requests.length;
      await expectNextBringsAll(bench);
      expect(bench.rangesOf(VICTIM, before)).toEqual([`bytes=${700_000 - 65_536}-699999`, "bytes=700000-"]);
    });

    test("of two megabytes leaves nothing, though a long body is not held back", async () => {
      await using bench = await SyncBench.open({ generation, card: victimOf(2 * MB) });
      const video = bench.card.files.get(VICTIM) as CardFile;
      bench.card.add(VICTIM, new TextEncoder().encode("<!DOCTYPE html>".padEnd(2 * MB)));
      expect((await bench.sync()).fileFailures).toEqual({ ...noFailures(), http: 1 });
      const { whole, partials } = await bench.home();
      expect(whole).not.toContain(VICTIM);
      expect(partials).toEqual({});
      expect(bench.tree().filter((path) => path.endsWith(".json"))).toEqual([]);
      bench.card.add(VICTIM, video);
      await expectNextBringsAll(bench);
    });

    test("when the head of a video is asked for again does not become its head", async () => {
      await using bench = await SyncBench.open({ generation, card: victimOf(900_000) });
      const video = bench.card.files.get(VICTIM) as CardFile;
      // As before the camera closed it: the index is not written yet.
      const open = (await bench.card.bytes(VICTIM)).slice(0, 200_000);
      open.fill(0, 30, 140);
      bench.put(`.${VICTIM}`, open);
      const page = new TextEncoder().encode("<!DOCTYPE html><html>".padEnd(900_000));
      let pages = 0;
      bench.card.add(VICTIM, {
        size: 900_000,
        read(start, end) {
          if (start >= 200_000) return video.read(start, end);
          pages++;
          return page.subarray(start, end);
        },
      });
      const { fileFailures } = await bench.sync();
      expect(fileFailures).toEqual({ ...noFailures(), http: 1 });
      expect(pages).toBeGreaterThan(0);
      expect((await bench.home()).whole).not.toContain(VICTIM);
      expect(bench.tree()).not.toContain(VICTIM);
      bench.card.add(VICTIM, video);
      await expectNextBringsAll(bench);
    });
  });

  describe("the newest video, of which the camera writes the head when it closes it", () => {
    const [, , NEWEST] = VIDEOS;
    const SIZE = 3 * MB;

    /** It is 2 MB long and open at the first look, and at the next one 3 MB long; what then begins at 0 is `closed`. */
    async function closing(closed: (video: CardFile) => CardFile): Promise<SyncBench> {
      const bench = await SyncBench.open({
        generation,
        card: cardOf(VIDEOS, (name) => (name === NEWEST ? SIZE : 20_000)),
      });
      const video = bench.card.files.get(NEWEST) as CardFile;
      const later = closed(video);
      let isClosed = false;
      bench.card.add(NEWEST, {
        get size() {
          return isClosed ? SIZE : 2 * MB;
        },
        async read(start, end) {
          const bytes = Uint8Array.from(await (isClosed ? later : video).read(start, end));
          if (!isClosed && start < 140) bytes.fill(0, 30 - start, 140 - start);
          isClosed ||= end === 2 * MB;
          return bytes;
        },
      });
      return bench;
    }

    test("is mended with it", async () => {
      await using bench = await closing((video) => video);
      expect((await bench.sync()).failure).toBeNull();
      await expectAllHome(bench);
      expect(bench.rangesOf(NEWEST)).toEqual([null, "bytes=2000000-", "bytes=3000000-", null]);
    });

    test("is not mended with a web page", async () => {
      const page = new TextEncoder().encode("<!DOCTYPE html><html>".padEnd(2 * MB));
      await using bench = await closing((video) => ({
        size: SIZE,
        read: (start, end) => (start < 2 * MB ? page.subarray(start, end) : video.read(start, end)),
      }));
      expect((await bench.sync()).failure).toBeNull();
      const { partials, whole } = await bench.home();
      expect(partials).toEqual({ [NEWEST]: SIZE });
      expect(whole).not.toContain(NEWEST);
      bench.card.add(NEWEST, SIZE);
      bench.clockOffset = 11 * MINUTE;
      await expectNextBringsAll(bench);
    });
  });

  describe("a companion", () => {
    const [thumbnail, positions, sensor] = [
      "20260607_101500_NF.thm",
      "20260607_101500_N.gps",
      "20260607_101500_N.3gf",
    ] as const;
    const names = [thumbnail, positions, ...(generation === "legacy" ? [sensor] : [])] as const;

    test.each(names)("cut once without a promised length is asked for again: %s", async (name) => {
      const after = name === thumbnail ? 900 : 3005;
      await using bench = await SyncBench.open({ generation });
      bench.simulator.fault({ name: "no-length-cut", match: requestFor(name), after, times: 1 });
      bench.simulator.fault({ name: "no-length", match: requestFor(name) });
      expect((await bench.sync()).failure).toBeNull();
      expect((await bench.home()).wrong).toEqual([]);
      bench.simulator.clearFaults();
      await expectNextBringsAll(bench);
    });

    // Cut JSON is known as such at once: a failure that leaves a marker.
    const failed = generation === "legacy" ? { network: 1 } : { http: 1 };
    test("cut at another place in every answer never becomes final", async () => {
      await using bench = await SyncBench.open({ generation });
      for (let after = 1000; after < 1040; after++)
        bench.simulator.fault({ name: "no-length-cut", match: requestFor(positions), after, times: 1 });
      const { failure, fileFailures } = await bench.sync();
      expect(failure).toBeNull();
      expect(fileFailures).toEqual({ ...noFailures(), ...failed });
      expect(await bench.home()).toEqual({
        whole: bench.offered().filter((name) => name !== positions),
        wrong: [],
        partials: {},
        markers: generation === "legacy" ? [] : [`${positions}.failed`],
      });
      bench.simulator.clearFaults();
      await expectNextBringsAll(bench);
    });

    // With the newer interface other JSON may say that there is none, which is no failure.
    const json = generation === "legacy" ? (["json-200", "json-untyped"] as const) : [];
    const faults = ["html-200", "html-untyped", "xml-200", "unasked-206", ...json] as const;
    const rows = faults.flatMap((fault) => names.map((name) => ({ fault, name })));
    test.each(rows)("that is answered with $fault is not kept: $name", async ({ fault, name }) => {
      await using bench = await SyncBench.open({ generation });
      bench.simulator.fault({ name: fault, match: requestFor(name) });
      const { failure, fileFailures } = await bench.sync();
      expect(failure).toBeNull();
      expect(fileFailures).toEqual({ ...noFailures(), http: 1 });
      const { whole, wrong, partials } = await bench.home();
      expect(whole).toEqual(bench.offered().filter((each) => each !== name));
      expect({ wrong, partials }).toEqual({ wrong: [], partials: {} });
      bench.simulator.clearFaults();
      await expectNextBringsAll(bench);
    });
  });

  test("an answer with a range that was not asked for is believed when it says that it is the whole", async () => {
    await using bench = await SyncBench.open({ generation });
    bench.simulator.fault({ name: "unasked-206", match: requestsFor("mp4"), value: "with-range" });
    await expectNextBringsAll(bench);
  });

  describe("the question whether the newest video has grown", () => {
    const newest = VIDEOS.slice(2);
    test.each([
      { what: "206 and no bytes", fault: { name: "range-empty-206" } },
      { what: "200 and no bytes", fault: { name: "range-empty" } },
      { what: "the whole file", fault: { name: "ignores-range" } },
      { what: "403", fault: { name: "range-status" } },
      { what: "a reset", fault: { name: "range-reset" } },
      { what: "a web page", fault: { name: "html-200", match: /never/ } },
    ] as const)("answered with $what is no growth: it comes home, and its companions too", async ({ fault }) => {
      await using bench = await SyncBench.open({ generation });
      bench.simulator.fault({ match: /_E[FR]\.mp4$/, ...fault });
      const { failure, counts } = await bench.sync();
      expect(failure).toBeNull();
      expect(counts.growing).toEqual([]);
      await expectAllHome(bench);
      for (const name of newest) expect(bench.rangesOf(name)[1]).toBe("bytes=200000-");
    });
  });

  test("a short partial that ends in zeros, as a power cut leaves it, is not continued", async () => {
    await using bench = await SyncBench.open({ generation });
    const content = await bench.card.bytes(VIDEOS[0]);
    const torn = new Uint8Array(120_000);
    torn.set(content.subarray(0, 60_000));
    bench.put(`.${VIDEOS[0]}`, torn);
    expect((await bench.sync()).failure).toBeNull();
    expect((await bench.home()).whole).toEqual(bench.offered());
    expect(bench.rangesOf(VIDEOS[0])).toEqual([null]);
  });
});
