import * as v from "valibot";
import type { Api } from "../domain/api.ts";
import * as schema from "../domain/api_schema.ts";
import { CHANGES_REF, type Endpoint, type Parameter, SETTINGS_REF } from "../domain/openapi.ts";
import { RANGES } from "../domain/run.ts";
import { SECTION_NAMES } from "../domain/settings.ts";
import { METRICS_TYPE } from "../engine/metrics.ts";
import type { Status } from "../engine/status.ts";
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from "../http/password.ts";
import type { Method } from "../http/route.ts";
import type { LogLine } from "../log.ts";

const STREAM = "text/event-stream";
const HTML = "text/html";

/** Shapes of floors that `domain/` cannot see: they are compared here. */
const STATUS = schema.exactly<Status>()(schema.STATUS);
const LOG_FRAME = schema.exactly<{ boot_id: string; lines: LogLine[] }>()(schema.LOG_FRAME);

/** The schemas that are told once. */
export const NAMED: Readonly<Record<string, v.GenericSchema>> = {
  CurrentFile: schema.CURRENT_FILE,
  JourneySegment: schema.JOURNEY_SEGMENT,
  LogFrame: LOG_FRAME,
  LogLine: schema.LOG_LINE,
  RunPoint: schema.RUN_POINT,
  Snapshot: schema.SNAPSHOT,
  Status: STATUS,
  ViewerRecording: schema.VIEWER_RECORDING,
};

const KEY: Parameter = {
  in: "path",
  description: "`<base>_<type>`, such as `20260607_101500_N`",
  schema: v.pipe(v.string(), v.regex(/^[0-9]{8}_[0-9]{6}_[A-Z]$/)),
};

/** What to send for a new password. A field that is left out counts as empty. */
const PASSWORDS = v.object({
  current_password: v.string(),
  new_password: v.pipe(v.string(), v.minLength(SHORTEST_PASSWORD), v.maxLength(LONGEST_PASSWORD)),
});

const header = (description: string): Parameter => ({ in: "header", description, schema: v.string() });
const ok = (answer: v.GenericSchema, description: string) => ({ 200: { description, schema: answer } });

type Endpoints = Readonly<Record<`${Method} /${string}`, Endpoint>>;
/** Where the program itself names what an endpoint answers, the description must say the same. */
type Tied = { readonly [K in keyof Api]: { readonly answers: { 200: { schema: v.GenericSchema<unknown, Api[K]> } } } };
