import type { Database } from "bun:sqlite";
import { errorCode } from "./error_code.ts";

/** Between two tries. */
const PAUSE_MS = 10;

/**
 * Lets several programs read a database while one writes. The change needs the file alone for a moment, and SQLite does not
 * wait for that, whatever its `busy_timeout`: a second program that opens the file at the same time tries again.
 * @throws SQLite's own error
 */
export function useWriteAheadLog(db: Database, waitMs: number): void {
  for (let waited = 0; ; waited += PAUSE_MS)
    try {
      db.run("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (errorCode(error) !== "SQLITE_BUSY" || waited >= waitMs) throw error;
      Bun.sleepSync(PAUSE_MS);
    }
}
