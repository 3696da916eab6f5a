import * as v from "valibot";
import {
  AMOUNT,
  addressText,
  count,
  KEPT,
  keyText,
  moment,
  ofCamera,
  orNull,
  recordings,
  STATUS_LEVEL,
  text,
  whole,
} from "../answers/answer_fields.ts";
import { DELETION_CAUSES, HELD_REASONS, TRASH_CAUSES } from "./deletion_cause.ts";
import { KEEP_CLASSES } from "./keep_times.ts";

/**
 * Shapes of all requests and answers about deleting. A recording is one moment of one direction; bytes are those of
 * its videos.
 */

const day = text("`YYYY-MM-DD`, camera time");
const key = keyText("`<base>_<type>`, such as `20260607_101500_N`");

/** An amount, and the days its recordings are of. */
export const DATED_AMOUNT = v.object({ ...AMOUNT.entries, oldest: day, newest: day });

export const HELD = v.object({ reason: v.picklist(HELD_REASONS), ...DATED_AMOUNT.entries, since: moment });

/** Recordings that one pass, or one person, deleted. */
export const RECEIPT = v.object({
  id: text("Names it for `POST /api/retention/seen` and `POST /api/trash/restore`"),
  at: moment,
  ...DATED_AMOUNT.entries,
  bytes: count,
  cause: v.picklist(DELETION_CAUSES),
  by: orNull(v.string(), "Who did it by hand; null for a rule"),
  until: orNull(v.string(), "Until when it can be undone; null when it cannot be"),
});

/** Nothing can be counted in a recordings folder that is not there. */
const UNLESS_GONE = "Null while the recordings folder is not available";

export const TRASH_AMOUNT = v.object({
  recordings,
  bytes: count,
  days: whole("How long recordings wait there; 0 for not at all"),
});

const TRASH_STATE = v.object({
  ...TRASH_AMOUNT.entries,
  recordings: orNull(recordings, UNLESS_GONE),
  bytes: orNull(count, UNLESS_GONE),
});

export const RETENTION_STATE = v.object({
  held: orNull(HELD, "What waits for an answer whether it may be deleted"),
  confirmed: orNull(DATED_AMOUNT, "What was held and goes with the next scheduled run, since that was agreed to"),
  last: v.nullable(RECEIPT),
  trash: TRASH_STATE,
  unseen: v.pipe(
    v.array(RECEIPT),
    v.description("What a rule deleted and is not acknowledged yet, latest first, at most a few"),
  ),
  problem: orNull(v.string(), "Why nothing is deleted just now, as a sentence"),
  kept: v.object({ ...AMOUNT.entries, recordings: orNull(recordings, UNLESS_GONE) }),
  lost_marks: whole("Marks of kept recordings that were lost with their list, and can be put back"),
});

export const FAILURE = v.object({ key, reason: text("A sentence") });

export const TRASHED_RECORDING = v.object({
  key,
  deleted_at: moment,
  purge_at: text("ISO 8601 UTC: from when on the next scheduled run removes it for good"),
  bytes: count,
  cause: v.picklist(TRASH_CAUSES),
  by: v.nullable(v.string()),
  why: text("Such as `Older than 2 weeks`"),
  recordings,
  thumb: orNull(addressText, "Address of a picture of it"),
});

export const TRASH_DAY = v.object({
  camera: ofCamera,
  date: text("`YYYY-MM-DD`, the day of deletion"),
  recordings: v.array(TRASHED_RECORDING),
});

export const TRASH = v.object({ days: v.array(TRASH_DAY) });
export type Trash = v.InferOutput<typeof TRASH>;

export const RESTORED = v.object({ restored: whole("Clips"), recordings, failed: v.array(FAILURE) });
export type Restored = v.InferOutput<typeof RESTORED>;

export const PURGED = v.object({ deleted: count, bytes: count });
export type Purged = v.InferOutput<typeof PURGED>;

export const CONFIRMED = v.object({ confirmed: v.literal(true) });
export const MARKS_RESTORED = v.object({ restored: whole("Marks that were put back") });
export const MARK = v.object({ key, kept: KEPT });
export const KEPT_MARKS = v.object({ marks: v.array(MARK) });
export type KeptMarks = v.InferOutput<typeof KEPT_MARKS>;
export const SEEN = v.object({ seen: count });

export const MARKED = v.object({ key, kept: KEPT });
export type Marked = v.InferOutput<typeof MARKED>;
export const MARKED_TRIP = v.object({
  keys: v.pipe(v.array(key), v.description("Those that were not kept before, by time")),
  clips: whole("Clips of the trip that are at home"),
});
export type MarkedTrip = v.InferOutput<typeof MARKED_TRIP>;
export const UNMARKED = v.object({ key, kept: v.null() });

const purge_at = orNull(v.string(), "ISO 8601 UTC; null when it does not wait in the trash but is gone");
export const DELETED_ONE = v.object({ key, purge_at });
export type DeletedOne = v.InferOutput<typeof DELETED_ONE>;
export const DELETED = v.object({ deleted: v.array(key), failed: v.array(FAILURE), purge_at });
export type Deleted = v.InferOutput<typeof DELETED>;

/** Amounts of one kind of recordings: all of them, and those that the next scheduled run would delete. */
export const KIND = v.object({
  cutoff: orNull(v.string(), "`YYYY-MM-DD`, the first day kept; null when all are"),
  here: AMOUNT,
  due: AMOUNT,
  stays: v.pipe(v.array(count), v.description("By bar, the recordings that stay")),
  goes: v.pipe(v.array(count), v.description("By bar, the recordings that go")),
});

/** Deletions of the next scheduled run as a picture over time. */
export const DELETION_FORECAST = v.object({
  bars: v.pipe(v.array(day), v.description("First days of equally long bars, oldest first; empty without any")),
  end: orNull(v.string(), "The day after the last bar"),
  kinds: v.object(v.entriesFromList(KEEP_CLASSES, KIND)),
});

export const RETENTION_PREVIEW = v.union([
  v.object({
    valid: v.literal(true),
    cutoff: KIND.entries.cutoff,
    dry_run: v.pipe(v.boolean(), v.description("The service only says what it would delete")),
    recordings: orNull(
      count,
      "Videos; null while the folder cannot be read, or it is not known how large they are where a limit asks",
    ),
    bytes: AMOUNT.entries.bytes,
    oldest: orNull(v.string(), "`YYYY-MM-DD`; null when there are none"),
    newest: v.nullable(v.string()),
    forecast: orNull(DELETION_FORECAST, "Null as `recordings`"),
  }),
  v.object({ valid: v.literal(false), problem: text("What is wrong, as a sentence") }),
]);
export type RetentionPreview = v.InferOutput<typeof RETENTION_PREVIEW>;

/** Something about deleting that has to be known, or decided. */
export const DELETION_NOTE = v.object({
  about: v.pipe(
    v.picklist(["problem", "held", "marks", "confirmed"]),
    v.description(
      "`held` waits for an answer, `marks` asks about lost marks, `confirmed` goes with the next run; with `problem` nothing is deleted",
    ),
  ),
  mood: STATUS_LEVEL,
  sentence: text("Ends with a full stop or a question mark"),
  detail: v.string(),
});
