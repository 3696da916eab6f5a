import { describe, expect, test } from "bun:test";
import { GENERATIONS } from "../../../server/dashcam/spoken_interface.ts";
import { onBothInterfaces, requestsFor } from "../../support/app/interfaces.ts";
import { cardOf, SyncBench } from "../../support/app/sync.ts";
import { VIDEOS_ONLY } from "../../support/camera/brought_home.ts";

const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;

const FILES = requestsFor();

onBothInterfaces((generation) => {
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
      /** Number of files that a run at this time asks for. */
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

  describe("what goes wrong with all that is left says little about each file", () => {
    const videos = Array.from({ length: 6 }, (_, minute) => `20260607_10150${minute}_NF.mp4`);

    test("an absurd length that comes last fails alone: there is room for videos like those before", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 50_000) });
      bench.simulator.fault({ name: "absurd-length", match: new RegExp(videos[5] ?? "") });
      const result = await bench.sync({ ...VIDEOS_ONLY, maxVideoBytes: Number.MAX_SAFE_INTEGER });
      expect(result.failure).toBeNull();
      expect(result.fileFailures.disk).toBe(1);
      expect((await bench.home()).whole).toEqual(videos.slice(0, 5));
    });

    test("a hiccup while only companions are missing marks none of them", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 50_000) });
      await bench.sync(VIDEOS_ONLY);
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
