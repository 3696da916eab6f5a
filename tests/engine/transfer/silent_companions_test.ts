import { expect, setDefaultTimeout, test } from "bun:test";
import type { Fault } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { onBothInterfaces, requestsFor } from "../../support/app/interfaces.ts";
import { cardOf, SyncBench } from "../../support/app/sync.ts";

setDefaultTimeout(60_000);

const VIDEOS = Array.from({ length: 12 }, (_, minute) => `20260607_10${10 + minute}00_NF.mp4`);
/** Longer than a busy machine takes for an answer: videos that come late for that must not be given up. */
const PATIENCE_MS = 800;
const COMPANIONS = requestsFor("thm", "3gf", "gps");

onBothInterfaces((generation) => {
  const TROUBLE: readonly (readonly [string, Pick<Fault, "name" | "after">])[] = [
    ["hangs up", { name: "closed-without-answer" }],
    ["resets the connection", { name: "reset-without-answer" }],
    ["stays silent", { name: "never-answers" }],
    ["breaks off", { name: "reset", after: 20 }],
    ["falls silent in the middle", { name: "stall", after: 20 }],
  ];
  const rows = TROUBLE.flatMap(([what, fault]) =>
    [true, false].map((metadataFirst) => ({ what, fault, metadataFirst })),
  );
  test.each(rows)(
    "a camera that $what when asked for companions has a good run, since the videos came (ahead: $metadataFirst)",
    async ({ fault, metadataFirst }) => {
      await using bench = await SyncBench.open({ generation, card: cardOf(VIDEOS, 20_000) });
      const lift = bench.simulator.fault({ ...fault, match: COMPANIONS });
      const result = await bench.sync({ metadataFirst, timeoutMs: PATIENCE_MS, silenceMs: PATIENCE_MS });
      expect([result.failure, result.run.success, result.run.exitCode]).toEqual([null, true, 0]);
      const { whole, wrong, markers } = await bench.home();
      expect([whole, wrong, markers]).toEqual([VIDEOS, [], []]);
      // A few show that it sends none; the others are left alone.
      const asked = new Set(bench.asked().filter((name) => !name.endsWith(".mp4")));
      expect(asked.size).toBeLessThanOrEqual(5);
      lift();
      expect((await bench.sync({ metadataFirst })).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
    },
  );

  test.each([true, false])(
    "a camera that drips when asked for companions is soon asked for videos alone (ahead: %p)",
    async (metadataFirst) => {
      await using bench = await SyncBench.open({ generation, card: cardOf(VIDEOS, 20_000) });
      bench.simulator.fault({ name: "drip", match: COMPANIONS, after: 20, value: 20 });
      const result = await bench.sync({ metadataFirst, slowest: { bytes: 1000, windowMs: 300 } });
      expect([result.failure, result.run.exitCode]).toEqual([null, 0]);
      expect((await bench.home()).whole).toEqual(VIDEOS);
      // Each takes a minute with a real camera: two show it, and one at the end whether it still does.
      const asked = bench.asked().filter((name) => !name.endsWith(".mp4"));
      expect(asked.length).toBeLessThanOrEqual(4);
    },
  );

  test("a camera that leaves when all videos are here, before their companions, has a good run", async () => {
    await using bench = await SyncBench.open({ generation, card: cardOf(VIDEOS, 20_000) });
    bench.simulator.fault({ name: "not-found", match: COMPANIONS });
    await bench.sync();
    bench.simulator.clearFaults();
    bench.clockOffset = 3_600_000;
    bench.simulator.requests.length = 0;
    bench.simulator.fault({ name: "never-answers", match: COMPANIONS });
    const run = bench.sync({ timeoutMs: PATIENCE_MS });
    await bench.simulator.asked(COMPANIONS);
    await bench.simulator.goAway();
    const result = await run;
    expect([result.failure, result.run.success]).toEqual([null, true]);
    expect((await bench.home()).markers).toEqual([]);
    expect(bench.told("INFO").join("\n")).toContain("What is left to come beside the videos comes another time.");
  });
});
