import { timingSafeEqual } from "node:crypto";
import type { App } from "../app.ts";
import { AppError } from "../domain/errors.ts";
import { METRICS_TYPE } from "../engine/metrics.ts";
import type { Visit } from "../http/visit.ts";

/** `GET /metrics`: for scrapers, when it is turned on; with a token, only for those that bring it. */
export function scrape(visit: Visit, { settings, metrics }: Pick<App, "settings" | "metrics">): Response {
  const { scrape, scrape_token: token } = settings.current.metrics;
  if (!scrape) throw new AppError("NOT_FOUND", "There is no page at this address.");
  if (token && !isSame(visit.request.headers.get("authorization") ?? "", `Bearer ${token}`))
    return new Response("A bearer token is needed\n", { status: 401, headers: { "www-authenticate": "Bearer" } });
  return new Response(metrics.render(), { headers: { "content-type": METRICS_TYPE, "cache-control": "no-store" } });
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
