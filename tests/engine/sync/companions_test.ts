import { describe, expect, test } from "bun:test";
import { noFailures } from "../../../server/domain/runs/run.ts";
import { bring } from "../../support/bring.ts";
import { cardOf, SyncBench, VIDEOS } from "../../support/sync.ts";

const VIDEO = VIDEOS[0];

describe("download() of a companion", () => {
  test("always begins anew, whatever is there of it", async () => {
    await using bench = await SyncBench.open();
    const name = "20260607_101500_N.gps";
    bench.put(`.${name}`, "bytes of another file");
    expect((await bring(bench, VIDEO, { kind: "gps" })).outcome).toMatchObject({ kind: "completed", name });
    expect(bench.rangesOf(name)).toEqual([null]);
    expect((await bench.home()).whole).toEqual([name]);
  });

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
    expect((await bring(bench, VIDEO, { kind })).outcome).toMatchObject({ kind: "failed", problem: { kind: "cut" } });
    expect((await bench.home()).whole).toEqual([]);
    expect((await bring(bench, VIDEO, { kind })).outcome).toMatchObject({ kind: "completed" });
    expect((await bench.home()).wrong).toEqual([]);
  });
});

describe("a companion that the camera does not have", () => {
  const rows = [
    { answer: 404, fault: { name: "not-found" } },
    { answer: 403, fault: { name: "forbidden" } },
    { answer: 204, fault: { name: "empty-204" } },
  ] as const;
  test.each(rows)("is no failure and leaves no marker ($answer)", async ({ fault }) => {
    await using bench = await SyncBench.open();
    const isCompanion = /\.(thm|3gf|gps)$/;
    bench.simulator.fault({ ...fault, match: isCompanion });

    const result = await bench.sync();

    expect(result.failure).toBeNull();
    expect(result.run.success).toBe(true);
    expect(result.run.failures).toEqual(noFailures());
    expect(result.counts).toMatchObject({ completed: 4, absent: 8, failed: 0 });
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
    const asked = bench.asked().filter((name) => isCompanion.test(name));
    expect(asked).toEqual([...new Set(asked)]);
    expect(asked).toHaveLength(8);

    bench.simulator.clearFaults();
    bench.clockOffset = 3_600_000;
    expect((await bench.sync()).counts.completed).toBe(8);
    expect((await bench.home()).whole).toEqual(bench.cardNames());
  });

  test("is normal for a parked car without GPS", async () => {
    // Of these parked moments some have a .gps and some do not.
    const parked = [0, 1, 2, 3, 4, 5].map((minute) => `20260607_10150${minute}_PF.mp4`);
    await using bench = await SyncBench.open({ card: cardOf(parked, 5000) });
    const lacking = 24 - bench.cardNames().length;
    expect(lacking).toBeGreaterThan(0);
    const result = await bench.sync();
    expect(result.counts).toMatchObject({ completed: bench.cardNames().length, absent: lacking, failed: 0 });
    expect((await bench.home()).whole).toEqual(bench.cardNames());
  });
});

test("a companion that cannot be read leaves a marker and does not keep its video from coming home", async () => {
  await using bench = await SyncBench.open();
  bench.simulator.fault({ name: "error-500", match: /101500_NF\.thm$/ });
  const result = await bench.sync({ grouping: "monthly" });
  expect(result.failure).toBeNull();
  expect(result.fileFailures).toEqual({ ...noFailures(), http: 1 });
  const home = await bench.home();
  expect(home.markers).toEqual(["2026-06/20260607_101500_NF.thm.failed"]);
  expect(home.whole).toHaveLength(11);
});

test("two directions share the telemetry of their moment, which is asked for and counted once", async () => {
  await using bench = await SyncBench.open();
  const result = await bench.sync();
  expect(result.counts.completed).toBe(12);
  expect(bench.topic.value).toMatchObject({ files_total: 12, files_completed: 12, files_skipped: 0, percent: 100 });
  const telemetry = bench.asked().filter((name) => /\.(3gf|gps)$/.test(name));
  expect(telemetry).toEqual([
    "20260607_101500_N.3gf",
    "20260607_101500_N.gps",
    "20260607_101600_E.3gf",
    "20260607_101600_E.gps",
  ]);
});

test("kinds that are skipped are neither asked for nor counted", async () => {
  await using bench = await SyncBench.open();
  const result = await bench.sync({ skipMetadata: ["t", "3"] });
  expect(result.counts.completed).toBe(6);
  expect((await bench.home()).whole).toEqual(bench.cardNames().filter((name) => /\.(mp4|gps)$/.test(name)));
  expect(bench.topic.value.files_total).toBe(6);
});

test("the companions of a video that is still being recorded wait for it", async () => {
  await using bench = await SyncBench.open();
  const lift = bench.simulator.fault({ name: "growing", match: /_EF\.mp4$/, times: 100, value: 500 });
  const result = await bench.sync();
  expect(result.failure).toBeNull();
  expect(result.counts.growing).toEqual([VIDEOS[2]]);
  const waiting = bench.cardNames().filter((name) => name.includes("101600_E") && !name.endsWith("ER.mp4"));
  const home = await bench.home();
  expect(home.whole).toEqual(bench.cardNames().filter((name) => !waiting.includes(name)));
  expect(home.wrong).toEqual([]);
  expect(bench.asked().filter((name) => waiting.includes(name) && !name.endsWith(".mp4"))).toEqual([]);
  expect(bench.topic.value).toMatchObject({ state: "completed", files_total: 7, files_completed: 7, percent: 100 });
  lift();
  expect((await bench.sync()).counts.growing).toEqual([]);
  expect((await bench.home()).whole).toEqual(bench.cardNames());
});

test("the companions of the newest video wait also when it could not be fetched: it may still be recorded", async () => {
  await using bench = await SyncBench.open();
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
  expect(home.whole).toEqual(bench.cardNames());
});

test("a recording and its substream share the companions, and each file is asked for once", async () => {
  await using bench = await SyncBench.open({
    card: cardOf(["20260607_101500_NF.mp4", "20260607_101500_NFS.mp4", ...VIDEOS]),
  });
  const result = await bench.sync();
  expect(result.failure).toBeNull();
  expect(result.counts.completed).toBe(13);
  const asked = bench.asked().filter((name) => !name.endsWith(".mp4"));
  expect(asked).toEqual([...new Set(asked)]);
  expect((await bench.home()).whole).toEqual(bench.cardNames());
});
