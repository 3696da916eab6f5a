import * as v from "valibot";
import type { App } from "../app.ts";
import { orNull } from "../domain/answers/answer_fields.ts";
import { AppError } from "../domain/answers/errors.ts";
import { PURGED, RESTORED, TRASH } from "../domain/retention/deletion_schema.ts";
import { splitKey } from "../domain/settings/camera_key.ts";
import { CARDS_OF_DELETING } from "../domain/status/card_ids.ts";
import { asSentence } from "../domain/text/format.ts";
import { emptyTrash, restore, trashDays } from "../engine/retention/trash_by_hand.ts";
import { requireKnown } from "../engine/viewer/last_known.ts";
import { KeptUnknown } from "../store/destination/kept_recordings.ts";
import { TrashUnusable } from "../store/destination/own_folder_guard.ts";
import { errorCode } from "../store/error_code.ts";
import { partsOf } from "../store/library/recording_files.ts";
import { endpoint, responseEndpoint } from "./endpoint.ts";
import { day } from "./list_parameters.ts";
import { KEYS, NO_KEYS, recordingOr } from "./recording_keys.ts";

/** Tells of the keys where there are some, else what may be sent. */
const keysOr = (message: string) => (issue: { readonly input: unknown }) =>
  "keys" in Object(issue.input) ? NO_KEYS : message;

const LIMIT = v.pipe(v.string(), v.transform(Number), v.number(), v.minValue(1), v.transform(Math.floor));

export const entries = endpoint({
  summary: "What lies in the trash, by day of deletion",
  query: v.object({
    date: day("Only what was deleted that day, `YYYY-MM-DD`"),
    after: orNull(v.string(), "Only what follows this entry: its key, with `date`"),
    limit: v.pipe(v.fallback(v.nullable(LIMIT), null), v.description("At most so many entries")),
  }),
  shape: TRASH,
  returns: "Newest first",
  errors: ["FOLDER_NOT_AVAILABLE"],
  async answer({ query: { date, after, limit } }, app) {
    const days = await trashDays(app, {
      date: date ?? undefined,
      after: after === null ? undefined : splitKey(after).bare,
      limit: limit ?? undefined,
    });
    if (days.length === 0) requireKnown(app);
    return { days };
  },
});

const NO_SUCH_PICTURE = "There is no such picture in the trash";

export const thumbnail = responseEndpoint({
  summary: "A picture of what lies in the trash",
  params: recordingOr(NO_SUCH_PICTURE),
  answers: { 200: { description: "The picture", type: "image/jpeg" } },
  async respond({ params: { key } }, { retention }: Pick<App, "retention">) {
    const found = (await retention.trash.entries()).find((entry) => entry.key === key);
    const ending = found && partsOf(found.set.endings)?.thumbnail;
    const picture = found && ending ? await retention.trash.read(found, ending, MOST_PICTURE) : null;
    if (picture === null) throw new AppError("RECORDING_NOT_FOUND", NO_SUCH_PICTURE, { recording: key });
    const headers = { "content-type": "image/jpeg", "cache-control": "private, max-age=300" };
    return new Response(picture, { headers });
  },
});

/** Bytes: no thumbnail is larger, and a file of that name may hold anything. */
const MOST_PICTURE = 1_000_000;

export const putBack = endpoint({
  summary: "Puts recordings back to where they were",
  description:
    "With the marks they had. The rule that deleted them leaves them alone until it changes, for a week at least.",
  body: v.union(
    [
      KEYS,
      v.object({ all: v.literal(true), keys: v.exactOptional(v.never()) }),
      v.object({
        deletion: v.pipe(v.string(), v.description("The `id` of a receipt")),
        keys: v.exactOptional(v.never()),
      }),
    ],
    keysOr("Say what to restore: keys, all or deletion"),
  ),
  shape: RESTORED,
  returns: "What could be, and what could not",
  errors: ["TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer({ body }, app) {
    const restored = await usable(() => restore(app, body));
    app.cards.publish(CARDS_OF_DELETING);
    return restored;
  },
});

export const remove = endpoint({
  summary: "Removes recordings from the trash for good; all when no keys are sent",
  // A body that names something else must not empty the trash.
  body: v.optional(v.union([KEYS, v.strictObject({})], keysOr("Send keys, or no body for all")), {}),
  shape: PURGED,
  returns: "How many entries, and their videos' bytes",
  errors: ["TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer({ body }, app) {
    const removed = await usable(() => emptyTrash(app, "keys" in body ? body.keys : null));
    app.cards.publish(CARDS_OF_DELETING);
    return removed;
  },
});

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
