import type { Clock } from "../clock.ts";
import type { Dashcam } from "../dashcam/camera.ts";
import { DashcamProblem } from "../dashcam/problem.ts";
import { type Plan, type PlannedFile, type PlanRules, planSync } from "../domain/plan.ts";
import { MOMENT_LENGTH } from "../domain/recording.ts";
import { type Failures, noFailures, type Run } from "../domain/run.ts";
import type { Log } from "../log.ts";
import type { Library } from "../store/library.ts";
import { acquireLock, type LockHolder } from "../store/lock.ts";
import type { Markers } from "../store/markers.ts";
import { FileInTheWay, type Recordings } from "../store/recordings.ts";
import { abortable } from "./abortable.ts";
import { download, type Outcome } from "./download.ts";
import { causeOf, DiskFull, exitCodeOf, type Failure, failureOf } from "./failure.ts";
import { blockedNames, dropOrphanedPartials } from "./leftovers.ts";
import type { ProgressReport } from "./progress_report.ts";
import { applyRetention } from "./retention.ts";
import { Room } from "./room.ts";
import { logFile, logOddities, logStart, logSummary } from "./sync_log.ts";
import { Tally } from "./tally.ts";

export interface SyncParts {
  dashcam: Dashcam;
  recordings: Recordings;
  library: Library;
  markers: Markers;
  clock: Clock;
  log: Log;
  report: ProgressReport;
  /** Who holds the destination while this runs, for the loser's log line. */
  holder: LockHolder;
}

export interface SyncRules extends PlanRules {
  retryFailedAfterMs: number;
  /** Whether this run deletes what is past the cutoff: scheduled runs do, a manual one never. */
  deletes: boolean;
  /** At this percentage of disk use and above nothing more is fetched. */
  maxUsedDiskPercent: number;
  dryRun: boolean;
}

export interface SyncResult {
  run: Run;
  /** What ended the run early; null when it went through. */
  failure: Failure | null;
  /** Failed files by reason, without the run's own. */
  fileFailures: Failures;
  /** Epoch seconds of the last file that came home; null when none did. */
  lastPullAt: number | null;
  tally: Tally;
}

/** After so many files in a row that ran into a time limit nothing more is tried, even if the camera still answers. */
const MAX_TIMEOUTS_IN_A_ROW = 3;
/**
 * One sync: lock, list, plan, fetch, retention. It never throws: what went wrong is in the result. The terminal state
 * is left to the caller, to be published when history and metrics are written.
 * @param signal aborts the run at once, in every phase; its reason classifies the failure
 */
export async function runSync(parts: SyncParts, rules: SyncRules, signal: AbortSignal): Promise<SyncResult> {
  return await new Sync(parts, rules, signal).run();
}

class Sync {
  readonly #parts: SyncParts;
  readonly #rules: SyncRules;
  readonly #signal: AbortSignal;
  readonly #tally = new Tally();
  readonly #fileFailures = noFailures();
  /** Moments of which a video is still growing, or could not be fetched while it may be. */
  readonly #unfinished = new Set<string>();
  #plan: Plan | null = null;
  readonly #room: Room;
  #lastPullAt: number | null = null;
  #timeoutsInARow = 0;
  #madeRoom = false;

  constructor(parts: SyncParts, rules: SyncRules, signal: AbortSignal) {
    this.#parts = parts;
    this.#rules = rules;
    this.#signal = signal;
    this.#room = new Room({
      root: parts.recordings.root,
      clock: parts.clock,
      written: () => parts.report.progress.bytesDownloaded,
    });
  }

  async run(): Promise<SyncResult> {
    const { clock, log, recordings, holder } = this.#parts;
    const began = clock.elapsed();
    logStart(log, this.#parts.dashcam.address, this.#rules.dryRun);
    let failure: Failure | null = null;
    try {
      this.#signal.throwIfAborted();
      await recordings.prepare(!this.#rules.dryRun);
      const lock = this.#rules.dryRun ? null : acquireLock(recordings.root, holder, { log, clock });
      try {
        await this.#work();
      } finally {
        lock?.release();
      }
    } catch (error) {
      failure = failureOf(error);
      if (failure.kind === "unexpected") log.error("sync", `Unexpected: ${causeOf(error)}`);
    }
    const durationSeconds = (clock.elapsed() - began) / 1000;
    logSummary(log, { failure, tally: this.#tally, durationSeconds, dryRun: this.#rules.dryRun });
    return {
      failure,
      fileFailures: this.#fileFailures,
      lastPullAt: this.#lastPullAt,
      tally: this.#tally,
      run: this.#row(failure, durationSeconds),
    };
  }

  #row(failure: Failure | null, durationSeconds: number): Run {
    const failures = { ...this.#fileFailures };
    if (failure) failures[failure.reason]++;
    return {
      ts: this.#parts.clock.now() / 1000,
      success: failure === null,
      exitCode: exitCodeOf(failure),
      durationSeconds,
      files: this.#rules.dryRun ? 0 : this.#tally.completed,
      bytes: this.#tally.bytes,
      recordingsSeen: this.#plan?.recordingsSeen ?? 0,
      recordingsSelected: this.#plan?.recordingsSelected ?? 0,
      diskUsedRatio: this.#room.lastUsedRatio,
      failedMarkers: [...this.#parts.library.markers()].length,
      failures,
      dryRun: this.#rules.dryRun,
      ...(failure?.kind === "stopped" && { stopped: true }),
      ...(failure && { message: failure.message }),
      address: this.#parts.dashcam.address,
    };
  }

  /** Downloads, then retention: also when the camera is away, never after a stop. */
  async #work(): Promise<void> {
    let trouble: unknown = null;
    try {
      await this.#bringHome();
    } catch (error) {
      if (this.#signal.aborted) throw error;
      trouble = error;
    }
    if (this.#rules.deletes) {
      this.#parts.report.progress.retention();
      this.#parts.report.publish();
      await this.#retention();
    }
    if (!this.#rules.dryRun && this.#parts.library.available) {
      const swept = await this.#parts.recordings.sweepGroupFolders();
      for (const folder of swept) this.#parts.log.debug("sync", `Removed the empty folder ${folder}`);
    }
    if (trouble !== null) throw trouble;
  }

  async #retention(): Promise<void> {
    const { cutoff, dryRun } = this.#rules;
    const removed = await applyRetention(this.#parts, { cutoff, dryRun, signal: this.#signal });
    this.#tally.removed += removed;
    this.#signal.throwIfAborted();
  }

  async #bringHome(): Promise<void> {
    const { dashcam, library, report } = this.#parts;
    if (dashcam.address === "")
      throw new DashcamProblem("no-address", "no camera address is set; set it in Settings under Camera");
    // One after the other, not together: each needs memory of its own for a full card, and the index is quick.
    await abortable(library.refresh(), this.#signal);
    await this.#lookAtDisk();
    const listing = await dashcam.list(this.#signal);
    this.#signal.throwIfAborted();

    const { dryRun } = this.#rules;
    const blocked = dryRun ? new Set() : await blockedNames(this.#parts, this.#rules.retryFailedAfterMs);
    const plan = planSync(
      listing.files,
      {
        has: (name, ending) => library.hasBeside(name, ending),
        isBlocked: (name, ending) => blocked.size > 0 && blocked.has(name.slice(0, MOMENT_LENGTH) + ending),
      },
      this.#rules,
    );
    this.#plan = plan;
    this.#tally.present = plan.present;
    this.#tally.blocked = plan.blocked;
    logOddities(this.#parts.log, listing, plan);
    if (!dryRun) await dropOrphanedPartials(this.#parts, listing);
    report.progress.planned(
      plan.files.map((file) => file.kind),
      plan.present + plan.blocked,
      this.#parts.clock.elapsed(),
    );
    report.publish();
    for (const file of plan.files) await this.#bringOne(file);
  }

  async #bringOne(file: PlannedFile): Promise<void> {
    const { report, clock } = this.#parts;
    this.#signal.throwIfAborted();
    if (this.#room.lastUsedRatio !== null) await this.#checkThreshold();
    report.progress.began(
      { filename: file.names[0], artifact: file.kind, direction: file.recording.direction },
      clock.elapsed(),
    );
    report.changed();
    const before = report.progress.bytesDownloaded;
    const began = clock.elapsed();
    let ended: "completed" | "failed" | "skipped" = "failed";
    try {
      const outcome = await this.#tryOne(file);
      this.#tally.bytes = report.progress.bytesDownloaded;
      logFile(this.#parts.log, file, outcome, {
        bytes: this.#tally.bytes - before,
        seconds: (clock.elapsed() - began) / 1000,
        dryRun: this.#rules.dryRun,
      });
      ended = this.#tally.count(file, outcome);
      if (outcome.kind === "completed" && !this.#rules.dryRun) this.#lastPullAt = clock.now() / 1000;
      if (outcome.kind === "growing" || (outcome.kind === "failed" && file.kind === "mp4" && file.newest))
        this.#unfinished.add(momentOf(file));
      if (outcome.kind === "failed") await this.#afterFailure(file, outcome.problem);
      else this.#timeoutsInARow = 0;
    } finally {
      this.#tally.bytes = report.progress.bytesDownloaded;
      // What a stop cut off has not failed: it goes on next time.
      report.progress.ended(ended === "failed" && this.#signal.aborted ? "left" : ended);
      report.changed();
    }
  }

  async #tryOne(file: PlannedFile): Promise<Outcome> {
    const { markers, library } = this.#parts;
    // While its video may still be recorded, a companion may be unfinished too and would stay so for ever.
    if (file.kind !== "mp4" && this.#unfinished.has(momentOf(file))) return { kind: "growing" };
    if (this.#rules.dryRun) return { kind: "completed", name: file.names[0], size: 0 };
    for (const name of file.names) {
      const folder = library.folderOf(`${name}.failed`);
      if (folder !== null) await markers.remove(name, folder);
    }
    try {
      return await this.#download(file);
    } catch (error) {
      if (!(error instanceof DiskFull) || !(await this.#makeRoom())) throw error;
      return await this.#download(file);
    }
  }

  #download(file: PlannedFile): Promise<Outcome> {
    const { dashcam, recordings, clock, report } = this.#parts;
    const roomLeft = () => this.#room.left();
    return download({ dashcam, recordings, clock, heard: report, roomLeft }, file, this.#signal);
  }

  /** A failing file never ends the run; a camera that no longer answers at all does. */
  async #afterFailure(file: PlannedFile, problem: DashcamProblem | FileInTheWay): Promise<void> {
    const { dashcam, markers } = this.#parts;
    this.#fileFailures[failureOf(problem).reason]++;
    if (problem instanceof FileInTheWay) return;
    if (problem.kind === "http" || problem.kind === "redirect") await markers.write(file.names[0], file.folder);
    if (problem.kind === "timeout" || problem.kind === "silence") this.#timeoutsInARow++;
    else this.#timeoutsInARow = 0;
    if (this.#timeoutsInARow >= MAX_TIMEOUTS_IN_A_ROW) throw problem;
    if (problem.isConnection) await dashcam.probe(this.#signal);
  }

  /** Looks at the disk before a file, and at what retention can free when it is too full. @throws DiskFull */
  async #checkThreshold(): Promise<void> {
    const limit = this.#rules.maxUsedDiskPercent;
    if (!(await this.#room.isOver(limit))) return;
    if (await this.#makeRoom()) await this.#room.check(limit);
    else throw this.#room.full(limit);
  }

  /** Applies retention ahead of its time, once in a run. False when this run does not delete, or has done so. */
  async #makeRoom(): Promise<boolean> {
    if (!this.#rules.deletes || this.#rules.dryRun || this.#madeRoom) return false;
    this.#madeRoom = true;
    await this.#retention();
    await this.#room.look();
    return true;
  }

  async #lookAtDisk(): Promise<void> {
    try {
      await this.#room.look();
    } catch (error) {
      if (!this.#rules.dryRun) throw error; // a dry run's destination may not exist yet
    }
  }
}

function momentOf(file: PlannedFile): string {
  return `${file.recording.base}_${file.recording.type}`;
}
