import type { Run } from "../../domain/runs/run.ts";
import { causesOf, sentenceOfRun, workOfRun } from "../../domain/runs/run_causes.ts";
import { type FailedList, MOST_FAILED_FILES, type RunDetail } from "../../domain/runs/run_detail.ts";
import { notBrought, runFailure } from "../../domain/runs/run_failure.ts";
import { runId } from "../../domain/runs/run_id.ts";
import { momentsOfRun } from "../../domain/runs/run_moments.ts";
import { failedFiles, outcomeOf } from "../../domain/runs/run_text.ts";
import { asSentence } from "../../domain/text/format.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { Trash } from "../../store/destination/trash.ts";
import { type FailedFilesParts, failedFilesOf, waitingFilesBut } from "./failed_files.ts";

export interface RunDetailParts extends FailedFilesParts {
  readonly history: FailedFilesParts["history"] & Pick<RunHistory, "find" | "notes">;
  readonly retention: FailedFilesParts["retention"] & { readonly trash: Pick<Trash, "amount"> };
}

const NONE: FailedList = { total: 0, by_cause: [], files: [] };

/**
 * All that is known of the run that ended in this millisecond, so many of its failed files as they stand now; null when
 * there is no such run.
 */
export async function runDetail(
  parts: RunDetailParts,
  id: number,
  most = MOST_FAILED_FILES,
): Promise<RunDetail | null> {
  const run = parts.history.find(id);
  if (run === null) return null;
  await parts.library.refreshIfOlder();
  const trash = await parts.retention.trash.amount().catch(() => ({ recordings: 0 }));
  const words = runFailure(run, { inTrash: trash.recordings });
  const { level, word } = outcomeOf(run);
  const failed = run.dryRun ? NONE : await failedFilesOf(parts, run, { total: failedFiles(run), most });
  const notes = parts.history.notes(run);
  const isLatest = parts.history.latest()?.ts === run.ts;
  return {
    id: runId(run),
    started_at: startOf(run),
    ended_at: run.ts * 1000,
    duration_seconds: run.durationSeconds,
    mood: level,
    outcome: word,
    dry_run: run.dryRun,
    trigger: run.trigger ?? null,
    address: run.address ?? null,
    sentence: sentenceOfRun(run, words && asSentence(words.sentence)),
    work: workOfRun(run),
    causes: run.dryRun ? [] : causesOf(run, notes),
    failure: words && { ...words, sentence: asSentence(words.sentence) },
    times: momentsOfRun(run, notes, words && asSentence(words.sentence)),
    brought: notes.brought.length === 0 ? null : { by_type: notes.kinds, names: [...notes.brought] },
    disk_used_ratio: run.diskUsedRatio,
    recordings: run.counts?.videos ?? null,
    files: run.files,
    bytes: run.bytes,
    listed: run.recordingsSeen,
    chosen: run.recordingsSelected,
    not_brought: notBrought(run),
    deleted: run.deleted ?? null,
    failed,
    waiting: isLatest ? await waitingFilesBut(parts, run, most) : NONE,
  };
}

function startOf({ ts, durationSeconds }: Run): number {
  return (ts - durationSeconds) * 1000;
}
