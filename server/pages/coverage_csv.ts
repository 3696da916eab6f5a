import type { App } from "../app.ts";
import { coverageCsv } from "../domain/coverage/coverage_csv.ts";
import { coverageTogether } from "../domain/coverage/coverage_together.ts";
import { ALL_CAMERAS } from "../domain/settings/camera_key.ts";
import { coverageOf, today } from "../engine/coverage/coverage.ts";
import { COVERED_DAYS, coveredSpan } from "../http/request/covered_days.ts";
import { readQuery } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";

/** `GET /stats/coverage.csv?from=&to=`: what became of the recordings of each day, as a file. */
export async function coverageFile(context: RequestContext, app: App): Promise<Response> {
  const span = coveredSpan(readQuery(context, COVERED_DAYS), today(app));
  const apps = context.camera === ALL_CAMERAS ? app.cameras.all : [app];
  const all = await Promise.all(apps.map((one) => coverageOf(one, span)));
  const [first, ...others] = all;
  const { days } = first !== undefined && others.length === 0 ? first : coverageTogether(all);
  const headers = {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="dashdock-coverage-${span.from}-${span.to}.csv"`,
  };
  return new Response(context.request.method === "HEAD" ? null : coverageCsv(days), { headers });
}
