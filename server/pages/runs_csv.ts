import type { App } from "../app.ts";
import type { Run } from "../domain/runs/run.ts";
import { CSV_HEAD, csvLine } from "../domain/runs/runs_csv.ts";
import { isoDay } from "../domain/text/zone_time.ts";
import { readQuery } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { STATS_RANGE } from "../http/request/stats_range.ts";
import { sinceOf } from "./runs_table.tsx";

/**
 * `GET /stats/runs.csv?range=`: every run of the range, oldest first, as a file. An unknown range is refused: a file
 * with other runs than were asked for would go unnoticed.
 */
export function runsCsv(context: RequestContext, { history, clock }: Pick<App, "history" | "clock">): Response {
  const { range } = readQuery(context, STATS_RANGE);
  const now = clock.now();
  const name = `dashdock-runs-${range}-${isoDay(now)}.csv`;
  const headers = {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}"`,
  };
  if (context.request.method === "HEAD") return new Response(null, { headers });
  return new Response(csvOf(history.slices(sinceOf(range, now))), { headers });
}

/** A few thousand lines whenever the reader has taken those before. */
function csvOf(slices: Iterator<Run[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(CSV_HEAD));
    },
    pull(controller) {
      const { value: runs, done } = slices.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(runs.map(csvLine).join("")));
    },
  });
}
