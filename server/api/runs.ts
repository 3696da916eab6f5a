import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { RUN_DETAIL } from "../domain/runs/run_schema.ts";
import { STATISTICS } from "../domain/runs/stats_schema.ts";
import { JOB_RETRIES } from "../domain/sync/job_schema.ts";
import { isFileName, MOST_RETRIED, retry } from "../engine/status/failed_files.ts";
import { runDetail } from "../engine/status/run_detail.ts";
import { statistics } from "../engine/status/statistics.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { STATS_RANGE } from "../http/request/stats_range.ts";
import { endpoint } from "./endpoint.ts";

const NO_SUCH_RUN = "There is no such run in the history";
const RUN_ID = v.pipe(
  v.string(),
  v.regex(/^[0-9]{1,15}$/, NO_SUCH_RUN),
  v.transform(Number),
  v.description("The end of the run in epoch milliseconds"),
  refusedAs("RUN_NOT_FOUND"),
);
const FILES = v.pipe(v.array(v.pipe(v.string(), v.check(isFileName))), v.nonEmpty(), v.maxLength(MOST_RETRIED));

export const oneRun = endpoint({
  summary:
    "All that is known of a run: what came, what was left out by which rule, what failed and how that stands now",
  params: v.object({ id: RUN_ID }),
  shape: RUN_DETAIL,
  returns: "The run",
  async answer({ params }, app) {
    const found = await runDetail(app, params.id);
    if (found === null) throw new AppError("RUN_NOT_FOUND", NO_SUCH_RUN);
    return found;
  },
});

export const retryFailed = endpoint({
  summary: "Has files that failed tried again, by a sync that starts now",
  description:
    "With `all` those that wait after a failure, and those of the latest run. While a sync runs, its plan is made: the answer is SYNC_ALREADY_RUNNING with `details.retried`, and the next sync tries them.",
  body: v.message(
    v.union([
      v.object({ files: FILES, all: v.exactOptional(v.never()) }),
      v.object({ all: v.literal(true), files: v.exactOptional(v.never()) }),
    ]),
    `Send files, a list of at most ${MOST_RETRIED} names such as 20260607_101500_NF.mp4, or all: true`,
  ),
  status: 202,
  shape: JOB_RETRIES,
  returns: "What kept them from being tried is gone",
  errors: ["NOTHING_TO_RETRY", "SYNC_ALREADY_RUNNING"],
  answer: ({ body }, app) => retry(app, body),
});

export const series = endpoint({
  summary: "Runs over time, their summary, and how the disk will fill",
  query: STATS_RANGE,
  shape: STATISTICS,
  returns: "One point per run, or per time bucket when there are thousands",
  answer: ({ query }, app: Pick<App, "history" | "clock" | "settings" | "diskForecast" | "storage" | "zone">) =>
    statistics(app, query.range),
});
