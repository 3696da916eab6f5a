import * as v from "valibot";
import { SNAPSHOT } from "../domain/api/api_schema.ts";
import type { Endpoint } from "../domain/api/openapi.ts";
import { RUN_DETAIL } from "../domain/api/run_schema.ts";
import type { Method } from "../http/listen/route.ts";

const ok = <S extends v.GenericSchema>(answer: S, description: string) => ({ 200: { description, schema: answer } });
const STARTED = v.object({
  job_id: v.pipe(v.nullable(v.string()), v.description("Of the sync that tries them; null while no camera is set")),
  retried: v.pipe(v.number(), v.integer(), v.description("How many files")),
});

/** Runs that have ended, and the files that failed in them. */
export const RUN_ENDPOINTS = {
  "GET /api/sync/last": {
    summary: "The job that runs or ended within ten seconds",
    access: "signed-in",
    answers: { ...ok(SNAPSHOT, "The state"), 204: { description: "There is none" } },
  },
  "GET /api/runs/:id": {
    summary:
      "All that is known of a run: what came, what was left out by which rule, what failed and how that stands now",
    access: "signed-in",
    parameters: {
      id: {
        in: "path",
        description: "The end of the run in epoch milliseconds",
        schema: v.pipe(v.string(), v.regex(/^[0-9]{1,15}$/)),
      },
    },
    answers: ok(RUN_DETAIL, "The run"),
    errors: ["RUN_NOT_FOUND"],
  },
  "POST /api/sync/retry": {
    summary: "Has files that failed tried again, by a sync that starts now",
    description:
      "With `all` those that wait after a failure, and those of the latest run. While a sync runs, its plan is made: the answer is SYNC_ALREADY_RUNNING with `details.retried`, and the next sync tries them.",
    access: "signed-in",
    body: v.union([v.object({ files: v.array(v.string()) }), v.object({ all: v.literal(true) })]),
    answers: { 202: { description: "What kept them from being tried is gone", schema: STARTED } },
    errors: ["INVALID_BODY", "NOTHING_TO_RETRY", "SYNC_ALREADY_RUNNING"],
  },
} as const satisfies Readonly<Record<`${Method} /${string}`, Endpoint>>;
