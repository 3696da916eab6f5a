import { describe, expect, test } from "bun:test";
import type { ArtifactKind } from "../../../server/domain/recordings/recording_name.ts";
import { ExpectedSizes } from "../../../server/domain/sync/expected_sizes.ts";
import type { FileToCome } from "../../../server/domain/sync/files_to_come.ts";
import { idleSnapshot, JobProgress } from "../../../server/domain/sync/job_progress.ts";

const BASE = "20260607_101500";

/** Files of these kinds, all of one direction and type. */
function filesOf(kinds: readonly ArtifactKind[]): FileToCome[] {
  return kinds.map((kind) => ({ name: `${BASE}_NF.${kind}`, kind }));
}

/** A job of so many files of these kinds, planned at 0 ms. */
function job(kinds: readonly ArtifactKind[], skipped = 0, sizes = new ExpectedSizes()): JobProgress {
  const progress = new JobProgress("job", 1_790_000_000.25);
  progress.planned({ files: filesOf(kinds), skipped, sizes }, 0);
  return progress;
}

function begin(progress: JobProgress, artifact: ArtifactKind, at: number, name = `${BASE}_NF.${artifact}`): void {
  progress.began({ filename: name, artifact, direction: "F" }, at);
}

/** One file from its first to its last byte, in ten equal chunks over `ms`. */
function bring(progress: JobProgress, artifact: ArtifactKind, bytes: number, at: number, ms: number): number {
  begin(progress, artifact, at);
  progress.opened(0, bytes);
  for (let chunk = 1; chunk <= 10; chunk++) {
    progress.chunk(bytes / 10);
    progress.snapshot("boot", 0, at + (ms * chunk) / 10);
  }
  progress.ended("completed");
  return at + ms;
}

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
    const ends = ["completed", "completed", "skipped", "skipped", "failed", "completed"] as const;
    let last = 0;
    for (const [index, end] of ends.entries()) {
      begin(progress, "mp4", index);
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

describe("the time left for the whole job", () => {
  test("is unknown until the first video's length is known", () => {
    const progress = job(["mp4", "thm", "mp4"]);
    expect(progress.snapshot("boot", 1, 0).eta_seconds).toBeNull();
    begin(progress, "mp4", 0);
    expect(progress.snapshot("boot", 1, 500).eta_seconds).toBeNull();
  });

  test("comes from what is left of files as long as those before, at the present rate", () => {
    const progress = job(["mp4", "mp4", "mp4", "mp4"]);
    let at = bring(progress, "mp4", 1_000_000, 0, 1000);
    expect(progress.snapshot("boot", 1, at).eta_seconds).toBe(3);
    at = bring(progress, "mp4", 1_000_000, at, 1000);
    expect(progress.snapshot("boot", 1, at).eta_seconds).toBe(2);
  });

  test("takes what has come of the current file into account", () => {
    const progress = job(["mp4", "mp4"]);
    bring(progress, "mp4", 1_000_000, 0, 1000);
    begin(progress, "mp4", 1000);
    progress.opened(0, 1_000_000);
    progress.chunk(500_000);
    expect(progress.snapshot("boot", 1, 1500).eta_seconds).toBe(1);
  });

  test("is never shorter than what the current file alone still needs", () => {
    const progress = job(["mp4", "mp4"]);
    bring(progress, "mp4", 1_000_000, 0, 1000);
    begin(progress, "mp4", 1000);
    progress.opened(0, 10_000_000);
    progress.chunk(2_000_000);
    const { eta_seconds, bytes_per_second } = progress.snapshot("boot", 1, 3000);
    expect(bytes_per_second).toBe(1_000_000);
    expect(eta_seconds).toBe(8);
  });

  test("is none for companions of unknown length, so that they do not hide the videos' time", () => {
    const progress = job(["mp4", "thm", "mp4", "thm"]);
    bring(progress, "mp4", 1_000_000, 0, 1000);
    expect(progress.snapshot("boot", 1, 1000).eta_seconds).toBe(1);
  });

  test("does not count what was skipped or failed any more", () => {
    const progress = job(["mp4", "mp4", "mp4"]);
    bring(progress, "mp4", 1_000_000, 0, 1000);
    for (const end of ["skipped", "failed"] as const) {
      begin(progress, "mp4", 1000);
      progress.ended(end);
    }
    expect(progress.snapshot("boot", 1, 1000).eta_seconds).toBe(0);
  });
});

describe("what a run will have brought in the end", () => {
  const LEARNED = new ExpectedSizes({
    sizes: { NF: { bytes: 1_000_000, files: 4 }, gps: { bytes: 1000, files: 4 } },
    pace: { bytesPerSecond: 500_000, companionSeconds: 0.5 },
  });
  const learned = () => new ExpectedSizes(LEARNED.learned);

  test("is known from the first moment on where the camera is known, and so is the time left", () => {
    expect(job(["mp4", "mp4", "gps", "gps"], 0, learned()).snapshot("boot", 1, 0)).toMatchObject({
      bytes_expected: 2_002_000,
      bytes_expected_is_guess: true,
      eta_seconds: 5,
    });
  });

  test("is unknown while nothing is known of a video, and with the first length of one is a guess", () => {
    const progress = job(["mp4", "mp4"]);
    const all = () => {
      const { bytes_expected, bytes_expected_is_guess } = progress.snapshot("boot", 1, 0);
      return [bytes_expected, bytes_expected_is_guess];
    };
    expect(all()).toEqual([null, false]);
    begin(progress, "mp4", 0);
    progress.opened(0, 3000);
    expect(all()).toEqual([6000, true]);
    progress.chunk(3000);
    progress.ended("completed");
    begin(progress, "mp4", 0);
    progress.opened(0, 5000);
    expect(all()).toEqual([8000, false]);
  });

  test("goes by the sizes that the list tells, file by file", () => {
    const progress = new JobProgress("job", 0);
    const listed = new Map([[`${BASE}_NF.mp4`, 7_000_000]]);
    const files = [...filesOf(["mp4"]), { name: `${BASE}_NR.mp4`, kind: "mp4" as const }];
    progress.planned({ files, skipped: 0, listed, sizes: learned() }, 0);
    expect(progress.snapshot("boot", 1, 0).bytes_expected).toBe(8_000_000);
    begin(progress, "mp4", 0);
    expect(progress.snapshot("boot", 1, 0)).toMatchObject({
      bytes_expected: 8_000_000,
      current_file: { total_bytes: 0, expected_bytes: 7_000_000 },
    });
  });

  test("is what came, when a file is left for later and comes then", () => {
    const progress = job(["mp4", "mp4"], 0, learned());
    begin(progress, "mp4", 0);
    progress.chunk(400_000);
    progress.ended("left");
    expect(progress.snapshot("boot", 1, 0).bytes_expected).toBe(2_400_000);
    bring(progress, "mp4", 1_000_000, 0, 10);
    bring(progress, "mp4", 1_000_000, 10, 10);
    expect(progress.snapshot("boot", 1, 20)).toMatchObject({ bytes_expected: 2_400_000, eta_seconds: 0 });
  });

  test("is nothing any more once it has ended", () => {
    const progress = job(["mp4"], 0, learned());
    progress.finished(null, "completed");
    expect(progress.snapshot("boot", 1, 0)).toMatchObject({ bytes_expected: null, bytes_expected_is_guess: false });
  });

  test("is learned from the files of this run, and of a change of resolution too", () => {
    const progress = job(
      Array.from({ length: 20 }, () => "mp4" as const),
      0,
      learned(),
    );
    let at = 0;
    for (let file = 0; file < 10; file++) at = bring(progress, "mp4", 3_000_000, at, 100);
    const { bytes_expected } = progress.snapshot("boot", 1, at);
    expect(bytes_expected).toBeGreaterThan(55_000_000);
    expect(bytes_expected).toBeLessThan(60_000_000);
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
      expect(eta_seconds).toBe(chunk < 10 ? 2 : 1);
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

describe("the time left while small files come first", () => {
  test("counts the companions by the time that each takes, and the videos by the rate of videos", () => {
    const progress = job(
      [...Array(10).fill("thm"), "mp4", "mp4"] as ArtifactKind[],
      0,
      new ExpectedSizes({
        sizes: { NF: { bytes: 50_000_000, files: 4 } },
        pace: { bytesPerSecond: 5_000_000, companionSeconds: null },
      }),
    );
    let at = 0;
    // The camera needs long for each of them, and sends little.
    for (let file = 0; file < 6; file++) at = bring(progress, "thm", 10_000, at, 200);
    begin(progress, "thm", at);
    expect(progress.snapshot("boot", 1, at)).toMatchObject({ bytes_per_second: 50_000, eta_seconds: 21 });
  });

  test("does not take one companion that was waited for as what each of them needs", () => {
    const sizes = new ExpectedSizes({
      sizes: { NF: { bytes: 50_000_000, files: 4 } },
      pace: { bytesPerSecond: 5_000_000, companionSeconds: null },
    });
    const progress = job([...Array(30).fill("thm"), "mp4"] as ArtifactKind[], 0, sizes);
    let at = 0;
    for (let file = 0; file < 9; file++) at = bring(progress, "thm", 10_000, at, 100);
    at = bring(progress, "thm", 10_000, at, 60_000);
    begin(progress, "thm", at);
    // Ten seconds for the video, and for each of the twenty thumbnails a tenth of nine times 0.1 s and five.
    expect(progress.snapshot("boot", 1, at).eta_seconds).toBe(Math.ceil(10 + (20 * (0.9 + 5)) / 10));
  });

  test("is for the next run what it was while videos came, however long the rest takes", () => {
    const progress = job(["mp4", "mp4"]);
    bring(progress, "mp4", 4_000_000, bring(progress, "mp4", 4_000_000, 0, 2000), 2000);
    progress.retention();
    progress.snapshot("boot", 1, 600_000);
    expect(progress.pace).toEqual({ bytesPerSecond: 2_000_000, companionSeconds: null });
  });

  test("is no number of years while a transfer hardly moves", () => {
    const progress = job(["mp4", "mp4"], 0, new ExpectedSizes());
    begin(progress, "mp4", 0);
    progress.opened(0, 4e9);
    progress.chunk(10);
    expect(progress.snapshot("boot", 1, 60_000)).toMatchObject({
      eta_seconds: null,
      current_file: { eta_seconds: null },
    });
  });
});
