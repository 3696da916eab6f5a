import type { ArtifactKind } from "../../../server/domain/recordings/recording_name.ts";
import { ExpectedSizes } from "../../../server/domain/sync/expected_sizes.ts";
import type { FileToCome } from "../../../server/domain/sync/files_to_come.ts";
import { JobProgress } from "../../../server/domain/sync/job_progress.ts";

/** The moment that all files are of. */
export const BASE = "20260607_101500";

/** Files of these kinds, all of one direction and type. */
export function filesOf(kinds: readonly ArtifactKind[]): FileToCome[] {
  return kinds.map((kind) => ({ name: `${BASE}_NF.${kind}`, kind }));
}

/** A job of so many files of these kinds, planned at 0 ms. */
export function job(kinds: readonly ArtifactKind[], skipped = 0, sizes = new ExpectedSizes()): JobProgress {
  const progress = new JobProgress("job", 1_790_000_000.25);
  progress.planned({ files: filesOf(kinds), skipped, sizes }, 0);
  return progress;
}

/** A file is asked for. */
export function begin(
  progress: JobProgress,
  artifact: ArtifactKind,
  at: number,
  name = `${BASE}_NF.${artifact}`,
): void {
  progress.began({ filename: name, artifact, direction: "F" }, at);
}

/**
 * One file from its first to its last byte, in ten equal chunks over `ms`.
 * @param isShown false: the progress is not shown meanwhile
 */
export function bring(
  progress: JobProgress,
  artifact: ArtifactKind,
  bytes: number,
  at: number,
  ms: number,
  isShown = true,
): number {
  begin(progress, artifact, at);
  progress.opened(0, bytes);
  for (let chunk = 1; chunk <= 10; chunk++) {
    progress.chunk(bytes / 10);
    if (isShown) progress.snapshot("boot", 0, at + (ms * chunk) / 10);
  }
  progress.ended("completed");
  return at + ms;
}
