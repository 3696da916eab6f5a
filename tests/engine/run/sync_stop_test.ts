import { describe, expect, test } from "bun:test";
import type { SyncResult } from "../../../server/engine/run/sync.ts";
import { StopRequested } from "../../../server/engine/transfer/failure_of_error.ts";
import { LIST_REQUEST, onBothInterfaces } from "../../support/app/interfaces.ts";
import { FILES_OF, SyncBench, type SyncOverrides, VIDEOS } from "../../support/app/sync.ts";

/** Limits so long that nothing but the stop can end a run within a test's time. */
const PATIENT: SyncOverrides = { timeoutMs: 600_000, silenceMs: 600_000 };

/** Starts a sync, stops it when `moment` has come, and tells how it ended. */
async function stopAt(
  bench: SyncBench,
  moment: () => Promise<unknown>,
  overrides: SyncOverrides = {},
): Promise<SyncResult> {
  const stop = new AbortController();
  const reached = moment();
  const work = bench.sync({ ...PATIENT, ...overrides, signal: stop.signal });
  await reached;
  stop.abort(new StopRequested());
  return await work;
}

/** Stops a sync from within, at the moment it writes a log line. */
async function stopAtLine(bench: SyncBench, line: RegExp, overrides: SyncOverrides = {}) {
  let stop = () => {};
  const moment = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const controller = new AbortController();
  bench.onLine = ({ message }) => {
    if (controller.signal.aborted || !line.test(message)) return;
    controller.abort(new StopRequested());
    stop();
  };
  const result = await bench.sync({ ...PATIENT, ...overrides, signal: controller.signal });
  await moment;
  return result;
}

/** Checks the state that all stops must leave, at any time. */
async function expectStopped(bench: SyncBench, result: SyncResult): Promise<void> {
  expect(result.failure).toMatchObject({ kind: "stopped", reason: "unknown", message: "sync stopped by user" });
  expect(result.run).toMatchObject({ success: false, exitCode: 1 });
  expect(bench.topic.value).toMatchObject({ state: "failed", current_file: null });
  expect(bench.told("WARNING", "ERROR").filter((line) => !line.startsWith("Failed "))).toEqual([]);
  expect(bench.told("INFO").at(-1)).toMatch(/^Sync stopped by user/);
  expect((await bench.home()).wrong).toEqual([]);
  expect((await bench.home()).markers).toEqual([]);
  bench.simulator.clearFaults();
  bench.simulator.rate = null;
  expect((await bench.sync()).failure).toBeNull();
  expect((await bench.home()).whole).toEqual(bench.offered());
  expect((await bench.home()).partials).toEqual({});
}

onBothInterfaces((generation) => {
  describe("a stop works at once", () => {
    test("before anything was done", async () => {
      await using bench = await SyncBench.open({ generation });
      const result = await bench.sync({ signal: AbortSignal.abort(new StopRequested()) });
      expect(bench.simulator.requests).toEqual([]);
      expect(bench.tree()).toEqual([]);
      await expectStopped(bench, result);
    });

    test("while the camera does not answer the listing", async () => {
      await using bench = await SyncBench.open({
        generation,
        faults: [{ name: "never-answers", match: LIST_REQUEST }],
      });
      await expectStopped(bench, await stopAt(bench, () => bench.simulator.asked(LIST_REQUEST)));
    });

    test("in the middle of a listing that stalls", async () => {
      await using bench = await SyncBench.open({ generation, faults: [{ name: "list-stall", after: 30 }] });
      await expectStopped(bench, await stopAt(bench, () => bench.simulator.asked(LIST_REQUEST)));
    });

    test("while the camera does not answer for a file", async () => {
      await using bench = await SyncBench.open({ generation, faults: [{ name: "never-answers", match: /NR\.mp4$/ }] });
      const stopped = await stopAt(bench, () => bench.simulator.asked(/NR\.mp4$/));
      expect((await bench.home()).whole).toEqual(bench.offered().filter((name) => /1500_NF?\./.test(name)));
      await expectStopped(bench, stopped);
    });

    test("in the middle of a body, and its partial is continued", async () => {
      await using bench = await SyncBench.open({ generation, rate: 100_000 });
      const moment = () => bench.until(({ current_file }) => (current_file?.downloaded_bytes ?? 0) > 0);
      const stopped = await stopAt(bench, moment);
      const { partials } = await bench.home();
      expect(Object.keys(partials)).toEqual([VIDEOS[0]]);
      const before = bench.simulator.requests.length;
      await expectStopped(bench, stopped);
      expect(bench.rangesOf(VIDEOS[0], before)).toEqual([`bytes=${partials[VIDEOS[0]]}-`]);
    });

    test("in the middle of a body that stalls", async () => {
      await using bench = await SyncBench.open({ generation, faults: [{ name: "stall", after: 70_000 }] });
      const moment = () => bench.until(({ current_file }) => current_file?.downloaded_bytes === 70_000);
      const stopped = await stopAt(bench, moment);
      expect((await bench.home()).partials).toEqual({ [VIDEOS[0]]: 70_000 });
      await expectStopped(bench, stopped);
    });

    test("between two files", async () => {
      await using bench = await SyncBench.open({ generation, rate: 1_000_000 });
      const result = await stopAtLine(bench, /^Downloaded 20260607_101500_NF\.mp4/);
      // Some files may have come while the first was finished; the rest is not begun.
      expect((await bench.home()).whole).toContain(VIDEOS[0]);
      expect(bench.asked().length).toBeLessThan(bench.offered().length);
      await expectStopped(bench, result);
    });

    test("while a probe waits for an answer after a failure", async () => {
      await using bench = await SyncBench.open({
        generation,
        faults: [{ name: "cut-short", times: 1, after: 10_000 }],
      });
      const probe = async () => {
        await bench.simulator.asked(/NF\.mp4/);
        bench.simulator.requests.length = 0;
        bench.simulator.fault("never-answers");
        await bench.simulator.asked(/accessible/);
      };
      const stopped = await stopAt(bench, probe);
      expect((await bench.home()).partials).toEqual({ [VIDEOS[0]]: 10_000 });
      await expectStopped(bench, stopped);
    });

    test("while retention deletes", async () => {
      await using bench = await SyncBench.open({ generation });
      const seconds = Array.from({ length: 60 }, (_, second) => String(second).padStart(2, "0"));
      for (const second of seconds) bench.put(`2025/20250101_1000${second}_NF.mp4`, "old");
      const removal = /^Moved 20250101_1000.._N to the trash$/;
      const stopped = await stopAtLine(bench, removal, { deletes: true, cutoff: "2026-01-01" });
      // A few are moved at once; those that were under way are moved whole.
      const { completed, removed } = stopped.counts;
      expect([completed, removed >= 1 && removed <= 4]).toEqual([FILES_OF[generation], true]);
      expect(bench.tree().filter((path) => path.startsWith("2025/2"))).toHaveLength(60 - removed);
      expect(bench.trashed()).toHaveLength(removed);
      for (const second of seconds) bench.card.add(`20250101_1000${second}_NF.mp4`, new TextEncoder().encode("old"));
      await expectStopped(bench, stopped);
    });
  });
});
