import { describe, expect, test } from "bun:test";
import type { Fault } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import type { Priority } from "../../../server/domain/settings/sections/sync.ts";
import { LIST_REQUEST, onBothInterfaces, requestFor } from "../../support/app/interfaces.ts";
import { cardOf, SyncBench, VIDEOS } from "../../support/app/sync.ts";
import { SHORT_WAITING } from "../../support/app/wait_limits.ts";
import { expectAllHome, expectVideosHome, minutes, VIDEOS_ONLY } from "../../support/camera/brought_home.ts";

const MB = 1_000_000;

onBothInterfaces((generation) => {
  describe("what breaks is taken up again in the same run", () => {
    const breaks: Omit<Fault, "match">[] = [
      { name: "cut-short" },
      { name: "reset" },
      { name: "closed-without-answer" },
      { name: "reset-without-answer" },
      { name: "no-length-cut" },
      { name: "no-length-reset" },
      { name: "chunked-cut" },
      { name: "error-500" },
      { name: "not-http" },
    ];
    test.each(breaks)("of six files that are each broken once, six are home after it: $name", async (fault) => {
      const videos = minutes(6);
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 150_000) });
      for (const name of videos) bench.simulator.fault({ ...fault, match: requestFor(name), times: 1 });
      const { failure, fileFailures } = await bench.sync(VIDEOS_ONLY);
      expect(failure).toBeNull();
      expect(fileFailures).toEqual(noFailures());
      await expectVideosHome(bench);
    });

    test("a cut drops nothing of what came: only what is missing is asked for", async () => {
      const videos = minutes(3);
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 200_000) });
      const names = ["cut-short", "no-length-cut", "chunked-cut"] as const;
      for (const [at, name] of names.entries())
        bench.simulator.fault({ name, match: requestFor(videos[at] ?? ""), after: 150_000, times: 1 });
      expect((await bench.sync(VIDEOS_ONLY)).failure).toBeNull();
      await expectVideosHome(bench);
      for (const name of videos) expect(bench.rangesOf(name).slice(0, 2)).toEqual([null, "bytes=150000-"]);
    });

    test("two files of 2 MB come in one run from a camera that cuts every 300 kB", async () => {
      const videos = minutes(2);
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 2 * MB) });
      bench.simulator.fault({ name: "cut-every", value: 300_000 });
      const { failure, fileFailures, run } = await bench.sync(VIDEOS_ONLY);
      expect(failure).toBeNull();
      expect(fileFailures).toEqual(noFailures());
      await expectVideosHome(bench);
      // Bytes come once, but for those that are compared.
      expect(run.bytes).toBeLessThan(4 * MB + 20 * 65_536);
    });

    test("six files come in one run from a camera that cuts every 40 kB", async () => {
      const videos = minutes(6);
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 200_000) });
      bench.simulator.fault({ name: "cut-every", value: 40_000 });
      const { failure, fileFailures } = await bench.sync(VIDEOS_ONLY);
      expect(failure).toBeNull();
      expect(fileFailures).toEqual(noFailures());
      await expectVideosHome(bench);
    });

    test("a file of which nothing comes waits at the end, and has its last try there", async () => {
      const videos = minutes(6);
      const [first = ""] = videos;
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 20_000) });
      bench.simulator.fault({ name: "closed-without-answer", match: requestFor(first), times: 8 });
      const { failure, fileFailures } = await bench.sync(VIDEOS_ONLY);
      expect(failure).toBeNull();
      expect(fileFailures).toEqual(noFailures());
      await expectVideosHome(bench);
      const asked = bench.asked();
      expect(asked.lastIndexOf(first)).toBeGreaterThan(asked.indexOf(videos[5] ?? ""));
    });

    describe("when the camera is gone for a moment", () => {
      // The pause before a question is told from those before a file's next try by its length.
      const waitLimits = { ...SHORT_WAITING, silentCameraMs: 3000, probeEveryMs: 30 };
      const videos = minutes(6);

      test("in the middle of three files: six of six are home after one run", async () => {
        await using bench = await SyncBench.open({ generation, card: cardOf(videos, 200_000) });
        const broken = [videos[1] ?? "", videos[3] ?? "", videos[4] ?? ""];
        for (const name of broken)
          bench.simulator.fault({ name: "stall", match: requestFor(name), after: 120_000, times: 1 });
        const run = bench.sync({ ...VIDEOS_ONLY, waitLimits });
        for (const name of broken) {
          await bench.until(({ current_file: file }) => file?.filename === name && file.downloaded_bytes === 120_000);
          await goneForAMoment(bench);
        }
        const { failure, fileFailures } = await run;
        expect(failure).toBeNull();
        expect(fileFailures).toEqual(noFailures());
        await expectVideosHome(bench);
        // Nothing was begun anew.
        for (const name of broken) expect(bench.rangesOf(name)).toEqual([null, "bytes=120000-"]);
      });

      test("before it answers the listing: the run begins as soon as it is there", async () => {
        await using bench = await SyncBench.open({ generation, card: cardOf(videos, 5000) });
        await bench.simulator.goAway();
        const isAsked = askedInVain(bench);
        const run = bench.sync({ waitLimits });
        await isAsked;
        await bench.simulator.comeBack();
        expect((await run).failure).toBeNull();
        await expectAllHome(bench);
      });

      /** The camera leaves, and comes back when it has been asked in vain. */
      async function goneForAMoment(bench: SyncBench): Promise<void> {
        const isAsked = askedInVain(bench);
        await bench.simulator.goAway();
        await isAsked;
        await bench.simulator.comeBack();
      }

      /** Resolves when the engine has got no answer and waits to ask once more. */
      function askedInVain({ clock }: SyncBench): Promise<void> {
        const { sleep } = clock;
        return new Promise((resolve) => {
          clock.sleep = (ms, signal) => {
            if (ms === waitLimits.probeEveryMs) {
              clock.sleep = sleep;
              resolve();
            }
            return sleep(ms, signal);
          };
        });
      }

      test.each(["list-stall", "cut-short", "reset", "closed-without-answer"] as const)(
        "and breaks its listing once: %s",
        async (name) => {
          await using bench = await SyncBench.open({ generation, card: cardOf(videos, 5000) });
          bench.simulator.fault({ name, match: LIST_REQUEST, after: 40, times: 1 });
          expect((await bench.sync({ waitLimits, silenceMs: 400 })).failure).toBeNull();
          await expectAllHome(bench);
        },
      );

      test("for longer than that ends the run as offline, and the next one goes on", async () => {
        await using bench = await SyncBench.open({ generation, card: cardOf(videos, 200_000) });
        const third = videos[2] ?? "";
        bench.simulator.fault({ name: "stall", match: requestFor(third), after: 120_000, times: 1 });
        const run = bench.sync(VIDEOS_ONLY);
        await bench.until(({ current_file: file }) => file?.filename === third && file.downloaded_bytes === 120_000);
        await bench.simulator.goAway();
        expect((await run).failure).toMatchObject({ kind: "away", reason: "network" });
        expect(await bench.home()).toEqual({
          whole: videos.slice(0, 2),
          wrong: [],
          partials: { [third]: 120_000 },
          markers: [],
        });
        await bench.simulator.comeBack();
        const before = bench.simulator.requests.length;
        expect((await bench.sync(VIDEOS_ONLY)).failure).toBeNull();
        expect(bench.rangesOf(third, before)).toEqual(["bytes=120000-"]);
        await expectVideosHome(bench);
      });
    });
  });

  describe("when the car may leave, the newest video comes in its place", () => {
    const backlog = minutes(5);
    const newest = "20260607_110000_EF.mp4";
    const orders: { priority: Priority; first: boolean }[] = [
      { priority: "rdate", first: true },
      { priority: "type", first: true },
      { priority: "smart", first: true },
      { priority: "date", first: false },
    ];

    test.each(orders)("under $priority", async ({ priority, first }) => {
      await using bench = await SyncBench.open({ generation, card: cardOf([...backlog, newest], 20_000) });
      bench.simulator.fault({ name: "goes-away", value: 1 });
      expect((await bench.sync({ ...VIDEOS_ONLY, priority })).failure?.kind).toBe("away");
      expect((await bench.home()).whole).toEqual([first ? newest : (backlog[0] ?? "")]);
    });

    test.each(orders.slice(0, 2))(
      "and one that is still growing is left, and taken up again last: $priority",
      async (order) => {
        await using bench = await SyncBench.open({ generation, card: cardOf([...backlog, newest], 300_000) });
        // It outgrows every look of the first turn, and is closed before the last.
        bench.simulator.fault({ name: "growing", match: requestFor(newest), times: 5, value: 20_000 });
        const { failure, counts } = await bench.sync({ priority: order.priority });
        expect(failure).toBeNull();
        expect(counts.growing).toEqual([]);
        await expectAllHome(bench);
        const asked = bench.asked();
        expect(asked[0]).toBe(newest);
        const afterBacklog = asked.lastIndexOf(order.priority === "rdate" ? (backlog[0] ?? "") : (backlog[4] ?? ""));
        expect(asked.lastIndexOf(newest)).toBeGreaterThan(afterBacklog);
        // Its companions wait for it.
        expect(asked.indexOf("20260607_110000_E.gps")).toBeGreaterThan(asked.lastIndexOf(newest));
      },
    );

    test.each(orders)(
      "and one that goes on growing is a partial afterwards, and home after the next: $priority",
      async (order) => {
        await using bench = await SyncBench.open({ generation, card: cardOf([...backlog, newest], 300_000) });
        const lift = bench.simulator.fault({ name: "growing", match: requestFor(newest), times: 100, value: 2000 });
        const { failure, counts } = await bench.sync({ priority: order.priority });
        expect(failure).toBeNull();
        expect(counts.growing).toEqual([newest]);
        const home = await bench.home();
        expect(home.wrong).toEqual([]);
        expect(Object.keys(home.partials)).toEqual([newest]);
        expect(home.whole).toEqual(bench.offered().filter((name) => !name.startsWith("20260607_110000")));
        lift();
        const before = bench.simulator.requests.length;
        expect((await bench.sync({ priority: order.priority })).failure).toBeNull();
        await expectAllHome(bench);
        expect(bench.rangesOf(newest, before)).not.toContain(null);
      },
    );

    test("and a growing one that is cut while it is followed loses nothing", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf([...backlog, newest], 1_500_000) });
      const match = requestFor(newest);
      bench.simulator.fault({ name: "growing", match, times: 1, value: 400_000 });
      // The first answer goes through; the question whether there is more is answered, and breaks.
      bench.simulator.fault({ name: "silence", match, after: 0, value: 0, times: 1 });
      bench.simulator.fault({ name: "cut-short", match, after: 200_000, times: 1 });
      expect((await bench.sync({ ...VIDEOS_ONLY, priority: "rdate" })).failure).toBeNull();
      await expectVideosHome(bench);
      expect(bench.rangesOf(newest).filter((range) => range === null)).toHaveLength(1);
    });
  });

  describe("what is left out is said", () => {
    test("names that the grammar does not know are counted, and one of them is named", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(VIDEOS, 5000) });
      const unknown = ["20260607_101500_NFQ.mp4", "20260607_101600_NFQ.mp4", "clip.mp4"];
      for (const name of unknown) bench.card.add(name, 5000);
      const { failure, run } = await bench.sync();
      expect(failure).toBeNull();
      expect(run.leftOut).toMatchObject({ unknown: 3, retention: 0 });
      const told = bench.told("WARNING").filter((line) => line.includes("unknown form"));
      expect(told).toEqual([expect.stringMatching(/^Left out 3\s.*such as 20260607_101500_NFQ\.mp4$/)]);
      expect(bench.told("INFO").at(-1)).toMatch(/3 left out with an unknown name/);
      expect((await bench.home()).whole).toEqual(bench.offered().filter((name) => !unknown.includes(name)));
    });

    test("a card that is older than recordings are kept, as with the clock far off, is told of", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(VIDEOS, 5000) });
      const { failure, run } = await bench.sync({ cutoff: "2031-01-01" });
      expect(failure).toBeNull();
      expect(run.leftOut).toMatchObject({ retention: 4, unknown: 0 });
      expect(run).toMatchObject({ recordingsSeen: 4, recordingsSelected: 0 });
      expect(bench.told("WARNING")).toEqual([expect.stringMatching(/older than recordings are kept.*clock/)]);
      expect(bench.told("INFO").at(-1)).toMatch(/nothing new, 4 left out as older than kept/);
      expect(bench.asked()).toEqual([]);
      expect((await bench.sync()).failure).toBeNull();
      await expectAllHome(bench);
    });
  });
});
