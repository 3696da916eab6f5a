import * as v from "valibot";
import * as schema from "../domain/api/deletion_schema.ts";
import type { Endpoint } from "../domain/api/openapi.ts";
import { RETENTION_PREVIEW } from "../domain/api/page_schema.ts";
import { KEY, ok, query } from "./endpoint_parts.ts";

const KEYS = v.array(v.string());

/** Deleting, keeping, and having back. */
export const DELETION_ENDPOINTS = {
  "GET /api/retention": {
    summary: "What waits for consent, what was deleted last, and what lies in the trash",
    access: "signed-in",
    answers: ok(schema.RETENTION_STATE, "As it is now"),
  },
  "GET /api/retention/preview": {
    summary: "What the next scheduled sync would delete, with other settings if some are given",
    access: "signed-in",
    parameters: {
      keep: query("How long to keep, such as `2w`; empty for ever; the setting when it is left out"),
      keep_event: query("How long events are kept; empty as `keep`, `always` for ever"),
      keep_parking: query("The same of parking recordings"),
      keep_manual: query("The same of manual ones"),
      event_context: query("So many clips around an event that live as long as it"),
      max_gb: query("Empty for no limit"),
      max_percent: query("Empty for no limit"),
      timezone: query("The zone in which days are counted; that of the schedule when it is left out"),
    },
    answers: ok(RETENTION_PREVIEW, "As it would be at this moment"),
  },
  "POST /api/retention/confirm": {
    summary: "Lets the next scheduled sync delete what is held",
    access: "signed-in",
    answers: ok(schema.CONFIRMED, "It will be"),
    errors: ["NOTHING_HELD"],
  },
  "POST /api/retention/seen": {
    summary: "This receipt and all before it have been seen",
    access: "signed-in",
    body: v.object({ id: v.string() }),
    answers: ok(schema.SEEN, "How many were new"),
    errors: ["INVALID_BODY"],
  },
  "GET /api/trash": {
    summary: "What lies in the trash, by day of deletion",
    access: "signed-in",
    parameters: {
      date: query("Only what was deleted that day, `YYYY-MM-DD`"),
      after: query("Only what follows this entry: its key, with `date`"),
      limit: query("At most so many entries"),
    },
    answers: ok(schema.TRASH, "Newest first"),
    errors: ["INVALID_DATE"],
  },
  "GET /api/trash/:key/thumbnail": {
    summary: "A picture of what lies in the trash",
    access: "signed-in",
    parameters: { key: KEY },
    answers: { 200: { description: "The picture", type: "image/jpeg" } },
    errors: ["RECORDING_NOT_FOUND"],
  },
  "POST /api/trash/restore": {
    summary: "Puts recordings back to where they were, and marks them as kept",
    access: "signed-in",
    body: v.union([
      v.object({ keys: KEYS }),
      v.object({ all: v.literal(true) }),
      v.object({ deletion: v.pipe(v.string(), v.description("The `id` of a receipt")) }),
    ]),
    answers: ok(schema.RESTORED, "What could be, and what could not"),
    errors: ["INVALID_BODY", "TRASH_UNUSABLE"],
  },
  "DELETE /api/trash": {
    summary: "Removes recordings from the trash for good; all when no keys are sent",
    access: "signed-in",
    body: v.object({ keys: v.exactOptional(KEYS) }),
    answers: ok(schema.PURGED, "How many entries, and their videos' bytes"),
    errors: ["INVALID_BODY", "TRASH_UNUSABLE"],
  },
  "PUT /api/recordings/:key/keep": {
    summary: "Marks a recording as kept: no rule deletes it",
    access: "signed-in",
    parameters: { key: KEY },
    body: v.object({ note: v.exactOptional(v.nullable(v.string())) }),
    answers: ok(schema.KEEPING, "Kept"),
    errors: ["RECORDING_NOT_FOUND", "INVALID_BODY", "KEPT_NOT_SAVED", "TRASH_UNUSABLE"],
  },
  "DELETE /api/recordings/:key/keep": {
    summary: "Takes the mark off",
    access: "signed-in",
    parameters: { key: KEY },
    answers: ok(schema.LET_GO, "No longer kept"),
    errors: ["RECORDING_NOT_FOUND", "KEPT_NOT_SAVED", "TRASH_UNUSABLE"],
  },
  "DELETE /api/recordings/:key": {
    summary: "Moves a recording to the trash; it is not fetched again while the camera has it",
    access: "signed-in",
    parameters: { key: KEY },
    answers: ok(schema.DELETED_ONE, "Until when it can be had back; null when it is gone"),
    errors: ["RECORDING_NOT_FOUND", "RECORDING_KEPT", "TRASH_UNUSABLE"],
  },
  "DELETE /api/recordings": {
    summary: "Moves several recordings to the trash",
    access: "signed-in",
    body: v.object({ keys: KEYS }),
    answers: ok(schema.DELETED, "What was moved, and what could not be"),
    errors: ["INVALID_BODY", "TRASH_UNUSABLE"],
  },
} as const satisfies Readonly<Record<string, Endpoint>>;
