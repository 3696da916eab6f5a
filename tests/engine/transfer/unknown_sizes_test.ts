import { expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Snapshot } from "../../../server/domain/sync/job_progress.ts";
import { startApp } from "../../support/app/app.ts";
import { cardOf, SyncBench } from "../../support/app/sync.ts";

setDefaultTimeout(30_000);

const SIZE = 200_000;
const EVENTS = [10, 11, 12, 13].map((minute) => `20260607_10${minute}00_EF.mp4`);
const OTHERS = [20, 21, 22, 23, 24, 25].map((minute) => `20260607_10${minute}00_NF.mp4`);

/**
 * Checks that no snapshot shows a percentage that falls, a figure that is none, or a total below the bytes received.
 */
function expectHonest(snapshots: readonly Snapshot[]): void {
  const last = new Map<string, number>();
  let whole = 0;
  for (const snapshot of snapshots) {
    expect(JSON.stringify(snapshot)).not.toMatch(/NaN|Infinity/);
    const { current_file: file, bytes_expected: all, bytes_downloaded_total: done, eta_seconds: left } = snapshot;
    if (all !== null) expect(all).toBeGreaterThanOrEqual(done);
    for (const figure of [all, left, file?.eta_seconds ?? null, file?.expected_bytes ?? null])
      if (figure !== null) expect(Number.isFinite(figure) && figure >= 0).toBe(true);
    expect(snapshot.percent).toBeGreaterThanOrEqual(whole);
    whole = snapshot.percent;
    if (file === null) continue;
    expect(file.percent).toBeGreaterThanOrEqual(last.get(file.filename) ?? 0);
    last.set(file.filename, file.percent);
    if (file.total_bytes > 0) continue;
    expect(file.percent).toBeLessThan(100);
    if (file.expected_bytes !== null) expect(file.expected_bytes).toBeGreaterThan(file.downloaded_bytes);
  }
}

const GENERATIONS = ["legacy", "v1009"] as const;

test.each(GENERATIONS)(
  "sizes that one run of a %s camera has taught are expected after a restart: at rest, and where no length is told",
  async (generation) => {
    const folder = mkdtempSync(join(tmpdir(), "unknown-sizes-"));
    try {
      const card = cardOf([...EVENTS, ...OTHERS], SIZE);
      const settings = { sync: { include: ["E"] }, retention: { keep: "" } };
      await using before = await startApp({ folder, card, rate: 500_000, settings, generation });
      await before.client.open("/");
      await before.client.send("POST", "/api/sync/now");
      expect(await before.synced()).toMatchObject({ state: "completed", bytes_expected: null });
      await before.stop();

      const { address } = before.simulator;
      const choosesAll = { sync: { include: [] }, retention: { keep: "" }, connection: { address } };
      await using after = await startApp({ folder, settings: choosesAll });
      const { client } = after;
      await client.open("/");
      const json = async (path: string) => (await (await client.fetch(path)).json()) as Record<string, number | null>;
      const overview = await json("/api/overview");
      expect(overview).toMatchObject({ waiting: OTHERS.length });
      const about = Number(overview["waiting_bytes"]);
      expect(about).toBeGreaterThan(OTHERS.length * SIZE * 0.9);
      expect(about).toBeLessThan(OTHERS.length * SIZE * 1.5);
      expect(await json("/api/status")).toMatchObject({ pending_bytes: about });
      expect(await json("/api/health/storage")).toMatchObject({ waiting_bytes: about });
      expect((await client.open("/")).text).not.toContain("wait on the camera");

      // With less room than that below the limit of 90 %.
      const disk = spyOn(after.app.storage, "read").mockImplementation(async () => ({
        totalBytes: 100 * SIZE,
        usedBytes: 87 * SIZE,
        usedRatio: 0.87,
        freeBytes: 13 * SIZE,
        availableBytes: 13 * SIZE,
      }));
      expect(await json("/api/health/storage")).toMatchObject({ room_bytes: 3 * SIZE });
      expect((await client.open("/")).text.match(/About [^<]*/)?.[0]).toMatch(
        /^About 1\.[0-9].MB wait on the camera, and no room is left below the limit\. Free space, /,
      );
      disk.mockRestore();

      before.simulator.fault("no-length");
      const snapshots: Snapshot[] = [];
      const off = after.app.job.topic.subscribe((snapshot) => snapshots.push(snapshot));
      await client.send("POST", "/api/sync/now");
      expect(await after.synced()).toMatchObject({ state: "completed", files_failed: 0 });
      off();
      expectHonest(snapshots);
      const [first] = snapshots.filter(({ phase }) => phase === "downloading");
      expect(first).toMatchObject({ bytes_expected: about, bytes_expected_is_guess: true });
      expect(first?.eta_seconds).toBeGreaterThan(0);
      const videos = snapshots.flatMap(({ current_file: file }) => (file?.artifact === "mp4" ? [file] : []));
      expect(videos.length).toBeGreaterThan(0);
      for (const file of videos) expect(file.total_bytes).toBe(0);
      expect(videos.some(({ expected_bytes }) => expected_bytes !== null && expected_bytes > SIZE * 0.9)).toBe(true);
      expect(await json("/api/overview")).toMatchObject({ waiting: 0, waiting_bytes: 0 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test.each(GENERATIONS)(
  "the very first run with a %s camera that tells no length shows no figure that it cannot know",
  async (generation) => {
    const videos = OTHERS.slice(0, 4);
    await using bench = await SyncBench.open({ card: cardOf(videos, SIZE), rate: 500_000, generation });
    bench.simulator.fault({ name: "no-length", match: /./ });
    const snapshots: Snapshot[] = [];
    const off = bench.topic.subscribe((snapshot) => snapshots.push(snapshot));
    const { failure } = await bench.sync();
    off();
    expect(failure).toBeNull();
    expectHonest(snapshots);
    expect(snapshots.find(({ current_file: file }) => file?.filename === videos[0])).toMatchObject({
      bytes_expected: null,
      eta_seconds: null,
      current_file: { total_bytes: 0, expected_bytes: null, percent: 0, eta_seconds: null },
    });
    // From the second on it is known how long they are.
    const later = snapshots.filter(({ current_file: file }) => file?.filename === videos[2]);
    expect(later.length).toBeGreaterThan(0);
    for (const { bytes_expected: all } of later) expect(Math.abs((all ?? 0) - videos.length * SIZE)).toBeLessThan(SIZE);
  },
);
