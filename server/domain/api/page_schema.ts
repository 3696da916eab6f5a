import * as v from "valibot";
import type { CameraCheck } from "../camera/camera_check.ts";
import type { SchedulePreview } from "../settings/schedule_preview.ts";
import type { Overview } from "../status/overview.ts";
import type { RetentionPreview } from "./api.ts";
import { FORECAST, RETENTION_STATE } from "./deletion_schema.ts";
import { exactly } from "./exactly.ts";
import { ACTION } from "./failure_schema.ts";

/** What the service's own pages ask for beside what every program may want. */

const epochMs = v.pipe(v.number(), v.description("Epoch milliseconds"));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const MOOD = v.picklist(["fine", "busy", "waiting", "attention", "failed"]);

export const OVERVIEW = exactly<Overview>()(
  v.object({
    now: epochMs,
    time_zone: v.string(),
    mood: MOOD,
    sentence: v.string(),
    detail: v.string(),
    more: v.pipe(v.string(), v.description("What else there is to say; empty when that is all")),
    action: v.pipe(v.nullable(ACTION), v.description("What solves it; null where nothing has to be done")),
    address: v.string(),
    paused: v.boolean(),
    next_at: v.pipe(v.nullable(epochMs), v.description("Null while no run is planned, as when the schedule is paused")),
    destination: v.pipe(
      v.picklist(["known", "gone", "unmarked", "other", "accepted"]),
      v.description(
        "How the recordings folder stands to the one used before; `gone`, `unmarked` and `other` can be accepted",
      ),
    ),
    on_camera: v.nullable(count),
    chosen: v.nullable(count),
    home: v.nullable(count),
    waiting: v.nullable(count),
    waiting_files: v.pipe(count, v.description("Videos and companions")),
    last_seen_at: v.nullable(epochMs),
    newest: v.nullable(v.string()),
    recordings: count,
    available_bytes: v.pipe(v.nullable(count), v.description("What can be written, which the pages call free")),
    max_used_percent: v.number(),
    retention: RETENTION_STATE,
    deletion_notes: v.pipe(
      v.array(
        v.object({
          about: v.picklist(["problem", "held", "confirmed"]),
          mood: MOOD,
          sentence: v.string(),
          detail: v.string(),
        }),
      ),
      v.description("What is to be said about deleting, the most pressing first; `sentence` may be one of them"),
    ),
    unusable_settings: v.pipe(
      v.array(v.object({ section: v.string(), sentence: v.string() })),
      v.description(
        "What the settings file says and cannot be used; something that deletes less counts until it is set",
      ),
    ),
    access_notes: v.pipe(
      v.array(v.object({ section: v.string(), sentence: v.string() })),
      v.description("What lets in more people than was meant, and the settings section where that is set"),
    ),
  }),
);

const WRONG = v.pipe(v.string(), v.description("What is wrong, as a sentence"));

export const SCHEDULE_PREVIEW = exactly<SchedulePreview>()(
  v.union([
    v.object({
      valid: v.literal(true),
      words: v.string(),
      next: v.pipe(v.array(epochMs), v.description("The next three runs; fewer when there are fewer")),
      time_zone: v.string(),
      now: epochMs,
    }),
    v.object({ valid: v.literal(false), field: v.picklist(["cron_expression", "timezone"]), problem: WRONG }),
  ]),
);

export const RETENTION_PREVIEW = exactly<RetentionPreview>()(
  v.union([
    v.object({
      valid: v.literal(true),
      cutoff: v.pipe(v.nullable(v.string()), v.description("`YYYY-MM-DD`, the first day kept; null when all are")),
      dry_run: v.boolean(),
      recordings: v.pipe(v.nullable(count), v.description("Videos; null while the folder cannot be read")),
      bytes: v.pipe(v.nullable(count), v.description("Null when that would take long to find out")),
      oldest: v.pipe(v.nullable(v.string()), v.description("`YYYY-MM-DD`; null when there are none")),
      newest: v.nullable(v.string()),
      forecast: v.pipe(v.nullable(FORECAST), v.description("Null while the folder cannot be read")),
    }),
    v.object({ valid: v.literal(false), problem: WRONG }),
  ]),
);

export const CAMERA_CHECK = exactly<CameraCheck>()(
  v.union([
    v.object({
      reachable: v.literal(true),
      address: v.string(),
      latency_ms: v.number(),
      recordings: count,
      bytes: v.pipe(v.nullable(count), v.description("Null where the camera's list does not tell sizes")),
    }),
    v.object({
      reachable: v.literal(false),
      address: v.string(),
      reason: v.string(),
      message: v.pipe(v.string(), v.description("Why, and what to try, as sentences")),
    }),
  ]),
);
