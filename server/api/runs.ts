import type { App } from "../app.ts";
import type { Api } from "../domain/api/api.ts";
import { AppError } from "../domain/api/errors.ts";
import type { RunDetail } from "../domain/runs/run_detail.ts";
import { readRunId } from "../domain/runs/run_id.ts";
import { isFileName, MOST_RETRIED, type Retried, retry } from "../engine/status/failed_files.ts";
import { runDetail } from "../engine/status/run_detail.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";

/** `GET /api/runs/:id` @throws AppError RUN_NOT_FOUND */
export async function oneRun(context: RequestContext, app: App): Promise<Response> {
  const id = readRunId(context.params["id"] ?? "");
  const found: RunDetail | null = id === null ? null : await runDetail(app, id);
  if (found === null) throw new AppError("RUN_NOT_FOUND", "There is no such run in the history");
  return json(found satisfies Api["GET /api/runs/:id"]);
}

/** `POST /api/sync/retry` `{files}` or `{all: true}`. @throws AppError INVALID_BODY, NOTHING_TO_RETRY, SYNC_ALREADY_RUNNING */
export async function retryFailed(context: RequestContext, app: App): Promise<Response> {
  return json(await retry(app, retried(await context.json())), { status: 202 });
}

function retried({ files, all }: Record<string, unknown>): Retried {
  if (files === undefined && all === true) return { all };
  if (all === undefined && Array.isArray(files) && files.length > 0 && files.length <= MOST_RETRIED)
    if (files.every(isFileName)) return { files };
  throw new AppError(
    "INVALID_BODY",
    `Send files, a list of at most ${MOST_RETRIED} names such as 20260607_101500_NF.mp4, or all: true`,
  );
}
