import { describe, expect, test } from "bun:test";
import type { Fault } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { GENERATIONS } from "../../../server/dashcam/spoken_interface.ts";
import { noFailures } from "../../../server/domain/runs/run.ts";
import type { Priority } from "../../../server/domain/settings/sections/sync.ts";
import { LIST_REQUEST, onBothInterfaces, requestFor, requestsFor } from "../../support/interfaces.ts";
import { SHORT_PATIENCE } from "../../support/patience.ts";
import { cardOf, SyncBench, type SyncOverrides, VIDEOS } from "../../support/sync.ts";

const MB = 1_000_000;
const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;
const [VICTIM] = VIDEOS;
const VIDEOS_ONLY: SyncOverrides = { skipMetadata: ["t", "3", "g"] };

const FILES = requestsFor();

/** Videos of one day, a minute each. */
function minutes(count: number, type = "N"): string[] {
  return Array.from({ length: count }, (_, minute) => `20260607_10${String(minute + 10)}00_${type}F.mp4`);
}

/** Everything on the card is at home, byte by byte, and nothing else is. */
async function expectAllHome(bench: SyncBench): Promise<void> {
  const { whole, wrong, partials, markers } = await bench.home();
  expect({ wrong, partials, markers }).toEqual({ wrong: [], partials: {}, markers: [] });
  expect(whole).toEqual(bench.offered());
}

/** The card's videos are at home, and nothing wrong is. */
async function expectVideosHome(bench: SyncBench): Promise<void> {
  const { whole, wrong, partials, markers } = await bench.home();
  expect({ wrong, partials, markers }).toEqual({ wrong: [], partials: {}, markers: [] });
  expect(whole.filter((name) => name.endsWith(".mp4"))).toEqual(bench.card.videos());
}

onBothInterfaces((generation) => {
  describe("a camera that refuses ranges gives an interrupted file whole", () => {
    const statuses = [403, 404, 501, 302, 204];
    const refusals: { how: string; fault: Omit<Fault, "match"> }[] = [
      ...statuses.map((value) => ({ how: `with status ${value}`, fault: { name: "range-status", value } }) as const),
      { how: "by hanging up", fault: { name: "range-hang-up" } },
      { how: "by a reset", fault: { name: "range-reset" } },
      { how: "with 200 and no bytes", fault: { name: "range-empty" } },
      { how: "with 206 and no bytes", fault: { name: "range-empty-206" } },
      { how: "with status 416", fault: { name: "range-416" } },
      { how: "with 206 that does not say which", fault: { name: "no-content-range" } },
      { how: "with the whole", fault: { name: "ignores-range" } },
    ];
    const partials = [
      { size: 200_000, here: 120_000 },
      { size: 200_000, here: 200_000 },
      // Large enough to be compared before it is continued.
      { size: 900_000, here: 500_000 },
      { size: 900_000, here: 900_000 },
    ];
    const rows = refusals.flatMap((refusal) => partials.map((partial) => ({ ...refusal, ...partial })));

    test.each(rows)("in the same run: $how, when $here of $size bytes are here", async ({ fault, size, here }) => {
      await using bench = await SyncBench.open({
        generation,
        card: cardOf(VIDEOS, (each) => (each === VICTIM ? size : 20_000)),
      });
      await bench.putPartial(VICTIM, here);
      bench.simulator.fault({ ...fault, match: requestFor(VICTIM) });
      const { failure, fileFailures } = await bench.sync();
      expect(failure).toBeNull();
      expect(fileFailures).toEqual(noFailures());
      await expectAllHome(bench);
    });

    const some = ["with status 403", "with status 501", "with status 204", "with status 416", "by hanging up"];
    test.each(refusals.filter(({ how }) => some.includes(how)))(
      "and one whose whole file breaks off as well loses nothing of the partial: $how",
      async ({ fault }) => {
        const card = cardOf(VIDEOS, (each) => (each === VICTIM ? 900_000 : 20_000));
        await using bench = await SyncBench.open({ generation, card });
        await bench.putPartial(VICTIM, 500_000);
        bench.simulator.fault({ ...fault, match: requestFor(VICTIM) });
        bench.simulator.fault({ name: "cut-short", match: requestFor(VICTIM), after: 100_000 });
        const { fileFailures } = await bench.sync({ patience: { ...SHORT_PATIENCE, retryMs: [0] } });
        expect(fileFailures).toEqual({ ...noFailures(), network: 1 });
        expect((await bench.home()).wrong).toEqual([]);
        expect((await bench.home()).partials).toEqual({ [VICTIM]: 500_000 });
        bench.simulator.clearFaults();
        const before = bench.simulator.requests.length;
        expect((await bench.sync()).failure).toBeNull();
        expect(bench.rangesOf(VICTIM, before).at(-1)).toBe("bytes=500000-");
        await expectAllHome(bench);
      },
    );
  });

  describe("a hiccup of the whole camera marks nothing, and the next run brings everything", () => {
    const videos = minutes(8);
    const rows: { what: string; fault: Fault; reason: "http" | "network" }[] = [
      ...[503, 401, 403, 302].map(
        (value) =>
          ({ what: `${value}`, fault: { name: "everything-status", value, match: FILES }, reason: "http" }) as const,
      ),
      { what: "a web page", fault: { name: "html-200", match: FILES }, reason: "http" },
      { what: "a web page that is called a video", fault: { name: "html-untyped", match: FILES }, reason: "http" },
      { what: "JSON", fault: { name: "json-200", match: FILES }, reason: "http" },
      { what: "a redirect", fault: { name: "redirect", match: FILES }, reason: "http" },
      { what: "hanging up", fault: { name: "closed-without-answer", match: FILES }, reason: "network" },
      { what: "a reset", fault: { name: "reset-without-answer", match: FILES }, reason: "network" },
    ];
    test.each(rows)("for all but the listing: $what", async ({ fault, reason }) => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 5000) });
      bench.simulator.fault(fault);
      const { failure, run } = await bench.sync();
      expect(failure?.reason).toBe(reason);
      expect(run.success).toBe(false);
      expect(await bench.home()).toEqual({ whole: [], wrong: [], partials: {}, markers: [] });
      bench.simulator.clearFaults();
      // What a 403 says of companions is believed for an hour.
      bench.clockOffset = HOUR;
      const next = await bench.sync();
      expect(next.failure).toBeNull();
      expect(next.counts.blocked).toBe(0);
      await expectAllHome(bench);
    });

    test.each([503, 401, 302])("for the listing too: %p", async (value) => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 5000) });
      bench.simulator.fault({ name: "everything-status", value });
      expect((await bench.sync()).failure).toMatchObject({ kind: "trouble", reason: "http" });
      expect(await bench.home()).toEqual({ whole: [], wrong: [], partials: {}, markers: [] });
      bench.simulator.clearFaults();
      expect((await bench.sync()).failure).toBeNull();
      await expectAllHome(bench);
    });

    test("but files that fail while others come are marked", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 5000) });
      bench.simulator.fault({ name: "error-500", match: /_101[0-3]00_NF\.mp4$/ });
      expect((await bench.sync()).failure).toBeNull();
      expect((await bench.home()).markers).toEqual(videos.slice(0, 4).map((name) => `${name}.failed`));
    });
  });

  describe("one bad file in the queue does not keep the others from coming", () => {
    const videos = minutes(6);
    const rows: { what: string; fault: Omit<Fault, "match">; overrides?: SyncOverrides; reason: "disk" | "timeout" }[] =
      [
        { what: "promises 100 TB", fault: { name: "absurd-length" }, reason: "disk" },
        { what: "promises 100 TB and sends a part", fault: { name: "absurd-length", after: 1000 }, reason: "disk" },
        {
          what: "sends 20 bytes a second",
          fault: { name: "drip", after: 1000, value: 20 },
          overrides: { slowest: { bytes: 1000, windowMs: 300 } },
          reason: "timeout",
        },
        {
          what: "stops in the middle",
          fault: { name: "stall", after: 1000 },
          overrides: { silenceMs: 300 },
          reason: "timeout",
        },
      ];
    test.each(rows)("the first of them $what", async ({ fault, overrides, reason }) => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 100_000) });
      const [first = ""] = videos;
      bench.simulator.fault({ ...fault, match: requestFor(first) });
      const { failure, fileFailures } = await bench.sync({ ...overrides, ...VIDEOS_ONLY });
      expect(failure).toBeNull();
      expect(fileFailures).toEqual({ ...noFailures(), [reason]: 1 });
      const { whole, wrong, markers } = await bench.home();
      expect(whole).toEqual(videos.slice(1));
      expect({ wrong, markers }).toEqual({ wrong: [], markers: [] });
      bench.simulator.clearFaults();
      expect((await bench.sync(VIDEOS_ONLY)).failure).toBeNull();
      await expectVideosHome(bench);
    });

    test("a long one that is sent at 40 bytes a second is given up as well, and goes on from where it was", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos.slice(0, 2), 1_500_000) });
      const [first = "", second = ""] = videos;
      bench.simulator.fault({ name: "drip", match: requestFor(first), after: 300_000, value: 40 });
      const { failure, fileFailures } = await bench.sync({ ...VIDEOS_ONLY, slowest: { bytes: 10_000, windowMs: 500 } });
      expect(failure).toBeNull();
      expect(fileFailures).toEqual({ ...noFailures(), timeout: 1 });
      const { whole, wrong, partials } = await bench.home();
      expect({ whole, wrong }).toEqual({ whole: [second], wrong: [] });
      expect(partials[first]).toBeGreaterThanOrEqual(300_000);
      bench.simulator.clearFaults();
      const before = bench.simulator.requests.length;
      expect((await bench.sync(VIDEOS_ONLY)).failure).toBeNull();
      expect(bench.rangesOf(first, before).at(-1)).toBe(`bytes=${partials[first]}-`);
      await expectVideosHome(bench);
    });

    test("a companion that comes slowly, and faster than that, is not given up", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf([VICTIM], 1000) });
      bench.simulator.fault({ name: "drip", match: requestFor("20260607_101500_N.gps"), value: 20_000 });
      const { failure, fileFailures } = await bench.sync({ silenceMs: 400 });
      expect(failure).toBeNull();
      expect(fileFailures).toEqual(noFailures());
      await expectAllHome(bench);
    });

    test("a listing that drips is given up", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 1000) });
      bench.simulator.fault({ name: "list-drip", value: 20 });
      const { failure } = await bench.sync({ slowest: { bytes: 1000, windowMs: 300 } });
      expect(failure).toMatchObject({ kind: "away", reason: "timeout" });
      expect(bench.asked()).toEqual([]);
      bench.simulator.clearFaults();
      expect((await bench.sync()).failure).toBeNull();
      await expectAllHome(bench);
    });
  });

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
      const patience = { ...SHORT_PATIENCE, silentCameraMs: 3000, probeEveryMs: 30 };
      const videos = minutes(6);

      test("in the middle of three files: six of six are home after one run", async () => {
        await using bench = await SyncBench.open({ generation, card: cardOf(videos, 200_000) });
        const broken = [videos[1] ?? "", videos[3] ?? "", videos[4] ?? ""];
        for (const name of broken)
          bench.simulator.fault({ name: "stall", match: requestFor(name), after: 120_000, times: 1 });
        const run = bench.sync({ ...VIDEOS_ONLY, patience });
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
        const run = bench.sync({ patience });
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
            if (ms === patience.probeEveryMs) {
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
          expect((await bench.sync({ patience, silenceMs: 400 })).failure).toBeNull();
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

  describe("200 complete recordings of which the camera has no companions", () => {
    const videos = Array.from(
      { length: 200 },
      (_, at) => `20260607_${String(10 + Math.floor(at / 60))}${String(at % 60).padStart(2, "0")}00_PF.mp4`,
    );
    async function lacking(): Promise<SyncBench> {
      const bench = await SyncBench.open({ generation, card: cardOf(videos, 200) });
      for (const name of bench.offered()) if (!name.endsWith(".mp4")) bench.card.remove(name);
      return bench;
    }
    const COMPANIONS = generation === "legacy" ? 600 : 400;

    test("are asked for after an hour, after a day, and then never, as long as the list is the same", async () => {
      await using bench = await lacking();
      /** How many files a run at this time asks for. */
      const askedAt = async (offset: number) => {
        bench.clockOffset = offset;
        const before = bench.simulator.requests.length;
        expect((await bench.sync()).failure).toBeNull();
        return bench.asked(before).filter((name) => !name.endsWith(".mp4")).length;
      };
      expect(await askedAt(0)).toBe(COMPANIONS);
      expect((await bench.home()).whole).toEqual(bench.offered());
      expect(await askedAt(0)).toBe(0);
      expect(await askedAt(HOUR - 60_000)).toBe(0);
      expect(await askedAt(HOUR + 60_000)).toBe(COMPANIONS);
      expect(await askedAt(DAY)).toBe(0);
      expect(await askedAt(DAY + 2 * HOUR)).toBe(COMPANIONS);
      expect(await askedAt(2 * DAY)).toBe(0);
      expect(await askedAt(400 * DAY)).toBe(0);

      // A second direction of one of them is new on the list.
      bench.card.record("20260607_100000_PR.mp4");
      const before = bench.simulator.requests.length;
      expect((await bench.sync()).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
      const asked = bench.asked(before);
      expect(asked).toContain("20260607_100000_PR.mp4");
      expect(asked.every((name) => name.startsWith("20260607_100000_P"))).toBe(true);
    });

    test("are asked for again when the clock was set back, and the second run asks the list alone", async () => {
      await using bench = await lacking();
      await bench.sync();
      const before = bench.simulator.requests.length;
      expect((await bench.sync()).counts).toMatchObject({ completed: 0, present: 200, absent: 0 });
      expect(bench.simulator.requests.slice(before).map(({ path }) => path)).toEqual([
        "/accessible",
        GENERATIONS[generation].listPath,
      ]);
      bench.clockOffset = -DAY;
      const late = bench.simulator.requests.length;
      await bench.sync();
      expect(bench.asked(late)).toHaveLength(COMPANIONS);
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

  describe("what goes wrong with all that is left says little about each file", () => {
    const videos = Array.from({ length: 6 }, (_, minute) => `20260607_10150${minute}_NF.mp4`);

    test("an absurd length that comes last fails alone: there is room for videos like those before", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 50_000) });
      bench.simulator.fault({ name: "absurd-length", match: new RegExp(videos[5] ?? "") });
      const result = await bench.sync({ skipMetadata: ["t", "3", "g"] });
      expect(result.failure).toBeNull();
      expect(result.fileFailures.disk).toBe(1);
      expect((await bench.home()).whole).toEqual(videos.slice(0, 5));
    });

    test("a hiccup while only companions are missing marks none of them", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 50_000) });
      await bench.sync({ skipMetadata: ["t", "3", "g"] });
      bench.simulator.fault({ name: "everything-status", value: 503, match: FILES });
      const { failure, counts } = await bench.sync();
      // The camera has sent its list, and every video is at home: the files failed, the run did not.
      expect([failure, counts.failed > 0, counts.completed]).toEqual([null, true, 0]);
      expect((await bench.home()).markers).toEqual([]);
      bench.simulator.clearFaults();
      expect((await bench.sync()).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
    });

    test("companions that a camera never answers fail no run, and are asked for once a day", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 50_000) });
      if (generation === "v1009") bench.simulator.fault({ name: "metadata-shape" });
      else bench.simulator.fault({ name: "error-500", match: /\.(thm|gps|3gf)$/ });
      const companions = bench.offered().length - videos.length;
      for (const [day, completed] of [videos.length, 0, 0].entries()) {
        const first = await bench.sync({ metadataFirst: true });
        expect([day, first.failure, first.run.exitCode]).toEqual([day, null, 0]);
        expect(first.counts).toMatchObject({ completed, failed: companions });
        const next = await bench.sync({ metadataFirst: true });
        expect(next.failure).toBeNull();
        expect(next.counts).toMatchObject({ completed: 0, failed: 0, blocked: companions });
        bench.clockOffset += 25 * HOUR;
      }
    });
  });
});
