import { momentKey } from "../../domain/recordings/moment_number.ts";
import { nameOf } from "../../domain/recordings/recording_name.ts";
import { type FileId, pathOfFile, type SumRow } from "../../store/destination/sums_rows.ts";
import { settleAway } from "./missing_files.ts";
import { FILE_MS, LimitedPace, ReadingHeldUp, SCRUB_LIMITS } from "./reading_pace.ts";
import type { ScrubParts } from "./scrub_parts.ts";

const DAY_MS = 86_400_000;
/** Rows asked for at once. */
const SLICE = 100;
/** Files that come due meanwhile are read together. */
const LEAST_MS = 60_000;
/** Files that cannot be read are remembered, and not tried again before the next start. */
const MOST_SKIPPED = 10_000;

/** Reads files for the scrub: those without checksums, and those that are due. */
export class ScrubReading {
  readonly #parts: ScrubParts;
  readonly #skipped = new Set<string>();

  constructor(parts: ScrubParts) {
    this.#parts = parts;
  }

  /**
   * Reads all files whose checksums were never taken.
   * @returns false when that has to go on another time
   * @throws SumsUnusable, the signal's reason
   */
  async readLacking(signal: AbortSignal): Promise<boolean> {
    const { checksums, days, isOnCamera } = this.#parts;
    const pace = this.#paceOf(signal);
    return await unlessHeldUp(false, async () => {
      for await (const id of checksums.lacking()) {
        const isWanted = days() > 0 || isOnCamera(id.moment) === true;
        if (!isWanted || this.#skipped.has(pathOfFile(id))) continue;
        if ((await this.#read(id, pace)) === "away" || checksums.sums.isRefused) return false;
      }
      return true;
    });
  }

  /**
   * Reads all files that are due.
   * @param dueAt wall time at which the next one is thought to be
   * @returns the same as it is known by now
   * @throws SumsUnusable, the signal's reason
   */
  async readDue(signal: AbortSignal, dueAt: number): Promise<number> {
    const { clock, checksums, days } = this.#parts;
    const pace = this.#paceOf(signal);
    const lasts = days() * DAY_MS;
    await settleAway(this.#parts);
    return await unlessHeldUp(dueAt, async () => {
      for (;;) {
        if (days() === 0) return dueAt;
        const now = clock.now();
        const due = checksums.sums.read((rows) => {
          const ahead = rows.checkedAfter(now + DAY_MS, SLICE);
          return ahead.length > 0 ? ahead : rows.uncheckedSince(now - lasts, SLICE);
        }, []);
        if (due.length === 0) break;
        for (const row of due) {
          const isThere = this.#parts.library.hasIn(nameOf(momentKey(row.moment), row.ending), row.folder);
          const outcome = isThere ? await this.#read(row, pace) : "unread";
          if (outcome === "away") return dueAt;
          // One that cannot be read is tried again a day later; one that is gone is in no hurry.
          if (outcome === "unread") checksums.sums.put({ ...row, checkedAt: isThere ? now - lasts + DAY_MS : now });
        }
        // Checksums that cannot be written down would be taken again and again.
        if (!(await checksums.sums.write())) break;
      }
      const oldest = checksums.sums.read((rows) => rows.oldestCheck(), null);
      return oldest === null ? clock.now() + DAY_MS : Math.max(oldest + lasts, clock.now() + LEAST_MS);
    });
  }

  #paceOf(signal: AbortSignal): LimitedPace {
    const { clock, isBusy } = this.#parts;
    return new LimitedPace(clock, () => SCRUB_LIMITS, signal, isBusy);
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

/** The result of a reading; `other` when work that goes before it took too long, and it is done another time. */
async function unlessHeldUp<T>(other: T, reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    if (error instanceof ReadingHeldUp) return other;
    throw error;
  }
}
