import * as v from "valibot";
import { ACTION, count, epochMs, orNull, STATUS_LEVEL, text, whole } from "../answers/answer_fields.ts";
import { FAILURE_REASONS } from "./failure_reason.ts";
import { RUN_TRIGGERS } from "./run.ts";

/** A failure in words: the reason in one short sentence, what else there is to say, and what solves it. */
export const FAILURE_WORDS = v.object({
  sentence: text("Begins small and has no full stop, as the sentences that are kept with runs"),
  hint: text("What to do about it, as a sentence; empty where that is not known, or nothing has to be done"),
  more: text("What exactly happened, and what else there is to say, as sentences; empty when that is all"),
  action: v.nullable(ACTION),
});

/** A file that failed, as it stands at this moment. */
export const FAILED_FILE_NOW = v.object({
  name: v.string(),
  reason: v.picklist(FAILURE_REASONS),
  sentence: text("Why, in one short sentence"),
  more: text("What else there is to say; empty when that is all"),
  standing: v.pipe(
    v.picklist(["home", "deleted", "trying", "waiting", "next-run", "passed"]),
    v.description(
      "`home` since; `deleted` here; `trying` now; `waiting` until `retry_at`; `next-run` tries it; `passed` over since, as when the camera has it no more",
    ),
  ),
  retry_at: v.nullable(epochMs),
});

export const FAILED_LIST = v.object({
  total: whole("Also those that are not listed"),
  by_cause: v.pipe(
    v.array(
      v.object({
        sentence: v.string(),
        recordings: count,
        files: count,
        from: text("Name of the oldest"),
        to: text("Name of the newest"),
        first_at: orNull(epochMs, "When the first of them failed; null where that is not kept"),
        last_at: orNull(epochMs, "When the last of them failed"),
      }),
    ),
    v.description("All that are kept by why they failed, the most first; `files` counts their videos, too"),
  ),
  files: v.array(FAILED_FILE_NOW),
});

/** Listed on the camera and not brought home, by the rule that did it. */
export const NOT_BROUGHT = v.object({
  rule: v.picklist([
    ...(["retention", "selection", "deleted", "unreadable", "unknown"] as const),
    ...(["present", "blocked", "growing", "held", "absent", "empty", "vanished"] as const),
  ]),
  of: v.picklist(["recordings", "files"]),
  count,
  words: v.string(),
});

/** Recordings that did not come and did not fail, by cause. */
export const RUN_CAUSE = v.object({
  cause: v.picklist([
    ...(["waiting", "vanished", "empty", "growing"] as const),
    ...(["retention", "selection", "deleted", "unreadable", "unknown"] as const),
  ]),
  recordings: count,
  title: text("How many, and what became of them"),
  sentence: text("Why, and what follows"),
  names: v.pipe(v.array(v.string()), v.description("The first of their videos, as far as they are kept")),
});

/** Something that happened in a run, with when and in which words. */
export const RUN_MOMENT = v.object({
  at: epochMs,
  what: v.picklist(["started", "listed", "first-error", "last-error", "full", "told-to-stop", "ended"]),
  title: v.string(),
  words: text("What else there is to say; empty when that is all"),
});

/** The recordings that came home. */
const RUN_BROUGHT = v.object({
  by_type: v.pipe(v.record(v.string(), count), v.description("By the letter of their type")),
  names: v.pipe(v.array(v.string()), v.description("The first of their videos")),
});

/** The new recordings by what became of them. */
const RUN_WORK = v.object({
  planned: whole("New on the camera and to come"),
  downloaded: count,
  failed: count,
  waiting: whole("Not tried, or still being recorded"),
  missing: whole("Empty or overwritten on the camera"),
  left_out: whole("Left out by the settings, beside the planned"),
});

export const RUN_DETAIL = v.object({
  id: v.string(),
  started_at: epochMs,
  ended_at: epochMs,
  duration_seconds: v.number(),
  mood: STATUS_LEVEL,
  outcome: text("How it ended, in a word"),
  dry_run: v.boolean(),
  trigger: orNull(
    v.picklist(RUN_TRIGGERS),
    "What it was started by; null for runs of older programs, and cut off ones",
  ),
  address: orNull(v.string(), "Of the camera; null for runs of older programs"),
  failure: orNull(FAILURE_WORDS, "What went wrong and what solves it; null when nothing did"),
  sentence: text("How it went, with the new recordings counted"),
  work: orNull(RUN_WORK, "Null for runs of older programs, and those that found nothing new"),
  causes: v.pipe(v.array(RUN_CAUSE), v.description("Why recordings did not come that did not fail")),
  times: v.pipe(v.array(RUN_MOMENT), v.description("What happened when, as far as that is kept")),
  brought: orNull(RUN_BROUGHT, "Null for runs of older programs, and those that brought none"),
  disk_used_ratio: orNull(v.number(), "At its end, 0 to 1; null when it was not measured"),
  recordings: orNull(count, "That came home; null for runs of older programs"),
  files: count,
  bytes: count,
  listed: whole("Recordings on the camera"),
  chosen: whole("Of them those that were to come home"),
  not_brought: v.pipe(v.array(NOT_BROUGHT), v.description("Listed and not brought home, by the rule that did it")),
  deleted: v.nullable(v.object({ recordings: count, bytes: count })),
  failed: v.pipe(FAILED_LIST, v.description("The first thousand of the files that failed in it, as they stand now")),
  waiting: v.pipe(FAILED_LIST, v.description("Of the latest run: files that failed before it and still wait")),
});
