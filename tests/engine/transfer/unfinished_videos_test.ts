import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CardFile, syntheticVideo } from "../../../server/dashcam/simulator/simulated_video.ts";
import type { Fault } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { onBothInterfaces, requestFor } from "../../support/app/interfaces.ts";
import { cardOf, SyncBench, VIDEOS } from "../../support/app/sync.ts";
import { expectAllHome, expectNextBringsAll } from "../../support/camera/brought_home.ts";
import { leaveAt, VICTIM, victimOf } from "../../support/camera/leaving_camera.ts";

const MB = 1_000_000;
const MINUTE = 60_000;

onBothInterfaces((generation) => {
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
        // Requests for more bytes, and for proof that the file is the same, come apart.
        await leaveAt(bench, name, 700_000, { passes: 2, from: 400_000 });
        const before = bench.simulator.requests.length;
        await expectNextBringsAll(bench);
        expect(bench.rangesOf(name, before).at(-1)).toBe("bytes=700000-");
      });
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

    test("is repaired with it", async () => {
      await using bench = await closing((video) => video);
      expect((await bench.sync()).failure).toBeNull();
      await expectAllHome(bench);
      expect(bench.rangesOf(NEWEST)).toEqual([null, "bytes=2000000-", "bytes=3000000-", null]);
    });

    test("is not repaired with a web page", async () => {
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
});
