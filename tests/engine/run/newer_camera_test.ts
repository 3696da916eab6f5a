import { describe, expect, test } from "bun:test";
import type { Fault, FaultName } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { cardOf, SyncBench, VIDEOS } from "../../support/app/sync.ts";

const questions = ({ simulator }: SyncBench) => simulator.requests.filter(({ path }) => path === "/accessible").length;

describe("a run with a camera of the newer interface", () => {
  test.each([true, false])(
    "brings all home that there is, and asks for nothing else (metadata first: %p)",
    async (first) => {
      await using bench = await SyncBench.open({ generation: "v1009" });
      const result = await bench.sync({ metadataFirst: first });
      expect(result.failure).toBeNull();
      expect(result.counts).toMatchObject({ completed: 10, absent: 0, known: 0, failed: 0 });
      const home = await bench.home();
      expect([home.whole, home.wrong, home.markers, home.partials]).toEqual([bench.offered(), [], [], {}]);
      expect(bench.topic.value).toMatchObject({ files_total: 10, files_completed: 10, files_skipped: 0, percent: 100 });
      expect(bench.told("WARNING", "ERROR")).toEqual([]);
      // The newest of each direction are asked for a second time: they may have grown.
      expect(bench.asked().sort()).toEqual([...bench.offered(), ...VIDEOS.slice(2)].sort());
      expect(questions(bench)).toBe(1);

      const before = bench.simulator.requests.length;
      expect((await bench.sync()).counts).toMatchObject({ completed: 0, present: 10, absent: 0, known: 0 });
      expect(bench.simulator.requests.slice(before).map(({ path }) => path)).toEqual(["/accessible", "/vodList"]);
    },
  );

  test("asks once for the companions of an uploaded video, which have no names there", async () => {
    const video = "20260607_101700_NFL.mp4";
    await using bench = await SyncBench.open({ generation: "v1009", card: cardOf([video], 20_000) });
    bench.simulator.fault("metadata-code");
    const result = await bench.sync();
    expect(result.failure).toBeNull();
    expect(result.counts).toMatchObject({ completed: 1, absent: 2, failed: 0 });
    expect(bench.simulator.requests.filter(({ path }) => path === "/vodMetadata")).toHaveLength(2);
  });

  test("of a parked car finds companions absent, which is no failure, and remembers it", async () => {
    await using bench = await SyncBench.open({ generation: "v1009" });
    const lift = bench.simulator.fault("metadata-code");
    const result = await bench.sync();
    expect(result.failure).toBeNull();
    expect(result.run.failures).toEqual(noFailures());
    expect(result.counts).toMatchObject({ completed: 4, absent: 6, failed: 0 });
    expect((await bench.sync()).counts).toMatchObject({ completed: 0, known: 6 });
    lift();
    bench.clockOffset = 3_600_000;
    expect((await bench.sync()).counts.completed).toBe(6);
    expect((await bench.home()).whole).toEqual(bench.offered());
  });

  test.each([false, true])(
    "of a parked car gets GPS of a line end (as text: %p), and takes it for none",
    async (gpsAsText) => {
      await using bench = await SyncBench.open({ generation: "v1009", v1009: { gpsAsText } });
      bench.card.add("20260607_101500_N.gps", new TextEncoder().encode("\r\n"));
      const result = await bench.sync({ metadataFirst: true });
      expect(result.failure).toBeNull();
      expect(result.run.failures).toEqual(noFailures());
      expect(result.counts).toMatchObject({ completed: 9, absent: 1, failed: 0 });
      expect((await bench.home()).markers).toEqual([]);
      expect((await bench.sync()).counts).toMatchObject({ completed: 0, known: 1 });
    },
  );

  test("a dry run tells what it would fetch, and asks for nothing of it", async () => {
    await using bench = await SyncBench.open({ generation: "v1009" });
    const result = await bench.sync({ dryRun: true });
    expect(result.failure).toBeNull();
    expect(bench.told("INFO").filter((line) => line.startsWith("Would download"))).toHaveLength(10);
    expect(bench.simulator.requests.map(({ path }) => path)).toEqual(["/accessible", "/vodList"]);
  });

  const ways: [what: string, options: Parameters<typeof SyncBench.open>[0], ...faults: Fault[]][] = [
    ["ignores ranges", { v1009: { ignoresRange: true } }],
    ["refuses HEAD", { v1009: { head: "refuses" } }],
    ["hangs up on HEAD", { v1009: { head: "hangs-up" } }],
    ["marks the end of a video by closing", { v1009: { videoFraming: "close" } }],
    ["sends videos in chunks", { v1009: { videoFraming: "chunked" } }],
    ["refuses ranges", {}, { name: "range-status", value: 400 }],
    ["hangs up on ranges", {}, { name: "range-hang-up" }],
    ["closes after each answer", { keepAlive: false }],
  ];
  test.each(ways)("is whole after it was cut off, where the camera %s", async (_, options, ...faults) => {
    await using bench = await SyncBench.open({ generation: "v1009", ...options });
    for (const fault of faults) bench.simulator.fault(fault);
    bench.simulator.fault({ name: "cut-short", match: /^\/20260607_101500_NF\.mp4/, after: 70_000, times: 1 });
    const result = await bench.sync();
    expect(result.failure).toBeNull();
    const home = await bench.home();
    expect([home.whole, home.wrong, home.markers]).toEqual([bench.offered(), [], []]);
  });
});

describe("a camera that answers metadata with nonsense", () => {
  const rows: [what: string, fault: Fault, failed: number][] = [
    ["no JSON", { name: "metadata-no-json" }, 6],
    ["a web page", { name: "metadata-no-json", value: "<!DOCTYPE html><title>Sign in</title>" }, 6],
    ["nothing", { name: "metadata-no-json", value: "" }, 6],
    ["JSON of another shape", { name: "metadata-shape" }, 6],
    ["JSON without a result code", { name: "metadata-shape", value: "{}" }, 6],
    ["JSON that is cut off", { name: "metadata-cut" }, 6],
    ["no base64", { name: "metadata-no-base64" }, 6],
    ["other bytes", { name: "metadata-other-bytes" }, 6],
    ["content of no bytes", { name: "metadata-empty" }, 0],
    ["another result code", { name: "metadata-code" }, 0],
    ["far too much", { name: "metadata-too-long", value: 16_000_000 }, 6],
    ["status 400", { name: "error-500", match: /vodMetadata/, value: 400 }, 6],
    ["status 415", { name: "error-500", match: /vodMetadata/, value: 415 }, 6],
    ["status 500", { name: "error-500", match: /vodMetadata/ }, 6],
    ["status 404", { name: "error-500", match: /vodMetadata/, value: 404 }, 0],
    ["a way elsewhere", { name: "redirect", match: /vodMetadata/ }, 6],
  ];
  const orders = rows.flatMap(([what, fault, failed]) =>
    [true, false].map((first) => ({ what, fault, failed, first })),
  );
  test.each(orders)(
    "($what) still gets every video home (metadata first: $first)",
    async ({ fault, failed, first }) => {
      await using bench = await SyncBench.open({ generation: "v1009" });
      bench.simulator.fault(fault);
      const result = await bench.sync({ metadataFirst: first });
      expect(result.failure).toBeNull();
      expect(result.counts).toMatchObject({ completed: 4, failed, absent: 6 - failed });
      const home = await bench.home();
      expect([home.whole, home.wrong]).toEqual([bench.card.videos(), []]);
      expect(home.markers.filter((name) => name.includes(".mp4"))).toEqual([]);

      bench.simulator.clearFaults();
      bench.clockOffset = 3_600_000;
      expect((await bench.sync({ retryFailedAfterMs: 0 })).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
    },
  );

  test.each(["closed-without-answer", "reset-without-answer", "never-answers", "stall"] as const)(
    "or with nothing at all (%s) still gets every video home",
    async (name) => {
      await using bench = await SyncBench.open({ generation: "v1009", card: cardOf([VIDEOS[0], VIDEOS[2]], 20_000) });
      bench.simulator.fault({ name, match: /vodMetadata/, after: 10 });
      await bench.sync({ metadataFirst: true, timeoutMs: 800, silenceMs: 800 });
      const home = await bench.home();
      expect([home.whole, home.markers]).toEqual([bench.card.videos(), []]);
    },
  );
});

test("a list that cannot be read ends the run in plain words and forgets nothing", async () => {
  await using bench = await SyncBench.open({ generation: "v1009" });
  await bench.sync();
  const before = bench.tree();
  const deep = `{"filelist":[${'{"a":'.repeat(300_000)}1${"}".repeat(300_000)}]}`;
  const many = `{"filelist":[${"{},".repeat(2_000_000)}{"filename":"${VIDEOS[0]}"}]}`;
  const lists: (FaultName | Fault)[] = ["list-json", "list-cut", "list-html", "list-blank"];
  lists.push({ name: "list-json", value: deep }, { name: "list-json", value: many });
  for (const fault of lists) {
    const lift = bench.simulator.fault(fault);
    const { failure } = await bench.sync({ deletes: true });
    expect(failure).toMatchObject({ kind: "trouble", cause: "not-a-listing" });
    expect(failure?.message).toContain("the camera sent a list that cannot be read");
    lift();
  }
  bench.simulator.fault({ name: "list-json", value: `{"filelist":[]}${" ".repeat(9_000_000)}` });
  expect((await bench.sync({ deletes: true })).failure).toMatchObject({ kind: "trouble", cause: "too-long" });
  expect(bench.tree()).toEqual(before);
});

test("strange entries of a list are told, and the rest comes home", async () => {
  await using bench = await SyncBench.open({ generation: "v1009" });
  for (const name of ["list-junk", "list-traversal", "list-duplicates", "list-impossible-dates"] as const)
    bench.simulator.fault(name);
  const result = await bench.sync();
  expect(result.failure).toBeNull();
  expect((await bench.home()).whole).toEqual(bench.offered());
  expect(bench.asked().filter((name) => name === VIDEOS[0])).toHaveLength(1);
});
