import { chmodSync } from "node:fs";

/** Lets only its owner read a database. The files beside it take its mode. */
export function forOwnerOnly(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    // Some file systems have no modes, and the file may belong to another user.
  }
}
