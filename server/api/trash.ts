import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { isGroupKey } from "../domain/recordings/moment_number.ts";
import { PURGED, RESTORED, TRASH } from "../domain/retention/deletion_schema.ts";
import { CARDS_OF_DELETING } from "../domain/status/card_ids.ts";
import { asSentence } from "../domain/text/format.ts";
import { emptyTrash, type Restorable, restore, trashDays } from "../engine/retention/trash_by_hand.ts";
import { requireKnown } from "../engine/viewer/last_known.ts";
import { KeptUnknown } from "../store/destination/kept_recordings.ts";
import { TrashUnusable } from "../store/destination/own_folder_guard.ts";
import { errorCode } from "../store/error_code.ts";
import { partsOf } from "../store/library/recording_files.ts";
import { type Endpoint, endpoint, KEY, query } from "./endpoint.ts";
import { dateAsked } from "./viewer.ts";

const KEYS = v.array(v.string());

export const entries = endpoint({
  summary: "What lies in the trash, by day of deletion",
  parameters: {
    date: query("Only what was deleted that day, `YYYY-MM-DD`"),
    after: query("Only what follows this entry: its key, with `date`"),
    limit: query("At most so many entries"),
  },
  shape: TRASH,
  returns: "Newest first",
  errors: ["INVALID_DATE", "FOLDER_NOT_AVAILABLE"],
  async answer({ url }, app) {
    const { searchParams: asked } = url;
    const date = dateAsked(url) ?? undefined;
    const limit = Number(asked.get("limit") ?? Number.NaN);
    const days = await trashDays(app, {
      date,
      after: asked.get("after") ?? undefined,
      limit: limit >= 1 ? Math.floor(limit) : undefined,
    });
    if (days.length === 0) requireKnown(app);
    return { days };
  },
});

export const thumbnail: Endpoint<Pick<App, "retention">> = {
  summary: "A picture of what lies in the trash",
  parameters: { key: KEY },
  answers: { 200: { description: "The picture", type: "image/jpeg" } },
  errors: ["RECORDING_NOT_FOUND"],
  async handle({ params }, { retention }) {
    const key = params["key"] ?? "";
    const found = (await retention.trash.entries()).find((entry) => entry.key === key);
    const ending = found && partsOf(found.set.endings)?.thumbnail;
    const picture = found && ending ? await retention.trash.read(found, ending, MOST_PICTURE) : null;
    if (picture === null)
      throw new AppError("RECORDING_NOT_FOUND", "There is no such picture in the trash", { recording: key });
    const headers = { "content-type": "image/jpeg", "cache-control": "private, max-age=300" };
    return new Response(picture, { headers });
  },
};

/** Bytes: no thumbnail is larger, and a file of that name may hold anything. */
const MOST_PICTURE = 1_000_000;

export const putBack = endpoint({
  summary: "Puts recordings back to where they were",
  description:
    "With the marks they had. The rule that deleted them leaves them alone until it changes, for a week at least.",
  body: v.union([
    v.object({ keys: KEYS }),
    v.object({ all: v.literal(true) }),
    v.object({ deletion: v.pipe(v.string(), v.description("The `id` of a receipt")) }),
  ]),
  shape: RESTORED,
  returns: "What could be, and what could not",
  errors: ["INVALID_BODY", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer(context, app) {
    const body = await context.json();
    const restored = await usable(() => restore(app, restorable(body)));
    app.cards.publish(CARDS_OF_DELETING);
    return restored;
  },
});

export const remove = endpoint({
  summary: "Removes recordings from the trash for good; all when no keys are sent",
  body: v.object({ keys: v.exactOptional(KEYS) }),
  shape: PURGED,
  returns: "How many entries, and their videos' bytes",
  errors: ["INVALID_BODY", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer(context, app) {
    // A body that cannot be read must not empty the trash.
    const isAll = (await context.bytes()).length === 0;
    const { keys } = isAll ? {} : await context.json();
    if (!isAll && keys === undefined && Object.keys(await context.json()).length > 0)
      throw new AppError("INVALID_BODY", "Send keys, or no body for all");
    const wanted = keys === undefined ? null : keysIn(keys);
    const removed = await usable(() => emptyTrash(app, wanted));
    app.cards.publish(CARDS_OF_DELETING);
    return removed;
  },
});

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

/** Answers what keeps recordings from being moved now. @throws AppError TRASH_UNUSABLE, STORAGE_FULL */
export async function usable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof TrashUnusable ? error.cause : error;
    if (["ENOSPC", "EDQUOT"].includes(errorCode(cause)))
      throw new AppError(
        "STORAGE_FULL",
        "The disk of the recordings is full, so nothing was changed. Free some space.",
      );
    if (!(error instanceof TrashUnusable || error instanceof KeptUnknown)) throw error;
    throw new AppError("TRASH_UNUSABLE", asSentence(error.message));
  }
}
