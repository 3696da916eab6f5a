import type { Clock } from "../../clock.ts";
import { momentKey } from "../../domain/recordings/moment_number.ts";
import { nameOf } from "../../domain/recordings/recording_name.ts";
import { type Log, messageOf } from "../../log.ts";
import { SumsUnusable } from "../../store/destination/sums.ts";
import { type FileId, pathOfFile, type SumRow } from "../../store/destination/sums_rows.ts";
import type { Library } from "../../store/library/library.ts";
import type { Checksums } from "./checksums.ts";
import { type MissingParts, settleAway } from "./missing_files.ts";
import { FILE_MS, LimitedPace, ReadingHeldUp, SCRUB_LIMITS } from "./reading_pace.ts";

export interface ScrubParts extends Pick<MissingParts, "trash"> {
  readonly clock: Clock;
  readonly log: Log;
  readonly checksums: Checksums;
  readonly library: Library;
  /** Days in which every file is read again; 0 for never. */
  readonly days: () => number;
  /** True for a recording that the camera lists: without its checksum the card is not safe to format. */
  readonly isOnCamera: (moment: number) => boolean | null;
  readonly isHere: () => boolean;
  /** As in `RecordingCheckParts`. */
  readonly refusal: () => Promise<string | null>;
  /** True while a run, an import or a check by hand goes on. */
  readonly isBusy: () => boolean;
  /** Does some work, after which memory is given back. */
  readonly during: (work: () => Promise<void>) => Promise<void>;
}

const LOGGER = "checksums";
/** The start, and the first pages, have the disk to themselves. */
const FIRST_MS = 60_000;
/** Between two looks in memory at what is due. */
const LOOK_MS = 60_000;
const DAY_MS = 86_400_000;
/** Rows asked for at once. */
const SLICE = 100;
/** Time after which a disk that refused checksums is tried again. */
const REFUSED_MS = 3_600_000;
/** Files that cannot be read are remembered, and not tried again before the next start. */
const MOST_SKIPPED = 10_000;

/**
 * Reads every file of the recordings again once in so many days, in the background: those first that were read longest
 * ago, and before them those whose checksums were never taken. It goes on where it was, also after a restart. While
 * nothing is due, the disk is left alone.
 */
export class Scrub {
  readonly #parts: ScrubParts;
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;
  /** The library, and the file of checksums, as they were when all files had some; empty before. */
  #completeAt = "";
  /** Wall time at which the next file is due; 0 while that is not known. */
  #dueAt = 0;
  #daysThen = 0;
  readonly #skipped = new Set<string>();
  /** On the clock that never jumps: what cannot be written down is not read before then. */
  #notBefore = 0;

  constructor(parts: ScrubParts) {
    this.#parts = parts;
  }

  start(): void {
    const { signal } = this.#closing;
    const look = async () => {
      await this.#parts.clock.sleep(FIRST_MS, signal);
      for (;;) {
        await this.#look(signal);
        await this.#parts.clock.sleep(LOOK_MS, signal);
      }
    };
    this.#running ??= look().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  /** Another text when recordings have come or gone, or a damaged file of checksums was begun anew. */
  get #stand(): string {
    const { library, checksums } = this.#parts;
    return `${library.version} ${checksums.trouble ?? ""}`;
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { clock, log, library, days, isHere, isBusy, checksums, during } = this.#parts;
    if (isBusy() || checksums.isTaking || !library.available) return;
    if (clock.elapsed() < this.#notBefore) return;
    if (days() !== this.#daysThen) this.#dueAt = 0;
    this.#daysThen = days();
    // A clock that was set back says nothing about what is due.
    const isAhead = this.#dueAt > clock.now() + days() * DAY_MS;
    const isDue = days() > 0 && (clock.now() >= this.#dueAt || isAhead);
    // Only now: what asks the disk each minute keeps it from sleeping.
    if ((this.#stand === this.#completeAt && !isDue) || !isHere()) return;
    try {
      await during(() => this.#round(signal));
    } catch (error) {
      if (signal.aborted) throw error;
      // It was said already.
      if (error instanceof SumsUnusable) this.#notBefore = clock.elapsed() + (error.isBusy ? 0 : REFUSED_MS);
      else if (!(error instanceof ReadingHeldUp)) log.warning(LOGGER, `Recordings were not read: ${messageOf(error)}`);
    } finally {
      await checksums.rest();
      if (checksums.sums.isRefused) this.#notBefore = clock.elapsed() + REFUSED_MS;
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { clock, checksums, isBusy, refusal, days, isOnCamera } = this.#parts;
    if ((await refusal()) !== null) return;
    const pace = new LimitedPace(clock, () => SCRUB_LIMITS, signal, isBusy);
    // Damage that another program has found.
    checksums.refresh();
    const stand = this.#stand;
    for await (const id of checksums.lacking()) {
      const isWanted = days() > 0 || isOnCamera(id.moment) === true;
      if (!isWanted || this.#skipped.has(pathOfFile(id))) continue;
      if ((await this.#read(id, pace)) === "away" || checksums.sums.isRefused) return;
    }
    this.#completeAt = stand;
    if (days() === 0) return;
    await settleAway(this.#parts);
    await this.#readDue(pace);
  }

  async #readDue(pace: LimitedPace): Promise<void> {
    const { clock, checksums, days } = this.#parts;
    const lasts = days() * DAY_MS;
    for (;;) {
      if (days() === 0) return;
      const now = clock.now();
      const due = checksums.sums.read((rows) => {
        const ahead = rows.checkedAfter(now + DAY_MS, SLICE);
        return ahead.length > 0 ? ahead : rows.uncheckedSince(now - lasts, SLICE);
      }, []);
      if (due.length === 0) break;
      for (const row of due) {
        const isThere = this.#parts.library.hasIn(nameOf(momentKey(row.moment), row.ending), row.folder);
        const outcome = isThere ? await this.#read(row, pace) : "unread";
        if (outcome === "away") return;
        // One that cannot be read is tried again a day later; one that is gone is in no hurry.
        if (outcome === "unread") checksums.sums.put({ ...row, checkedAt: isThere ? now - lasts + DAY_MS : now });
      }
      // Checksums that cannot be written down would be taken again and again.
      if (!(await checksums.sums.write())) break;
    }
    const oldest = checksums.sums.read((rows) => rows.oldestCheck(), null);
    this.#dueAt = oldest === null ? clock.now() + DAY_MS : Math.max(oldest + lasts, clock.now() + LOOK_MS);
  }

  async #read(id: FileId | SumRow, pace: LimitedPace): Promise<"read" | "unread" | "away"> {
    const { checksums, isHere } = this.#parts;
    await pace.free();
    const { moment, ending, folder } = id;
    const checked = await checksums.check({ moment, ending, folder }, pace, "past");
    await pace.after(0, FILE_MS);
    if (checked.kind !== "unread") return "read";
    if (checked.why === "away" || checked.why === "busy" || !isHere()) return "away";
    const isLasting = checked.why === "denied" || checked.why === "link";
    if (isLasting && this.#skipped.size < MOST_SKIPPED) this.#skipped.add(pathOfFile(id));
    return "unread";
  }
}
