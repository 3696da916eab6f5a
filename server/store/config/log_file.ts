import { appendFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { LEVELS } from "../../domain/logs/log_line.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Log } from "../../log.ts";

export interface LogFileLimits {
  /** A file that would grow beyond this is set aside first. */
  maxBytes: number;
  /** Number of those that are kept, `.1` the newest; 0 keeps none. */
  backups: number;
}

/** Bytes at the end of the file that a start reads. */
const TAIL_BYTES = 512 * 1024;
/** Lines waiting for a disk that does not take them; beyond this the oldest are given up. */
const MOST_WAITING = 10_000;

/**
 * The rotating log file. Writing never waits and never fails the writer: lines are gathered and appended one batch at
 * a time, and a disk that refuses costs lines of the log, nothing else.
 */
export class LogFile {
  readonly path: string;
  #limits: LogFileLimits;
  #waiting: string[] = [];
  #size: number | null = null;
  #writing: Promise<void> | null = null;

  constructor(path: string, limits: LogFileLimits) {
    this.path = path;
    this.#limits = limits;
  }

  setLimits(limits: LogFileLimits): void {
    this.#limits = limits;
  }

  write(text: string): void {
    this.#waiting.push(text);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = null;
    });
  }

  /** Resolves when everything written so far is in the file. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** The last lines of the file, oldest first, as far as they lie in its last half megabyte; none where it cannot be read. */
  async tail(): Promise<string[]> {
    try {
      const size = (await this.size()) ?? 0;
      const from = Math.max(0, size - TAIL_BYTES);
      const text = await Bun.file(this.path).slice(from, size).text();
      const lines = text.split("\n");
      // The first one is cut.
      return (from === 0 ? lines : lines.slice(1)).filter((line) => line !== "");
    } catch {
      return [];
    }
  }

  /** Its length in bytes; null when there is no file. */
  async size(): Promise<number | null> {
    const found = await stat(this.path).catch(() => null);
    return found?.isFile() ? found.size : null;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = `${this.#waiting.splice(0).join("\n")}\n`;
      try {
        this.#size ??= await this.#sizeNow();
        const length = Buffer.byteLength(batch);
        if (this.#size > 0 && this.#size + length > this.#limits.maxBytes) await this.#rotate();
        await appendFile(this.path, batch, { mode: 0o600 });
        this.#size += length;
      } catch {
        this.#size = null;
      }
    }
  }

  async #sizeNow(): Promise<number> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    return (await stat(this.path).catch(() => null))?.size ?? 0;
  }

  async #rotate(): Promise<void> {
    const { backups } = this.#limits;
    if (backups === 0) await rm(this.path, { force: true });
    for (let number = backups; number > 0; number--) {
      const older = number === 1 ? this.path : `${this.path}.${number - 1}`;
      await rename(older, `${this.path}.${number}`).catch(() => {});
    }
    this.#size = 0;
  }
}

/** Puts the logging settings in force. */
export function applyLogging(log: Log, file: LogFile, { logging }: Settings): void {
  file.setLimits({ maxBytes: logging.file_max_bytes, backups: logging.file_backup_count });
  log.setCapacity(logging.ring_buffer_capacity);
  log.setThreshold((logger) => {
    if (logging.quiet) return LEVELS.ERROR;
    if (logging.verbose >= 2) return LEVELS.DEBUG;
    return logging.verbose === 1 && logger === "sync" ? LEVELS.DEBUG : LEVELS.INFO;
  });
}
