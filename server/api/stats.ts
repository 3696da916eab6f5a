import type { App } from "../app.ts";
import type { Api } from "../domain/api.ts";
import { statistics } from "../engine/statistics.ts";
import { rangeOf } from "../http/range.ts";
import { json } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";

/** `GET /api/stats/series?range=24h|7d|30d|all` */
export async function series(
  visit: Visit,
  app: Pick<App, "history" | "clock" | "settings" | "outlook" | "storage" | "timeZone">,
): Promise<Response> {
  return json((await statistics(app, rangeOf(visit))) satisfies Api["GET /api/stats/series"]);
}
