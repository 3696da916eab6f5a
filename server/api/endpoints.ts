import * as v from "valibot";
import type { Api } from "../domain/api/api.ts";
import * as schema from "../domain/api/api_schema.ts";
import { exactly } from "../domain/api/exactly.ts";
import { CHANGES_REF, type Endpoint, type Parameter, SETTINGS_REF } from "../domain/api/openapi.ts";
import { RUN_POINT, STATISTICS } from "../domain/api/stats_schema.ts";
import type { LogFrame } from "../domain/logs/log_line.ts";
import { RANGES } from "../domain/runs/run.ts";
import { SECTION_NAMES } from "../domain/settings/settings.ts";
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from "../domain/text/password_strength.ts";
import { METRICS_TYPE } from "../engine/metrics/metrics_text.ts";
import type { Status } from "../engine/status/status.ts";
import type { Method } from "../http/listen/route.ts";
import { DELETION_ENDPOINTS } from "./deletion_endpoints.ts";
import { KEY, ok, query } from "./endpoint_parts.ts";
import { PAGE_ENDPOINTS } from "./page_endpoints.ts";
import { RUN_ENDPOINTS } from "./run_endpoints.ts";

const STREAM = "text/event-stream";
const HTML = "text/html";

const STATUS = exactly<Status>()(schema.STATUS);
const LOG_FRAME = exactly<LogFrame>()(schema.LOG_FRAME);

export const NAMED: Readonly<Record<string, v.GenericSchema>> = {
  CurrentFile: schema.CURRENT_FILE,
  JourneySegment: schema.JOURNEY_SEGMENT,
  LogFrame: LOG_FRAME,
  LogLine: schema.LOG_LINE,
  ProgressUpdate: schema.PROGRESS_UPDATE,
  RunPoint: RUN_POINT,
  Snapshot: schema.SNAPSHOT,
  Status: STATUS,
  ViewerRecording: schema.VIEWER_RECORDING,
};

/** What to send for a new password. A field that is left out counts as empty. */
const PASSWORDS = v.object({
  current_password: v.string(),
  new_password: v.pipe(v.string(), v.minLength(SHORTEST_PASSWORD), v.maxLength(LONGEST_PASSWORD)),
});

const WHOLE = v.pipe(v.number(), v.integer());
const header = (description: string): Parameter => ({ in: "header", description, schema: v.string() });
const NOT_SAVED = ["SETTINGS_INVALID", "SETTINGS_NOT_SAVED", "STORAGE_FULL"] as const;

function stream(event: string, shape: string) {
  const description = `Server-sent events named ${event}; the data of each is the JSON of a ${shape}. After 30 s without one a comment.`;
  return { 200: { description, type: STREAM, schema: v.string() } };
}

type Endpoints = Readonly<Record<`${Method} /${string}`, Endpoint>>;
/** Where the program itself names what an endpoint answers, the description must say the same. */
type Tied = {
  readonly [K in keyof Api]: Endpoint & { readonly answers: { 200: { schema: v.GenericSchema<unknown, Api[K]> } } };
};

/** Every endpoint that is for programs, in the order of the routes. */
export const ENDPOINTS = {
  "GET /healthz": {
    summary: "Whether the process is up",
    access: "open",
    answers: ok(v.object({ status: v.literal("ok") }), "It is"),
  },
  "GET /readyz": {
    summary: "Whether settings and stores are open",
    access: "open",
    answers: {
      ...ok(v.object({ status: v.literal("ready"), settings_loaded: v.literal(true) }), "They are"),
      503: {
        description: "Not yet, or not any more",
        schema: v.object({ status: v.literal("starting"), settings_loaded: v.literal(false) }),
      },
    },
  },
  "GET /metrics": {
    summary: "Figures of the syncs, for Prometheus",
    description: "Offered when the setting metrics.scrape is on.",
    access: "collector",
    answers: {
      200: { description: "The figures", type: METRICS_TYPE, schema: v.string() },
      401: { description: "The bearer token is missing or wrong", type: "text/plain", schema: v.string() },
      404: { description: "Not offered", type: HTML, schema: v.string() },
    },
  },
  "GET /api/openapi.json": {
    summary: "This description",
    access: "signed-in",
    answers: ok(v.record(v.string(), v.unknown()), "OpenAPI 3.1"),
  },
  "GET /api/auth/me": {
    summary: "Who is signed in, and how",
    access: "signed-in",
    answers: ok(schema.ME, "`anonymous` in the mode `none`"),
  },
  "POST /api/auth/password": {
    summary: "Changes the password",
    description: "All other sessions end; the caller's is issued again.",
    access: "signed-in",
    body: PASSWORDS,
    answers: ok(v.object({ applied: v.literal(true) }), "Changed"),
    errors: [
      "RATE_LIMITED",
      "INVALID_BODY",
      "VALIDATION_ERROR",
      "INVALID_CURRENT_PASSWORD",
      "WEAK_PASSWORD",
      ...NOT_SAVED,
    ],
  },
  "DELETE /api/auth/sessions": {
    summary: "Ends every session, the caller's included",
    access: "signed-in",
    answers: ok(v.object({ rotated: v.literal(true), restart_required: v.literal(false) }), "Ended"),
    errors: NOT_SAVED,
  },
  "GET /api/status": {
    summary: "One flat answer for dashboard widgets",
    access: "signed-in",
    answers: ok(STATUS, "How things stand"),
  },
  "GET /api/sync/progress": {
    summary: "The state of the one job",
    access: "signed-in",
    answers: ok(schema.SNAPSHOT, "The state"),
  },
  "GET /api/sync/progress/stream": {
    summary: "The state of the job at every change",
    description: "At most five a second; the last state and every changed card always arrive.",
    access: "signed-in",
    answers: stream("`progress`", "ProgressUpdate"),
    errors: ["TOO_MANY_STREAMS"],
  },
  "POST /api/sync/now": {
    summary: "Starts a sync",
    access: "signed-in",
    answers: { 202: { description: "It begins", schema: v.object({ job_id: v.string() }) } },
    errors: ["NO_ADDRESS", "SYNC_ALREADY_RUNNING"],
  },
  "POST /api/sync/stop": {
    summary: "Stops the sync at once, keeping what is here",
    access: "signed-in",
    answers: {
      202: { description: "It ends", schema: v.object({ job_id: v.string(), stopping: v.literal(true) }) },
    },
    errors: ["SYNC_NOT_RUNNING"],
  },
  "POST /api/schedule/pause": {
    summary: "Skips scheduled syncs from now on",
    access: "signed-in",
    answers: ok(v.object({ paused: v.literal(true) }), "Paused"),
    errors: NOT_SAVED,
  },
  "POST /api/schedule/resume": {
    summary: "Lets scheduled syncs run again",
    access: "signed-in",
    answers: ok(v.object({ paused: v.literal(false) }), "Resumed"),
    errors: NOT_SAVED,
  },
  "GET /api/settings": {
    summary: "All settings, secrets masked",
    access: "signed-in",
    answers: {
      200: { description: "By section, each with its tier: how soon a change takes effect", schema: SETTINGS_REF },
    },
  },
  "PATCH /api/settings/:section": {
    summary: "Changes the fields that are sent",
    description: "A section can be sent back as it was read: `_tier` and `***` are ignored.",
    access: "signed-in",
    parameters: {
      section: { in: "path", description: "A section of the settings", schema: v.picklist(SECTION_NAMES) },
    },
    body: CHANGES_REF,
    answers: ok(schema.PATCHED, "Changed"),
    errors: ["SECTION_NOT_FOUND", "INVALID_BODY", ...NOT_SAVED],
  },
  "GET /api/health/storage": {
    summary: "The disk of the recordings and how many there are",
    access: "signed-in",
    answers: ok(schema.STORAGE_HEALTH, "Also when the folder is missing"),
  },
  "GET /api/health/dashcam": {
    summary: "Whether the camera answers within two seconds",
    access: "signed-in",
    answers: ok(schema.DASHCAM_HEALTH, "Also when it does not"),
  },
  "GET /api/recordings/recent": {
    summary: "The recordings that came home last",
    access: "signed-in",
    parameters: {
      limit: query("How many: 5 when it is left out, held within 1 and 50", WHOLE),
    },
    answers: ok(schema.RECENT_RECORDINGS, "Latest first"),
  },
  "GET /api/logs/recent": {
    summary: "The log lines in memory",
    access: "signed-in",
    answers: ok(schema.RECENT_LOGS, "Oldest first"),
  },
  "GET /api/logs/stream": {
    summary: "Log lines as they come",
    description:
      "The first frame holds all lines in memory, the others only new ones. With `boot` and `after` of this process it goes on after that line.",
    access: "signed-in",
    parameters: {
      boot: query("The `boot_id` of an earlier frame; of another process it is passed over"),
      after: query("The `seq` of the last line that was heard", WHOLE),
    },
    answers: stream("`logs`", "LogFrame"),
    errors: ["TOO_MANY_STREAMS"],
  },
  "GET /api/stats/series": {
    summary: "Runs over time, their summary, and how the disk will fill",
    access: "signed-in",
    parameters: {
      range: query("How far back; `7d` when it is left out", v.picklist(Object.keys(RANGES))),
    },
    answers: ok(STATISTICS, "One point per run, or per time bucket when there are thousands"),
    errors: ["BAD_RANGE"],
  },
  "GET /api/viewer/days": {
    summary: "The days that have recordings",
    access: "signed-in",
    answers: ok(schema.DAYS, "Newest first"),
  },
  "GET /api/viewer/recordings": {
    summary: "The recordings of a day",
    access: "signed-in",
    parameters: {
      date: {
        in: "query",
        description: "`YYYY-MM-DD`; the newest day when it is left out",
        schema: v.pipe(v.string(), v.regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)),
      },
    },
    answers: ok(schema.DAY_RECORDINGS, "At most one day, newest recording first"),
    errors: ["INVALID_DATE"],
  },
  "GET /api/viewer/recordings/:key/journey": {
    summary: "The recording and those that follow it without a gap",
    access: "signed-in",
    parameters: { key: KEY },
    answers: ok(schema.JOURNEY, "By time"),
    errors: ["RECORDING_NOT_FOUND"],
  },
  "GET /api/viewer/recordings/:key/gps": {
    summary: "Where the car was",
    access: "signed-in",
    parameters: { key: KEY },
    answers: ok(schema.GPS, "By time; empty without satellites"),
    errors: ["RECORDING_NOT_FOUND", "NO_GPS"],
  },
  "GET /api/viewer/recordings/:key/gsensor": {
    summary: "How the car was accelerated",
    access: "signed-in",
    parameters: { key: KEY },
    answers: ok(schema.GSENSOR, "By time"),
    errors: ["RECORDING_NOT_FOUND", "NO_GSENSOR"],
  },
  "GET /media/*": {
    summary: "A recording's video or thumbnail, whole or in part",
    access: "signed-in",
    parameters: {
      path: {
        in: "path",
        description: "Path of an .mp4 or .thm below the recordings folder, with its slashes",
        schema: v.string(),
      },
      download: query("`1` saves the file instead of showing it"),
      Range: header("The bytes that are wanted"),
      "If-Range": header("Only if the file is still this one, by ETag or date"),
      "If-None-Match": header("Not if the file is still this one, by ETag"),
      "If-Modified-Since": header("Not if the file is not newer"),
    },
    answers: {
      200: { description: "The file", type: "*/*" },
      206: { description: "The part that was asked for", type: "*/*" },
      304: { description: "What you have is still right" },
      401: { description: "The request comes without a session", type: HTML, schema: v.string() },
      404: { description: "There is no such recording", type: HTML, schema: v.string() },
      416: { description: "The file has no such part" },
      503: { description: "The service is starting or stopping", type: HTML, schema: v.string() },
    },
  },
  ...DELETION_ENDPOINTS,
  ...PAGE_ENDPOINTS,
  ...RUN_ENDPOINTS,
} as const satisfies Endpoints & Tied;
