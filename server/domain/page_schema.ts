import * as v from "valibot";
import { exactly } from "./api_schema.ts";
import type { Overview } from "./overview.ts";

/** What the service's own pages ask for beside what every program may want. */

const epochMs = v.pipe(v.number(), v.description("Epoch milliseconds"));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const OVERVIEW = exactly<Overview>()(
  v.object({
    now: epochMs,
    time_zone: v.string(),
    mood: v.picklist(["fine", "busy", "waiting", "attention", "failed"]),
    sentence: v.string(),
    detail: v.string(),
    address: v.string(),
    paused: v.boolean(),
    next_at: v.nullable(epochMs),
    on_camera: v.nullable(count),
    chosen: v.nullable(count),
    waiting_files: count,
    last_seen_at: v.nullable(epochMs),
    newest: v.nullable(v.string()),
    recordings: count,
    room_bytes: v.nullable(count),
    max_used_percent: v.number(),
  }),
);
