import type { Clock } from "../../clock.ts";
import { brokenOff, type RunningRun } from "../../domain/runs/run.ts";
import type { Snapshot } from "../../domain/sync/job_progress.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { Topic } from "../../topic.ts";
import { exitCodeOf, failureOf } from "./failure.ts";
import type { SyncResult } from "./sync.ts";

/** How much of a run's figures may be lost when its process is killed. */
const NOTED_MS = 2000;

export interface RecordedParts {
  readonly clock: Clock;
  readonly history: Pick<RunHistory, "begin" | "refresh" | "append">;
  /** The job's snapshots: how far the run has come. */
  readonly topic: Topic<Snapshot>;
}

/** Carries out a sync and has it in the history however it ends: by itself, by a bug, or with its process. */
export async function recorded(
  parts: RecordedParts,
  what: Required<Pick<RunningRun, "address" | "dryRun">>,
  sync: () => Promise<SyncResult>,
): Promise<SyncResult> {
  const { clock, history, topic } = parts;
  const began = clock.elapsed();
  let notedAt = began;
  const running = (): RunningRun => {
    const { files_completed, bytes_downloaded_total } = topic.value;
    return {
      ...what,
      ts: clock.now() / 1000,
      durationSeconds: (clock.elapsed() - began) / 1000,
      files: what.dryRun ? 0 : files_completed,
      bytes: bytes_downloaded_total,
    };
  };
  history.begin(running());
  const unsubscribe = topic.subscribe(() => {
    if (clock.elapsed() - notedAt < NOTED_MS) return;
    notedAt = clock.elapsed();
    history.refresh(running());
  });
  try {
    const result = await sync();
    history.append(result.run, result.counts.failures);
    return result;
  } catch (error) {
    const failure = failureOf(error);
    history.append(brokenOff(running(), { message: failure.message }, exitCodeOf(failure)));
    throw error;
  } finally {
    unsubscribe();
  }
}
