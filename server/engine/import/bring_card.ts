import { basename, dirname, join } from "node:path";
import type { Clock } from "../../clock.ts";
import type { ImportedFile, ImportPlan } from "../../domain/import/import_plan.ts";
import { namesAtHome } from "../../domain/import/import_plan.ts";
import { LEFT_SENTENCES, type LeftCause } from "../../domain/import/left_out.ts";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { judgeMp4 } from "../../domain/recordings/mp4_boxes.ts";
import { MOST_NAMESAKES, type RecordingName, withOrdinal } from "../../domain/recordings/recording_name.ts";
import { formatBytes } from "../../domain/text/format.ts";
import type { Log, LogFields, LogMessage } from "../../log.ts";
import { CardFileHandle, CardProblem } from "../../store/card/card_file.ts";
import { type MovedFile, removeFromCard } from "../../store/card/remove_from_card.ts";
import { isSameContent } from "../../store/card/same_content.ts";
import type { CameSums, Destination } from "../../store/destination/destination.ts";
import { FileInTheWay } from "../../store/destination/destination_problem.ts";
import type { FailureMarkers } from "../../store/destination/failure_markers.ts";
import { forgetPages } from "../../store/destination/page_cache.ts";
import type { PartialFile } from "../../store/destination/partial_file.ts";
import type { PartialRecords } from "../../store/destination/partial_records.ts";
import { errorCode } from "../../store/error_code.ts";
import type { Library } from "../../store/library/library.ts";
import { MARKER_ENDING } from "../../store/library/name_index.ts";
import { isFolder } from "../../store/path_facts.ts";
import type { SyncRules } from "../run/sync_rules.ts";
import type { DiskBudget } from "../transfer/disk_budget.ts";
import type { Reservation } from "../transfer/disk_reservations.ts";
import { lacksRoom } from "../transfer/failure_of_error.ts";
import { Finishing } from "../transfer/finishing_queue.ts";
import type { ProgressReport } from "../transfer/progress_report.ts";
import { CardCopier } from "./copy_from_card.ts";
import type { ImportTally } from "./import_tally.ts";

export const LOGGER = "import";

/** A video whose boxes do not end with the file is taken as it is when it was not written for this long. */
const UNCHANGED_MS = 10 * 60_000;
/** Number of videos in a row that do not fit, and bytes of room that are too few: then nothing fits. */
const MOST_MISFITS = 10;
const NO_ROOM_BYTES = 1024 * 1024;
/** Files, and bytes of them, that wait to be removed from the card together. */
const MOST_MOVED = 256;
const MOST_MOVED_BYTES = 2_000_000_000;

/** The folder that is imported is not there any more. */
export class CardGone extends Error {
  override name = "CardGone";
}

export interface BringCardParts {
  readonly recordings: Destination;
  readonly library: Library;
  readonly markers: FailureMarkers;
  readonly records: PartialRecords;
  readonly clock: Clock;
  readonly log: Log;
  readonly report: ProgressReport;
  readonly budget: DiskBudget;
  readonly tally: ImportTally;
  readonly rules: Pick<SyncRules, "dryRun" | "maxUsedDiskPercent" | "maxVideoBytes">;
  /** The folder that is imported, without links in its path. */
  readonly folder: string;
  /** Removes from the card what is at home. */
  readonly move: boolean;
  readonly signal: AbortSignal;
  /** True when the recording was deleted here. */
  readonly isDeleted: (moment: number) => boolean;
  /** True when others wait for the destination. */
  readonly isAwaited: () => boolean;
  /** Lets them use it, and resolves when it is this import's again. */
  readonly letOthers: () => Promise<void>;
}

/** A file that came as a whole, and waits for its name. */
interface Copied {
  readonly partial: PartialFile;
  readonly card: CardFileHandle;
  readonly sums: CameSums;
}

/** Brings the planned files of a card home, one after the other, then compares those that are at home. */
export class BringCard {
  readonly #parts: BringCardParts;
  readonly #finishing = new Finishing();
  readonly #copier = new CardCopier();
  /** Files that are whole and get their names. */
  readonly #unnamed = new Set<string>();
  /** Groups with a direction of which the video on the card is not whole. */
  readonly #unfinished = new Set<string>();
  readonly #moved: MovedFile[] = [];
  #movedBytes = 0;
  #misfits = 0;

  constructor(parts: BringCardParts) {
    this.#parts = parts;
  }

  /** @throws what ends the import: the signal's reason, CardGone, DiskFull and the file system's errors */
  async run({ toCome, toCompare }: Pick<ImportPlan, "toCome" | "toCompare">): Promise<void> {
    let trouble: { error: unknown } | null = null;
    const { tally } = this.#parts;
    tally.toCompare = toCompare.length;
    try {
      tally.step = "copying";
      for (const file of toCome) await this.#inTurn(() => this.#bring(file), file);
      tally.step = "comparing";
      for (const file of toCompare) {
        await this.#inTurn(() => this.#compare(file), file);
        tally.compared++;
      }
    } catch (error) {
      trouble = { error };
    }
    // Whole files get their names, however the import ends.
    await this.#settle().catch((error: unknown) => {
      trouble ??= { error };
    });
    if (trouble) throw trouble.error;
  }

  /** Files that came whole get their names, and those that are moved leave the card. */
  async #settle(): Promise<void> {
    try {
      await this.#finishing.drain();
    } finally {
      await this.#parts.recordings.renamed.settle();
      await this.#removeMoved();
    }
  }

  /** Handles one file. What is wrong with it alone leaves it where it is. */
  async #inTurn(work: () => Promise<void>, file: ImportedFile): Promise<void> {
    const { signal, report } = this.#parts;
    signal.throwIfAborted();
    if (this.#parts.isAwaited()) {
      await this.#settle();
      await this.#parts.letOthers();
    }
    try {
      await work();
    } catch (error) {
      if (error instanceof CardProblem) {
        if (!isFolder(this.#parts.folder)) throw new CardGone("the folder is gone; was the card taken out?");
        this.#leave(file, error.why);
      } else if (error instanceof FileInTheWay) this.#leave(file, "in-the-way", error.message);
      // FAT holds no file of 4 GB.
      else if (errorCode(error) === "EFBIG") this.#leave(file, "too-long");
      else throw error;
    } finally {
      // One that a stop cut off goes on next time.
      report.progress.ended("left");
      report.changed();
    }
    if (this.#moved.length >= MOST_MOVED || this.#movedBytes >= MOST_MOVED_BYTES) await this.#removeMoved();
  }

  async #bring(file: ImportedFile): Promise<void> {
    const { rules, budget, library, report, clock, folder, tally, recordings } = this.#parts;
    const { name, path } = file;
    // The card has it twice.
    if (this.#unnamed.has(name.name)) await this.#finishing.drain();
    // It may have come, or been deleted, since the import was planned.
    if (this.#homesOf(name).length > 0) return await this.#compare(file);
    if (this.#parts.isDeleted(momentNumber(name.name))) return this.#leave(file, "deleted");
    if (name.kind !== "mp4" && this.#unfinished.has(name.key + name.direction)) return this.#leave(file, "unfinished");
    if (budget.lastUsedRatio !== null && (await budget.isOver(rules.maxUsedDiskPercent)))
      throw budget.full(rules.maxUsedDiskPercent);
    const began = { filename: name.name, artifact: name.kind, direction: name.direction };
    report.progress.began(began, clock.elapsed());
    report.changed();
    const card = await CardFileHandle.open(folder, path);
    let isKept = false;
    let reservation: Reservation | null = null;
    try {
      const cause = await this.#causeAgainst(file, card);
      if (cause !== null) return this.#leave(file, cause);
      if (rules.dryRun) {
        tally.came(file);
        this.#tell(name, `Would import ${name.name}`, { event: "file_import_dry_run" });
        report.progress.ended("completed");
        return;
      }
      reservation = await this.#reserveRoom(file, card.size);
      if (reservation === null) return this.#leave(file, "no-room");
      if (file.folder !== "") recordings.checkFolder(file.folder);
      const copied = await this.#copy(file, card, reservation);
      isKept = true;
      await this.#finish(file, copied);
    } finally {
      reservation?.end();
      if (!isKept) await card.close();
    }
    const marker = name.name + MARKER_ENDING;
    const marked = library.folderOf(marker);
    if (marked !== null) await this.#parts.markers.remove(name.name, marked);
  }

  /** Tells what keeps an open file from coming: it is not whole, or too long. */
  async #causeAgainst({ name }: ImportedFile, card: CardFileHandle): Promise<LeftCause | null> {
    const { rules, clock } = this.#parts;
    if (card.size === 0) return "empty";
    if (name.kind === "mp4") {
      if (card.size > rules.maxVideoBytes) return "too-long";
      const state = await judgeMp4(card.size, (offset, length) => card.readAt(offset, length));
      if (state === "unfinished" && !(clock.now() - card.modifiedAt >= UNCHANGED_MS)) {
        this.#unfinished.add(name.key).add(name.key + name.direction);
        return "unfinished";
      }
    }
    return null;
  }

  /** Returns null when this file has no room. @throws DiskFull when others have none either */
  async #reserveRoom({ name: { kind } }: ImportedFile, bytes: number): Promise<Reservation | null> {
    const { rules, budget } = this.#parts;
    const { room, reservation } = await budget.reserve(rules.maxUsedDiskPercent, bytes);
    if (reservation !== null) {
      if (kind === "mp4") this.#misfits = 0;
      return reservation;
    }
    if (room < NO_ROOM_BYTES || (kind === "mp4" && ++this.#misfits >= MOST_MISFITS))
      throw budget.full(rules.maxUsedDiskPercent);
    return null;
  }

  async #copy({ name: { name } }: ImportedFile, card: CardFileHandle, reservation: Reservation): Promise<Copied> {
    const { recordings, report, signal, budget } = this.#parts;
    const before = recordings.partialSize(name);
    report.opened(0, card.size);
    const listener = {
      chunk(bytes: number) {
        report.chunk(bytes);
        reservation.wrote(bytes);
      },
    };
    let partial: PartialFile | null = null;
    try {
      partial = recordings.openPartial(name, before);
      return { partial, card, sums: await this.#copier.copy(card, partial, listener, signal) };
    } catch (error) {
      partial?.close();
      // After a stop it is continued. Else it would only take room: all of it is on the card.
      if (before === 0 && !signal.aborted && (error instanceof CardProblem || lacksRoom(error))) {
        await recordings.discardPartial(name).catch(() => {});
        budget.forget();
      }
      throw error;
    }
  }

  /** Flushes the file and gives it its name while the next one is copied. */
  async #finish(file: ImportedFile, { partial, card, sums }: Copied): Promise<void> {
    const { recordings, records, report, tally } = this.#parts;
    const { name } = file.name;
    const place = report.progress.received(card.size);
    this.#unnamed.add(name);
    const finish = async () => {
      let end: "completed" | "failed" | "skipped" = "completed";
      try {
        await partial.flushAndForget(forgetPages);
        await recordings.finish(partial, file.folder, sums);
        records.remove(name);
        tally.came(file);
        const text = () => `Imported ${name}: ${formatBytes(card.size)}`;
        this.#tell(file.name, text, { event: "file_imported", bytes: card.size, sha256: sums.sha256 });
        if (this.#parts.move) this.#willMove(file, card, sums.sha256, join(file.folder, name));
      } catch (error) {
        if (!(error instanceof FileInTheWay)) throw error;
        end = await this.#isThere(file, card).then((isThere) => (isThere ? "skipped" : "failed"));
        if (end === "skipped") tally.present++;
        else this.#leave(file, "in-the-way", error.message);
        await recordings.discardPartial(name).catch(() => {});
      } finally {
        this.#unnamed.delete(name);
        partial.close();
        await card.close();
        if (place) report.settled(place, end);
        report.changed();
      }
    };
    try {
      await this.#finishing.add(card.size, finish);
    } catch (error) {
      partial.close();
      await card.close();
      throw error;
    }
  }

  /** True when the same file came to its place by another way meanwhile. */
  async #isThere(file: ImportedFile, card: CardFileHandle): Promise<boolean> {
    const home = join(this.#parts.recordings.root, file.folder, file.name.name);
    return await isSameContent(card, home).catch(() => false);
  }

  /** Compares a file with those of its name at home, which stay as they are in any case. */
  async #compare(file: ImportedFile): Promise<void> {
    const { tally, folder, move, rules, recordings } = this.#parts;
    const isMoving = move && !rules.dryRun;
    const card = await CardFileHandle.open(folder, file.path);
    try {
      for (const home of this.#homesOf(file.name)) {
        const hash = isMoving ? new Bun.CryptoHasher("sha256") : null;
        if (!(await this.#isSame(card, join(recordings.root, home), hash))) continue;
        tally.present++;
        await this.#discardBeginning(file.name.name, home);
        if (hash) this.#willMove(file, card, hash.digest("hex"), home);
        return;
      }
      this.#leave(file, "differs");
    } finally {
      await card.close();
    }
  }

  async #isSame(card: CardFileHandle, home: string, hash: Bun.CryptoHasher | null): Promise<boolean> {
    try {
      return await isSameContent(card, home, { hash, signal: this.#parts.signal });
    } catch (error) {
      // One at home that cannot be read is no reason to end: the file stays on the card.
      if (error instanceof CardProblem || errorCode(error) === "") throw error;
      return false;
    }
  }

  /** The paths at home, below the destination, of files that may be this one: of its name, and of its namesakes. */
  #homesOf(name: RecordingName): string[] {
    const { library } = this.#parts;
    const found: string[] = [];
    for (const own of namesAtHome(name))
      for (let ordinal = name.ordinal; ordinal <= MOST_NAMESAKES; ordinal++) {
        const file = withOrdinal(own, ordinal);
        const folder = library.folderOf(file);
        if (folder !== null) found.push(join(folder, file));
        else if (ordinal > name.ordinal) break;
      }
    return found;
  }

  /** Removes what an earlier attempt left of a file that is at home. */
  async #discardBeginning(name: string, home: string): Promise<void> {
    const { recordings, records, rules } = this.#parts;
    if (rules.dryRun || recordings.partialSize(name) === 0) return;
    if (!(await recordings.isBeginningOf(name, dirname(home), basename(home)))) return;
    await recordings.discardPartial(name);
    records.remove(name);
  }

  #leave({ path, name: { name } }: ImportedFile, cause: LeftCause, why = LEFT_SENTENCES[cause]): void {
    const { tally, log, report } = this.#parts;
    tally.left.add(cause, path);
    report.progress.ended("skipped");
    log.debug(LOGGER, () => `Left ${name}: ${why}`, { event: "file_left", filename: name, cause });
  }

  #tell({ name, kind }: RecordingName, text: LogMessage, fields: LogFields): void {
    const { log } = this.#parts;
    if (kind === "mp4") log.info(LOGGER, text, { ...fields, filename: name });
    else log.debug(LOGGER, text, { ...fields, filename: name });
  }

  /** The file at home is whole: it is removed from the card, with others, when their names are on the disk. */
  #willMove({ path }: ImportedFile, { place, stats, size }: CardFileHandle, sha256: string, home: string): void {
    this.#moved.push({ path, place, stats, sha256, root: this.#parts.recordings.root, home });
    this.#movedBytes += size;
  }

  async #removeMoved(): Promise<void> {
    const { tally, signal } = this.#parts;
    this.#movedBytes = 0;
    for (const file of this.#moved.splice(0)) {
      // A file that stays is compared and removed another time.
      if (signal.aborted) return;
      if (await removeFromCard(file)) tally.removed++;
      else tally.left.add("not-removed", file.path);
    }
  }
}
