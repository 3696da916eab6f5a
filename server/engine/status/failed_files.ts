import type { Clock } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { parseArtifact } from "../../domain/recordings/recording_name.ts";
import { failureWords } from "../../domain/runs/failure_text.ts";
import type { Run } from "../../domain/runs/run.ts";
import { failedByCause } from "../../domain/runs/run_causes.ts";
import {
  type FailedFile,
  type FailedFileNow,
  type FailedList,
  type FileState,
  MOST_FAILED_FILES,
} from "../../domain/runs/run_detail.ts";
import { parseDuration } from "../../domain/settings/duration.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { isAcceptable } from "../../domain/status/destination_state.ts";
import type { JobRetries } from "../../domain/sync/job_schema.ts";
import { asSentence } from "../../domain/text/format.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { DestinationIdentity } from "../../store/destination/destination_identity.ts";
import type { FailureMarkers } from "../../store/destination/failure_markers.ts";
import type { Library } from "../../store/library/library.ts";
import { fileOfMarker, MARKER_ENDING } from "../../store/library/name_index.ts";
import type { Job } from "../run/job.ts";

export interface FailedFilesParts {
  readonly clock: Pick<Clock, "now">;
  readonly history: Pick<RunHistory, "latest" | "latestReached" | "failedFiles" | "lastFailures" | "notes">;
  readonly library: Pick<Library, "has" | "markers" | "refreshIfOlder">;
  readonly markers: Pick<FailureMarkers, "failedAt" | "remove">;
  readonly settings: { readonly current: Pick<Settings, "sync"> };
  readonly retention: { readonly deleted: { readonly latest: ReadonlySet<number> } };
  readonly job: Pick<Job, "isRunning" | "snapshot" | "start">;
}

/** The files that failed in a run, each as it stands now. */
export async function failedFilesOf(
  parts: FailedFilesParts,
  run: Run,
  { total, most }: { readonly total: number; readonly most: number },
): Promise<FailedList> {
  const kept = parts.history.failedFiles(run);
  const later = parts.history.latestReached(run.address);
  const isPassed = later?.success === true && later.ts > run.ts;
  const files: FailedFileNow[] = [];
  for (const file of kept.slice(0, most)) files.push(await fileNow(parts, file, isPassed));
  const said = kept.map((file) => ({ name: file.name, cause: file.cause, sentence: wordsOf(file).sentence }));
  const by_cause = failedByCause(said, parts.history.notes(run).errors);
  return { total: Math.max(total, kept.length), by_cause, files };
}

/** The files that wait to be tried again without having failed in this run: earlier ones left them. */
export async function waitingFilesBut(parts: FailedFilesParts, run: Run, most: number): Promise<FailedList> {
  const listed = new Set(parts.history.failedFiles(run).map(({ name }) => name));
  const names = markedFiles(parts.library).filter((name) => !listed.has(name) && !isAtHome(parts.library, name));
  const shown = names.sort().slice(0, most);
  const known = new Map(parts.history.lastFailures(shown).map((file) => [file.name, file]));
  const files: FailedFileNow[] = [];
  for (const name of shown) files.push(await fileNow(parts, known.get(name) ?? { ...OF_OLD, name }, false));
  return { total: names.length, by_cause: failedByCause(files), files };
}

/** The failure of a file of which an older program has left only a marker. */
const OF_OLD = { reason: "http", cause: "http", message: "" } as const satisfies Omit<FailedFile, "name">;

async function fileNow(parts: FailedFilesParts, file: FailedFile, isPassed: boolean): Promise<FailedFileNow> {
  const { name, reason } = file;
  return { name, reason, ...wordsOf(file), ...(await standingOf(parts, name, isPassed)) };
}

function wordsOf(file: FailedFile): Pick<FailedFileNow, "sentence" | "more"> {
  const { sentence, more } = failureWords(file, { inTrash: 0 });
  return { sentence: asSentence(sentence), more };
}

async function standingOf(
  { library, markers, retention, settings, job, clock }: FailedFilesParts,
  name: string,
  isPassed: boolean,
): Promise<{ standing: FileState; retry_at: number | null }> {
  const plainly = (standing: FileState) => ({ standing, retry_at: null });
  if (isAtHome(library, name)) return plainly("home");
  if (retention.deleted.latest.has(momentNumber(name))) return plainly("deleted");
  const isMarked = library.has(name + MARKER_ENDING);
  const failedAt = isMarked ? await markers.failedAt(name) : null;
  const retry_at = failedAt === null ? null : failedAt + parseDuration(settings.current.sync.retry_failed_after).ms;
  // A marker from the future, or one that is over, holds nothing back.
  if (failedAt !== null && retry_at !== null && failedAt <= clock.now() && retry_at > clock.now())
    return { standing: "waiting", retry_at };
  if (job.isRunning) return plainly("trying");
  return plainly(isPassed && !isMarked ? "passed" : "next-run");
}

/** A companion may have come under the name with the recording's upload letter. */
function isAtHome(library: Pick<Library, "has">, name: string): boolean {
  if (library.has(name)) return true;
  const artifact = parseArtifact(name);
  if (artifact === null || artifact.kind === "mp4" || artifact.flag !== "") return false;
  return ["L", "S"].some((flag) => library.has(`${artifact.stem}${flag}.${artifact.kind}`));
}

function markedFiles(library: Pick<Library, "markers">): string[] {
  return [...library.markers()].map(({ name }) => fileOfMarker(name));
}

/** Files that are to be tried again: these, or all that wait and all of the latest run. */
export type Retried = { readonly files: readonly string[] } | { readonly all: true };

/**
 * Has files that failed tried again: takes away what keeps the next run from them, and starts that run where a camera is
 * set. While a run is under way its plan is made, and the next one tries them.
 * @returns how many files and recordings there are, and the id of the run; null without a camera
 * @throws AppError NOTHING_TO_RETRY; SYNC_ALREADY_RUNNING, when all but the start is done
 */
export async function retry(
  parts: FailedFilesParts & {
    readonly dashcam: { readonly address: string };
    readonly destination: Pick<DestinationIdentity, "check" | "standing">;
  },
  wanted: Retried,
): Promise<JobRetries> {
  const { library, markers, job, dashcam } = parts;
  await library.refreshIfOlder();
  await parts.destination.check();
  const names = [...new Set("all" in wanted ? allFailed(parts) : failedAmong(parts, wanted.files))];
  const missing = names.filter((name) => !isAtHome(library, name));
  if (missing.length === 0)
    throw new AppError(
      "NOTHING_TO_RETRY",
      "None of these files waits to be tried again: they are at home, or never failed",
    );
  // In a folder that is not the one used before nothing is changed; the run fails with that reason.
  if (!isAcceptable(parts.destination.standing)) {
    const marked = new Set(missing);
    const placed = [...library.markers()].map(({ name, folder }) => ({ file: fileOfMarker(name), folder }));
    for (const { file, folder } of placed) if (marked.has(file)) await markers.remove(file, folder);
  }
  const retried = missing.length;
  const recordings = missing.filter((name) => parseArtifact(name)?.kind === "mp4").length;
  if (job.isRunning) {
    const details = { current_job_id: job.snapshot.job_id, retried, recordings };
    throw new AppError("SYNC_ALREADY_RUNNING", "A sync is running already; the next one tries them again", details);
  }
  return { job_id: dashcam.address === "" ? null : job.start("retry"), retried, recordings };
}

function allFailed({ library, history }: FailedFilesParts): string[] {
  const latest = history.latest();
  const ofLatest = latest === null ? [] : history.failedFiles(latest);
  return [...markedFiles(library), ...ofLatest.map(({ name }) => name)];
}

/** A file without a marker is only known by the runs in which it failed. */
function failedAmong({ library, history }: FailedFilesParts, names: readonly string[]): string[] {
  const latest = history.latest();
  const known = [...history.lastFailures(names), ...(latest === null ? [] : history.failedFiles(latest))];
  const failed = new Set(known.map(({ name }) => name));
  return names.filter((name) => failed.has(name) || library.has(name + MARKER_ENDING));
}

/** The longest list of names that is taken at once. */
export const MOST_RETRIED = MOST_FAILED_FILES;

/** True for the name of a recording's file, which is never a path. */
export function isFileName(name: string): boolean {
  return parseArtifact(name) !== null;
}
