import { join } from "node:path";
import { momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { messageOf } from "../../log.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import { readPlainText } from "../plain_file.ts";
import { ANY_FOLDER, type SameFolder } from "./destination_place.ts";
import { OWN_FOLDER } from "./own_folder.ts";
import { TrashUnusable } from "./own_folder_guard.ts";

/**
 * Recordings that were deleted by hand, or to make room. They must not come home again while the camera has them. Those
 * past their keep time are left out by their date, these are not. In `.dashdock/deleted`, a key in each line.
 */
export class DeletedRecordings {
  readonly #path: string;
  readonly #place: SameFolder;
  #latest: ReadonlySet<number> = new Set();
  /** Increased when a change begins and when it has ended: odd in between. */
  #changes = 0;

  constructor(root: string, place: SameFolder = ANY_FOLDER) {
    this.#path = join(root, OWN_FOLDER, "deleted");
    this.#place = place;
  }

  /** As it was when this process last read or changed it, without asking the disk. */
  get latest(): ReadonlySet<number> {
    return this.#latest;
  }

  /** By moment. A file that cannot be read is an error: what was deleted would come again. */
  async all(): Promise<ReadonlySet<number>> {
    const changes = this.#changes;
    const text = await readPlainText(this.#path).catch((error: unknown) => {
      if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return "";
      throw error;
    });
    const moments = new Set<number>();
    for (const line of text.split("\n")) {
      const moment = momentNumber(line);
      if (moment >= 0) moments.add(moment);
    }
    // A text that was read while a change was on its way to the disk may be older than the change.
    if (changes % 2 === 0 && changes === this.#changes) this.#latest = moments;
    return moments;
  }

  /** Remembers and forgets; runs in the own folder's guard. @throws TrashUnusable when it cannot be written */
  async change({ add = [], forget = [] }: { add?: Iterable<number>; forget?: Iterable<number> }): Promise<void> {
    const before = await this.all();
    const moments = new Set(before);
    for (const moment of add) moments.add(moment);
    for (const moment of forget) moments.delete(moment);
    await this.#write(before, moments);
  }

  /** Forgets all others; runs in the own folder's guard. */
  async keepOnly(isRemembered: (moment: number) => boolean): Promise<void> {
    const before = await this.all();
    await this.#write(before, new Set([...before].filter(isRemembered)));
  }

  async #write(before: ReadonlySet<number>, now: ReadonlySet<number>): Promise<void> {
    // Known at once: a sync that runs asks before every file.
    this.#latest = now;
    if (before.size === now.size && [...now].every((moment) => before.has(moment))) return;
    const text = [...now].sort((one, other) => one - other).map((moment) => `${momentKey(moment)}\n`);
    this.#changes++;
    try {
      this.#place.requireSame();
      await replaceFile(this.#path, text.join(""), { mode: 0o644 });
    } catch (error) {
      this.#latest = before;
      throw new TrashUnusable(`what was deleted cannot be written down (${errorCode(error) || messageOf(error)})`, {
        cause: error,
      });
    } finally {
      this.#changes++;
    }
  }
}
