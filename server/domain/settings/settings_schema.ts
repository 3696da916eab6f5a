import * as v from "valibot";
import { AMOUNT, epochMs, orNull, text } from "../answers/answer_fields.ts";
import { SCOPES } from "../keys/access_key.ts";
import { AUTH_MODES } from "./sections/auth.ts";
import { SECTION_NAMES } from "./settings.ts";

export const ME = v.object({
  username: text("Of a key its name"),
  mode: v.picklist(AUTH_MODES),
  role: v.picklist(["admin", "viewer", "key"]),
  scope: v.exactOptional(v.pipe(v.picklist(SCOPES), v.description("What a key may do; left out of people"))),
});

export const SESSIONS = v.object({
  sessions: v.array(
    v.object({
      id: v.string(),
      browser: v.pipe(v.string(), v.description("Such as `Firefox on Linux`")),
      is_phone: v.boolean(),
      address: v.pipe(v.string(), v.description("From where it was here last")),
      signed_in_at: v.pipe(v.string(), v.description("ISO 8601 UTC")),
      last_seen_at: v.pipe(v.string(), v.description("ISO 8601 UTC")),
      current: v.pipe(v.boolean(), v.description("The caller's own")),
    }),
  ),
});

/** A browser that is signed in. */
export type SignedIn = v.InferOutput<typeof SESSIONS>["sessions"][number];

/** Part of the answer of `PATCH /api/settings/retention`. */
const WOULD_DELETE = orNull(AMOUNT, "Null while a limit asks how large recordings are and that is not known yet");

export const PATCHED = v.object({
  section: v.picklist(SECTION_NAMES),
  tier: v.picklist(["immediate", "next_tick", "restart"]),
  applied: v.literal(true),
  would_delete: v.exactOptional(WOULD_DELETE),
  warnings: v.exactOptional(
    v.pipe(
      v.array(v.object({ path: v.string(), message: v.string() })),
      v.description("What was set all the same and may not be meant; left out when there is nothing to say"),
    ),
  ),
});

/** Meaning of a schedule, or its fault. */
export const SCHEDULE_PREVIEW = v.union([
  v.object({
    valid: v.literal(true),
    words: v.string(),
    next: v.pipe(v.array(epochMs), v.description("The next three runs; fewer when there are fewer")),
    time_zone: v.string(),
    now: epochMs,
  }),
  v.object({
    valid: v.literal(false),
    field: v.picklist(["cron_expression", "timezone"]),
    problem: text("What is wrong, as a sentence"),
  }),
]);
