import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { momentKey } from "../../domain/recordings/moment_number.ts";
import { MAIN_CAMERA } from "../../domain/settings/camera_key.ts";
import { type Log, messageOf } from "../../log.ts";
import { changedAt, type NewFile, type NewFilesList } from "../../store/destination/new_files.ts";
import { pathOfFile, type SumRow } from "../../store/destination/sums_rows.ts";

const LOGGER = "checksums";
/** Lines that wait for a disk which does not take them; then the oldest are given up. */
const MOST_WAITING = 1000;

export interface NewFilesParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly root: string;
  readonly camera: string;
  /** True while the folder of the recordings is the one that it was. */
  readonly isHere: () => boolean;
  readonly list: NewFilesList;
}

/** Tells other programs which files came home. Nothing here fails anything else: a full disk costs lines of the list. */
export class NewFiles {
  readonly #parts: NewFilesParts;
  #waiting: NewFile[] = [];
  #areAdded = false;
  #isRefused = false;

  constructor(parts: NewFilesParts) {
    this.#parts = parts;
  }

  /** A file that this program has brought is whole, and its checksums were taken. */
  async note(row: SumRow): Promise<void> {
    const { camera, clock } = this.#parts;
    const key = momentKey(row.moment);
    this.#waiting.push({
      path: pathOfFile(row),
      bytes: row.size,
      sha256: row.sha256,
      key: camera === MAIN_CAMERA ? key : `${camera}~${key}`,
      camera,
      at: new Date(clock.now()).toISOString(),
    });
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    await this.#add();
  }

  /**
   * Checksums were taken of a file that was found without any. After a kill it is one that came: it was put there after
   * the list began. Older ones are no news.
   */
  async noteFound(row: SumRow): Promise<void> {
    const began = await this.#parts.list.begin().catch(() => null);
    if (began === null) return;
    const changed = await changedAt(join(this.#parts.root, pathOfFile(row)));
    if (changed !== null && changed >= began) await this.note(row);
  }

  /** A run has ended, and the checksums of what it brought are taken. */
  async end(): Promise<void> {
    const { list, clock, log, isHere } = this.#parts;
    await this.#add();
    if (!this.#areAdded || !isHere()) return;
    this.#areAdded = false;
    try {
      await list.trigger(clock.now());
    } catch (error) {
      log.debug(LOGGER, `The trigger for other programs was not written: ${messageOf(error)}`);
    }
  }

  /** Forgets what waits: it is of files in another folder. */
  forget(): void {
    this.#waiting = [];
    this.#areAdded = false;
  }

  async #add(): Promise<void> {
    const { list, log, isHere } = this.#parts;
    if (this.#waiting.length === 0 || !isHere()) return;
    const adding = this.#waiting.splice(0);
    try {
      await list.add(adding);
      this.#areAdded = true;
      this.#isRefused = false;
    } catch (error) {
      this.#waiting.unshift(...adding);
      if (!this.#isRefused)
        log.warning(LOGGER, `New files were not written down for other programs: ${messageOf(error)}`);
      this.#isRefused = true;
    }
  }
}
