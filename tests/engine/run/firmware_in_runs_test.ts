import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GenerationName } from "../../../server/dashcam/generation.ts";
import { startApp } from "../../support/app/app.ts";
import { cardOf, SyncBench, VIDEOS } from "../../support/app/sync.ts";

const WAYS: [from: GenerationName, to: GenerationName][] = [
  ["legacy", "v1009"],
  ["v1009", "legacy"],
];
const isSensor = (name: string) => name.endsWith(".3gf");

describe("new firmware between two runs", () => {
  test("of the newer interface: what it does not have is neither asked for nor missed", async () => {
    await using bench = await SyncBench.open();
    await bench.sync({ exclude: ["E"] });
    bench.simulator.generation = "v1009";
    const before = bench.simulator.requests.length;
    const result = await bench.sync();
    expect(result.failure).toBeNull();
    expect(result.counts).toMatchObject({ completed: 5, absent: 0, known: 0, failed: 0 });
    expect(bench.asked(before).filter(isSensor)).toEqual([]);
    expect((await bench.sync()).counts).toMatchObject({ completed: 0, absent: 0 });
    expect((await bench.home()).wrong).toEqual([]);
  });

  test("and back to the older one: its g-sensor files are wanted again", async () => {
    await using bench = await SyncBench.open({ generation: "v1009" });
    await bench.sync();
    bench.simulator.generation = "legacy";
    expect((await bench.sync()).counts).toMatchObject({ completed: 2, present: 10, failed: 0 });
    expect((await bench.home()).whole).toEqual(bench.offered());
  });

  test.each(WAYS)(
    "what the camera never had is asked for again, and not for ever (from %s to %s)",
    async (from, to) => {
      const lacks = [{ name: "not-found", match: /\.(gps|thm)$/ }, "metadata-code"] as const;
      await using bench = await SyncBench.open({ generation: from, faults: lacks });
      for (const [hours, counts] of [
        [0, { absent: 6, known: 0 }],
        [2, { absent: 6, known: 0 }],
        [30, { absent: 6, known: 0 }],
        [9000, { absent: 0, known: 6 }],
      ] as const) {
        bench.clockOffset = hours * 3_600_000;
        expect((await bench.sync()).counts).toMatchObject(counts);
      }
      bench.simulator.generation = to;
      expect((await bench.sync()).counts).toMatchObject({ absent: 6, known: 0 });
      expect((await bench.sync()).counts).toMatchObject({ absent: 0, known: 6 });
      bench.simulator.clearFaults();
      bench.clockOffset += 3_600_000;
      expect((await bench.sync()).counts).toMatchObject({ completed: 6, absent: 0, known: 0 });
      const isOfBoth = (name: string) => !isSensor(name);
      expect((await bench.home()).whole.filter(isOfBoth)).toEqual(bench.offered().filter(isOfBoth));
    },
  );

  test("no marker stays of what newer firmware answered wrongly and older firmware does not have", async () => {
    await using bench = await SyncBench.open();
    bench.simulator.fault({ name: "not-found", match: /_N\.gps$/ });
    expect((await bench.sync()).counts).toMatchObject({ absent: 1 });
    bench.simulator.generation = "v1009";
    const lift = bench.simulator.fault("metadata-no-json");
    await bench.sync({ metadataFirst: false });
    expect((await bench.home()).markers.join()).toContain("20260607_101500_N.gps.failed");
    lift();
    bench.simulator.generation = "legacy";
    expect((await bench.sync({ retryFailedAfterMs: 0 })).counts).toMatchObject({ known: 1, failed: 0 });
    expect((await bench.home()).markers).toEqual([]);
  });

  test("what an earlier version noted of a legacy camera is not asked for anew", async () => {
    await using bench = await SyncBench.open();
    bench.simulator.fault({ name: "not-found", match: /_N\.gps$/ });
    await bench.sync();
    // The note names the listed files of the moment, and nothing else.
    const note = await readFile(join(bench.destination, ".dashdock/absent"), "utf8");
    expect(note).toMatch(/^20260607_101500_N\.gps 1 [0-9]+ [0-9a-z]{1,7}\n$/);
    expect((await bench.sync()).counts).toMatchObject({ absent: 0, known: 1 });
  });

  test.each(WAYS)("a video that was begun goes on (from %s to %s)", async (from, to) => {
    await using bench = await SyncBench.open({ generation: from });
    const lift = bench.simulator.fault({ name: "goes-away", value: 0, after: 90_000 });
    expect((await bench.sync()).failure).toMatchObject({ kind: "away" });
    lift();
    bench.simulator.generation = to;
    await bench.simulator.comeBack();
    const before = bench.simulator.requests.length;
    expect((await bench.sync()).failure).toBeNull();
    expect(bench.rangesOf(VIDEOS[0], before)[0]).toBe("bytes=90000-");
    const home = await bench.home();
    expect([home.wrong, home.partials, home.markers]).toEqual([[], {}, []]);
  });
});

/** Resolves while the second video comes, slowly until then: two others are still to be asked for. */
async function whileSecondComes(bench: SyncBench): Promise<void> {
  await bench.until(({ current_file: file }) => file?.filename === VIDEOS[1] && file.downloaded_bytes > 0);
  bench.simulator.rate = null;
}

describe("new firmware during a run", () => {
  const moments: [when: string, metadataFirst: boolean, line: RegExp][] = [
    ["before a video", true, /^Downloaded 20260607_101500_N\.gps/],
    ["before a companion", false, /^Downloaded 20260607_101500_NF\.mp4/],
    ["behind a companion", false, /^Downloaded 20260607_101500_NF\.thm/],
    ["near the end", false, /^Downloaded 20260607_101600_ER\.mp4/],
  ];
  const rows = WAYS.flatMap(([from, to]) =>
    moments.flatMap(([when, metadataFirst, line]) =>
      [true, false].map((keepsConnections) => ({ from, to, when, metadataFirst, line, keepsConnections })),
    ),
  );
  test.each(rows)(
    "$when is followed (from $from to $to, connections outlast it: $keepsConnections)",
    async ({ from, to, metadataFirst, line, keepsConnections }) => {
      await using bench = await SyncBench.open({ generation: from, keepsConnections });
      bench.onLine = ({ message }) => {
        if (line.test(message)) bench.simulator.generation = to;
      };
      const result = await bench.sync({ metadataFirst });
      expect(bench.simulator.generation).toBe(to);
      expect(result.failure).toBeNull();
      expect(result.counts).toMatchObject({ failed: 0, empty: [], vanished: [], growing: [] });
      const home = await bench.home();
      expect(home.whole.filter((name) => !isSensor(name))).toEqual(bench.offered().filter((name) => !isSensor(name)));
      expect([home.wrong, home.markers, home.partials]).toEqual([[], [], {}]);

      bench.onLine = () => {};
      bench.clockOffset = 3_600_000;
      expect((await bench.sync()).failure).toBeNull();
      if (to === "legacy") expect((await bench.home()).whole).toEqual(bench.offered());
      expect(bench.told("WARNING", "ERROR")).toEqual([]);
    },
  );

  test.each(WAYS)("in the middle of a video is followed (from %s to %s)", async (from, to) => {
    const card = cardOf([VIDEOS[0]], 400_000);
    await using bench = await SyncBench.open({ generation: from, card, rate: 400_000 });
    const changed = bench
      .until(({ current_file: file }) => file?.artifact === "mp4" && file.downloaded_bytes > 50_000)
      .then(() => {
        bench.simulator.generation = to;
        bench.simulator.rate = null;
      });
    const result = await bench.sync();
    await changed;
    expect(result.failure).toBeNull();
    const home = await bench.home();
    expect([home.whole.includes(VIDEOS[0]), home.wrong, home.markers, home.partials]).toEqual([true, [], [], {}]);
    expect(bench.rangesOf(VIDEOS[0])[1]).toMatch(/^bytes=[1-9]/);
  });

  test.each(WAYS)("while the list comes is followed (from %s to %s)", async (from, to) => {
    await using bench = await SyncBench.open({ generation: from });
    bench.simulator.fault({ name: "list-stall", times: 1 });
    const changed = bench.simulator.asked(/vod/).then(() => {
      bench.simulator.generation = to;
    });
    const result = await bench.sync();
    await changed;
    expect(result.failure).toBeNull();
    expect((await bench.home()).whole.filter((name) => !isSensor(name))).toHaveLength(10);
  });

  test("a camera that answers 404 to everything for a moment has not overwritten what it listed", async () => {
    await using bench = await SyncBench.open({ generation: "v1009", rate: 400_000 });
    const lifted = whileSecondComes(bench).then(async () => {
      const lift = bench.simulator.fault({ name: "error-500", match: /./, value: 404 });
      await bench.simulator.asked(/cgi/);
      lift();
    });
    const result = await bench.sync();
    await lifted;
    expect(result.failure).toBeNull();
    expect(result.counts).toMatchObject({ completed: 10, failed: 0, absent: 0, vanished: [] });
    const home = await bench.home();
    expect([home.whole, home.wrong, home.markers]).toEqual([bench.offered(), [], []]);
  });

  test("a video that new firmware no longer has is told as overwritten, and leaves no marker", async () => {
    await using bench = await SyncBench.open({ keepsConnections: true, rate: 400_000 });
    const changed = whileSecondComes(bench).then(() => {
      bench.simulator.generation = "v1009";
      bench.card.remove(VIDEOS[3]);
    });
    const result = await bench.sync();
    await changed;
    expect(result.failure).toBeNull();
    expect(result.counts.vanished).toEqual([VIDEOS[3]]);
    expect((await bench.home()).markers).toEqual([]);
  });
});

test("nothing waits after a full run, with either interface, and g-sensor files wait again after a change back", async () => {
  await using running = await startApp({ generation: "v1009", settings: { retention: { keep: "" } } });
  await running.client.open("/");
  const run = async () => {
    await running.client.send("POST", "/api/sync/now");
    const { state } = (await running.synced()) as { state: string };
    return [state, (await running.app.listed.counts())?.waiting_files];
  };
  expect(await run()).toEqual(["completed", 0]);
  expect(await run()).toEqual(["completed", 0]);
  running.simulator.generation = "legacy";
  running.simulator.fault({ name: "error-500", match: /\.3gf$/ });
  expect(await run()).toEqual(["completed", 2]);
  running.simulator.clearFaults();
  running.simulator.generation = "v1009";
  expect(await run()).toEqual(["completed", 0]);
  running.simulator.generation = "legacy";
  expect(await run()).toEqual(["completed", 0]);
  expect(running.app.library.folderOf("20260607_101745_N.3gf")).toBe("");
});
