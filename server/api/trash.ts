import type { App } from "../app.ts";
import type { Api } from "../domain/api/api.ts";
import { AppError } from "../domain/api/errors.ts";
import { isDay } from "../domain/recordings/camera_clock.ts";
import { isGroupKey } from "../domain/recordings/recording_name.ts";
import { CARDS_OF_DELETING } from "../domain/status/cards.ts";
import { asSentence } from "../domain/text/format.ts";
import { emptyTrash, type Restorable, restore, trashDays } from "../engine/retention/trash.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";
import { KeptUnknown } from "../store/destination/kept_recordings.ts";
import { TrashUnusable } from "../store/destination/own_folder_guard.ts";
import { partsOf } from "../store/library/recording_files.ts";

/** `GET /api/trash`, all or a part of one day. */
export async function entries({ url }: RequestContext, app: App): Promise<Response> {
  const { searchParams: query } = url;
  const date = query.get("date") ?? undefined;
  if (date !== undefined && !isDay(date)) throw new AppError("INVALID_DATE", "The date must be YYYY-MM-DD", { date });
  const limit = Number(query.get("limit") ?? Number.NaN);
  const days = await trashDays(app, {
    date,
    after: query.get("after") ?? undefined,
    limit: limit >= 1 ? Math.floor(limit) : undefined,
  });
  return json({ days } satisfies Api["GET /api/trash"]);
}

/** `GET /api/trash/:key/thumbnail` */
export async function thumbnail({ params }: RequestContext, { retention }: Pick<App, "retention">): Promise<Response> {
  const key = params["key"] ?? "";
  const found = (await retention.trash.entries()).find((entry) => entry.key === key);
  const ending = found && partsOf(found.set.endings)?.thumbnail;
  const file = found && ending ? Bun.file(retention.trash.pathOf(found, ending)) : null;
  if (file === null || !(await file.exists()))
    throw new AppError("RECORDING_NOT_FOUND", "There is no such picture in the trash", { recording: key });
  const headers = { "content-type": "image/jpeg", "cache-control": "private, max-age=300" };
  return new Response(file.slice(0, MOST_PICTURE), { headers });
}

/** No thumbnail is larger; the file may be anything. */
const MOST_PICTURE = 1_000_000;

/** `POST /api/trash/restore` `{keys}`, `{all: true}` or `{deletion}`. */
export async function putBack(context: RequestContext, app: App): Promise<Response> {
  const body = await context.json();
  const restored = await usable(() => restore(app, restorable(body)));
  app.cards.tell(CARDS_OF_DELETING);
  return json(restored satisfies Api["POST /api/trash/restore"]);
}

/** `DELETE /api/trash` `{keys}`, or nothing for all. */
export async function remove(context: RequestContext, app: App): Promise<Response> {
  // A body that cannot be read must not empty the trash.
  const isAll = (await context.bytes()).length === 0;
  const { keys } = isAll ? {} : await context.json();
  if (!isAll && keys === undefined && Object.keys(await context.json()).length > 0)
    throw new AppError("INVALID_BODY", "Send keys, or no body for all");
  const wanted = keys === undefined ? null : keysIn(keys);
  const removed = await usable(() => emptyTrash(app, wanted));
  app.cards.tell(CARDS_OF_DELETING);
  return json(removed satisfies Api["DELETE /api/trash"]);
}

function restorable(body: Record<string, unknown>): Restorable {
  if (body["keys"] !== undefined) return { keys: keysIn(body["keys"]) };
  if (body["all"] === true) return { all: true };
  if (typeof body["deletion"] === "string") return { deletion: body["deletion"] };
  throw new AppError("INVALID_BODY", "Say what to restore: keys, all or deletion");
}

/** Keys of recordings from a body. @throws AppError INVALID_BODY */
export function keysIn(value: unknown): string[] {
  const isKey = (key: unknown) => typeof key === "string" && isGroupKey(key);
  if (!Array.isArray(value) || !value.every(isKey))
    throw new AppError("INVALID_BODY", "keys must be a list of keys such as 20260607_101500_N");
  return value;
}

/** Tells why recordings cannot be moved now. @throws AppError TRASH_UNUSABLE */
export async function usable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TrashUnusable || error instanceof KeptUnknown)) throw error;
    throw new AppError("TRASH_UNUSABLE", asSentence(error.message));
  }
}
