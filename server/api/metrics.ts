import { timingSafeEqual } from "node:crypto";
import type { App } from "../app.ts";
import { AppError } from "../domain/api/errors.ts";
import { METRICS_TYPE } from "../engine/metrics/metrics_text.ts";
import type { RequestContext } from "../http/listen/request_context.ts";

/** `GET /metrics`: for scrapers, when it is turned on; with a token, only for those that bring it. */
export function scrape(context: RequestContext, app: Pick<App, "settings" | "metrics" | "isReady">): Response {
  const { scrape, scrape_token: token } = app.settings.current.metrics;
  if (!scrape) throw new AppError("NOT_FOUND", "There is no page at this address.");
  if (!app.isReady()) throw new AppError("STARTING", "The service is starting or stopping. Try again in a moment.");
  const [, given = ""] = /^bearer +(.*)$/i.exec(context.request.headers.get("authorization") ?? "") ?? [];
  if (token && !isSame(given, token))
    return new Response("A bearer token is needed\n", { status: 401, headers: { "www-authenticate": "Bearer" } });
  return new Response(app.metrics.render(), { headers: { "content-type": METRICS_TYPE, "cache-control": "no-store" } });
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
