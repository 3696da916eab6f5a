import { join } from "node:path";
import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { momentNumber } from "../domain/recordings/moment_number.ts";
import { DELETED, DELETED_ONE, MARKED, MARKED_TRIP, UNMARKED } from "../domain/retention/deletion_schema.ts";
import { MOST_NOTE } from "../domain/retention/kept_text.ts";
import { counted } from "../domain/text/format.ts";
import { RECENT_RECORDINGS } from "../domain/viewer/viewer_schema.ts";
import { deleteByHand } from "../engine/retention/hand_deletion.ts";
import { keep, keepSeveral } from "../engine/viewer/kept_list.ts";
import { type FolderParts, requireKnown } from "../engine/viewer/last_known.ts";
import type { Caller } from "../http/request/request_context.ts";
import { oneLine } from "../log.ts";
import { KeptUnknown } from "../store/destination/kept_recordings.ts";
import { errorCode } from "../store/error_code.ts";
import { endpoint, limit } from "./endpoint.ts";
import { KEYS, OF_RECORDING } from "./recording_keys.ts";
import { usable } from "./trash.ts";
import { recordingNotFound } from "./viewer.ts";

export const recent = endpoint({
  summary: "The recordings that came home last",
  query: v.object({ limit: limit(5, 50) }),
  shape: RECENT_RECORDINGS,
  returns: "Latest first",
  errors: ["FOLDER_NOT_AVAILABLE"],
  async answer({ query }, app: Pick<App, "segments"> & FolderParts) {
    const { segments: index } = app;
    const { recordings, total } = await index.recent(query.limit);
    if (total === 0) requireKnown(app);
    const placed = recordings.map((recording) => ({ ...recording, path: join(index.root, recording.path) }));
    return { recordings: placed, total };
  },
  all(answers, { query }) {
    const found = answers.flatMap(({ answer }) => answer.recordings).toSorted((one, other) => other.mtime - one.mtime);
    return {
      recordings: found.slice(0, query.limit),
      total: answers.reduce((sum, { answer }) => sum + answer.total, 0),
    };
  },
});

const NOTE = v.message(
  v.nullable(v.pipe(v.string(), v.maxLength(MOST_NOTE))),
  `note must be a text of at most ${MOST_NOTE} characters`,
);

export const keepOne = endpoint({
  summary: "Marks a recording as kept: no rule deletes it",
  description: "Without a note, one that is there stays.",
  params: OF_RECORDING,
  body: v.optional(v.object({ note: v.exactOptional(NOTE) }), {}),
  shape: MARKED,
  returns: "Kept",
  errors: ["KEPT_NOT_SAVED", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer({ params: { key }, body: { note } }, app) {
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
  params: OF_RECORDING,
  shape: UNMARKED,
  returns: "No longer kept",
  errors: ["KEPT_NOT_SAVED", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer({ params: { key } }, app) {
    if (!(await saved(() => keep(app, key, null)))) throw recordingNotFound(key);
    app.log.info("retention", `${key} is no longer kept`);
    return { key, kept: null };
  },
});

export const keepTrip = endpoint({
  summary: "Marks all recordings of a trip as kept, those at home: no rule deletes them",
  description: "Recordings that are kept stay as they are, with their notes.",
  params: OF_RECORDING,
  shape: MARKED_TRIP,
  returns: "Kept",
  errors: ["KEPT_NOT_SAVED", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer({ params: { key } }, app) {
    const found = await app.viewed.trip(key, app.settings.current.viewer.trip_gap_minutes);
    const home = found?.trip.clips.filter(({ parts }) => parts.videos.length > 0).map((clip) => clip.key) ?? [];
    if (home.length === 0) throw recordingNotFound(key);
    const mark = { at: new Date(app.clock.now()).toISOString(), note: null };
    const keys = await saved(() => keepSeveral(app, [...new Set(home)], mark));
    if (keys.length > 0) app.log.info("retention", `The trip of ${key} is kept: ${counted(keys.length, "clip")}`);
    return { keys, clips: new Set(home).size };
  },
});

export const deleteOne = endpoint({
  summary: "Moves a recording to the trash; it is not fetched again while the camera has it",
  params: OF_RECORDING,
  shape: DELETED_ONE,
  returns: "Until when it can be restored; null when it is gone",
  errors: ["RECORDING_KEPT", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer({ context, params: { key } }, app) {
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
  body: KEYS,
  shape: DELETED,
  returns: "What was moved, and what could not be",
  errors: ["TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer({ context, body }, app) {
    const { deleted, failed, purge_at } = await usable(() => deleteByHand(app, body.keys, nameOf(context)));
    return { deleted, failed: failed.map(({ key, reason }) => ({ key, reason })), purge_at };
  },
});

/** Name of the person who deletes, for the receipt; null while no sign-in is asked for. */
function nameOf({ user }: Caller): string | null {
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
