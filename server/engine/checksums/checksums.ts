import type { Clock } from "../../clock.ts";
import type { Damage, FileSum } from "../../domain/checksums/file_judgement.ts";
import { momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { endingOf, nameOf } from "../../domain/recordings/recording_name.ts";
import { type Log, messageOf } from "../../log.ts";
import type { CameSums } from "../../store/destination/destination.ts";
import type { ReadingPace } from "../../store/destination/file_digest.ts";
import { type SumsFile, SumsUnusable } from "../../store/destination/sums.ts";
import {
  type FileId,
  fileAt,
  type Place,
  pathOfFile,
  type SumRow,
  type SumRows,
} from "../../store/destination/sums_rows.ts";
import type { Library } from "../../store/library/library.ts";
import { MARKER_ENDING } from "../../store/library/name_index.ts";
import { nextTurn } from "../../turns.ts";
import { whenAsked } from "../../when_asked.ts";
import type { Checked, FileCheck } from "./file_check.ts";
import { KeptSums } from "./kept_sums.ts";
import type { LimitedPace } from "./reading_pace.ts";

/** A file at home that does not pass. */
export interface DamagedFile extends FileId {
  /** Relative to the destination. */
  readonly path: string;
  readonly name: string;
  readonly why: Damage;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** A file as it is now; the path is relative to the destination. */
type KeptOrder = Readonly<{ path: string; size: number; modified: number }>;

export interface ChecksumsParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly root: string;
  readonly file: SumsFile;
  readonly library: Library;
  /** True while the folder of the recordings is the one that it was. */
  readonly isHere: () => boolean;
  /** True while files are brought home. */
  readonly isBusy: () => boolean;
  /** True for a command: it notes that checksums are left to be taken, as after a kill, for the next one. */
  readonly isCommand?: boolean;
  /** Id of the camera whose files these are, as other programs are told; without one they are told nothing. */
  readonly camera?: string;
  /** Called when files were found to be damaged, or are whole again. */
  readonly onDamage?: (moments: readonly number[]) => void;
}

const LOGGER = "checksums";
/** Named in a fact of the file: checksums of files that have come are still to be taken. */
const LEFT = "left";
/** Moments looked up at once. */
const SLICE = 500;
/** Files of earlier commands whose checksums are taken at the end of one. */
const MOST_LEFT = 1000;

/** Those a file is read for end it with their signal, and hold it up. */
interface OtherWork {
  readonly signal?: AbortSignal;
  readonly isHeld?: () => boolean;
}

/**
 * Checksums of all files at home. Those of a file that has come are taken when it is whole, out of the way of the next
 * one's transfer. Nothing here fails a run: what could not be taken is taken another time.
 */
export class Checksums {
  readonly #parts: ChecksumsParts;
  readonly sums: KeptSums;
  /** Loaded with the first file that is read. */
  readonly #check = whenAsked(async () => {
    const { FileCheck } = await import("./file_check.ts");
    return new FileCheck({ ...this.#parts, sums: this.sums });
  });
  /** Loaded with the first file that came. */
  readonly #news = whenAsked(async () => {
    const [{ NewFiles }, { NewFilesList }] = await Promise.all([
      import("./new_files.ts"),
      import("../../store/destination/new_files.ts"),
    ]);
    const { clock, log, root, isHere, camera = "" } = this.#parts;
    return new NewFiles({ clock, log, root, isHere, camera, list: new NewFilesList(root) });
  });
  /** Files that have come, with checksums made on their way, files that are doubted, and those an earlier command left. */
  readonly #waiting: { readonly id: FileId; readonly sums: CameSums | "doubted" | "left" | null }[] = [];
  readonly #closing = new AbortController();
  #taking: Promise<void> | null = null;
  /** Without limits: nothing else is done any more. */
  #isHurried = false;
  #changes = 0;
  #isLeftNoted = false;
  /** By path; null until it was asked for. */
  #damaged: Map<string, DamagedFile> | null = null;
  /** The file as it was when that was read. */
  #stamp = "";

  constructor(parts: ChecksumsParts) {
    this.#parts = parts;
    this.sums = new KeptSums(parts);
  }

  /** Reason that checksums cannot be kept, as a sentence without a full stop; null when they can. */
  get problem(): string | null {
    return this.#parts.file.problem;
  }

  /** Says that damaged checksums were set aside since the start; null when they were not. */
  get trouble(): string | null {
    const { setAside } = this.#parts.file;
    return setAside === null
      ? null
      : `The checksums were damaged and are taken anew. The old ones are kept as ${setAside}.`;
  }

  /** Another number when checksums were taken, or files found damaged or whole, or have left since. */
  get version(): number {
    return this.sums.version + this.#changes;
  }

  /** True while checksums of files that have come are to be taken. */
  get isTaking(): boolean {
    return this.#taking !== null;
  }

  /** Files that have come and whose checksums are to be taken, the one that is being read not counted. */
  get left(): number {
    return this.#waiting.length;
  }

  /** True when checksums were ever taken here. */
  get exist(): boolean {
    return this.#parts.file.exists;
  }

  /** True when the checksums of a recording's file at home were taken, and it is not known to be damaged. */
  has(name: string): boolean {
    const moment = momentNumber(name);
    return moment >= 0 && this.sums.isTaken(moment, endingOf(name));
  }

  /** True when a file of this name at home is known to be damaged. */
  isDamaged(name: string): boolean {
    return this.#known()
      .values()
      .some((one) => one.name === name && this.#isAtHome(one));
  }

  /** Files at home that are known to be damaged, by time. */
  get damaged(): readonly DamagedFile[] {
    this.lookAgain();
    return [...this.#known().values()].filter((one) => this.#isAtHome(one));
  }

  /** Those and files that were damaged when they were here last, by time. */
  get damagedOrAway(): readonly DamagedFile[] {
    return [...this.#known().values()];
  }

  /** Notes that a file has got its name; its checksums are taken as soon as there is time. */
  noteCame(name: string, folder: string, sums?: CameSums): void {
    const moment = momentNumber(name);
    if (moment < 0 || this.#closing.signal.aborted) return;
    this.#waiting.push({ id: { moment, ending: endingOf(name), folder }, sums: sums ?? null });
    this.#begin();
  }

  /** Notes that all files of these moments in these folders are about to be moved to the trash. */
  noteLeaving(moments: readonly Place[]): void {
    this.sums.leave(moments);
  }

  /** Reads a file and compares it. @throws SumsUnusable, and what `pace` throws */
  async check(id: FileId, pace: ReadingPace, cache: "keep" | "forget" | "past"): Promise<Checked> {
    const checked = await (await this.#check()).check(id, pace, { cache });
    this.#noteChecked(id, checked);
    if (checked.kind === "taken") await this.#tell(checked, "found");
    await this.sums.writeSome();
    return checked;
  }

  /** Resolves when the checksums of all files that have come are taken, and written down. */
  async settled(): Promise<void> {
    while (this.#taking !== null) await this.#taking;
  }

  /** Tells other programs that a run has ended, once the checksums of what it brought are taken. */
  async announce(): Promise<void> {
    await this.settled();
    await this.#news.opened?.end();
  }

  /**
   * Takes what waits without limits, as at the end of a command, for at most so long; then it is left for another time.
   * Files that an earlier command has left are among it.
   */
  async finish(mostMs: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const until = clock.elapsed() + mostMs;
    this.#isHurried = true;
    if (this.sums.read((rows) => rows.fact(LEFT), null) !== null && this.#parts.library.available) {
      await this.#findLeft(() => clock.elapsed() >= until || signal.aborted);
      this.#begin();
    }
    const late = new AbortController();
    const over = AbortSignal.any([signal, late.signal]);
    const timer = clock.sleep(mostMs, over).catch(() => {});
    await Promise.race([this.settled(), timer]);
    late.abort();
    await this.#news.opened?.end();
    await this.close();
  }

  async #findLeft(isOver: () => boolean): Promise<void> {
    try {
      for await (const id of this.lacking()) {
        if (isOver() || this.#waiting.length >= MOST_LEFT) return;
        this.#waiting.push({ id, sums: "left" });
      }
    } catch (error) {
      if (!(error instanceof SumsUnusable)) throw error;
    }
  }

  /** Files of the library whose checksums were not taken. @throws SumsUnusable while that is not known */
  async *lacking(): AsyncGenerator<FileId> {
    for (const { path: folder, moments } of [...this.#parts.library.folderContents]) {
      const sorted = Float64Array.from(moments.keys()).sort();
      for (let at = 0; at < sorted.length; at += SLICE) {
        await nextTurn();
        const files = [...sorted.subarray(at, at + SLICE)].flatMap((moment) => {
          const endings = moments.get(moment)?.endings.filter((ending) => !ending.endsWith(MARKER_ENDING)) ?? [];
          return endings.map((ending) => ({ moment, ending, folder }));
        });
        yield* this.sums.lacking(files);
      }
    }
  }

  /** Forgets what was to be read and written: another folder is used from now on, whose checksums are its own. */
  forgetFolder(): void {
    this.#waiting.length = 0;
    this.#check.opened?.leaveFolder();
    this.sums.forget();
    this.#news.opened?.forget();
    this.#parts.file.release();
    this.#changes++;
    this.#damaged = null;
  }

  /** Reads anew which files are damaged if the file was written since: another program may have found some. */
  lookAgain(): void {
    if (this.#damaged === null || this.#parts.file.stamp !== this.#stamp) this.refresh();
  }

  /** Reads anew which files are damaged, and tells of those that came or went. */
  refresh(): void {
    this.#changes++;
    const before = this.#damaged;
    const now = this.#readDamaged();
    // Another program may be writing just now.
    if (now === null) return;
    this.#damaged = now;
    const moments = new Set<number>();
    for (const [path, { moment }] of now) if (before?.has(path) !== true) moments.add(moment);
    for (const [path, { moment }] of before ?? []) if (!now.has(path)) moments.add(moment);
    if (moments.size > 0) this.#parts.onDamage?.([...moments]);
  }

  /** The checksums of a file, if it is as it was when they were taken; null also while they cannot be read. */
  keptOf(file: KeptOrder): Pick<FileSum, "sha256" | "crc"> | null {
    const id = fileAt(file.path);
    const row = id.moment < 0 ? null : this.#findNow(id);
    const isSame = row !== null && row.damage === null && row.size === file.size && row.modified === file.modified;
    return isSame ? { sha256: row.sha256, crc: row.crc } : null;
  }

  /** Reads a file that was found to have other bytes: it is damaged, or was changed on purpose. */
  doubt(path: string): void {
    const id = fileAt(path);
    if (id.moment < 0 || this.#closing.signal.aborted) return;
    this.#waiting.push({ id, sums: "doubted" });
    this.#begin();
  }

  #findNow(id: FileId): SumRow | null {
    try {
      return this.sums.find(id);
    } catch (error) {
      if (error instanceof SumsUnusable) return null;
      throw error;
    }
  }

  /** The checksums of a file that lies there, below the destination; null when it cannot be read. */
  async digestOf(path: string, work: OtherWork = {}): Promise<FileSum | null> {
    return await (await this.#check()).digestOf(path, await this.#unlimited(work));
  }

  /** A file that counted as damaged is as it should be: its checksums are taken anew. */
  async takeAnew({ moment, ending, folder }: FileId): Promise<void> {
    const id = { moment, ending, folder };
    this.#noteChecked(id, await (await this.#check()).take(id, await this.#unlimited()));
  }

  async #unlimited({ signal, isHeld }: OtherWork = {}): Promise<LimitedPace> {
    const { LimitedPace, NO_LIMITS } = await import("./reading_pace.ts");
    const closing = this.#closing.signal;
    const ends = signal === undefined ? closing : AbortSignal.any([closing, signal]);
    return new LimitedPace(this.#parts.clock, () => NO_LIMITS, ends, isHeld);
  }

  /** Ends what was noted of moments that went to the trash. */
  endAway(places: readonly Place[], areGone: boolean): void {
    if (places.length > 0) this.#quietly((rows) => rows.endAway(places, areGone));
  }

  /** Forgets checksums of files that are gone. */
  forget(ids: readonly FileId[]): void {
    this.#quietly((rows) => rows.remove(ids));
  }

  /** Keeps a fact beside the checksums, as far as that is possible. */
  keepFact(name: string, value: string): void {
    this.#quietly((rows) => rows.setFact(name, value));
  }

  /** Writes down what was read, and gives back the memory that reading takes. */
  async rest(): Promise<void> {
    await this.sums.write();
    if (!this.isTaking) this.#check.opened?.rest();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
    await this.sums.write();
    this.#parts.file.close();
  }

  #begin(): void {
    this.#taking ??= this.#take()
      .catch((error: unknown) => {
        // It was said already, and what waits would only be read in vain.
        if (error instanceof SumsUnusable) this.#waiting.length = 0;
        else if (!this.#closing.signal.aborted)
          this.#parts.log.warning(LOGGER, `Checksums were not taken: ${messageOf(error)}`);
      })
      .finally(() => {
        this.#taking = null;
        this.#check.opened?.rest();
      });
  }

  async #take(): Promise<void> {
    const { clock, isBusy } = this.#parts;
    const { signal } = this.#closing;
    const reading = await import("./reading_pace.ts");
    const { BesideTransfer, CHECK_LIMITS, FILE_MS, LimitedPace, NO_LIMITS } = reading;
    const check = await this.#check();
    const beside = new BesideTransfer(clock);
    const limits = () => (this.#isHurried ? NO_LIMITS : isBusy() ? beside.limits : CHECK_LIMITS);
    const pace = new LimitedPace(clock, limits, signal);
    try {
      // Not before the file that comes next was asked for.
      await nextTurn();
      await this.#parts.file.prepare();
      this.#noteLeft(true);
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        if (next.sums === "doubted") await this.check(next.id, pace, "past");
        else await this.#takeOne(check, next.id, next.sums, pace);
        await this.sums.writeSome();
        await pace.after(0, FILE_MS);
      }
    } finally {
      const isWritten = await this.sums.write();
      if (isWritten && this.#waiting.length === 0 && !signal.aborted) this.#noteLeft(false);
    }
  }

  async #takeOne(check: FileCheck, id: FileId, sums: CameSums | "left" | null, pace: LimitedPace): Promise<void> {
    const isRead = sums === null || sums === "left";
    const checked = await (isRead ? check.take(id, pace) : check.note(id, sums));
    if (isRead) this.#noteChecked(id, checked);
    await this.#tell(checked, sums === "left" ? "found" : "came");
  }

  /** Before the checksums are written down: a kill in between costs no line, at most it adds one. */
  async #tell(checked: Checked, how: "came" | "found"): Promise<void> {
    if (checked.kind !== "taken" || this.#parts.camera === undefined) return;
    const news = await this.#news();
    if (how === "came") await news.note(checked.row);
    else await news.noteFound(checked.row);
  }

  #noteChecked(id: FileId, checked: Checked): void {
    if (checked.kind === "unread") return;
    this.#changes++;
    const path = pathOfFile(id);
    const before = this.#known().get(path) ?? null;
    const { row } = checked;
    if (checked.kind !== "damaged") {
      if (before === null) return;
      this.#known().delete(path);
      this.#parts.log.info(LOGGER, `${path} is whole again`, { event: "file_whole", filename: path });
    } else {
      this.#known().set(path, damagedFileOf(row));
      if (before?.why === row.damage) return;
      const words = row.damage === null ? "" : DAMAGE_WORDS[row.damage];
      this.#parts.log.warning(LOGGER, `${path} is damaged: ${words}`, { event: "file_damaged", filename: path });
    }
    this.#parts.onDamage?.([id.moment]);
  }

  #known(): Map<string, DamagedFile> {
    this.#damaged ??= this.#readDamaged() ?? new Map();
    return this.#damaged;
  }

  /** Returns null while that cannot be read. */
  #readDamaged(): Map<string, DamagedFile> | null {
    const { stamp } = this.#parts.file;
    const rows = this.sums.damaged();
    this.#stamp = rows === null ? "" : stamp;
    return rows && new Map(rows.map((row) => [pathOfFile(row), damagedFileOf(row)]));
  }

  #isAtHome({ name, folder }: DamagedFile): boolean {
    return this.#parts.library.hasIn(name, folder);
  }

  /** Notes for the next command that checksums are left to be taken, before the first of them is. */
  #noteLeft(isLeft: boolean): void {
    if (!this.#parts.isCommand || this.#isLeftNoted === isLeft) return;
    this.#isLeftNoted = isLeft;
    this.#quietly((rows) => rows.setFact(LEFT, isLeft ? "1" : null));
  }

  /** Changes what is not needed for anything to go on. */
  #quietly(change: (rows: SumRows) => void): void {
    try {
      this.#parts.file.change(change);
    } catch (error) {
      this.#parts.log.debug(LOGGER, `Something about checksums was not written down: ${messageOf(error)}`);
    }
  }
}

function damagedFileOf(row: SumRow): DamagedFile {
  const { moment, ending, folder, damage, damagedAt } = row;
  const id = { moment, ending, folder };
  const name = nameOf(momentKey(moment), ending);
  return { ...id, name, path: pathOfFile(id), why: damage ?? "other_bytes", since: damagedAt ?? row.checkedAt };
}

const DAMAGE_WORDS: Readonly<Record<Damage, string>> = {
  other_bytes: "its bytes are others, though no program has written to it",
  cut_short: "its end is missing",
  unreadable: "the disk cannot read it",
  missing: "it is gone",
};
