import { describe, expect, test } from "bun:test";
import { ExpectedSizes } from "../../../server/domain/sync/expected_sizes.ts";
import { idleSnapshot, JobProgress } from "../../../server/domain/sync/job_progress.ts";
import { BASE, begin, bring, job } from "../../support/app/job_progress.ts";

describe("idleSnapshot()", () => {
  test("has every field of a running one, at nothing", () => {
    const idle = idleSnapshot("boot", 7);
    expect(idle).toMatchObject({ job_id: "", boot_id: "boot", seq: 7, state: "idle", current_file: null, percent: 0 });
    expect(Object.keys(idle).toSorted()).toEqual(Object.keys(job([]).snapshot("boot", 1, 0)).toSorted());
  });
});

describe("a job", () => {
  test("begins by listing, with all counters at nothing", () => {
    const snapshot = new JobProgress("0f3c", 1_790_000_000.25).snapshot("boot", 3, 0);
    expect(snapshot).toEqual({
      ...idleSnapshot("boot", 3),
      job_id: "0f3c",
      started_at_wall: 1_790_000_000.25,
      state: "running",
      phase: "listing",
    });
  });

  test("knows its total once it is planned, without what is skipped", () => {
    expect(job(["mp4", "thm", "mp4"], 40).snapshot("boot", 1, 0)).toMatchObject({
      phase: "downloading",
      files_total: 3,
      files_skipped: 40,
      files_completed: 0,
      percent: 0,
    });
  });

  test("takes a file that needs no transfer after all out of the total", () => {
    const progress = job(["mp4", "gps"], 2);
    begin(progress, "gps", 0);
    progress.ended("skipped");
    expect(progress.snapshot("boot", 1, 0)).toMatchObject({ files_total: 1, files_skipped: 3, files_completed: 0 });
  });

  test("ends with completed and failed making up the total, at 100 percent", () => {
    const progress = job(["mp4", "thm", "3gf", "gps", "mp4", "thm"], 5);
    const ends = [
      ...([
        ["mp4", "completed"],
        ["thm", "completed"],
        ["3gf", "skipped"],
      ] as const),
      ...([
        ["gps", "skipped"],
        ["mp4", "failed"],
        ["thm", "completed"],
      ] as const),
    ];
    let last = 0;
    for (const [index, [kind, end]] of ends.entries()) {
      begin(progress, kind, index);
      progress.ended(end);
      const { percent } = progress.snapshot("boot", index, index);
      expect(percent).toBeGreaterThanOrEqual(last);
      last = percent;
    }
    progress.retention();
    expect(progress.snapshot("boot", 8, 8)).toMatchObject({ phase: "retention", state: "running", current_file: null });
    progress.finished(null, "completed");
    const { files_total, files_completed, files_failed, ...end } = progress.snapshot("boot", 9, 9);
    expect([files_total, files_completed, files_failed]).toEqual([4, 3, 1]);
    expect(end).toMatchObject({ recordings_total: 2, recordings_completed: 1, recordings_failed: 1 });
    expect(end).toMatchObject({ percent: 100, state: "completed", phase: null, files_skipped: 7 });
  });

  test("that fails says why, and shows no file, rate or time left any more", () => {
    const progress = job(["mp4", "mp4"]);
    begin(progress, "mp4", 0);
    progress.opened(0, 1000);
    progress.chunk(500);
    progress.finished({ reason: "disk", message: "the disk is full" }, "failed");
    expect(progress.snapshot("boot", 1, 1000)).toMatchObject({
      state: "failed",
      phase: null,
      failure_reason: "disk",
      message: "the disk is full",
      ending: "failed",
      current_file: null,
      bytes_per_second: 0,
      eta_seconds: null,
      bytes_downloaded_total: 500,
    });
  });

  test("with nothing to transfer ends completed, without a division by zero", () => {
    const progress = job([], 12);
    progress.finished(null, "completed");
    expect(progress.snapshot("boot", 1, 50)).toMatchObject({ state: "completed", percent: 0, eta_seconds: null });
  });

  test("counts the bytes of failed files too, for they were transferred", () => {
    const progress = job(["mp4", "mp4"]);
    bring(progress, "mp4", 1000, 0, 1000);
    begin(progress, "mp4", 1000);
    progress.opened(0, 1000);
    progress.chunk(300);
    progress.ended("failed");
    expect(progress.bytesDownloaded).toBe(1300);
    expect(progress.snapshot("boot", 1, 2000)).toMatchObject({ files_failed: 1, bytes_downloaded_total: 1300 });
  });
});

describe("the current file", () => {
  test("is starting until the camera answers, then downloading", () => {
    const progress = job(["mp4"]);
    expect(progress.snapshot("boot", 1, 0).current_file).toBeNull();
    begin(progress, "mp4", 0);
    const file = () => progress.snapshot("boot", 1, 0).current_file;
    expect(file()).toEqual({
      filename: `${BASE}_NF.mp4`,
      recording_base: `${BASE}_NF`,
      artifact: "mp4",
      direction: "F",
      total_bytes: 0,
      expected_bytes: null,
      downloaded_bytes: 0,
      bytes_per_second: 0,
      eta_seconds: null,
      state: "starting",
      failure_reason: null,
      percent: 0,
    });
    progress.opened(0, 5000);
    expect(file()).toMatchObject({ state: "downloading", total_bytes: 5000, percent: 0 });
  });

  test("a resumed file counts what was there, and climbs to 100 without ever falling back", () => {
    const progress = job(["mp4"]);
    begin(progress, "mp4", 0);
    progress.opened(20_971_520, 73_400_320);
    let last = 28.57;
    expect(progress.snapshot("boot", 1, 0).current_file?.percent).toBe(last);
    const chunk = 524_288;
    for (let at = 100; at <= 10_000; at += 100) {
      progress.chunk(chunk);
      const percent = progress.snapshot("boot", at, at).current_file?.percent ?? 0;
      expect(percent).toBeGreaterThan(last);
      last = percent;
    }
    expect(last).toBe(100);
    expect(progress.snapshot("boot", 1, 10_000)).toMatchObject({
      bytes_downloaded_total: 100 * chunk,
      current_file: { downloaded_bytes: 73_400_320, eta_seconds: null },
    });
  });

  test("a resumed file's rate and time left come from this run's bytes only", () => {
    const progress = job(["mp4"]);
    begin(progress, "mp4", 0);
    progress.opened(9_000_000, 10_000_000);
    progress.chunk(200_000);
    expect(progress.snapshot("boot", 1, 1000)).toMatchObject({
      bytes_per_second: 200_000,
      current_file: { bytes_per_second: 200_000, eta_seconds: 4 },
    });
  });

  test("a file that starts over shows it", () => {
    const progress = job(["mp4"]);
    begin(progress, "mp4", 0);
    progress.opened(0, 1000);
    progress.chunk(400);
    progress.opened(0, 1000);
    expect(progress.snapshot("boot", 1, 0).current_file).toMatchObject({ downloaded_bytes: 0, percent: 0 });
  });

  test("of unknown length has no percentage and no time left", () => {
    const progress = job(["mp4"]);
    begin(progress, "mp4", 0);
    progress.opened(0, null);
    progress.chunk(1_000_000);
    expect(progress.snapshot("boot", 1, 1000).current_file).toMatchObject({
      total_bytes: 0,
      downloaded_bytes: 1_000_000,
      bytes_per_second: 1_000_000,
      percent: 0,
      eta_seconds: null,
    });
  });

  test("never shows more than 100 percent, even when the camera sends more than it promised", () => {
    const progress = job(["mp4"]);
    begin(progress, "mp4", 0);
    progress.opened(0, 1000);
    progress.chunk(1500);
    expect(progress.snapshot("boot", 1, 1000).current_file).toMatchObject({ percent: 100, eta_seconds: null });
  });

  test("chunks and ends without a file change nothing but the bytes", () => {
    const progress = job(["mp4"]);
    progress.opened(5, 10);
    progress.chunk(7);
    progress.ended("completed");
    expect(progress.snapshot("boot", 1, 0)).toMatchObject({ current_file: null, files_completed: 0, files_total: 1 });
  });
});

describe("a file whose length the camera does not say", () => {
  const known = () => new ExpectedSizes({ sizes: { NF: { bytes: 1_000_000, files: 4 } }, pace: null });

  test("is as long as files like it, and its percentage never falls, nor reaches the end", () => {
    const progress = job(["mp4", "mp4"], 0, known());
    begin(progress, "mp4", 0);
    progress.opened(0, null);
    const seen: number[] = [];
    for (let chunk = 1; chunk <= 15; chunk++) {
      progress.chunk(100_000);
      const { current_file, eta_seconds } = progress.snapshot("boot", chunk, chunk * 100);
      seen.push(current_file?.percent ?? 0);
      expect(current_file?.total_bytes).toBe(0);
      expect(current_file?.expected_bytes).toBe(chunk < 10 ? 1_000_000 : null);
      expect(current_file?.eta_seconds).toBe(chunk < 10 ? 1 : null);
      // The first second has no rate to go by.
      expect(eta_seconds).toBe(chunk < 10 ? null : 1);
    }
    expect(seen).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, ...Array(6).fill(99.9)]);
  });

  test("shows no less when a later answer says it after all", () => {
    const progress = job(["mp4"], 0, known());
    begin(progress, "mp4", 0);
    progress.opened(0, null);
    progress.chunk(800_000);
    expect(progress.snapshot("boot", 1, 100).current_file?.percent).toBe(80);
    progress.opened(800_000, 2_000_000);
    expect(progress.snapshot("boot", 2, 200).current_file).toMatchObject({
      percent: 80,
      total_bytes: 2_000_000,
      expected_bytes: null,
    });
    progress.chunk(1_200_000);
    expect(progress.snapshot("boot", 3, 300).current_file?.percent).toBe(100);
  });

  test("teaches its size, not what came of it twice", () => {
    const sizes = known();
    const progress = job(["gps"], 0, sizes);
    begin(progress, "gps", 0);
    progress.opened(0, null);
    progress.chunk(4000);
    progress.chunk(4000);
    const received = progress.received(4000);
    if (received) progress.settled(received, "completed");
    expect(sizes.of("gps")).toBe(4000);
  });

  test.each(["failed", "skipped", "absent", "left"] as const)("teaches nothing when it is %s", (end) => {
    const sizes = known();
    const progress = job(["mp4"], 0, sizes);
    begin(progress, "mp4", 0);
    progress.chunk(300_000);
    progress.ended(end);
    expect(sizes.version).toBe(0);
  });
});
