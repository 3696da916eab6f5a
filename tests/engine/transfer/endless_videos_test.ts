import { describe, expect, test } from "bun:test";
import { statfsSync } from "node:fs";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { onBothInterfaces, requestFor } from "../../support/app/interfaces.ts";
import { cardOf, SyncBench, VIDEOS } from "../../support/app/sync.ts";
import { mayMount, SmallDisk } from "../../support/disk/disks.ts";

const MB = 1_000_000;
/** Neither the first nor the newest, so that something comes after it. */
const VICTIM = VIDEOS[0];
const MOST = 3 * MB;

onBothInterfaces((generation) => {
  const open = () => SyncBench.open({ generation, card: cardOf(VIDEOS, MB) });
  const others = (bench: SyncBench) => bench.offered().filter((name) => name !== VICTIM);

  const warnings = (bench: SyncBench) => bench.told("WARNING").map((line) => line.replaceAll("\u00a0", " "));

  describe("a video that has no end", () => {
    test.each([
      ["gives no length", { name: "endless" }, /names no length and sends without an end; no video of more than 3 MB/],
      ["comes in chunks", { name: "endless", value: "chunked" }, /names no length and sends without an end/],
      ["promises 100 TB", { name: "absurd-length" }, /names a length of 100 TB; no video of more than 3 MB/],
    ] as const)("and %s is given up, told and not asked for again with the next run", async (_, fault, says) => {
      await using bench = await open();
      bench.simulator.fault({ ...fault, match: requestFor(VICTIM) });
      const { failure, fileFailures, run } = await bench.sync({ maxVideoBytes: MOST });
      expect([failure, fileFailures]).toEqual([null, { ...noFailures(), http: 1 }]);
      expect(run.bytes).toBeLessThanOrEqual(MOST + 4 * MB);
      expect(warnings(bench)).toEqual([expect.stringMatching(says)]);
      expect(await bench.home()).toEqual({
        whole: others(bench),
        wrong: [],
        partials: {},
        markers: [`${VICTIM}.failed`],
      });

      const before = bench.simulator.requests.length;
      await bench.sync({ maxVideoBytes: MOST });
      expect(bench.asked(before)).toEqual([]);
      bench.simulator.clearFaults();
      await bench.sync({ retryFailedAfterMs: 0 });
      expect((await bench.home()).whole).toEqual(bench.offered());
    });

    test("stops at the length that a part of it names", async () => {
      await using bench = await open();
      await bench.putPartial(VICTIM, 200_000);
      bench.simulator.fault({ name: "endless", match: requestFor(VICTIM) });
      const { fileFailures, run } = await bench.sync({ maxVideoBytes: 1000 * MB });
      expect(fileFailures).toEqual({ ...noFailures(), http: 1 });
      expect(run.bytes).toBeLessThanOrEqual(5 * MB);
      expect(warnings(bench)).toEqual([expect.stringContaining("sent more of the file than it says there is")]);
      const { whole, partials, markers } = await bench.home();
      expect({ whole, partials, markers }).toEqual({
        whole: others(bench),
        partials: {},
        markers: [`${VICTIM}.failed`],
      });
    });

    test.skipIf(!mayMount())(
      "stops at the limit of the disk, and the others come (needs the right to mount)",
      async () => {
        await using bench = await open();
        using disk = new SmallDisk(bench.destination, "40m");
        bench.simulator.fault({ name: "endless", match: requestFor(VICTIM) });
        let most = 0;
        bench.topic.subscribe(() => {
          const { blocks, bfree } = statfsSync(disk.path);
          most = Math.max(most, 1 - bfree / blocks);
        });
        const { failure, fileFailures, run } = await bench.sync({ maxUsedDiskPercent: 50 });
        expect([failure, fileFailures]).toEqual([null, { ...noFailures(), disk: 1 }]);
        expect(run.bytes).toBeGreaterThan(18 * MB);
        expect(most).toBeLessThanOrEqual(0.5);
        expect(warnings(bench)).toEqual([expect.stringMatching(/sent .* MB, and the disk has room for no more/)]);
        const { whole, partials, markers } = await bench.home();
        expect({ partials, markers }).toEqual({ partials: {}, markers: [`${VICTIM}.failed`] });
        expect(whole).toEqual(others(bench));
      },
    );
  });

  test.skipIf(!mayMount())(
    "a video whose length would take the disk beyond its limit is not begun (needs the right to mount)",
    async () => {
      await using bench = await open();
      using disk = new SmallDisk(bench.destination, "10m");
      const { failure, fileFailures } = await bench.sync({ maxUsedDiskPercent: 25 });
      expect(failure).toMatchObject({ kind: "trouble", reason: "disk" });
      expect(fileFailures.disk).toBeGreaterThan(0);
      const { blocks, bfree } = statfsSync(disk.path);
      expect(1 - bfree / blocks).toBeLessThanOrEqual(0.25);
      expect((await bench.home()).partials).toEqual({});
    },
  );
});
