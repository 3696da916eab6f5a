import type { Clock } from "../../clock.ts";
import { brokenOff, type RunningRun } from "../../domain/runs/run.ts";
import type { JobProgress, Snapshot } from "../../domain/sync/job_progress.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { Topic } from "../../topic.ts";
import { exitCodeOf, failureOf } from "../transfer/failure_of_error.ts";
import type { ProgressReport } from "../transfer/progress_report.ts";
import type { SyncResult } from "./sync.ts";

/** Time between two notes of a run's bytes, in case its process is killed. */
const NOTED_MS = 1000;
/** Files that end faster than this are noted together: each note takes a tenth of a millisecond. */
const FILES_MS = 20;

export interface RecordedParts {
  readonly clock: Clock;
  readonly history: Pick<RunHistory, "begin" | "refresh" | "append">;
  /** The run's progress so far. */
  readonly report: Pick<ProgressReport, "files"> & {
    readonly progress: Pick<JobProgress, "filesCompleted" | "bytesDownloaded">;
    readonly topic: Pick<Topic<Snapshot>, "subscribe">;
  };
}

/** Carries out a sync and has it in the history however it ends: by itself, by a bug, or with its process. */
export async function recorded(
  parts: RecordedParts,
  what: Required<Pick<RunningRun, "address" | "dryRun">>,
  sync: () => Promise<SyncResult>,
): Promise<SyncResult> {
  const { clock, history, report } = parts;
  const began = clock.elapsed();
  const noted = { at: began, files: 0 };
  const running = (): RunningRun => {
    const { filesCompleted, bytesDownloaded } = report.progress;
    return {
      ...what,
      ts: clock.now() / 1000,
      durationSeconds: (clock.elapsed() - began) / 1000,
      files: what.dryRun ? 0 : filesCompleted,
      bytes: bytesDownloaded,
    };
  };
  history.begin(running());
  const note = () => {
    const run = running();
    history.refresh(run);
    noted.at = clock.elapsed();
    noted.files = run.files;
  };
  const subscriptions = [
    report.files.subscribe(() => {
      if (clock.elapsed() - noted.at >= FILES_MS) note();
    }),
    // Snapshots come behind the last of such files, too.
    report.topic.subscribe(() => {
      if (clock.elapsed() - noted.at >= NOTED_MS || running().files > noted.files) note();
    }),
  ];
  try {
    const result = await sync();
    history.append(result.run, result.counts.failures, result.counts.notes);
    return result;
  } catch (error) {
    const failure = failureOf(error);
    history.append(brokenOff(running(), { message: failure.message }, exitCodeOf(failure)));
    throw error;
  } finally {
    for (const unsubscribe of subscriptions) unsubscribe();
  }
}
