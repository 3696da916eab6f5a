import { existsSync } from "node:fs";
import { join } from "node:path";
import { RESTORE_JOURNAL } from "../store/file_versions.ts";
import { isRunning } from "./healthcheck.ts";
import { UsageProblem } from "./usage.ts";

/** True when a restore was decided, and its files are not all in place yet. */
export function hasPendingRestore(configDir: string): boolean {
  return existsSync(join(configDir, RESTORE_JOURNAL));
}

/**
 * Refuses to read settings of which a part may be in place, and nothing is written. @throws UsageProblem
 */
export function refusePendingRestore(configDir: string): void {
  if (hasPendingRestore(configDir))
    throw new UsageProblem(
      `A backup is being restored into ${configDir}. Start the service, which brings that to its end, then try again.`,
    );
}

/** Brings a restore to its end, as the next start of the service would. @throws UsageProblem while a service does */
export async function takePendingRestore(configDir: string): Promise<void> {
  if (!hasPendingRestore(configDir)) return;
  if (await isRunning(configDir))
    throw new UsageProblem(`The service is restoring a backup into ${configDir}. Try again in a moment.`);
  const { finishRestore, RestoreHeld } = await import("../store/config/restore_journal.ts");
  await finishRestore(configDir).catch((error: unknown) => {
    throw error instanceof RestoreHeld ? new UsageProblem(error.message) : error;
  });
}
