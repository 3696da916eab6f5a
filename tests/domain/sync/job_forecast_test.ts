import { describe, expect, test } from "bun:test";
import type { ArtifactKind } from "../../../server/domain/recordings/recording_name.ts";
import { ExpectedSizes } from "../../../server/domain/sync/expected_sizes.ts";
import { FilesToCome } from "../../../server/domain/sync/files_to_come.ts";
import { JobProgress } from "../../../server/domain/sync/job_progress.ts";
import { BASE, begin, bring, filesOf, job } from "../../support/app/job_progress.ts";

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
    bring(progress, "mp4", 1_000_000, 0, 1000, false);
    begin(progress, "mp4", 1000);
    progress.opened(0, 10_000_000);
    progress.chunk(2_000_000);
    const { eta_seconds } = progress.snapshot("boot", 1, 3000);
    expect(eta_seconds).toBeGreaterThanOrEqual(8);
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

  test("is the same of files that were counted before", () => {
    const listed = new Map([[`${BASE}_NF.mp4`, 7_000_000]]);
    const files = [...filesOf(["mp4", "thm", "mp4"]), { name: `${BASE}_NR.mp4`, kind: "mp4" as const }];
    const ahead = new FilesToCome([], listed);
    for (const file of files) ahead.add(file, 1);
    const snapshots = [{ files, listed }, { files: ahead }].map((planned) => {
      const progress = new JobProgress("job", 0);
      progress.planned({ ...planned, skipped: 0, sizes: learned() }, 0);
      begin(progress, "mp4", 0);
      return progress.snapshot("boot", 1, 0);
    });
    expect(snapshots[0]?.files_total).toBe(files.length);
    expect(snapshots[1]).toEqual(snapshots[0]);
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
    for (let file = 0; file < 6; file++) at = bring(progress, "thm", 10_000, at, 200, false);
    begin(progress, "thm", at);
    expect(progress.snapshot("boot", 1, at)).toMatchObject({ eta_seconds: 21 });
  });

  test("does not take one companion that was waited for as what each of them needs", () => {
    const sizes = new ExpectedSizes({
      sizes: { NF: { bytes: 50_000_000, files: 4 } },
      pace: { bytesPerSecond: 5_000_000, companionSeconds: null },
    });
    const progress = job([...Array(30).fill("thm"), "mp4"] as ArtifactKind[], 0, sizes);
    let at = 0;
    for (let file = 0; file < 9; file++) at = bring(progress, "thm", 10_000, at, 100, false);
    at = bring(progress, "thm", 10_000, at, 60_000, false);
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
