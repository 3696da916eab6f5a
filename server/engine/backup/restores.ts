import { mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import type { RestoreCheck } from "../../domain/backup/restore_schema.ts";
import type { Log } from "../../log.ts";
import { decideRestore, RestoreHeld, sweepStages } from "../../store/config/restore_journal.ts";
import { RESTORE_STAGE } from "../../store/file_versions.ts";
import { errorCode } from "../../store/error_code.ts";
import type { ImportJob } from "../import/import_job.ts";
import type { Job } from "../run/job.ts";
import { isDiskFull, stageBackup, UnusableBackup } from "./read_backup.ts";

const LOGGER = "backup";

export interface RestoresParts {
  readonly configDir: string;
  /** Folder of recordings of the first camera. */
  readonly mainRoot: string;
  readonly bootId: string;
  readonly clock: Clock;
  readonly log: Log;
  /** All cameras, of which none may be at work. */
  readonly cameras: () => readonly {
    readonly job: Pick<Job, "isRunning" | "snapshot">;
    /** Null where there was none since the start. */
    readonly imports: { readonly opened: Pick<ImportJob, "isRunning" | "state"> | null };
  }[];
  /** Closes the stores and opens them anew; null for a process that cannot. */
  readonly restart: (() => void) | null;
}

interface Asked {
  /** False: the backup is only checked. */
  readonly apply: boolean;
  /** Address of the client, for the log. */
  readonly from: string;
  /** Judges again: checking takes its time. */
  readonly isStillAdmitted: () => boolean;
  readonly signal: AbortSignal;
  /** Called when all of the file is here. */
  readonly received: () => void;
}

/**
 * Takes backups and checks them. One that is to be applied is put in place by the next start of the stores, before any of
 * them is open.
 */
export class Restores {
  readonly #parts: RestoresParts;
  #isBusy = false;

  constructor(parts: RestoresParts) {
    this.#parts = parts;
  }

  /**
   * @param pieces the bytes of the file
   * @throws AppError; nothing is changed then
   */
  async take(pieces: AsyncIterable<Uint8Array>, asked: Asked): Promise<RestoreCheck> {
    if (this.#isBusy)
      throw new AppError("RESTORE_RUNNING", "Another backup is being checked or restored. Try again in a moment.");
    if (asked.apply) this.#requireReady();
    this.#isBusy = true;
    let isDecided = false;
    try {
      const answer = await this.#checked(pieces, asked);
      isDecided = answer.applied;
      return answer;
    } catch (error) {
      throw asAppError(error);
    } finally {
      // From its decision on until the stores are closed there is no other one.
      this.#isBusy = isDecided;
    }
  }

  async #checked(
    pieces: AsyncIterable<Uint8Array>,
    { apply, from, isStillAdmitted, signal, received }: Asked,
  ): Promise<RestoreCheck> {
    const { configDir, mainRoot, bootId, clock, log, restart } = this.#parts;
    await sweepStages(configDir);
    const upload = await mkdtemp(join(configDir, RESTORE_STAGE));
    try {
      const path = join(upload, "backup.zip");
      {
        await using file = await open(path, "wx", 0o600);
        for await (const piece of pieces) await file.appendFile(piece);
      }
      received();
      const { version, madeAt, wouldReplace, returningKeys, journal, discard } = await stageBackup(
        path,
        configDir,
        clock.now(),
        {
          signal,
          mainRoot,
        },
      );
      const answer = {
        version,
        made_at: madeAt,
        would_replace: wouldReplace,
        ...(returningKeys.length > 0 && { returning_keys: [...returningKeys] }),
      };
      if (!apply) {
        await discard();
        return { ...answer, applied: false };
      }
      try {
        if (!isStillAdmitted()) throw new AppError("AUTH_REQUIRED", "Your session ended before all was checked.");
        // A run may have begun meanwhile.
        this.#requireReady();
        await decideRestore(configDir, journal);
      } catch (error) {
        await discard();
        throw error;
      }
      log.info(LOGGER, `The backup of ${madeAt} is being restored, as was asked from ${from}`);
      restart?.();
      return { ...answer, applied: true, boot_id: bootId, kept_in: journal.before };
    } finally {
      await rm(upload, { recursive: true, force: true });
    }
  }

  /** @throws AppError SYNC_ALREADY_RUNNING, IMPORT_RUNNING, RESTART_IMPOSSIBLE */
  #requireReady(): void {
    for (const { job, imports } of this.#parts.cameras()) {
      if (job.isRunning)
        throw new AppError("SYNC_ALREADY_RUNNING", "A sync is running. Stop it, or wait until it has ended.", {
          current_job_id: job.snapshot.job_id,
        });
      if (imports.opened?.isRunning)
        throw new AppError("IMPORT_RUNNING", "An import is running. Stop it, or wait until it has ended.", {
          current_job_id: imports.opened.state.job_id,
        });
    }
    if (this.#parts.restart === null)
      throw new AppError("RESTART_IMPOSSIBLE", "The demo cannot restore a backup. Start Dashdock itself.");
  }
}

function asAppError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof UnusableBackup) return new AppError("BACKUP_UNUSABLE", error.message);
  if (error instanceof RestoreHeld) return new AppError("RESTORE_RUNNING", error.message);
  const code = errorCode(error);
  if (isDiskFull(error))
    return new AppError("STORAGE_FULL", "The disk of the config folder is full. Nothing was changed.");
  if (code === "") return error;
  return new AppError("BACKUP_FAILED", `The config folder cannot be read or written (${code}). Nothing was changed.`);
}
