import { existsSync, renameSync } from "node:fs";
import { errorCode } from "./error_code.ts";

/** Renames a damaged database and its companions; returns the new name. */
export function setDatabaseAside(path: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.[0-9]+/g, "");
  let aside = `${path}.corrupt-${stamp}`;
  for (let number = 2; existsSync(aside); number++) aside = `${path}.corrupt-${stamp}-${number}`;
  for (const companion of ["", "-wal", "-shm", "-journal"]) {
    if (existsSync(path + companion)) renameSync(path + companion, aside + companion);
  }
  return aside;
}

/** True for the error of a full disk. */
export function isFull(error: unknown): boolean {
  return errorCode(error) === "SQLITE_FULL";
}
