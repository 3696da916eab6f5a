import { join } from "node:path";
import type { App } from "../app.ts";
import type { Api } from "../domain/api/api.ts";
import { AppError } from "../domain/api/errors.ts";
import { momentNumber } from "../domain/recordings/recording_name.ts";
import { deleteByHand } from "../engine/retention/hand_deletion.ts";
import { keep } from "../engine/retention/kept_list.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";
import { oneLine } from "../log.ts";
import { KeptUnknown } from "../store/destination/kept_recordings.ts";
import { errorCode } from "../store/error_code.ts";
import { keysIn, usable } from "./trash.ts";
import { recordingKey, recordingNotFound } from "./viewer.ts";

const USUAL = 5;
const MOST = 50;

/** `GET /api/recordings/recent?limit=N`: 5 when it is no whole number, held within 1..50. */
export async function recent(context: RequestContext, { segments: index }: Pick<App, "segments">): Promise<Response> {
  const text = context.url.searchParams.get("limit") ?? "";
  const limit = /^[+-]?[0-9]+$/.test(text) ? Math.min(MOST, Math.max(1, Number(text))) : USUAL;
  const { recordings, total } = await index.recent(limit);
  const placed = recordings.map((recording) => ({ ...recording, path: join(index.root, recording.path) }));
  return json({ recordings: placed, total } satisfies Api["GET /api/recordings/recent"]);
}

/** A note is a line that somebody reads in a list. */
const LONGEST_NOTE = 500;

/** `PUT /api/recordings/:key/keep` `{note?}`: no rule deletes it any more. Without a note, one that is there stays. */
export async function keepOne(context: RequestContext, app: App): Promise<Response> {
  const key = recordingKey(context);
  const { note } = (await context.bytes()).length === 0 ? {} : await context.json();
  if (note !== undefined && note !== null && (typeof note !== "string" || note.length > LONGEST_NOTE))
    throw new AppError("INVALID_BODY", `note must be a text of at most ${LONGEST_NOTE} characters`);
  const before = (await app.retention.kept.shown()).get(momentNumber(key))?.kept;
  const text = note === undefined ? (before?.note ?? null) : note === null ? null : oneLine(note).trim() || null;
  const kept = { at: before?.at ?? new Date(app.clock.now()).toISOString(), note: text };
  if (!(await saved(() => keep(app, key, kept)))) throw recordingNotFound(key);
  app.log.info("retention", `${key} is kept`);
  return json({ key, kept } satisfies Api["PUT /api/recordings/:key/keep"]);
}

/** `DELETE /api/recordings/:key/keep` */
export async function letGo(context: RequestContext, app: App): Promise<Response> {
  const key = recordingKey(context);
  if (!(await saved(() => keep(app, key, null)))) throw recordingNotFound(key);
  app.log.info("retention", `${key} is no longer kept`);
  return json({ key, kept: null } satisfies Api["DELETE /api/recordings/:key/keep"]);
}

/** `DELETE /api/recordings/:key`: into the trash. @throws AppError RECORDING_NOT_FOUND, RECORDING_KEPT, TRASH_UNUSABLE */
export async function deleteOne(context: RequestContext, app: App): Promise<Response> {
  const key = recordingKey(context);
  const { failed, purge_at } = await usable(() => deleteByHand(app, [key], nameOf(context)));
  const [problem] = failed;
  if (problem?.why === "gone") throw recordingNotFound(key);
  if (problem?.why === "kept") throw new AppError("RECORDING_KEPT", problem.reason, { recording: key });
  if (problem) throw new AppError("TRASH_UNUSABLE", problem.reason, { recording: key });
  return json({ key, purge_at } satisfies Api["DELETE /api/recordings/:key"]);
}

/** `DELETE /api/recordings` `{keys}`: several at once, as one deletion. */
export async function deleteSeveral(context: RequestContext, app: App): Promise<Response> {
  const keys = keysIn((await context.json())["keys"]);
  const { deleted, failed, purge_at } = await usable(() => deleteByHand(app, keys, nameOf(context)));
  const told = failed.map(({ key, reason }) => ({ key, reason }));
  return json({ deleted, failed: told, purge_at } satisfies Api["DELETE /api/recordings"]);
}

function nameOf({ user }: RequestContext): string | null {
  return user === null || user.mode === "none" ? null : user.name;
}

/** @throws AppError KEPT_NOT_SAVED, TRASH_UNUSABLE */
async function saved<T>(work: () => Promise<T>): Promise<T> {
  return await usable(async () => {
    try {
      return await work();
    } catch (error) {
      const code = errorCode(error);
      if (code === "" || error instanceof KeptUnknown) throw error;
      throw new AppError(
        "KEPT_NOT_SAVED",
        `The list of what is kept could not be written (${code}); nothing was changed.`,
      );
    }
  });
}
