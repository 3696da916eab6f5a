import * as v from "valibot";
import {
  DELETION_CAUSES,
  type DeletionForecast,
  type DeletionReceipt,
  HELD_REASONS,
  type HeldDeletion,
  type Kept,
  type KindForecast,
  type RecordingFailure,
  type RetentionState,
  type TrashDay,
} from "../retention/deletion.ts";
import type { Api } from "./api.ts";
import { exactly } from "./exactly.ts";

/** What crosses the wire about deleting, as schemas for the API's description. */

const text = (description: string) => v.pipe(v.string(), v.description(description));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const moment = text("ISO 8601 UTC");
const day = text("`YYYY-MM-DD`, camera time");
const key = text("`<base>_<type>`, such as `20260607_101500_N`");
const someBytes = v.pipe(v.nullable(count), v.description("Null when that would take long to find out"));
const recordings = v.pipe(count, v.description("Videos: one moment of one direction"));

const AMOUNT = { recordings, bytes: someBytes };
const DAYS = { oldest: day, newest: day };

const HELD = exactly<HeldDeletion>()(v.object({ reason: v.picklist(HELD_REASONS), ...AMOUNT, ...DAYS, since: moment }));

const RECEIPT = exactly<DeletionReceipt>()(
  v.object({
    id: v.string(),
    at: moment,
    recordings,
    bytes: count,
    ...DAYS,
    cause: v.picklist(DELETION_CAUSES),
    by: v.pipe(v.nullable(v.string()), v.description("Who did it by hand; null for a rule")),
    until: v.pipe(v.nullable(v.string()), v.description("Until when it can be undone; null when it cannot be")),
  }),
);

export const RETENTION_STATE = exactly<RetentionState>()(
  v.object({
    held: v.pipe(v.nullable(HELD), v.description("What waits for an answer whether it may be deleted")),
    confirmed: v.pipe(
      v.nullable(v.object({ ...AMOUNT, ...DAYS })),
      v.description("What was held and goes with the next scheduled run, since that was agreed to"),
    ),
    last: v.nullable(RECEIPT),
    trash: v.object({ recordings, bytes: count, days: count }),
    unseen: v.array(RECEIPT),
    problem: v.pipe(v.nullable(v.string()), v.description("Why nothing is deleted just now, as a sentence")),
    kept: v.object(AMOUNT),
  }),
);

export const KEPT = exactly<Kept>()(v.object({ at: moment, note: v.nullable(v.string()) }));

const FAILURE = exactly<RecordingFailure>()(v.object({ key, reason: text("A sentence") }));

const TRASH_DAY = exactly<TrashDay>()(
  v.object({
    date: text("`YYYY-MM-DD`, the day of deletion"),
    recordings: v.array(
      v.object({
        key,
        deleted_at: moment,
        purge_at: moment,
        bytes: count,
        cause: v.picklist(DELETION_CAUSES),
        by: v.nullable(v.string()),
        why: text("Such as `Older than 2 weeks`"),
        recordings,
        thumb: v.nullable(v.string()),
      }),
    ),
  }),
);

export const TRASH = exactly<Api["GET /api/trash"]>()(v.object({ days: v.array(TRASH_DAY) }));
export const RESTORED = exactly<Api["POST /api/trash/restore"]>()(
  v.object({ restored: v.pipe(count, v.description("Clips")), recordings, failed: v.array(FAILURE) }),
);
export const PURGED = exactly<Api["DELETE /api/trash"]>()(v.object({ deleted: count, bytes: count }));
export const CONFIRMED = v.object({ confirmed: v.literal(true) });
export const SEEN = v.object({ seen: count });
export const KEEPING = v.object({ key, kept: KEPT });
export const LET_GO = v.object({ key, kept: v.nullable(KEPT) });
export const DELETED_ONE = v.object({ key, purge_at: v.pipe(v.nullable(v.string()), v.description("ISO 8601 UTC")) });
export const DELETED = exactly<Api["DELETE /api/recordings"]>()(
  v.object({ deleted: v.array(key), failed: v.array(FAILURE), purge_at: v.nullable(v.string()) }),
);

const KIND = exactly<KindForecast>()(
  v.object({
    cutoff: v.nullable(day),
    here: v.object(AMOUNT),
    due: v.object(AMOUNT),
    stays: v.array(count),
    goes: v.array(count),
  }),
);

export const FORECAST = exactly<DeletionForecast>()(
  v.object({
    bars: v.array(day),
    end: v.nullable(day),
    kinds: v.object({ normal: KIND, event: KIND, parking: KIND, manual: KIND }),
  }),
);

/** What `PATCH /api/settings/retention` tells beside the rest. */
export const WOULD_DELETE = v.pipe(
  v.nullable(v.object(AMOUNT)),
  v.description("Null while a limit asks how large recordings are and that is not known yet"),
);
