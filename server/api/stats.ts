import type { App } from "../app.ts";
import type { Api } from "../domain/api/api.ts";
import { statistics } from "../engine/status/statistics.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";
import { rangeOf } from "../http/listen/stats_range.ts";

/** `GET /api/stats/series?range=24h|7d|30d|all` */
export async function series(
  context: RequestContext,
  app: Pick<App, "history" | "clock" | "settings" | "outlook" | "storage" | "timeZone">,
): Promise<Response> {
  return json((await statistics(app, rangeOf(context))) satisfies Api["GET /api/stats/series"]);
}
