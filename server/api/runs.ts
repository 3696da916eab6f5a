import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { RANGES } from "../domain/runs/run.ts";
import { readRunId } from "../domain/runs/run_id.ts";
import { RUN_DETAIL } from "../domain/runs/run_schema.ts";
import { STATISTICS } from "../domain/runs/stats_schema.ts";
import { JOB_RETRIES } from "../domain/sync/job_schema.ts";
import { isFileName, MOST_RETRIED, type Retried, retry } from "../engine/status/failed_files.ts";
import { runDetail } from "../engine/status/run_detail.ts";
import { statistics } from "../engine/status/statistics.ts";
import { rangeOf } from "../http/request/stats_range.ts";
import { endpoint, query } from "./endpoint.ts";

export const oneRun = endpoint({
  summary:
    "All that is known of a run: what came, what was left out by which rule, what failed and how that stands now",
  parameters: {
    id: {
      in: "path",
      description: "The end of the run in epoch milliseconds",
      schema: v.pipe(v.string(), v.regex(/^[0-9]{1,15}$/)),
    },
  },
  shape: RUN_DETAIL,
  returns: "The run",
  errors: ["RUN_NOT_FOUND"],
  async answer(context, app) {
    const id = readRunId(context.params["id"] ?? "");
    const found = id === null ? null : await runDetail(app, id);
    if (found === null) throw new AppError("RUN_NOT_FOUND", "There is no such run in the history");
    return found;
  },
});

export const retryFailed = endpoint({
  summary: "Has files that failed tried again, by a sync that starts now",
  description:
    "With `all` those that wait after a failure, and those of the latest run. While a sync runs, its plan is made: the answer is SYNC_ALREADY_RUNNING with `details.retried`, and the next sync tries them.",
  body: v.union([v.object({ files: v.array(v.string()) }), v.object({ all: v.literal(true) })]),
  status: 202,
  shape: JOB_RETRIES,
  returns: "What kept them from being tried is gone",
  errors: ["INVALID_BODY", "NOTHING_TO_RETRY", "SYNC_ALREADY_RUNNING"],
  answer: async (context, app) => await retry(app, retried(await context.json())),
});

function retried({ files, all }: Record<string, unknown>): Retried {
  if (files === undefined && all === true) return { all };
  if (all === undefined && Array.isArray(files) && files.length > 0 && files.length <= MOST_RETRIED)
    if (files.every(isFileName)) return { files };
  throw new AppError(
    "INVALID_BODY",
    `Send files, a list of at most ${MOST_RETRIED} names such as 20260607_101500_NF.mp4, or all: true`,
  );
}

export const series = endpoint({
  summary: "Runs over time, their summary, and how the disk will fill",
  parameters: { range: query("How far back; `7d` when it is left out", v.picklist(Object.keys(RANGES))) },
  shape: STATISTICS,
  returns: "One point per run, or per time bucket when there are thousands",
  errors: ["BAD_RANGE"],
  answer: (context, app: Pick<App, "history" | "clock" | "settings" | "diskForecast" | "storage" | "zone">) =>
    statistics(app, rangeOf(context)),
});
