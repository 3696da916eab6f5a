import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { onBothInterfaces, requestFor, requestsFor } from "../../support/app/interfaces.ts";
import { cardOf, SyncBench, type SyncOverrides } from "../../support/app/sync.ts";

setDefaultTimeout(60_000);

const VIDEOS = [
  "20260607_101500_NF.mp4",
  "20260607_101500_NR.mp4",
  "20260607_101600_NF.mp4",
  "20260607_101700_NF.mp4",
  "20260607_101800_NF.mp4",
  "20260607_101800_NR.mp4",
];
const METADATA = /\.(thm|gps)$/;
const FIRST: SyncOverrides = { metadataFirst: true };

onBothInterfaces((generation) => {
  const open = (rate: number | null = null) => SyncBench.open({ generation, card: cardOf(VIDEOS), rate });

  /** The files that the camera was asked for, in order. */
  function asked(bench: SyncBench): string[] {
    return bench.asked().map((name) => name.slice(9));
  }

  test("thumbnails and GPS are at home before the first video, but not of what may still be recorded", async () => {
    await using bench = await open();
    bench.simulator.fault({ name: "stall", match: /101500_NF\.mp4$/, after: 1000 });
    const stopping = new AbortController();
    const run = bench.sync({ ...FIRST, signal: stopping.signal });
    await bench.simulator.asked(/101500_NF\.mp4$/);
    stopping.abort(new Error("seen enough"));
    await run;
    const { whole, wrong } = await bench.home();
    expect(wrong).toEqual([]);
    expect(whole.map((name) => name.slice(9)).toSorted()).toEqual([
      ...["101500_N.gps", "101500_NF.thm", "101500_NR.thm"],
      ...["101600_N.gps", "101600_NF.thm", "101700_N.gps", "101700_NF.thm"],
    ]);
  });

  test("all of it comes home, each file asked for once", async () => {
    await using bench = await open();
    const result = await bench.sync(FIRST);
    expect(result.failure).toBeNull();
    const { whole, wrong } = await bench.home();
    expect([whole.length, wrong]).toEqual([bench.offered().length, []]);
    const names = asked(bench);
    // The newest of each direction are asked once more whether they have grown.
    expect(names.filter((name) => METADATA.test(name))).toHaveLength(10);
    expect(names.slice(0, 7).every((name) => METADATA.test(name))).toBe(true);
    expect(new Set(names).size).toBe(bench.offered().length);
  });

  const FULL_GPS = "20260607_101600_N.gps";
  /** The camera is still writing this file: so far it has the first bytes of it. */
  async function writing(bench: SyncBench): Promise<() => void> {
    const full = await bench.card.bytes(FULL_GPS);
    bench.card.add(FULL_GPS, full.subarray(0, 300));
    return () => bench.card.add(FULL_GPS, full);
  }

  test("a track that was still being written when it came ahead is whole once its video has come", async () => {
    await using bench = await open();
    const ends = await writing(bench);
    // Its name makes it not the newest: the camera's clock was set back.
    const lift = bench.simulator.fault({ name: "paused", match: requestFor(VIDEOS[2] ?? ""), after: 100_000 });
    await bench.sync(FIRST);
    expect(bench.sizeOf(FULL_GPS)).toBe(300);
    ends();
    lift();
    bench.clockOffset = 3_600_000;
    expect((await bench.sync(FIRST)).failure).toBeNull();
    const { whole, wrong, partials } = await bench.home();
    expect([whole.length, wrong, partials]).toEqual([bench.offered().length, [], {}]);
  });

  test("what came ahead in a run without its video is asked for once more when the video comes", async () => {
    await using bench = await open();
    const ends = await writing(bench);
    bench.simulator.fault({ name: "not-found", match: requestsFor("mp4") });
    await bench.sync(FIRST);
    bench.simulator.clearFaults();
    expect(bench.sizeOf(FULL_GPS)).toBe(300);
    ends();
    expect((await bench.sync(FIRST)).failure).toBeNull();
    const { whole, wrong, partials } = await bench.home();
    expect([whole.length, wrong, partials]).toEqual([bench.offered().length, [], {}]);
  });

  test("an answer that was cut, and what lies in a folder of one's own, take nothing away", async () => {
    await using bench = await open();
    const full = await bench.card.bytes(FULL_GPS);
    bench.simulator.fault({ name: "not-found", match: requestsFor("mp4") });
    await bench.sync(FIRST);
    bench.simulator.clearFaults();
    const [, , , other = ""] = VIDEOS;
    const own = other.replace("F.mp4", ".gps");
    bench.put(`My drives/${own}`, "a track of my own");
    rmSync(join(bench.destination, own));
    bench.card.add(FULL_GPS, full.subarray(0, 300));
    expect((await bench.sync(FIRST)).failure).toBeNull();
    expect(bench.sizeOf(FULL_GPS)).toBe(full.length);
    expect(readFileSync(join(bench.destination, "My drives", own), "utf8")).toBe("a track of my own");
    expect(existsSync(join(bench.destination, own))).toBe(false);
  });

  test("what cannot be asked for once more stays as it came, and is no failure", async () => {
    await using bench = await open();
    bench.simulator.fault({ name: "not-found", match: requestsFor("mp4") });
    await bench.sync(FIRST);
    bench.simulator.clearFaults();
    bench.simulator.fault({ name: "error-500", match: requestsFor("thm", "gps") });
    const result = await bench.sync({ ...FIRST, exclude: ["NR"] });
    expect([result.failure, result.counts.videos]).toEqual([null, 4]);
    expect((await bench.home()).wrong).toEqual([]);
  });

  // `newer_camera_test.ts` tests silence with the newer interface, which waits long for it.
  const silence = generation === "legacy" ? ([["silence", { name: "never-answers" }]] as const) : [];
  const NONSENSE: readonly (readonly [string, Pick<Fault, "name" | "after">])[] = [
    ["a web page", { name: "html-200" }],
    ["an error", { name: "error-500" }],
    ...silence,
    ["a part of it", { name: "reset", after: 100 }],
    ["a hang-up", { name: "reset", after: 0 }],
  ];
  test.each(NONSENSE)("a camera that answers them with %s still gets every video home", async (_, fault) => {
    await using bench = await open();
    bench.simulator.fault({ ...fault, match: requestsFor("thm", "gps") });
    const result = await bench.sync({ ...FIRST, timeoutMs: 800, silenceMs: 800 });
    const { whole, wrong } = await bench.home();
    expect(wrong).toEqual([]);
    expect(whole.filter((name) => name.endsWith(".mp4")).toSorted()).toEqual(VIDEOS.toSorted());
    expect(whole.filter((name) => METADATA.test(name))).toEqual([]);
    expect(result.counts.videos).toBe(VIDEOS.length);
    // Three are tried ahead, then no more: the videos do not wait for them.
    const names = asked(bench);
    expect(
      names.slice(
        0,
        names.findIndex((name) => name.endsWith(".mp4")),
      ).length,
    ).toBeLessThanOrEqual(3);
  });

  test("what fails ahead of its video is tried again behind it, and is no failure when it comes then", async () => {
    await using bench = await open();
    bench.simulator.fault({ name: "error-500", match: requestFor("20260607_101700_NF.thm"), times: 1 });
    const result = await bench.sync(FIRST);
    expect([result.failure, result.counts.failed]).toEqual([null, 0]);
    const { whole, markers } = await bench.home();
    expect([whole.length, markers]).toEqual([bench.offered().length, []]);
    const names = asked(bench);
    expect(names.lastIndexOf("101700_NF.thm")).toBeGreaterThan(names.indexOf("101700_NF.mp4"));
  });

  test("a companion that the camera does not have is remembered as absent, asked for ahead or not", async () => {
    await using bench = await open();
    bench.simulator.fault({ name: "not-found", match: requestFor("20260607_101600_N.gps") });
    const result = await bench.sync(FIRST);
    expect(result.counts).toMatchObject({ absent: 1, failed: 0 });
    bench.simulator.requests.length = 0;
    expect((await bench.sync(FIRST)).counts).toMatchObject({ known: 1, failed: 0 });
    expect(asked(bench)).toEqual([]);
  });

  test("a camera that leaves while they come ends the run as away, and they are at home", async () => {
    await using bench = await open();
    bench.simulator.fault({ name: "stall", match: requestFor("20260607_101600_N.gps"), after: 10 });
    const run = bench.sync(FIRST);
    await bench.simulator.asked(requestFor("20260607_101600_N.gps"));
    await bench.simulator.goAway();
    const result = await run;
    expect(result.failure).toMatchObject({ kind: "away" });
    expect((await bench.home()).whole.map((name) => name.slice(9)).toSorted()).toEqual(
      ["101600_NF.thm", "101700_N.gps", "101700_NF.thm"].toSorted(),
    );
  });

  test("nothing comes ahead in a dry run, nor when the setting is off", async () => {
    await using bench = await open();
    await bench.sync({ ...FIRST, dryRun: true });
    expect(asked(bench)).toEqual([]);
    await bench.sync({ metadataFirst: false });
    expect(asked(bench)[0]).toBe("101500_NF.mp4");
  });
});

test("of a newer camera, thumbnails and GPS of what the rules skip come home, too; of a legacy one they do not", async () => {
  for (const [generation, expected] of [
    ["v1009", ["101600_N.gps", "101600_NF.thm", "101700_N.gps", "101700_NF.thm"]],
    ["legacy", []],
  ] as const) {
    await using bench = await SyncBench.open({ card: cardOf(VIDEOS), generation });
    expect((await bench.sync({ ...FIRST, include: ["R"] })).failure).toBeNull();
    const { whole, wrong } = await bench.home();
    const skipped = whole.map((name) => name.slice(9)).filter((name) => /^101[67]/.test(name));
    expect([generation, skipped.toSorted(), wrong]).toEqual([generation, expected.toSorted(), []]);
  }
});

test.each([
  { skipMetadata: ["t"], metadataFirst: true, expected: ["101600_N.gps", "101700_N.gps"] },
  { skipMetadata: ["g"], metadataFirst: false, expected: ["101600_NF.thm", "101700_NF.thm"] },
  { skipMetadata: ["t", "g"], metadataFirst: true, expected: [] },
])("but not those that are not wanted at all: $skipMetadata", async ({ expected, ...rules }) => {
  await using bench = await SyncBench.open({ card: cardOf(VIDEOS), generation: "v1009" });
  const { failure } = await bench.sync({ ...rules, include: ["R"] });
  expect(failure).toBeNull();
  const skipped = bench
    .asked()
    .map((name) => name.slice(9))
    .filter((name) => /^101[67]/.test(name));
  expect(skipped.toSorted()).toEqual([...expected]);
});
