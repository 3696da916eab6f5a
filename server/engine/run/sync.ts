import type { Dashcam } from "../../dashcam/camera.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import type { ListedFile } from "../../domain/recordings/camera_listing.ts";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { endingOf, groupOf, nameOf } from "../../domain/recordings/recording_name.ts";
import { momentsOf } from "../../domain/retention/due_recordings.ts";
import { type Failures, noFailures } from "../../domain/runs/failure_reason.ts";
import type { Run } from "../../domain/runs/run.ts";
import { type Plan, type PlannedFile, planSync } from "../../domain/sync/download_plan.ts";
import { DownloadQueue } from "../../domain/sync/download_queue.ts";
import { listedSizes } from "../../domain/sync/expected_sizes.ts";
import { FilesToCome } from "../../domain/sync/files_to_come.ts";
import type { RiskBoundary } from "../../domain/sync/smart_order.ts";
import { causeOf } from "../../log.ts";
import { acquireLock, type LockHolder } from "../../store/destination/destination_lock.ts";
import { DestinationProblem } from "../../store/destination/destination_problem.ts";
import { removeEmptyFolders } from "../../store/destination/empty_folders.ts";
import { eachInSlices, type Turns } from "../../turns.ts";
import { Absences } from "../listed/absences.ts";
import type { KnownList } from "../listed/known_list.ts";
import type { RequestedRecordings } from "../listed/requested_recordings.ts";
import type { SizeMemory } from "../listed/size_memory.ts";
import { applyRetention, finishInterrupted } from "../retention/retention.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import { abortable } from "../transfer/abortable.ts";
import { DiskReading } from "../transfer/disk_reading.ts";
import type { DiskReservations } from "../transfer/disk_reservations.ts";
import { AnotherCamera, exitCodeOf, type Failure, failureOf, failureOfRun } from "../transfer/failure_of_error.ts";
import { ASKED_FIRST_MS, Namesakes } from "../transfer/namesakes.ts";
import { SyncCounts } from "../transfer/sync_counts.ts";
import type { FetchParts, Outcome } from "../transfer/transfer_outcome.ts";
import { askForList } from "../transfer/wait_limits.ts";
import { BringHome } from "./bring_home.ts";
import type { FileTime } from "./bring_home_parts.ts";
import { withContents } from "./disk_contents.ts";
import { blockedNames, clearLeftovers, recallDeleted } from "./earlier_runs.ts";
import { logOddities, logStart, logSummary } from "./sync_log.ts";
import { missingFrom, planRules, type SyncRules } from "./sync_rules.ts";

export interface SyncParts extends FetchParts {
  /** The parts that deleting needs. */
  retention: RetentionParts;
  /** Takes the camera's list and what became of files, for the counts; null on the command line, which shows none. */
  listed: Pick<KnownList, "noteAsked" | "takeList" | "note" | "listOf"> | null;
  /**
   * Is told of every believed list, and of every video's outcome, for what is known of each recording; for the service.
   */
  ledger?: {
    /** @param strangeLines lines of it that are no recordings */
    takeList(strangeLines: number): Promise<void>;
    noteOutcome(name: string, outcome: Outcome): void;
  };
  /** Mends damaged files at home while the camera has them, behind all that was to come. */
  mend?: (visit: MendingVisit) => Promise<void>;
  /**
   * Asks the camera what else is to be known of it: it is home then, and no file is on its way yet. Nothing on the
   * command line. @throws AnotherCamera
   */
  visit?: (camera: Dashcam, signal: AbortSignal) => Promise<void>;
  /**
   * Users' requested for recordings that are still on the camera; null on the command line, where they cannot say so.
   */
  requested: Pick<RequestedRecordings, "first" | "anyway" | "isUnwanted" | "follow"> | null;
  /** Recordings from before this are expected to be overwritten, by the list just taken; unknown when left out. */
  atRiskBefore?: () => RiskBoundary | null;
  /** Is told what became of each file, for the service. */
  fileEnded?: (file: PlannedFile, outcome: Outcome, took: FileTime) => void;
  /** Sizes of the camera's files, as far as they are known. */
  sizes: () => Promise<SizeMemory>;
  /** Holder of the destination while this runs, for the loser's log line. */
  holder: LockHolder;
  /** Turns of those in this process who use the destination; null where there is only this run. */
  turns: Turns | null;
  /** Room that the runs of this process have reserved. */
  reservations: DiskReservations;
}

/** The camera while it is here, to fetch files again that are at home. */
export interface MendingVisit {
  /** Files that it lists. */
  readonly listed: readonly ListedFile[];
  /** Fetches a file into its partial, beside the one at home. @throws as `download` */
  readonly fetch: (file: PlannedFile) => Promise<Outcome>;
  readonly offers: Dashcam["offers"];
  readonly signal: AbortSignal;
}

export interface SyncResult {
  run: Run;
  /** The cause that ended the run early; null when it went through. */
  failure: Failure | null;
  /** Failed files by reason, without the run's own. */
  fileFailures: Failures;
  /** Epoch seconds of the last file that came home; null when none did. */
  lastPullAt: number | null;
  counts: SyncCounts;
}

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
  readonly #counts: SyncCounts;
  #plan: Plan | null = null;
  #home: BringHome | null = null;
  readonly #disk: DiskReading;
  #couldNotFree = Number.POSITIVE_INFINITY;

  constructor(parts: SyncParts, rules: SyncRules, signal: AbortSignal) {
    this.#parts = parts;
    this.#rules = rules;
    this.#signal = signal;
    this.#counts = new SyncCounts(parts.clock);
    const { clock, library, recordings, report, retention, reservations } = parts;
    const written = () => report.progress.bytesDownloaded;
    this.#disk = new DiskReading({
      root: recordings.root,
      clock,
      library,
      trash: retention.trash,
      written,
      reservations,
    });
  }

  async run(): Promise<SyncResult> {
    const { clock, log, recordings, holder } = this.#parts;
    const began = clock.elapsed();
    logStart(log, this.#parts.dashcam.address, this.#rules.dryRun);
    let failure: Failure | null = null;
    let leave: (() => void) | undefined;
    try {
      this.#signal.throwIfAborted();
      // An import ends the file it is at, and goes on afterwards.
      leave = await this.#parts.turns?.enter(this.#signal, true);
      await abortable(recordings.prepare(!this.#rules.dryRun), this.#signal);
      const lock = this.#rules.dryRun ? null : acquireLock(recordings.root, holder, { log, clock });
      try {
        if (!this.#rules.dryRun) await finishInterrupted(this.#parts.retention);
        await this.#work();
      } finally {
        lock?.release();
      }
      failure = this.#failureOfFiles();
    } catch (error) {
      failure = await withContents(failureOfRun(error, recordings), this.#parts.retention);
      if (failure.kind === "unexpected") log.error("sync", `Unexpected: ${causeOf(error)}`);
    } finally {
      leave?.();
    }
    const durationSeconds = (clock.elapsed() - began) / 1000;
    logSummary(log, { failure, counts: this.#counts, durationSeconds, dryRun: this.#rules.dryRun });
    return {
      failure,
      fileFailures: this.#home?.tried.failures ?? noFailures(),
      lastPullAt: this.#home?.lastPullAt ?? null,
      counts: this.#counts,
      run: await this.#row(failure, durationSeconds),
    };
  }

  /** A run in which every file that was tried failed has failed; null otherwise. */
  #failureOfFiles(): Failure | null {
    const home = this.#home;
    const { completed, failed, empty, vanished, growing } = this.#counts;
    if (
      !home?.tried.lastProblem ||
      (!home.tried.isCameraInTrouble && completed + empty.length + vanished.length + growing.length > 0)
    )
      return null;
    const { message, ...failure } = failureOf(home.tried.lastProblem);
    const all = failed === 1 ? "the one file that was tried failed" : `all ${failed} files that were tried failed`;
    const again =
      home.tried.isCameraInTrouble && failure.reason === "http" ? " and are tried again with the next run" : "";
    return { ...failure, message: `${message}; ${all}${again}` };
  }

  async #row(failure: Failure | null, durationSeconds: number): Promise<Run> {
    const failures = { ...(this.#home?.tried.failures ?? noFailures()) };
    if (failure) failures[failure.reason]++;
    const disk = await this.#disk.atEnd(this.#signal);
    return {
      ts: this.#parts.clock.now() / 1000,
      success: failure === null,
      exitCode: exitCodeOf(failure),
      durationSeconds,
      files: this.#rules.dryRun ? 0 : this.#counts.completed,
      bytes: this.#counts.bytes,
      recordingsSeen: this.#plan?.recordingsSeen ?? 0,
      recordingsSelected: this.#plan?.recordingsSelected ?? 0,
      ...disk,
      failedMarkers: [...this.#parts.library.markers()].length,
      failures,
      dryRun: this.#rules.dryRun,
      ...(failure?.kind === "stopped" && { stopped: true }),
      ...(failure && { message: failure.message, cause: failure.cause }),
      ...(this.#plan && { leftOut: this.#plan.leftOut, counts: this.#counts.counts }),
      ...(this.#counts.deleted.recordings > 0 && { deleted: this.#counts.deleted }),
      address: this.#parts.dashcam.address,
    };
  }

  /** Downloads, then retention: also when the camera is away, never after a stop. */
  async #work(): Promise<void> {
    let trouble: unknown = null;
    try {
      await this.#bringHome();
    } catch (error) {
      // In a folder that is another one by now nothing is deleted, nor for another camera.
      if (this.#signal.aborted || error instanceof DestinationProblem || error instanceof AnotherCamera) throw error;
      trouble = error;
    }
    if (this.#rules.deletes) {
      this.#parts.report.progress.retention();
      this.#parts.report.publish();
      await this.#retention();
    }
    if (!this.#rules.dryRun && this.#parts.library.available)
      for (const folder of await removeEmptyFolders(this.#parts.recordings))
        this.#parts.log.debug("sync", `Removed the empty folder ${folder}`);
    if (trouble !== null) throw trouble;
  }

  /** @param need bytes that have to become free @returns whether they are */
  async #retention(need = 0): Promise<boolean> {
    const options = { dryRun: this.#rules.dryRun, signal: this.#signal, need };
    const done = await applyRetention(this.#parts.retention, this.#rules, options);
    const { recordings, bytes } = this.#counts.deleted;
    this.#counts.removed += done.moments;
    this.#counts.deleted = { recordings: recordings + done.recordings, bytes: bytes + done.bytes };
    this.#signal.throwIfAborted();
    return done.hasMadeRoom;
  }

  async #bringHome(): Promise<void> {
    const { dashcam, library, recordings, report, clock, log } = this.#parts;
    if (dashcam.address === "")
      throw new DashcamProblem("no-address", "no camera address is set; set it in Settings under Camera");
    // One after the other, not together: each needs memory of its own for a full card, and the index is quick.
    await abortable(library.refresh(), this.#signal);
    const { dryRun } = this.#rules;
    // A folder that cannot be read is no empty one: everything would come again.
    if (!dryRun) recordings.requireReadable();
    await this.#readDisk();
    this.#parts.listed?.noteAsked();
    const raw = await askForList(this.#parts, this.#signal);
    this.#counts.listed();
    this.#signal.throwIfAborted();
    // Before anything is done with its list: it may be another camera.
    await this.#parts.visit?.(dashcam, this.#signal);
    this.#signal.throwIfAborted();

    const namesakes = await Namesakes.open(this.#parts, raw, this.#parts.listed?.listOf(dashcam.address) ?? null);
    // Saved before this list takes the place of the one before: a kill must not leave none that tells of a doubt.
    if (!dryRun) await namesakes.ask(this.#signal, ASKED_FIRST_MS).then(() => namesakes.save());
    const { listing } = namesakes;
    const absences = await Absences.open(recordings, listing, this.#parts);
    const { deleted } = this.#parts.retention;
    await recallDeleted(this.#parts.retention, listing, !dryRun);
    const { address } = dashcam;
    const isMissing = missingFrom(dashcam);
    const isAbsent = (name: string) => isMissing(name) || absences.isKnown(name);
    const learned = { isAbsent, isUnsure: namesakes.isUnsure };
    const isBelieved = (await this.#parts.listed?.takeList(address, listing, learned)) ?? false;
    if (isBelieved) await this.#parts.ledger?.takeList(listing.strangeCount);
    const isDeleted = (moment: number) => deleted.latest.has(moment);
    const { requested } = this.#parts;
    const isUnwanted = (moment: number) => requested?.isUnwanted(moment) ?? false;
    const asked = new Set(requested?.first);
    const blocked = await blockedNames(this.#parts, this.#rules.retryFailedAfterMs);
    const rules = await planRules(this.#parts, this.#rules);
    const plan = planSync(
      listing.files,
      {
        has: (moment, ending) => library.names.hasAt(moment, ending),
        // A recording that a user asks for is tried, even after it failed before.
        isBlocked: (name, ending) => blocked.has(nameOf(groupOf(name), ending)) && !asked.has(momentNumber(name)),
        isAbsent: (name, ending) => absences.has(nameOf(groupOf(name), ending)),
        isDeleted,
        isUnwanted,
        moments: () => momentsOf([...library.folderContents]),
        isUnknown: (moment) => library.isUnknown(moment, this.#rules.grouping),
      },
      rules,
    );
    this.#plan = plan;
    this.#counts.planned(plan);
    logOddities(log, listing, plan);
    const past = { cutoffs: this.#rules.cutoffs, spared: plan.spared };
    if (!dryRun) await clearLeftovers(this.#parts, listing, this.#rules.deletes ? past : null, absences);
    const sizes = listedSizes(listing.files);
    const files = new FilesToCome([], sizes);
    await eachInSlices(plan.files, ({ names: [name], kind }) => files.add({ name, kind }, 1));
    report.progress.planned(
      {
        files,
        skipped: plan.present + plan.blocked + plan.absent,
        here: plan.present,
        absent: plan.absent,
        // With nothing to come nothing is looked up: that is most runs.
        ...(plan.files.length > 0 && { sizes: await (await this.#parts.sizes()).current() }),
      },
      clock.elapsed(),
    );
    report.publish();
    this.#home = new BringHome({
      ...this.#parts,
      rules: this.#rules,
      signal: this.#signal,
      budget: this.#disk.budget,
      counts: this.#counts,
      makeRoom: (bytes) => this.#makeRoom(bytes),
      noteMissing: (file, outcome) => {
        const isNone = outcome === "absent" || outcome === "empty";
        if (isNone && file.kind !== "mp4" && dashcam.offers(file.kind)) absences.note(file.names[0]);
        this.#parts.listed?.note(address, file, outcome);
      },
      noteOutcome: (file, outcome, took) => {
        const { kind, recording } = file;
        if (kind === "mp4" && !dryRun) this.#parts.ledger?.noteOutcome(recording.name, outcome);
        this.#parts.fileEnded?.(file, outcome, took);
      },
      isDeleted: (name) => isDeleted(momentNumber(name)),
      listed: listing.files,
      planned: plan.files,
      isUnwanted: (name) => isUnwanted(momentNumber(name)) && !library.hasBeside(name, endingOf(name)),
    });
    const metadataFirst = this.#rules.metadataFirst && !dryRun;
    const queue = new DownloadQueue(plan.files, { metadataFirst, first: requested?.first ?? [], order: rules, sizes });
    requested?.follow(queue);
    try {
      await this.#home.run(queue);
      if (!dryRun) await this.#mend(this.#home, listing.files);
      if (!dryRun && (await namesakes.ask(this.#signal)))
        await this.#parts.listed?.takeList(address, namesakes.listing, { isAbsent, isUnsure: namesakes.isUnsure });
    } finally {
      requested?.follow(null);
      if (!dryRun) await Promise.all([absences.save(), namesakes.end()]);
    }
  }

  async #mend(home: BringHome, listed: readonly ListedFile[]): Promise<void> {
    const { dashcam, mend } = this.#parts;
    const fetch = (file: PlannedFile) => home.fetchBeside(file);
    await mend?.({ listed, fetch, offers: (kind) => dashcam.offers(kind), signal: this.#signal });
  }

  /**
   * Empties the trash as far as it takes, and applies retention ahead of its time. False when that could not free as
   * many bytes, or this run does not delete.
   */
  async #makeRoom(bytes: number): Promise<boolean> {
    const need = Math.max(bytes, this.#disk.budget.bytesOver(this.#rules.maxUsedDiskPercent));
    if (!this.#rules.deletes || this.#rules.dryRun || need >= this.#couldNotFree) return false;
    if (!(await this.#retention(need))) this.#couldNotFree = need;
    await this.#disk.read(this.#signal);
    return need < this.#couldNotFree;
  }

  async #readDisk(): Promise<void> {
    try {
      await this.#disk.read(this.#signal);
    } catch (error) {
      if (!this.#rules.dryRun) throw error; // a dry run's destination may not exist yet
    }
  }
}
