import * as v from "valibot";
import { FAILURE_REASONS } from "../runs/run.ts";
import { type FailedList, FILE_STANDINGS, type RunDetail } from "../runs/run_detail.ts";
import { exactly } from "./exactly.ts";
import { ACTION } from "./failure_schema.ts";
import { MOOD } from "./page_schema.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const text = (description: string) => v.pipe(v.string(), v.description(description));
const epochMs = v.pipe(v.number(), v.description("Epoch milliseconds"));

const FAILED_LIST = exactly<FailedList>()(
  v.object({
    total: v.pipe(count, v.description("Also those that are not listed")),
    files: v.array(
      v.object({
        name: v.string(),
        reason: v.picklist(FAILURE_REASONS),
        sentence: text("Why, in one short sentence"),
        more: text("What else there is to say; empty when that is all"),
        standing: v.pipe(
          v.picklist(FILE_STANDINGS),
          v.description(
            "`home` since; `deleted` here; `trying` now; `waiting` until `retry_at`; `next-run` tries it; `passed` over since, as when the camera has it no more",
          ),
        ),
        retry_at: v.nullable(epochMs),
      }),
    ),
  }),
);

const RULES = ["retention", "selection", "deleted", "unreadable", "unknown"] as const;
const NOT_FETCHED = ["present", "blocked", "growing", "held", "absent", "empty", "vanished"] as const;

export const RUN_DETAIL = exactly<RunDetail>()(
  v.object({
    id: v.string(),
    started_at: epochMs,
    ended_at: epochMs,
    duration_seconds: v.number(),
    mood: MOOD,
    outcome: text("How it ended, in a word"),
    dry_run: v.boolean(),
    address: v.pipe(v.nullable(v.string()), v.description("Of the camera; null for runs of older programs")),
    failure: v.pipe(
      v.nullable(v.object({ sentence: v.string(), hint: v.string(), more: v.string(), action: v.nullable(ACTION) })),
      v.description("What went wrong and what solves it; null when nothing did"),
    ),
    recordings: v.pipe(v.nullable(count), v.description("That came home; null for runs of older programs")),
    files: count,
    bytes: count,
    listed: v.pipe(count, v.description("Recordings on the camera")),
    chosen: v.pipe(count, v.description("Of them those that were to come home")),
    not_brought: v.pipe(
      v.array(
        v.object({
          rule: v.picklist([...RULES, ...NOT_FETCHED]),
          of: v.picklist(["recordings", "files"]),
          count,
          words: v.string(),
        }),
      ),
      v.description("Listed and not brought home, by the rule that did it"),
    ),
    deleted: v.nullable(v.object({ recordings: count, bytes: count })),
    failed: v.pipe(FAILED_LIST, v.description("The first thousand of the files that failed in it, as they stand now")),
    waiting: v.pipe(FAILED_LIST, v.description("Of the latest run: files that failed before it and still wait")),
  }),
);
