import type { RecordingFailure } from "../../server/domain/retention/deletion.ts";
import type { Deleted, Purged, Restored } from "../../server/domain/retention/deletion_schema.ts";
import { type Asker, send } from "../browser/client.ts";
import type { Entry } from "./contents.ts";

/** Actions on entries of the trash. */
export type TrashAction = "restore" | "delete";

/** Result of an action, with the error that ended it, if any. */
export interface Outcome {
  readonly gone: readonly Entry[];
  readonly failed: readonly RecordingFailure[];
  readonly error: unknown;
}

/** Entries in one request: far below what a body may hold, and soon answered. */
const BATCH = 1000;

/** Works on some entries, part by part. @param progress gets how many are through when there are several parts */
export async function workOn(
  asker: Asker,
  what: TrashAction,
  list: readonly Entry[],
  progress: (done: number) => void,
): Promise<Outcome> {
  const gone: Entry[] = [];
  const failed: RecordingFailure[] = [];
  let error: unknown = null;
  for (let at = 0; at < list.length && error === null; at += BATCH) {
    if (list.length > BATCH) progress(at);
    const part = list.slice(at, at + BATCH);
    try {
      // Never without keys: deleting without any is deleting all.
      const unable = await ask(asker, what, { keys: part.map(({ recording }) => recording.key) });
      const keys = new Set(unable.map(({ key }) => key));
      failed.push(...unable);
      gone.push(...part.filter(({ recording }) => !keys.has(recording.key)));
    } catch (caught) {
      error = caught;
    }
  }
  return { gone, failed, error };
}

/** Restores or deletes all there is. @returns what could not be restored @throws Refusal */
export async function workOnAll(asker: Asker, what: TrashAction): Promise<readonly RecordingFailure[]> {
  return await ask(asker, what, what === "restore" ? { all: true } : {});
}

/** Moves what was restored to the trash again. @returns how many clips, and how many could not be @throws Refusal */
export async function moveToTrash(
  asker: Asker,
  keys: readonly string[],
): Promise<{ readonly deleted: number; readonly failed: number }> {
  let deleted = 0;
  let failed = 0;
  for (let at = 0; at < keys.length; at += BATCH) {
    const part = { keys: keys.slice(at, at + BATCH) };
    const answer = await send<Deleted>("DELETE /api/recordings", part, undefined, asker);
    deleted += answer.deleted.length;
    failed += answer.failed.length;
  }
  return { deleted, failed };
}

async function ask(asker: Asker, what: TrashAction, body: object): Promise<readonly RecordingFailure[]> {
  if (what === "restore") return (await send<Restored>("POST /api/trash/restore", body, undefined, asker)).failed;
  await send<Purged>("DELETE /api/trash", body, undefined, asker);
  return [];
}
