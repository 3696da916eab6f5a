import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { secondsOf } from "../../../server/domain/recordings/recording_name.ts";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import type { Priority } from "../../../server/domain/settings/sections/sync.ts";
import type { Snapshot } from "../../../server/domain/sync/job_progress.ts";
import type { RiskBoundary } from "../../../server/domain/sync/smart_order.ts";
import { acquireLock } from "../../../server/store/destination/destination_lock.ts";
import { onBothInterfaces, requestFor, requestsFor } from "../../support/app/interfaces.ts";
import { cardOf, FILES_OF, SyncBench, type SyncOverrides, VIDEOS } from "../../support/app/sync.ts";

const HOUR = 3600 * 1000;

onBothInterfaces((generation) => {
  /** Number of files for `VIDEOS`, with the files beside them. */
  const ALL = FILES_OF[generation];
  describe("a sync fetches in the order of its priority", () => {
    // Every type the camera knows and one it does not, then a late moment that is the newest.
    const types = [..."NPFYLDGXRTAOBIEMZ"];
    const moments = types.map((type, minute) => `20260607_10${String(minute + 10)}00_${type}`);
    const newest = ["20260607_120000_NF.mp4", "20260607_120000_NR.mp4"];
    const videos = [
      ...moments.map((moment) => `${moment}F.mp4`),
      `${moments[0]}R.mp4`,
      `${moments[0]}I.mp4`,
      `${moments[3]}O.mp4`,
    ];
    const letters = (asked: string[]) => asked.map((name) => name.slice(9, 11) + name.slice(16, 18));

    async function order(priority: Priority, atRiskBefore: RiskBoundary | null = null): Promise<string[]> {
      await using bench = await SyncBench.open({ generation, card: cardOf([...videos, ...newest], 1000) });
      const result = await bench.sync({ priority, atRiskBefore, skipMetadata: ["t", "3", "g"] });
      expect(result.failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.card.videos());
      return letters([...new Set(bench.asked())]);
    }

    const first = ["10NF", "10NR", "10NI"];
    const rest = types.slice(1).flatMap((type) => (type === types[3] ? [`10${type}F`, `10${type}O`] : [`10${type}F`]));

    test("date: oldest first, front before rear", async () => {
      expect(await order("date")).toEqual([...first, ...rest, "12NF", "12NR"]);
    });

    test("rdate: latest first, front still before rear, and the newest in its place: the car may leave", async () => {
      const backwards = types.slice(1).reverse();
      const expected = backwards.flatMap((type) => (type === types[3] ? [`10${type}F`, `10${type}O`] : [`10${type}F`]));
      expect(await order("rdate")).toEqual(["12NF", "12NR", ...expected, ...first]);
    });

    test("smart: what is overwritten next, oldest first; then events, drives and parking, newest first", async () => {
      const events = [..."MEIBOAT"].map((type) => `10${type}F`);
      const drives = [
        "12NF",
        "12NR",
        ...[..."ZRXGDLYF"].flatMap((type) => (type === types[3] ? [`10${type}F`, `10${type}O`] : [`10${type}F`])),
        ...first,
      ];
      const parked = ["10PF"];
      expect(await order("smart")).toEqual([...events, ...drives, ...parked]);
      const at = secondsOf("20260607_101200");
      // The first two moments are the oldest.
      const others = [...events, ...drives].filter((name) => !first.includes(name));
      expect(await order("smart", { driving: at, parking: at, events: at })).toEqual([...first, ...parked, ...others]);
    });

    test("type: by what matters most, an unknown type last", async () => {
      const ranked = [..."MEIBOATRXGDLYF"].flatMap((type) =>
        type === types[3] ? [`10${type}F`, `10${type}O`] : [`10${type}F`],
      );
      expect(await order("type")).toEqual([...ranked, ...first, "12NF", "12NR", "10PF", "10ZF"]);
    });
  });

  describe("a sync fetches only what the rules let through", () => {
    const rows: { what: string; rules: SyncOverrides; videos: readonly string[] }[] = [
      { what: "all without rules", rules: {}, videos: VIDEOS },
      { what: "a type", rules: { include: ["E"] }, videos: [VIDEOS[2], VIDEOS[3]] },
      { what: "a type and direction", rules: { include: ["NF"] }, videos: [VIDEOS[0]] },
      { what: "any of several", rules: { include: ["NR", "EF"] }, videos: [VIDEOS[1], VIDEOS[2]] },
      { what: "all but a direction", rules: { exclude: ["NF"] }, videos: [VIDEOS[1], VIDEOS[2], VIDEOS[3]] },
      { what: "exclude before include", rules: { include: ["N"], exclude: ["NR"] }, videos: [VIDEOS[0]] },
      { what: "nothing", rules: { include: ["P"] }, videos: [] },
      { what: "the cutoff day and later", rules: { cutoff: "2026-06-07" }, videos: VIDEOS },
      { what: "nothing from before the cutoff day", rules: { cutoff: "2026-06-08" }, videos: [] },
    ];
    test.each(rows)("$what", async ({ rules, videos }) => {
      await using bench = await SyncBench.open({ generation, card: cardOf(VIDEOS, 1000) });
      const result = await bench.sync(rules);
      expect(result.failure).toBeNull();
      expect(result.run).toMatchObject({ recordingsSeen: 4, recordingsSelected: videos.length });
      expect((await bench.home()).whole.filter((name) => name.endsWith(".mp4"))).toEqual([...videos]);
      expect(bench.topic.value.files_total).toBe(result.counts.completed);
    });
  });

  describe("failure markers", () => {
    test("keep a file from being asked for until they expire", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.simulator.fault({ name: "error-500", match: /NF\.mp4$/ });
      expect((await bench.sync({ retryFailedAfterMs: HOUR })).counts.failed).toBe(1);
      expect((await bench.home()).markers).toEqual([`${VIDEOS[0]}.failed`]);
      const marker = readFileSync(join(bench.destination, `${VIDEOS[0]}.failed`), "utf8");
      expect(marker).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      bench.simulator.clearFaults();

      const before = bench.simulator.requests.length;
      const waiting = await bench.sync({ retryFailedAfterMs: HOUR });
      expect(waiting.failure).toBeNull();
      expect(waiting.counts).toMatchObject({ blocked: 1, present: ALL - 1, completed: 0, failed: 0 });
      expect(waiting.run.failedMarkers).toBe(1);
      expect(bench.asked(before)).toEqual([]);
      expect(bench.topic.value).toMatchObject({ files_total: 0, files_skipped: ALL });

      bench.clockOffset = HOUR + 1000;
      const late = await bench.sync({ retryFailedAfterMs: HOUR });
      expect(late.counts).toMatchObject({ blocked: 0, present: ALL - 1, completed: 1 });
      expect((await bench.home()).whole).toEqual(bench.offered());
      expect((await bench.home()).markers).toEqual([]);
    });

    test("from the future do not block", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.put(`${VIDEOS[0]}.failed`, new Date(Date.now() + 5 * HOUR).toISOString());
      expect((await bench.sync()).counts).toMatchObject({ blocked: 0, completed: ALL });
      expect((await bench.home()).markers).toEqual([]);
    });

    test("block whatever folder they lie in", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.put(`2026-06/${VIDEOS[0]}.failed`, new Date().toISOString());
      expect((await bench.sync({ grouping: "daily" })).counts).toMatchObject({ blocked: 1, completed: ALL - 1 });
      expect((await bench.sync({ grouping: "daily", retryFailedAfterMs: 0 })).counts).toMatchObject({ completed: 1 });
      expect((await bench.home()).markers).toEqual([]);
    });
  });

  test("a run's counts add up: completed and failed are the total, the rest is skipped", async () => {
    await using bench = await SyncBench.open({ generation });
    bench.put(VIDEOS[2], await bench.card.bytes(VIDEOS[2]));
    bench.put(`${VIDEOS[3]}.failed`, new Date().toISOString());
    bench.simulator.fault({ name: "error-500", match: /_NF\.mp4$/ });
    bench.simulator.fault({ name: "not-found", match: requestFor("20260607_101500_N.gps") });
    const result = await bench.sync();
    const { files_total, files_completed, files_failed, files_skipped } = bench.topic.value;
    expect(files_completed + files_failed).toBe(files_total);
    expect({ files_total, files_completed, files_failed, files_skipped }).toEqual({
      files_total: ALL - 3,
      files_completed: ALL - 4,
      files_failed: 1,
      files_skipped: 3,
    });
    expect(result.run).toMatchObject({ files: ALL - 4, success: true, failedMarkers: 2 });
    const sizes = await Promise.all(
      (await bench.home()).whole.map(async (name) => (await bench.card.bytes(name)).length),
    );
    expect(result.run.bytes).toBe(sizes.reduce((sum, size) => sum + size, 0) - 200_000);
    const summary = bench.told("INFO").filter((line) => line.startsWith("Sync"));
    expect(summary).toEqual([
      expect.stringMatching(/^Sync started/),
      expect.stringMatching(
        new RegExp(
          `^Sync finished: ${ALL - 4}\\sfiles .*1 already here, 1 waiting after a failure, 1 failed, the camera had no GPS or thumbnail for 1`,
        ),
      ),
    ]);
  });

  test("a run's percentages never go back, that of a continued file begins where it was, and both reach 100", async () => {
    await using bench = await SyncBench.open({ generation, rate: 1_500_000 });
    await bench.putPartial(VIDEOS[0], 120_000);
    const snapshots: Snapshot[] = [];
    const off = bench.topic.subscribe((snapshot) => snapshots.push(snapshot));
    await bench.sync();
    off();
    const overall = snapshots.map(({ percent }) => percent);
    expect(overall).toEqual(overall.toSorted((a, b) => a - b));
    expect(overall.at(-1)).toBe(100);
    const first = snapshots.flatMap(({ current_file: file }) =>
      file?.filename === VIDEOS[0] && file.total_bytes > 0 ? [file] : [],
    );
    for (const { percent } of first) expect(percent).toBeGreaterThanOrEqual(60);
    expect(snapshots.map(({ seq }) => seq)).toEqual(snapshots.map((_, at) => at + (snapshots[0]?.seq ?? 0)));
    expect(bench.topic.value).toMatchObject({
      state: "completed",
      phase: null,
      current_file: null,
      failure_reason: null,
    });
  });

  test("a run that finds nothing new says so in one start and one summary line", async () => {
    await using bench = await SyncBench.open({ generation });
    await bench.sync();
    bench.lines.length = 0;
    await bench.sync();
    expect(bench.told("INFO")).toEqual([
      expect.stringMatching(/^Sync started/),
      expect.stringMatching(new RegExp(`^Sync finished: nothing new, ${ALL} already here$`)),
    ]);
  });

  describe("a camera that leaves in the middle of a run", () => {
    const videos = Array.from({ length: 25 }, (_, minute) => `20260607_10${String(minute + 10)}00_NF.mp4`);

    test("ends it as offline at once, and the next run goes on", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 20_000) });
      bench.simulator.fault({ name: "goes-away", value: 2, after: 9000 });
      const result = await bench.sync();
      expect(result.failure).toMatchObject({ kind: "away", reason: "network" });
      // A file left in the middle has not failed: it goes on.
      expect(result.fileFailures).toEqual(noFailures());
      expect((await bench.home()).partials).toEqual({ [videos[2] ?? ""]: 9000 });
      expect(bench.told("INFO").at(-1)).toMatch(/^Camera not reachable: .* came home/);
      expect(bench.topic.value).toMatchObject({ state: "failed", failure_reason: "network" });

      const gone = await bench.sync();
      expect(gone.failure).toMatchObject({ kind: "away", reason: "network" });
      await bench.simulator.comeBack();
      const before = bench.simulator.requests.length;
      expect((await bench.sync()).failure).toBeNull();
      expect(bench.rangesOf(videos[2] ?? "", before)).toEqual(["bytes=9000-"]);
      expect((await bench.home()).whole).toEqual(bench.offered());
    });

    test("without a word costs two timeouts: the file's, and one probe's", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 20_000) });
      // From the third video on nothing is answered any more, the probe included.
      const silent = bench.simulator.asked(/_1012/).then(() => bench.simulator.fault("never-answers"));
      bench.simulator.fault({ name: "never-answers", match: /_1012/ });
      const result = await bench.sync({ timeoutMs: 700, silenceMs: 700 });
      await silent;
      expect(result.failure).toMatchObject({ kind: "away", reason: "timeout" });
      expect(result.fileFailures).toEqual(noFailures());
      expect(bench.simulator.requests.filter(({ path }) => path === "/accessible")).toHaveLength(2);
      expect((await bench.home()).whole).toEqual(bench.offered().filter((name) => /_101[01]/.test(name)));
    });

    test("and a file that hangs while the camera still answers does not end it", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.simulator.fault({ name: "never-answers", match: /NR\.mp4$/ });
      const result = await bench.sync({ timeoutMs: 500 });
      expect(result.failure).toBeNull();
      expect(result.counts).toMatchObject({ completed: ALL - 1, failed: 1 });
    });

    test("and five hanging files in a row do, though it answers a probe", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 20_000) });
      bench.simulator.fault({ name: "never-answers", match: requestsFor() });
      const result = await bench.sync({ timeoutMs: 300 });
      expect(result.failure).toMatchObject({ kind: "away", reason: "timeout" });
      // Companions count for themselves, and are given up after three.
      const asked = bench.asked();
      expect([asked.length, asked.filter((name) => name.endsWith(".mp4")).length]).toEqual([8, 5]);
    });
  });

  test("a dry run leaves everything as it was and tells what would come", async () => {
    await using bench = await SyncBench.open({ generation });
    const nowhere = await bench.sync({ dryRun: true, grouping: "daily", deletes: true, cutoff: "2026-01-01" });
    expect(nowhere.failure).toBeNull();
    expect(existsSync(bench.destination)).toBe(false);

    bench.put("2025/20250101_101500_NF.mp4", "old");
    await bench.putPartial(VIDEOS[1], 1000);
    bench.put(`${VIDEOS[0]}.failed`, new Date().toISOString());
    const before = bench.tree();
    const result = await bench.sync({ dryRun: true, grouping: "daily", deletes: true, cutoff: "2026-01-01" });
    expect(result.failure).toBeNull();
    expect(bench.tree()).toEqual(before);
    expect(bench.asked()).toEqual([]);
    expect(result.run).toMatchObject({ dryRun: true, files: 0, bytes: 0 });
    // The recent failure counts here, too.
    expect(bench.topic.value).toMatchObject({ files_completed: ALL - 1, files_skipped: 1, bytes_downloaded_total: 0 });
    const told = bench.told("INFO");
    expect(told.filter((line) => line.startsWith("Would download 2026"))).toHaveLength(2 * ALL - 1);
    expect(told.filter((line) => line.startsWith("Would remove"))).toEqual(["Would remove outdated 20250101_101500_N"]);
  });

  test("a folder that another sync holds is left alone, and the log names the holder", async () => {
    await using bench = await SyncBench.open({ generation });
    bench.put(".keep", "");
    const lock = acquireLock(bench.destination, {
      command: "serve",
      pid: 4711,
      host: "nas",
      startedAt: "2026-06-07T10:00:00Z",
    });
    try {
      const result = await bench.sync();
      expect(result.failure).toMatchObject({ kind: "locked", reason: "unknown" });
      expect(bench.simulator.requests).toEqual([]);
      expect(bench.told("WARNING")).toEqual([expect.stringMatching(/not started: .*serve on nas, process 4711/)]);
    } finally {
      lock.release();
    }
    expect((await bench.sync()).failure).toBeNull();
  });

  test("a destination that is a file fails in plain words", async () => {
    await using bench = await SyncBench.open({ generation });
    writeFileSync(bench.destination, "");
    const { failure } = await bench.sync();
    expect(failure).toMatchObject({ kind: "trouble", message: "the destination is not a folder" });
  });

  test("no address fails in plain words", async () => {
    await using bench = await SyncBench.open({ generation });
    const { failure } = await bench.sync({ address: "" });
    expect(failure?.kind).toBe("trouble");
    expect(failure?.message).toMatch(/no camera address/);
  });
});
