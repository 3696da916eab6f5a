import { join } from "node:path";
import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { momentNumber } from "../domain/recordings/moment_number.ts";
import { DELETED, DELETED_ONE, MARKED, UNMARKED } from "../domain/retention/deletion_schema.ts";
import { MOST_NOTE } from "../domain/retention/kept_text.ts";
import { RECENT_RECORDINGS } from "../domain/viewer/viewer_schema.ts";
import { deleteByHand } from "../engine/retention/hand_deletion.ts";
import { keep } from "../engine/viewer/kept_list.ts";
import { type FolderParts, requireKnown } from "../engine/viewer/last_known.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { oneLine } from "../log.ts";
import { KeptUnknown } from "../store/destination/kept_recordings.ts";
import { errorCode } from "../store/error_code.ts";
import { endpoint, KEY, query, WHOLE_NUMBER } from "./endpoint.ts";
import { keysIn, usable } from "./trash.ts";
import { recordingKey, recordingNotFound } from "./viewer.ts";

const USUAL = 5;
const MOST = 50;

export const recent = endpoint({
  summary: "The recordings that came home last",
  parameters: { limit: query("How many: 5 when it is left out, held within 1 and 50", WHOLE_NUMBER) },
  shape: RECENT_RECORDINGS,
  returns: "Latest first",
  errors: ["FOLDER_NOT_AVAILABLE"],
  async answer(context, app: Pick<App, "segments"> & FolderParts) {
    const { segments: index } = app;
    const text = context.url.searchParams.get("limit") ?? "";
    const limit = /^[+-]?[0-9]+$/.test(text) ? Math.min(MOST, Math.max(1, Number(text))) : USUAL;
    const { recordings, total } = await index.recent(limit);
    if (total === 0) requireKnown(app);
    const placed = recordings.map((recording) => ({ ...recording, path: join(index.root, recording.path) }));
    return { recordings: placed, total };
  },
});

export const keepOne = endpoint({
  summary: "Marks a recording as kept: no rule deletes it",
  description: "Without a note, one that is there stays.",
  parameters: { key: KEY },
  body: v.object({ note: v.exactOptional(v.nullable(v.string())) }),
  shape: MARKED,
  returns: "Kept",
  errors: ["RECORDING_NOT_FOUND", "INVALID_BODY", "KEPT_NOT_SAVED", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer(context, app) {
    const key = recordingKey(context);
    const { note } = (await context.bytes()).length === 0 ? {} : await context.json();
    if (note !== undefined && note !== null && (typeof note !== "string" || note.length > MOST_NOTE))
      throw new AppError("INVALID_BODY", `note must be a text of at most ${MOST_NOTE} characters`);
    const before = (await app.retention.kept.shown()).get(momentNumber(key))?.kept;
    const text = note === undefined ? (before?.note ?? null) : note === null ? null : oneLine(note).trim() || null;
    const kept = { at: before?.at ?? new Date(app.clock.now()).toISOString(), note: text };
    if (!(await saved(() => keep(app, key, kept)))) throw recordingNotFound(key);
    app.log.info("retention", `${key} is kept`);
    return { key, kept };
  },
});

export const letGo = endpoint({
  summary: "Takes the mark off",
  parameters: { key: KEY },
  shape: UNMARKED,
  returns: "No longer kept",
  errors: ["RECORDING_NOT_FOUND", "KEPT_NOT_SAVED", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer(context, app) {
    const key = recordingKey(context);
    if (!(await saved(() => keep(app, key, null)))) throw recordingNotFound(key);
    app.log.info("retention", `${key} is no longer kept`);
    return { key, kept: null };
  },
});

export const deleteOne = endpoint({
  summary: "Moves a recording to the trash; it is not fetched again while the camera has it",
  parameters: { key: KEY },
  shape: DELETED_ONE,
  returns: "Until when it can be restored; null when it is gone",
  errors: ["RECORDING_NOT_FOUND", "RECORDING_KEPT", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer(context, app) {
    const key = recordingKey(context);
    const { failed, purge_at } = await usable(() => deleteByHand(app, [key], nameOf(context)));
    const [problem] = failed;
    if (problem?.why === "gone") throw new AppError("RECORDING_NOT_FOUND", problem.reason, { recording: key });
    if (problem?.why === "kept") throw new AppError("RECORDING_KEPT", problem.reason, { recording: key });
    if (problem) throw new AppError("TRASH_UNUSABLE", problem.reason, { recording: key });
    return { key, purge_at };
  },
});

export const deleteSeveral = endpoint({
  summary: "Moves several recordings to the trash",
  body: v.object({ keys: v.array(v.string()) }),
  shape: DELETED,
  returns: "What was moved, and what could not be",
  errors: ["INVALID_BODY", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer(context, app) {
    const keys = keysIn((await context.json())["keys"]);
    const { deleted, failed, purge_at } = await usable(() => deleteByHand(app, keys, nameOf(context)));
    return { deleted, failed: failed.map(({ key, reason }) => ({ key, reason })), purge_at };
  },
});

/** Name of the person who deletes, for the receipt; null while no sign-in is asked for. */
function nameOf({ user }: RequestContext): string | null {
  return user === null || user.mode === "none" ? null : user.name;
}

/** Answers what keeps a mark from being saved. @throws AppError KEPT_NOT_SAVED, TRASH_UNUSABLE, STORAGE_FULL */
export async function saved<T>(work: () => Promise<T>): Promise<T> {
  return await usable(async () => {
    try {
      return await work();
    } catch (error) {
      const code = errorCode(error);
      if (["", "ENOSPC", "EDQUOT"].includes(code) || error instanceof KeptUnknown) throw error;
      throw new AppError(
        "KEPT_NOT_SAVED",
        `The list of what is kept could not be written (${code}); nothing was changed.`,
      );
    }
  });
}
