import { constants } from "node:fs";
import { mkdir, open, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { type Log, messageOf } from "../../log.ts";
import { errorCode } from "../error_code.ts";
import type { Library } from "../library/library.ts";
import { MARKER_ENDING } from "../library/name_index.ts";
import { READ_PLAIN } from "../plain_file.ts";
import { requireRealFolder } from "./destination.ts";
import { ANY_FOLDER, type SameFolder } from "./destination_place.ts";
import { DestinationProblem } from "./destination_problem.ts";
import { giveToOwnerOf } from "./own_folder.ts";

/** Longer than any time stamp; a marker may be anything by the time it is read. */
const READ_BYTES = 64;
/** As for writing anew, but a link is not followed: bytes go into the destination only. */
const WRITE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/**
 * Failure markers: `<final name>.failed` beside where the file would lie, holding the time of the failure. They keep a
 * file that the camera cannot deliver from being asked for again too soon. Trouble with a marker never stops a sync.
 */
export class FailureMarkers {
  readonly #library: Library;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #place: SameFolder;

  constructor(parts: { library: Library; clock: Clock; log: Log; place?: SameFolder }) {
    this.#library = parts.library;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#place = parts.place ?? ANY_FOLDER;
  }

  /**
   * True when the file failed less than `retryAfterMs` before `now` (epoch ms). A marker that is missing, unreadable,
   * not a time or from the future does not block.
   */
  async blocks(name: string, folder: string, retryAfterMs: number, now: number = this.#clock.now()): Promise<boolean> {
    if (!this.#library.hasIn(name + MARKER_ENDING, folder)) return false;
    const failedAt = parseMarker(await this.#read(name, folder));
    return failedAt !== null && failedAt <= now && now - failedAt < retryAfterMs;
  }

  /** When the file failed, in epoch ms; null without a marker, and when it holds no time. */
  async failedAt(name: string): Promise<number | null> {
    const folder = this.#library.folderOf(name + MARKER_ENDING);
    return folder === null ? null : parseMarker(await this.#read(name, folder));
  }

  /** Remembers that the file failed now. Other trouble is a warning. @throws DestinationProblem */
  async write(name: string, folder: string): Promise<void> {
    this.#place.requireSame();
    try {
      // One level only: the root itself is never made, it may be a disk that is not mounted just now.
      if (folder !== "") {
        const place = join(this.#library.root, folder);
        await mkdir(place).then(() => giveToOwnerOf(this.#library.root, place), ignore("EEXIST"));
        requireRealFolder(this.#library.root, folder);
      }
      this.#place.requireSame();
      await writeFile(this.#path(name, folder), new Date(this.#clock.now()).toISOString(), { flag: WRITE_FLAGS });
      giveToOwnerOf(this.#library.root, this.#path(name, folder));
      this.#library.noteAdded(name + MARKER_ENDING, folder);
    } catch (error) {
      if (error instanceof DestinationProblem) throw error;
      this.#warn(`cannot remember that ${name} failed`, error);
    }
  }

  /** Forgets a failure, if there was one. Trouble is a warning. */
  async remove(name: string, folder: string): Promise<void> {
    if (!this.#library.hasIn(name + MARKER_ENDING, folder)) return;
    try {
      await unlink(this.#path(name, folder)).catch(ignore("ENOENT"));
      this.#library.noteRemoved(name + MARKER_ENDING, folder);
    } catch (error) {
      this.#warn(`cannot remove the failure marker of ${name}`, error);
    }
  }

  async #read(name: string, folder: string): Promise<string> {
    try {
      const file = await open(this.#path(name, folder), READ_PLAIN);
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0);
        return buffer.toString("utf8", 0, bytesRead);
      } finally {
        await file.close();
      }
    } catch {
      return "";
    }
  }

  #path(name: string, folder: string): string {
    return join(this.#library.root, folder, name + MARKER_ENDING);
  }

  #warn(what: string, error: unknown): void {
    this.#log.warning("markers", `${what}: ${messageOf(error)}`);
  }
}

const STAMP = /^([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})?$/;

/**
 * Reads a marker's content: ISO 8601 with a zone, or the old form in this machine's local time with microseconds.
 * @returns epoch milliseconds, null when it is no time
 */
export function parseMarker(text: string): number | null {
  const match = STAMP.exec(text.trim());
  if (!match) return null;
  const [, date = "", time = "", fraction = "", zone = ""] = match;
  const at = Date.parse(`${date}T${time}${fraction.slice(0, 4)}${zone}`);
  return Number.isNaN(at) ? null : at;
}

function ignore(code: string): (error: unknown) => void {
  return (error) => {
    if (errorCode(error) !== code) throw error;
  };
}
