import { open } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { RESTORE } from "../domain/backup/restore_schema.ts";
import { BackupProblem, makeBackup } from "../engine/backup/make_backup.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { errorCode } from "../store/error_code.ts";
import { attachment } from "./archive_answer.ts";
import { endpoint, responseEndpoint } from "./endpoint.ts";

const LOGGER = "backup";
const CHUNK_BYTES = 256 * 1024;

type Parts = Pick<App, "cameras" | "settings" | "clock" | "zone" | "log" | "downloads">;

export const backup = responseEndpoint({
  summary: "Settings, history and marks in one ZIP",
  description:
    "It has the settings with their passwords, the history, what became of each recording, digests of the keys of programs, and the list of kept recordings with their notes. Recordings and sessions are not in it. Keep it where no one else can read it.",
  answers: { 200: { description: "The backup", type: "application/zip", schema: v.string() } },
  errors: ["BACKUP_FAILED", "STORAGE_FULL", "TOO_MANY_STREAMS"],
  async respond({ context }, { cameras, settings, clock, zone, log, downloads }: Parts) {
    const now = clock.now();
    const { method, signal } = context.request;
    const headers = {
      ...attachment("application/zip", `dashdock-backup-${zone.isoDay(now)}.zip`),
      "cache-control": "private, no-store",
    };
    if (method === "HEAD") return new Response(null, { headers });
    const release = downloads.take(() => {}, context.streamOwner);
    // Copying a long history may take longer than a connection may be silent.
    context.takesTime = true;
    context.connection.keepOpen();
    try {
      const configDir = dirname(settings.path);
      const source = {
        configDir,
        cameras: cameras.all.map(({ camera: { id }, recordings }) => ({ id, root: recordings.root })),
        now,
        wall: Math.floor((now + zone.offset(now)) / 1000),
        signal,
      };
      const made = await makeBackup(source, configDir);
      context.connection.limitSilence();
      log.info(LOGGER, `A backup was made from ${context.address}`);
      const end = async () => {
        release();
        await made[Symbol.asyncDispose]();
      };
      return new Response(await fileOnce(made.path, end), { headers });
    } catch (error) {
      release();
      // There is no client any more.
      if (signal.aborted) return new Response(null, { status: 503 });
      throw asAppError(error);
    }
  },
});

const APPLY = v.pipe(
  v.nullable(v.picklist(["true", "false"], "`apply` is true or false")),
  v.transform((text) => text === "true"),
  v.description("`true` restores it; else it is only checked"),
  refusedAs("VALIDATION_ERROR", "apply"),
);

export const restore = endpoint({
  summary: "Checks a backup and says what it would replace; with `?apply=true` it is restored",
  description:
    "The body is the file itself. It is checked whole before anything is changed. What was there is kept in a folder of the config folder, all sessions end, and the stores start anew on the same port. The recordings folder, the port and the recordings stay as they are. Kept recordings are added.",
  query: v.object({ apply: APPLY }),
  body: "Backup",
  shape: RESTORE,
  returns: "The version and the time of the backup, and counts of what is here now",
  errors: [
    "BACKUP_FAILED",
    "BACKUP_UNUSABLE",
    "IMPORT_RUNNING",
    "RESTART_IMPOSSIBLE",
    "RESTORE_RUNNING",
    "STORAGE_FULL",
    "SYNC_ALREADY_RUNNING",
  ],
  async answer({ context, query: { apply }, body }, { restores }: Pick<App, "restores">) {
    const { signal } = context.request;
    try {
      return await (await restores()).take(body, {
        apply,
        from: context.address,
        isStillAdmitted: () => context.isStillAdmitted,
        signal,
        // Checking a long history may take longer than a connection may be silent. A client that sends must not be.
        received: () => context.connection.keepOpen(),
      });
    } finally {
      context.connection.limitSilence();
    }
  },
});

/** The bytes of a file that goes when they are sent, or when their client has gone. */
async function fileOnce(path: string, end: () => Promise<void>): Promise<ReadableStream<Uint8Array>> {
  const file = await open(path, "r").catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const close = async () => {
    await file.close();
    await end();
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const { buffer, bytesRead } = await file.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES, null);
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
        await close();
        controller.close();
      } catch (error) {
        await close().catch(() => {});
        controller.error(error);
      }
    },
    cancel: close,
  });
}

function asAppError(error: unknown): unknown {
  if (error instanceof BackupProblem) return new AppError("BACKUP_FAILED", error.message);
  const code = errorCode(error);
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL)/.test(code))
    return new AppError("STORAGE_FULL", "The disk of the config folder is full, so there is no backup.");
  if (code === "") return error;
  return new AppError("BACKUP_FAILED", `A file of the config folder cannot be read or written (${code}).`);
}
