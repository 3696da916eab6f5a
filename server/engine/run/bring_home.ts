import type { PlannedFile } from "../../domain/sync/download_plan.ts";
import type { DownloadQueue, Next } from "../../domain/sync/download_queue.ts";
import { FileInTheWay } from "../../store/destination/destination_problem.ts";
import type { PartialFile } from "../../store/destination/partial_file.ts";
import { downloadWithRoom } from "../transfer/download.ts";
import { laterWhenFull } from "../transfer/failure_of_error.ts";
import { Finishing } from "../transfer/finishing_queue.ts";
import type { DownloadParts, Outcome } from "../transfer/transfer_outcome.ts";
import { TriedFiles } from "../transfer/tried_files.ts";
import type { BringHomeParts } from "./bring_home_parts.ts";
import { CompanionCheck } from "./companion_check.ts";
import { FileTries, type Turn } from "./file_tries.ts";
import { logFile } from "./sync_log.ts";

/** Number of thumbnails and GPS files in a row that cannot be had ahead of their videos. */
const MOST_FRUITLESS_AHEAD = 3;
/**
 * Brings the planned files home, one after the other. A file that fails never ends the run: a broken one is taken up
 * again, a missing one is left alone. Only a camera that no longer answers at all ends the run.
 */
export class BringHome {
  readonly #parts: BringHomeParts;
  readonly #finishing = new Finishing();
  readonly #link = { bytesPerSecond: 0 };
  /** Epoch seconds; null when no file came home. */
  lastPullAt: number | null = null;
  readonly tried: TriedFiles;
  readonly #check: CompanionCheck;
  readonly #tries: FileTries;
  /** Moments of which a video is still growing, or could not be fetched while it may be. */
  readonly #unfinished = new Set<string>();
  /** Those whose newest video waits at the end of the queue. */
  readonly #waiting = new Set<string>();
  /** Files in a row that were asked for ahead of their videos, and brought nothing. */
  #fruitlessAhead = 0;

  constructor(parts: BringHomeParts) {
    this.#parts = parts;
    this.tried = new TriedFiles(parts.counts);
    // Companions that are asked for once more are no progress.
    this.#check = new CompanionCheck(this.#downloadParts({ opened() {}, chunk() {} }));
    this.#tries = new FileTries(this.#downloadParts(parts.report), () => this.#check.doubtAll());
  }

  /** @throws what ends the run: the signal's reason, DashcamProblem, DiskFull and the file system's errors */
  async run(queue: DownloadQueue): Promise<void> {
    const { clock, planned } = this.#parts;
    const began = clock.elapsed();
    let trouble: { error: unknown } | null = null;
    try {
      await this.#check.begin(planned);
      const later: PlannedFile[] = [];
      for (;;) {
        const next = queue.next(clock.elapsed() - began);
        if (next === null) break;
        if (next.isAhead) await this.#bringAhead(next, queue);
        else if ((await this.#bringInTurn(next.file, "first", queue)) === "later") later.push(next.file);
      }
      this.#tries.startOver();
      const videosFirst = later.toSorted((one, other) => Number(one.kind !== "mp4") - Number(other.kind !== "mp4"));
      for (const file of videosFirst) await this.#bringInTurn(file, "last", queue);
      await this.#finishing.drain();
      await this.#check.end(this.#parts.signal);
    } catch (error) {
      trouble = { error };
    }
    const noteTrouble = (error: unknown) => {
      trouble ??= { error };
    };
    // Whole files get their names, however the run ends.
    await this.#finishing.drain().catch(noteTrouble);
    await this.#parts.recordings.renamed.settle();
    await this.#check.save().catch(noteTrouble);
    if (!this.#parts.signal.aborted && !this.tried.isCameraInTrouble) await this.#writeMarkers();
    if (trouble) throw trouble.error;
    this.tried.requireRoom();
  }

  /** Fetches a file beside the one of its name at home, once; it is no progress of the run. */
  async fetchBeside(file: PlannedFile): Promise<Outcome> {
    const parts = this.#downloadParts({ opened() {}, chunk() {} });
    return await downloadWithRoom(parts, file, null, this.#parts.signal);
  }

  /** Brings a file; what came ahead of the video before it is asked for once more while that one gets its name. */
  async #bringInTurn(file: PlannedFile, turn: "first" | "last", queue: DownloadQueue): Promise<"done" | "later"> {
    const { clock, signal } = this.#parts;
    const began = clock.elapsed();
    await this.#check.checkEarlier(signal);
    queue.tookAhead(clock.elapsed() - began);
    return await this.#bring(file, turn);
  }

  /**
   * Brings a thumbnail or GPS ahead of its video. Trouble with it is no failure: it is tried again behind its video.
   */
  async #bringAhead(next: Next, queue: DownloadQueue): Promise<void> {
    const { clock } = this.#parts;
    const { file } = next;
    const began = clock.elapsed();
    // Room may be made for a video where a thumbnail is not worth it.
    const isDone = (await this.#bring(file, "ahead").catch(laterWhenFull)) !== "later";
    queue.tookAhead(clock.elapsed() - began);
    this.#fruitlessAhead = isDone ? 0 : this.#fruitlessAhead + 1;
    if (isDone) return;
    queue.giveBack(next);
    if (this.#fruitlessAhead >= MOST_FRUITLESS_AHEAD) queue.stopAhead();
  }

  async #bring(file: PlannedFile, turn: Turn): Promise<"done" | "later"> {
    const { report, clock, rules, budget, signal } = this.#parts;
    signal.throwIfAborted();
    if (budget.lastUsedRatio !== null && (await budget.isOver(rules.maxUsedDiskPercent))) await this.#freeOrStop();
    report.progress.began(
      { filename: file.names[0], artifact: file.kind, direction: file.recording.direction },
      clock.elapsed(),
    );
    report.changed();
    const took = { bytes: report.progress.bytesDownloaded, began: clock.elapsed() };
    let isOver = false;
    try {
      const outcome = await this.#outcomeOf(file, turn);
      if (outcome === "later") {
        if (file.newest && turn !== "ahead") this.#waiting.add(momentOf(file));
        return "later";
      }
      isOver = true;
      if (file.kind === "mp4") this.#tries.companions.videoEnded();
      if (outcome.kind === "received") {
        this.#check.note(file, { ...outcome, tookMs: clock.elapsed() - took.began });
        await this.#finish(file, outcome, took);
      } else await this.#settle(file, outcome, took);
      return "done";
    } finally {
      this.#parts.counts.bytes = report.progress.bytesDownloaded;
      // A file that a stop or a leaving camera cut off has not failed: it goes on next time.
      if (!isOver) report.progress.ended("left");
      report.changed();
    }
  }

  /** Leaves out what must not be asked for now; else tries the file. */
  async #outcomeOf(file: PlannedFile, turn: Turn): Promise<Outcome | "later"> {
    const { rules, markers, library } = this.#parts;
    if (isLeftOut(file, this.#parts)) return { kind: "deleted" };
    // While its video may still be recorded, a companion may be unfinished too and would stay so for ever.
    if (file.kind !== "mp4" && this.#unfinished.has(momentOf(file))) return { kind: "growing" };
    if (file.kind !== "mp4" && turn === "first" && this.#waiting.has(momentOf(file))) return "later";
    if (rules.dryRun) return { kind: "listed" };
    if (file.kind !== "mp4" && turn !== "ahead" && this.#tries.companions.isOver) return "later";
    for (const name of file.names) {
      const folder = library.folderOf(`${name}.failed`);
      if (folder !== null) await markers.remove(name, folder);
    }
    return await this.#tries.bring(file, turn);
  }

  #downloadParts(listener: DownloadParts["listener"]): BringHomeParts & DownloadParts {
    const { budget, rules } = this.#parts;
    return {
      ...this.#parts,
      reserve: (least, most) => budget.reserve(rules.maxUsedDiskPercent, least, most),
      roomFreed: () => budget.forget(),
      link: this.#link,
      listener,
      maxVideoBytes: rules.maxVideoBytes,
    };
  }

  /** Flushes the file and gives it its name while the next one is fetched. */
  async #finish(
    file: PlannedFile,
    received: Extract<Outcome, { kind: "received" }>,
    took: { bytes: number; began: number },
  ): Promise<void> {
    const { recordings, records, report, clock } = this.#parts;
    const { name, size } = received;
    const place = report.progress.received(size);
    const facts = {
      bytes: report.progress.bytesDownloaded - took.bytes,
      seconds: (clock.elapsed() - took.began) / 1000,
    };
    if (file.kind === "mp4") this.tried.videoCame(size);
    const finish = async () => {
      let outcome: Outcome = this.#parts.isDeleted(name) ? { kind: "deleted" } : received;
      let partial: PartialFile | null = null;
      try {
        partial = await received.partial();
        // A recording that is restored has the rest of it without the camera.
        if (outcome.kind === "deleted") await partial.flush();
        else await recordings.finish(partial, file.folder);
        if (received.isNoted && outcome.kind !== "deleted") records.remove(name);
        this.lastPullAt = clock.now() / 1000;
      } catch (error) {
        if (!(error instanceof FileInTheWay)) throw error;
        outcome = { kind: "failed", problem: error, gained: 0 };
        this.tried.countFailure(error);
      } finally {
        partial?.close();
      }
      const end = this.#parts.counts.count(file, outcome);
      this.#parts.noteOutcome?.(file, outcome, facts);
      logFile(this.#parts.log, file, outcome, facts);
      if (place) report.settled(place, end);
      report.changed();
    };
    try {
      await this.#finishing.add(size, finish);
    } catch (error) {
      if (file.kind === "mp4") (await received.partial()).close();
      throw error;
    }
  }

  /** Handles every outcome but bytes that are to be kept. */
  async #settle(
    file: PlannedFile,
    outcome: Exclude<Outcome, { kind: "received" }>,
    took: { bytes: number; began: number },
  ): Promise<void> {
    const { report, clock, counts, log, noteMissing: notCame } = this.#parts;
    const facts = {
      bytes: report.progress.bytesDownloaded - took.bytes,
      seconds: (clock.elapsed() - took.began) / 1000,
    };
    logFile(log, file, outcome, facts);
    report.progress.ended(counts.count(file, outcome));
    const failed = outcome.kind === "failed";
    if (file.kind === "mp4" && outcome.kind !== "listed") this.tried.videoTried(failed);
    if (outcome.kind === "growing" || (failed && file.kind === "mp4" && file.newest))
      this.#unfinished.add(momentOf(file));
    notCame(file, outcome.kind);
    this.#parts.noteOutcome?.(file, outcome, facts);
    if (failed) this.tried.failed(file, outcome.problem);
    if (this.tried.mayBeMarked) await this.#writeMarkers();
  }

  async #writeMarkers(): Promise<void> {
    for (const { name, folder } of this.tried.takeMarks()) await this.#parts.markers.write(name, folder);
  }

  /** The disk is too full for another file: retention frees what it can. @throws DiskFull when it still is */
  async #freeOrStop(): Promise<void> {
    const { budget, rules, makeRoom } = this.#parts;
    const limit = rules.maxUsedDiskPercent;
    if (!(await makeRoom(0)) || (await budget.isOver(limit))) throw budget.full(limit);
  }
}

const momentOf = ({ recording }: PlannedFile) => recording.key;
const isLeftOut = ({ names, recording }: PlannedFile, { isDeleted, isUnwanted }: BringHomeParts) =>
  isDeleted(names[0]) || isUnwanted(recording.name);
