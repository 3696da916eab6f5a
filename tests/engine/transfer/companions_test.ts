import { describe, expect, test } from "bun:test";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { onBothInterfaces, requestFor, requestsFor } from "../../support/app/interfaces.ts";
import { cardOf, FILES_OF, SyncBench, VIDEOS } from "../../support/app/sync.ts";
import { bring } from "../../support/camera/bring.ts";

const VIDEO = VIDEOS[0];

onBothInterfaces((generation) => {
  /** Number of files for `VIDEOS`, with the files beside them. */
  const ALL = FILES_OF[generation];

  describe("download() of a companion", () => {
    test("always begins anew, whatever is there of it", async () => {
      await using bench = await SyncBench.open({ generation });
      const name = "20260607_101500_N.gps";
      bench.put(`.${name}`, "bytes of another file");
      expect((await bring(bench, VIDEO, { kind: "gps" })).outcome).toMatchObject({ kind: "completed", name });
      expect(bench.rangesOf(name)).toEqual([null]);
      expect((await bench.home()).whole).toEqual([name]);
    });
  });

  describe("a companion that the camera does not have", () => {
    const rows = [
      { answer: 404, fault: { name: "not-found" } },
      { answer: 403, fault: { name: "forbidden" } },
      { answer: 204, fault: { name: "empty-204" } },
    ] as const;
    test.each(rows)("is no failure and leaves no marker ($answer)", async ({ fault }) => {
      await using bench = await SyncBench.open({ generation });
      bench.simulator.fault({ ...fault, match: requestsFor("thm", "3gf", "gps") });

      const result = await bench.sync();

      expect(result.failure).toBeNull();
      expect(result.run.success).toBe(true);
      expect(result.run.failures).toEqual(noFailures());
      expect(result.counts).toMatchObject({ completed: 4, absent: ALL - 4, failed: 0 });
      expect(bench.topic.value).toMatchObject({
        state: "completed",
        files_total: 4,
        files_completed: 4,
        files_failed: 0,
      });
      const home = await bench.home();
      expect(home.whole).toEqual(bench.card.videos());
      expect(home.markers).toEqual([]);
      expect(home.partials).toEqual({});
      expect(bench.told("WARNING", "ERROR")).toEqual([]);
      // Each is asked for once in a run, though two directions share the telemetry.
      const asked = bench.asked().filter((name) => !name.endsWith(".mp4"));
      expect(asked).toEqual([...new Set(asked)]);
      expect(asked).toHaveLength(ALL - 4);

      bench.simulator.clearFaults();
      bench.clockOffset = 3_600_000;
      expect((await bench.sync()).counts.completed).toBe(ALL - 4);
      expect((await bench.home()).whole).toEqual(bench.offered());
    });

    test("is normal for a parked car without GPS", async () => {
      // Some of these parked moments have a .gps and some do not.
      const parked = [0, 1, 2, 3, 4, 5].map((minute) => `20260607_10150${minute}_PF.mp4`);
      await using bench = await SyncBench.open({ generation, card: cardOf(parked, 5000) });
      const kinds = generation === "legacy" ? 4 : 3;
      const lacking = parked.length * kinds - bench.offered().length;
      expect(lacking).toBeGreaterThan(0);
      const result = await bench.sync();
      expect(result.counts).toMatchObject({ completed: bench.offered().length, absent: lacking, failed: 0 });
      expect((await bench.home()).whole).toEqual(bench.offered());
    });
  });

  test("a companion that cannot be read leaves a marker and does not keep its video from coming home", async () => {
    await using bench = await SyncBench.open({ generation });
    bench.simulator.fault({ name: "error-500", match: requestFor("20260607_101500_NF.thm") });
    const result = await bench.sync({ grouping: "monthly" });
    expect(result.failure).toBeNull();
    expect(result.fileFailures).toEqual({ ...noFailures(), http: 1 });
    const home = await bench.home();
    expect(home.markers).toEqual(["2026-06/20260607_101500_NF.thm.failed"]);
    expect(home.whole).toHaveLength(ALL - 1);
  });

  test("two directions share the telemetry of their moment, which is asked for and counted once", async () => {
    await using bench = await SyncBench.open({ generation });
    const result = await bench.sync();
    expect(result.counts.completed).toBe(ALL);
    expect(bench.topic.value).toMatchObject({ files_total: ALL, files_completed: ALL, files_skipped: 0, percent: 100 });
    const isTelemetry = (name: string) => /\.(3gf|gps)$/.test(name);
    expect(bench.asked().filter(isTelemetry)).toEqual(bench.offered().filter(isTelemetry));
  });

  test("kinds that are skipped are neither asked for nor counted", async () => {
    await using bench = await SyncBench.open({ generation });
    const result = await bench.sync({ skipMetadata: ["t", "3"] });
    expect(result.counts.completed).toBe(6);
    expect((await bench.home()).whole).toEqual(bench.offered().filter((name) => /\.(mp4|gps)$/.test(name)));
    expect(bench.topic.value.files_total).toBe(6);
  });

  test("the companions of a video that is still being recorded wait for it", async () => {
    await using bench = await SyncBench.open({ generation });
    const lift = bench.simulator.fault({ name: "growing", match: /_EF\.mp4$/, times: 100, value: 500 });
    const result = await bench.sync();
    expect(result.failure).toBeNull();
    expect(result.counts.growing).toEqual([VIDEOS[2]]);
    const waiting = bench.offered().filter((name) => name.includes("101600_E") && !name.endsWith("ER.mp4"));
    const home = await bench.home();
    expect(home.whole).toEqual(bench.offered().filter((name) => !waiting.includes(name)));
    expect(home.wrong).toEqual([]);
    expect(bench.asked().filter((name) => waiting.includes(name) && !name.endsWith(".mp4"))).toEqual([]);
    const came = { files_total: home.whole.length, files_completed: home.whole.length };
    expect(bench.topic.value).toMatchObject({ state: "completed", percent: 100, ...came });
    lift();
    expect((await bench.sync()).counts.growing).toEqual([]);
    expect((await bench.home()).whole).toEqual(bench.offered());
  });

  test("the companions of the newest video wait also when it could not be fetched: it may still be recorded", async () => {
    await using bench = await SyncBench.open({ generation });
    const telemetry = "20260607_101600_E.3gf";
    const finished = await bench.card.bytes(telemetry);
    bench.card.add(telemetry, finished.slice(0, 2000));
    bench.simulator.fault({ name: "cut-short", match: /_EF\.mp4$/, after: 50_000 });
    bench.simulator.fault({ name: "cut-short", match: /_ER\.mp4$/, after: 50_000 });
    expect((await bench.sync()).failure).toBeNull();
    bench.simulator.clearFaults();
    bench.card.add(telemetry, finished);
    expect((await bench.sync()).failure).toBeNull();
    const home = await bench.home();
    expect(home.wrong).toEqual([]);
    expect(home.whole).toEqual(bench.offered());
  });

  test("a recording and its substream share the companions, and each file is asked for once", async () => {
    await using bench = await SyncBench.open({
      generation,
      card: cardOf(["20260607_101500_NF.mp4", "20260607_101500_NFS.mp4", ...VIDEOS]),
    });
    const result = await bench.sync();
    expect(result.failure).toBeNull();
    expect(result.counts.completed).toBe(ALL + 1);
    const asked = bench.asked().filter((name) => !name.endsWith(".mp4"));
    expect(asked).toEqual([...new Set(asked)]);
    expect((await bench.home()).whole).toEqual(bench.offered());
  });
});

// With the newer interface a companion has no name on the camera, and what is cut of its JSON is no answer.
describe("download() of a companion of a legacy camera", () => {
  const flagged = "20260607_101700_NFL.mp4";
  const kinds = ["thm", "3gf", "gps"] as const;
  const rows = kinds.flatMap((kind) => [false, true].map((keepsFlag) => ({ kind, keepsFlag })));
  test.each(rows)(
    "finds the $kind of an uploaded video whether its name keeps the flag ($keepsFlag) or not",
    async ({ kind, keepsFlag }) => {
      await using bench = await SyncBench.open();
      bench.card.record(flagged, null, keepsFlag);
      const { outcome } = await bring(bench, flagged, { kind });
      const direction = kind === "thm" ? "F" : "";
      const name = `20260607_101700_N${direction}${keepsFlag ? "L" : ""}.${kind}`;
      expect(outcome).toMatchObject({ kind: "completed", name });
      expect((await bench.home()).whole).toEqual([name]);
    },
  );

  test("tries the second name also when the first answers that there is nothing (204)", async () => {
    await using bench = await SyncBench.open();
    bench.card.record(flagged, null, true);
    bench.simulator.fault({ name: "empty-204", match: /_N\.gps$/ });
    expect((await bring(bench, flagged, { kind: "gps" })).outcome).toMatchObject({ kind: "completed" });
  });

  test.each([
    ["thm", 900],
    ["3gf", 3005],
    ["gps", 3005],
  ] as const)("without a length must come the same twice: a %s cut once does not become final", async (kind, after) => {
    await using bench = await SyncBench.open();
    const match = new RegExp(`\\.${kind}$`);
    bench.simulator.fault({ name: "no-length-cut", match, after, times: 1 });
    bench.simulator.fault({ name: "no-length", match });
    expect((await bring(bench, VIDEO, { kind })).outcome).toMatchObject({
      kind: "failed",
      problem: { kind: "cut" },
    });
    expect((await bench.home()).whole).toEqual([]);
    expect((await bring(bench, VIDEO, { kind })).outcome).toMatchObject({ kind: "completed" });
    expect((await bench.home()).wrong).toEqual([]);
  });
});
