import type { Clock } from "../../clock.ts";
import { type Damage, type FileSum, judgeFile } from "../../domain/checksums/file_judgement.ts";
import {
  type DigestOptions,
  FileDigest,
  factsOfFile,
  type NoDigest,
  type ReadingPace,
} from "../../store/destination/file_digest.ts";
import { type FileId, pathOfFile, type SumRow } from "../../store/destination/sums_rows.ts";
import { errorCode } from "../../store/error_code.ts";
import type { KeptSums } from "./kept_sums.ts";

/** Outcome for one file. `unread`: nothing is known of it; `taken`: no checksums were there before, or its owner changed it. */
export type Checked =
  | { readonly kind: "whole" | "taken" | "damaged"; readonly row: SumRow }
  | { readonly kind: "unread"; readonly why: NoDigest | "away" };

export interface FileCheckParts {
  readonly clock: Clock;
  readonly root: string;
  readonly sums: KeptSums;
  /** True when the folder of the recordings is the one that it was: nothing is damaged because a disk is away. */
  readonly isHere: () => boolean;
}

/** Codes of a disk that could not read a file which is there. */
const READ_ERRORS: readonly string[] = ["EIO", "EBADMSG", "EUCLEAN", "EILSEQ", "EREMOTEIO"];
/** In place of checksums, for a file that could never be read. */
export const NEVER_READ = "0".repeat(64);

/** Reads files of the library and compares them with their checksums, which it takes where there are none. */
export class FileCheck {
  readonly #parts: FileCheckParts;
  /** A file that waits in the middle, as for a run, keeps its own. */
  readonly #free: FileDigest[] = [];

  constructor(parts: FileCheckParts) {
    this.#parts = parts;
  }

  /** @throws what `pace` throws */
  async check(id: FileId, pace: ReadingPace, options: DigestOptions): Promise<Checked> {
    const known = this.#parts.sums.find(id);
    const found = await this.#read(id, pace, options);
    if (found === "unreadable") return await this.#unreadable(id, known, pace);
    if (typeof found === "string") return { kind: "unread", why: found };
    const now = this.#parts.clock.now();
    if (known === null || known.sha256 === NEVER_READ) return this.#taken(id, found, now);
    const judgement = judgeFile(known, found);
    if (judgement === "changed") return this.#taken(id, found, now);
    if (judgement === "whole") {
      const { size, modified, isWholeVideo } = found;
      const row = {
        ...known,
        size,
        modified,
        isWholeVideo,
        checkedAt: now,
        damage: null,
        damagedAt: null,
        isAway: false,
      };
      return { kind: "whole", row: this.#put(row) };
    }
    // The bytes on the disk count, not those in memory.
    const again = await this.#read(id, pace, { cache: "past" });
    if (typeof again === "string" || again.sha256 !== found.sha256)
      return again === "unreadable" ? await this.#unreadable(id, known, pace) : { kind: "unread", why: "changed" };
    return this.#damaged(known, judgement, now);
  }

  /** Takes checksums of a file that were made while it was copied: its bytes on the disk are read another time. */
  async note(id: FileId, sums: Pick<FileSum, "sha256" | "crc">): Promise<void> {
    const sum = await factsOfFile(this.#parts.root, pathOfFile(id), sums);
    if (typeof sum === "string" || !this.#parts.isHere()) return;
    const row = { ...id, ...sum, takenAt: this.#parts.clock.now(), checkedAt: 0 };
    this.#put({ ...row, damage: null, damagedAt: null, isAway: false });
  }

  /** The checksums of any file below the destination; null when it cannot be read. */
  async digestOf(path: string, pace: ReadingPace): Promise<FileSum | null> {
    const digest = this.#free.pop() ?? new FileDigest();
    try {
      const found = await digest.of(this.#parts.root, path, pace, { cache: "keep" });
      return typeof found === "string" ? null : found;
    } catch (error) {
      if (errorCode(error) === "") throw error;
      return null;
    } finally {
      this.#free.push(digest);
    }
  }

  /** Gives back the memory that reading takes. */
  rest(): void {
    this.#free.length = 0;
  }

  async #read(
    id: FileId,
    pace: ReadingPace,
    options: DigestOptions,
  ): Promise<FileSum | NoDigest | "away" | "unreadable"> {
    const { root, isHere } = this.#parts;
    const digest = this.#free.pop() ?? new FileDigest();
    try {
      const found = await digest.of(root, pathOfFile(id), pace, options);
      return isHere() ? found : "away";
    } catch (error) {
      const code = errorCode(error);
      if (code === "") throw error;
      return READ_ERRORS.includes(code) && isHere() ? "unreadable" : "away";
    } finally {
      this.#free.push(digest);
    }
  }

  /** A disk may fail once; one that fails again has lost the file, if the disk is still there. */
  async #unreadable(id: FileId, known: SumRow | null, pace: ReadingPace): Promise<Checked> {
    const again = await this.#read(id, pace, { cache: "past" });
    if (again === "away") return { kind: "unread", why: "away" };
    if (again !== "unreadable") return { kind: "unread", why: "changed" };
    const now = this.#parts.clock.now();
    const nothing = { size: 0, modified: 0, sha256: NEVER_READ, crc: 0, isWholeVideo: false };
    const row = { ...id, ...nothing, takenAt: now, checkedAt: now, damage: null, damagedAt: null, isAway: false };
    return this.#damaged(known ?? row, "unreadable", now);
  }

  #damaged(known: SumRow, damage: Damage, now: number): Checked {
    const damagedAt = known.damagedAt ?? now;
    return { kind: "damaged", row: this.#put({ ...known, damage, damagedAt, checkedAt: now, isAway: false }) };
  }

  #taken(id: FileId, sum: FileSum, now: number): Checked {
    const { moment, ending, folder } = id;
    const { size, modified, sha256, crc, isWholeVideo } = sum;
    const row = { moment, ending, folder, size, modified, sha256, crc, isWholeVideo, takenAt: now, checkedAt: now };
    return { kind: "taken", row: this.#put({ ...row, damage: null, damagedAt: null, isAway: false }) };
  }

  #put(row: SumRow): SumRow {
    this.#parts.sums.put(row);
    return row;
  }
}
