import { describe, expect, test } from "bun:test";
import type { Fault } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { onBothInterfaces, requestFor, requestsFor } from "../../support/app/interfaces.ts";
import { cardOf, SyncBench, type SyncOverrides, VIDEOS } from "../../support/app/sync.ts";
import { SHORT_WAITING } from "../../support/app/wait_limits.ts";
import { expectAllHome, expectVideosHome, minutes, VIDEOS_ONLY } from "../../support/camera/brought_home.ts";

const HOUR = 3600 * 1000;
const [VICTIM] = VIDEOS;

const FILES = requestsFor();

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
        const { fileFailures } = await bench.sync({ waitLimits: { ...SHORT_WAITING, retryMs: [0] } });
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
      // A 403 for companions is believed for an hour.
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

  const OF_ANY_LENGTH = { maxVideoBytes: Number.MAX_SAFE_INTEGER };
  describe("one bad file in the queue does not keep the others from coming", () => {
    const videos = minutes(6);
    const rows: { what: string; fault: Omit<Fault, "match">; overrides?: SyncOverrides; reason: "disk" | "timeout" }[] =
      [
        { what: "does not fit", fault: { name: "absurd-length" }, overrides: OF_ANY_LENGTH, reason: "disk" },
        {
          what: "does not fit, and a part of it is sent",
          fault: { name: "absurd-length", after: 1000 },
          overrides: OF_ANY_LENGTH,
          reason: "disk",
        },
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
});
