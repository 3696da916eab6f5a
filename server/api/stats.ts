import type { App } from "../app.ts";
import type { Api } from "../domain/api.ts";
import { AppError } from "../domain/errors.ts";
import { isRange, RANGES } from "../domain/run.ts";
import { statistics } from "../engine/statistics.ts";
import { json } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";

/** `GET /api/stats/series?range=24h|7d|30d|all` */
export async function series(
  visit: Visit,
  app: Pick<App, "history" | "clock" | "settings" | "outlook" | "timeZone">,
): Promise<Response> {
  const range = visit.url.searchParams.get("range") ?? "7d";
  if (!isRange(range)) {
    throw new AppError("BAD_RANGE", `The range must be one of ${Object.keys(RANGES).join(", ")}`, { range });
  }
  return json((await statistics(app, range)) satisfies Api["GET /api/stats/series"]);
}
