import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import type { Clock } from "../../clock.ts";
import { readCardName } from "../../domain/import/card_name.ts";
import { type CardFile, type ImportHome, importOrder, planImport } from "../../domain/import/import_plan.ts";
import { type ImportCounts, importSummary, leftLine } from "../../domain/import/import_text.ts";
import { groupOf } from "../../domain/recordings/recording_name.ts";
import { momentsOf } from "../../domain/retention/due_recordings.ts";
import type { RunEnding } from "../../domain/runs/run_ending.ts";
import { FilesToCome } from "../../domain/sync/files_to_come.ts";
import { causeOf, type Log } from "../../log.ts";
import { walkCard } from "../../store/card/card_files.ts";
import { isRecordingsFolder } from "../../store/card/recordings_folder.ts";
import type { Destination } from "../../store/destination/destination.ts";
import { acquireLock, type DestinationLock, type LockHolder } from "../../store/destination/destination_lock.ts";
import type { FailureMarkers } from "../../store/destination/failure_markers.ts";
import type { PartialRecords } from "../../store/destination/partial_records.ts";
import { errorCode } from "../../store/error_code.ts";
import type { Library } from "../../store/library/library.ts";
import { eachInSlices, inTurns, sortInSlices, type Turns } from "../../turns.ts";
import type { RequestedRecordings } from "../listed/requested_recordings.ts";
import { finishInterrupted } from "../retention/retention.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import { type SyncRules, withMarks } from "../run/sync_rules.ts";
import { abortable } from "../transfer/abortable.ts";
import { DiskBudget } from "../transfer/disk_budget.ts";
import type { DiskReservations } from "../transfer/disk_reservations.ts";
import { type Failure, failureOfRun } from "../transfer/failure_of_error.ts";
import type { ProgressReport } from "../transfer/progress_report.ts";
import { BringCard, CardGone, LOGGER } from "./bring_card.ts";
import type { ImportTally } from "./import_tally.ts";

export interface ImportParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly library: Library;
  readonly recordings: Destination;
  readonly markers: FailureMarkers;
  readonly records: PartialRecords;
  readonly retention: RetentionParts;
  /** Null on the command line, where users cannot say what they do not need. */
  readonly requested: Pick<RequestedRecordings, "isUnwanted"> | null;
  readonly report: ProgressReport;
  readonly tally: ImportTally;
  /** Name of this process, for the log of another one. */
  readonly holder: LockHolder;
  /** Turns of those in this process who use the destination: an import lets a sync go first, between two files. */
  readonly turns: Turns;
  /** Room that the runs of this process have reserved. */
  readonly reservations: DiskReservations;
}

export interface ImportOrder {
  /** The folder to import. */
  readonly folder: string;
  readonly rules: SyncRules;
  /** Removes from the card what is at home, byte for byte. */
  readonly move: boolean;
  /** Further folders of recordings at home, which are not looked into. */
  readonly homes: readonly string[];
}

export interface ImportResult {
  readonly counts: ImportCounts;
  /** The cause that ended it early; null when it went through. */
  readonly failure: Failure | null;
}

/** End of an import in the words of runs. */
export function importEnding({ failure }: Pick<ImportResult, "failure">): RunEnding {
  if (failure === null) return "completed";
  return failure.kind === "stopped" ? "stopped" : "failed";
}

/**
 * Imports the recordings of a card or a folder. It never throws: what went wrong is in the result. The terminal state is
 * left to the caller.
 * @param signal aborts it at once; its reason classifies the failure
 */
export async function runImport(parts: ImportParts, order: ImportOrder, signal: AbortSignal): Promise<ImportResult> {
  return await new Import(parts, order, signal).run();
}

class Import {
  readonly #parts: ImportParts;
  readonly #order: ImportOrder;
  readonly #signal: AbortSignal;
  readonly #tally: ImportTally;
  #lock: DestinationLock | null = null;
  #leave: () => void = () => {};

  constructor(parts: ImportParts, order: ImportOrder, signal: AbortSignal) {
    this.#parts = parts;
    this.#order = order;
    this.#signal = signal;
    this.#tally = parts.tally;
  }

  async run(): Promise<ImportResult> {
    const { clock, log } = this.#parts;
    const { folder, rules } = this.#order;
    const began = clock.elapsed();
    log.info(LOGGER, `Import started${rules.dryRun ? " (dry run)" : ""}: ${folder}`, { event: "import_started" });
    let failure: Failure | null = null;
    try {
      try {
        await this.#enter();
        await this.#work();
      } finally {
        this.#release();
      }
    } catch (error) {
      failure = this.#failureOf(error);
      if (failure.kind === "unexpected") log.error(LOGGER, `Unexpected: ${causeOf(error)}`);
    }
    this.#logEnd(failure, (clock.elapsed() - began) / 1000);
    return { counts: this.#tally.counts, failure };
  }

  async #work(): Promise<void> {
    const { library, recordings, retention, report, clock } = this.#parts;
    const { rules, move } = this.#order;
    const { dryRun } = rules;
    this.#tally.step = "looking";
    if (!dryRun) await finishInterrupted(retention);
    await abortable(library.refresh(), this.#signal);
    if (!dryRun) recordings.requireReadable();
    const folder = await realpath(this.#order.folder);
    const files = await this.#filesOf(folder);
    await retention.deleted.all();
    const planned = await withMarks(retention, rules);
    const plan = await inTurns(planImport(files, this.#home(), planned));
    for (const { file, cause } of plan.left) this.#tally.left.add(cause, file.path);
    const order = importOrder(rules.priority);
    const toCome = await sortInSlices(plan.toCome, order);
    const toCompare = await sortInSlices(plan.toCompare, order);
    const sizes = new Map<string, number>();
    const ahead = new FilesToCome([], sizes);
    await eachInSlices(toCome, ({ name: { name, kind }, size }) => {
      if (kind === "mp4") sizes.set(name, size);
      ahead.add({ name, kind }, 1);
    });
    report.progress.planned({ files: ahead, skipped: toCompare.length, here: toCompare.length }, clock.elapsed());
    report.publish();
    const written = () => report.progress.bytesDownloaded;
    const { reservations } = this.#parts;
    const budget = new DiskBudget({ root: recordings.root, clock, written, reservations });
    if (!dryRun) await budget.read();
    const home = new BringCard({
      ...this.#parts,
      budget,
      tally: this.#tally,
      rules,
      folder,
      move,
      signal: this.#signal,
      isDeleted: (moment) => retention.deleted.latest.has(moment),
      isAwaited: () => this.#parts.turns.isAwaited,
      letOthers: () => this.#letOthers(),
    });
    await home.run({ toCome, toCompare }).finally(() => budget.end());
  }

  async #filesOf(folder: string): Promise<CardFile[]> {
    const { left } = this.#tally;
    const files: CardFile[] = [];
    const homes = new Set<string>();
    for (const home of [this.#parts.recordings.root, ...this.#order.homes])
      homes.add(await realpath(home).catch(() => home));
    await walkCard(
      folder,
      {
        wants: (name) => readCardName(name).kind === "artifact",
        file(path, name, size) {
          const read = readCardName(name);
          if (read.kind === "artifact") files.push({ path, name: read.name, size });
        },
        other(path, why) {
          const isImpossible =
            why === "foreign" && readCardName(path.slice(path.lastIndexOf("/") + 1)).kind === "impossible";
          left.add(isImpossible ? "impossible" : why, path);
        },
      },
      {
        skipped(place) {
          if (homes.has(place)) return true;
          if (!isRecordingsFolder(place)) return false;
          left.add("recordings-folder", relative(folder, place));
          return true;
        },
        signal: this.#signal,
      },
    );
    return files;
  }

  #home(): ImportHome {
    const { library, retention, requested } = this.#parts;
    const { grouping } = this.#order.rules;
    return {
      has: (moment, ending) => library.names.hasAt(moment, ending),
      isDeleted: (moment) => retention.deleted.latest.has(moment),
      isUnwanted: (moment) => requested?.isUnwanted(moment) ?? false,
      isUnknown: (moment) => library.isUnknown(moment, grouping),
      moments: () => momentsOf([...library.folderContents]),
      hasVideo(key, direction) {
        const endings = library.group(groupOf(key))?.endings ?? [];
        return endings.some((ending) => ending.startsWith(direction) && ending.endsWith(".mp4"));
      },
    };
  }

  /** Lets a sync go first that waits for the destination, and knows afterwards what it has brought. */
  async #letOthers(): Promise<void> {
    const { step } = this.#tally;
    this.#tally.step = "waiting";
    this.#release();
    await this.#enter();
    await abortable(this.#parts.library.refresh(), this.#signal);
    this.#parts.recordings.requireReadable();
    this.#tally.step = step;
  }

  /** Waits for the destination, and locks it. @throws LockHeld while another process uses it */
  async #enter(): Promise<void> {
    const { recordings, holder, log, clock, turns } = this.#parts;
    const { dryRun } = this.#order.rules;
    this.#leave = await turns.enter(this.#signal);
    await abortable(recordings.prepare(!dryRun), this.#signal);
    if (!dryRun) this.#lock = acquireLock(recordings.root, holder, { log, clock });
  }

  #release(): void {
    this.#lock?.release();
    this.#lock = null;
    this.#leave();
  }

  #failureOf(error: unknown): Failure {
    if (error instanceof CardGone || isOfCard(error, this.#order.folder))
      return { kind: "trouble", reason: "unknown", cause: "disk-error", message: GONE };
    const failure = failureOfRun(error, this.#parts.recordings);
    return failure.kind === "stopped" ? { ...failure, message: STOPPED[failure.cause] ?? failure.message } : failure;
  }

  #logEnd(failure: Failure | null, seconds: number): void {
    const { log } = this.#parts;
    const counts = this.#tally.counts;
    for (const left of counts.left) log.info(LOGGER, leftLine(left), { event: "files_left", cause: left.cause });
    const summary = importSummary(counts, seconds, this.#order.rules.dryRun);
    const fields = {
      event: "import_finished",
      recordings: counts.recordings,
      files: counts.files,
      bytes: counts.bytes,
      present: counts.present,
      removed: counts.removed,
      left: counts.left.reduce((sum, { files }) => sum + files, 0),
      duration_seconds: Math.round(seconds * 1000) / 1000,
    };
    if (failure === null) log.info(LOGGER, `Import finished: ${summary}`, fields);
    else if (failure.kind === "stopped") log.info(LOGGER, `Import stopped; until then ${summary}`, fields);
    else if (failure.kind === "locked") log.warning(LOGGER, `Import not started: ${failure.message}`, fields);
    else log.error(LOGGER, `Import failed: ${failure.message}; until then ${summary}`, fields);
  }
}

const GONE = "the folder to import is gone; was the card taken out?";
const STOPPED: Readonly<Record<string, string>> = {
  stopped: "import stopped by user",
  shutdown: "the service was told to stop",
};

/** True for the file system's error about the folder that is imported itself. */
function isOfCard(error: unknown, folder: string): boolean {
  return errorCode(error) !== "" && error instanceof Error && "path" in error && error.path === folder;
}
