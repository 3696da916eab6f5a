import * as v from "valibot";
import type { Endpoint } from "../domain/api/openapi.ts";
import * as schema from "../domain/api/page_schema.ts";
import type { Method } from "../http/listen/route.ts";
import { ok, query } from "./endpoint_parts.ts";

/** What the pages ask for themselves; other programs may, too. */
export const PAGE_ENDPOINTS = {
  "GET /api/overview": {
    summary: "The state of everything in one sentence, and the readings beside it",
    access: "signed-in",
    answers: ok(schema.OVERVIEW, "The sentence is about the time between syncs; a running one is told by the progress"),
  },
  "GET /api/logs/file": {
    summary: "The log file, to be saved",
    access: "signed-in",
    answers: { 200: { description: "Every line since it was last put aside", type: "text/plain", schema: v.string() } },
    errors: ["NOT_FOUND"],
  },
  "GET /api/schedule/preview": {
    summary: "What a schedule means, and the next runs it makes",
    access: "signed-in",
    parameters: {
      cron_expression: query("Five fields; the setting when it is left out"),
      timezone: query("Such as `Europe/Rome`; the setting when it is left out"),
    },
    answers: ok(schema.SCHEDULE_PREVIEW, "Also when it is wrong: then it says why"),
  },
  "POST /api/destination/accept": {
    summary: "Takes the recordings folder that is there now as the one to use",
    description:
      "For when it is not the one that was used before, which may be on a disk that is not mounted; until then no sync writes there.",
    access: "signed-in",
    answers: ok(v.object({ accepted: v.literal(true) }), "The next sync uses it"),
    errors: ["NOTHING_TO_ACCEPT"],
  },
  "POST /api/dashcam/check": {
    summary: "Whether a camera is at an address, and how much it holds; nothing is saved",
    access: "signed-in",
    body: v.object({ address: v.string() }),
    answers: ok(
      schema.CAMERA_CHECK,
      "Also when no camera is there: then it says why, in short where no sign-in is asked for",
    ),
    errors: ["INVALID_BODY", "RATE_LIMITED", "SYNC_ALREADY_RUNNING", "VALIDATION_ERROR"],
  },
} as const satisfies Readonly<Record<`${Method} /${string}`, Endpoint>>;
