import type { Clock } from "../../clock.ts";
import { type Damage, type FileSum, judgeFile } from "../../domain/checksums/file_judgement.ts";
import {
  type DigestOptions,
  FileDigest,
  factsOfFile,
  type NoDigest,
  type ReadingPace,
} from "../../store/destination/file_digest.ts";
import { SumsUnusable } from "../../store/destination/sums.ts";
import { type FileId, pathOfFile, type SumRow } from "../../store/destination/sums_rows.ts";
import { errorCode } from "../../store/error_code.ts";
import type { KeptSums } from "./kept_sums.ts";

/** Reasons that nothing is said of a file: `busy` while another program is writing checksums. */
export type Unread = NoDigest | "away" | "busy";

/** Outcome for one file. `taken`: no checksums were there before, or its owner changed it. */
export type Checked =
  | { readonly kind: "whole" | "taken" | "damaged"; readonly row: SumRow }
  | { readonly kind: "unread"; readonly why: Unread };

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
/** Time after which a file of checksums is asked again that another program was writing, and how often. */
const AGAIN_MS = 100;
const MOST_TRIES = 20;

/** Reads files of the library and compares them with their checksums, which it takes where there are none. */
export class FileCheck {
  readonly #parts: FileCheckParts;
  /** A file that waits in the middle, as for a run, keeps its own. */
  readonly #free: FileDigest[] = [];
  /** Counts how often another folder was chosen. */
  #foldersLeft = 0;

  constructor(parts: FileCheckParts) {
    this.#parts = parts;
  }

  /** @throws SumsUnusable, and what `pace` throws */
  async check(id: FileId, pace: ReadingPace, options: DigestOptions): Promise<Checked> {
    const at = this.#parts.clock.now();
    const known = await this.#known(id);
    if (known === "busy") return { kind: "unread", why: known };
    const found = await this.#read(pathOfFile(id), pace, options);
    if (found === "unreadable") return await this.#unreadable(id, known, pace, at);
    if (typeof found === "string") return { kind: "unread", why: found };
    if (known === null || known.sha256 === NEVER_READ) return this.#taken(id, found, at);
    const judgement = judgeFile(known, found);
    if (judgement === "changed") return this.#taken(id, found, at);
    if (judgement === "whole") {
      const { size, modified, isWholeVideo } = found;
      const row = { ...known, size, modified, isWholeVideo, checkedAt: at, damage: null, damagedAt: null };
      return { kind: "whole", row: this.#put(row) };
    }
    // The bytes on the disk count, not those in memory.
    const again = await this.#read(pathOfFile(id), pace, { cache: "past" });
    if (again === "unreadable") return await this.#unreadable(id, known, pace, at);
    if (typeof again === "string" || again.sha256 !== found.sha256) return { kind: "unread", why: "changed" };
    return this.#damaged(known, judgement, at);
  }

  /** Takes the checksums of a file that this program has just put there, whatever was there before. */
  async take(id: FileId, pace: ReadingPace): Promise<Checked> {
    const at = this.#parts.clock.now();
    const found = await this.#read(pathOfFile(id), pace, { cache: "keep" });
    if (typeof found !== "string") return this.#taken(id, found, at);
    // A later check finds out.
    return { kind: "unread", why: found === "unreadable" ? "changed" : found };
  }

  /** Takes checksums of a file that were made while it was copied: its bytes on the disk are read another time. */
  async note(id: FileId, sums: Pick<FileSum, "sha256" | "crc">): Promise<Checked> {
    const at = this.#parts.clock.now();
    const sum = await factsOfFile(this.#parts.root, pathOfFile(id), sums);
    if (typeof sum === "string") return { kind: "unread", why: sum };
    return this.#parts.isHere() ? this.#taken(id, sum, at, 0) : { kind: "unread", why: "away" };
  }

  /** The checksums of any file below the destination; null when it cannot be read. */
  async digestOf(path: string, pace: ReadingPace): Promise<FileSum | null> {
    const found = await this.#read(path, pace, { cache: "keep" });
    return typeof found === "string" ? null : found;
  }

  /** Throws away what is being read: its folder is used no more. */
  leaveFolder(): void {
    this.#foldersLeft++;
  }

  /** Gives back the memory that reading takes. */
  rest(): void {
    this.#free.length = 0;
  }

  async #known(id: FileId): Promise<SumRow | null | "busy"> {
    for (let tries = 1; ; tries++) {
      try {
        return this.#parts.sums.find(id);
      } catch (error) {
        if (!(error instanceof SumsUnusable && error.isBusy)) throw error;
        if (tries >= MOST_TRIES) return "busy";
        await this.#parts.clock.sleep(AGAIN_MS);
      }
    }
  }

  async #read(
    path: string,
    pace: ReadingPace,
    options: DigestOptions,
  ): Promise<FileSum | NoDigest | "away" | "unreadable"> {
    const { root } = this.#parts;
    const left = this.#foldersLeft;
    const isHere = () => left === this.#foldersLeft && this.#parts.isHere();
    const digest = this.#free.pop() ?? new FileDigest();
    try {
      const found = await digest.of(root, path, pace, options);
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
  async #unreadable(id: FileId, known: SumRow | null, pace: ReadingPace, at: number): Promise<Checked> {
    const again = await this.#read(pathOfFile(id), pace, { cache: "past" });
    if (again !== "unreadable") return { kind: "unread", why: again === "away" ? "away" : "changed" };
    const nothing = { size: 0, modified: 0, sha256: NEVER_READ, crc: 0, isWholeVideo: false };
    const row = { ...id, ...nothing, takenAt: at, checkedAt: at, damage: null, damagedAt: null };
    return this.#damaged(known ?? row, "unreadable", at);
  }

  /** @param at when the reading began: what goes to the trash meanwhile was not read at its place since */
  #damaged(known: SumRow, damage: Damage, at: number): Checked {
    const row = { ...known, damage, damagedAt: known.damagedAt ?? at, checkedAt: at };
    return { kind: "damaged", row: this.#put(row) };
  }

  #taken({ moment, ending, folder }: FileId, sum: FileSum, takenAt: number, checkedAt = takenAt): Checked {
    const { size, modified, sha256, crc, isWholeVideo } = sum;
    const row = { moment, ending, folder, size, modified, sha256, crc, isWholeVideo, takenAt, checkedAt };
    return { kind: "taken", row: this.#put({ ...row, damage: null, damagedAt: null }) };
  }

  #put(row: SumRow): SumRow {
    this.#parts.sums.put(row);
    return row;
  }
}
