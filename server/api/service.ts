import * as v from "valibot";
import { AppError } from "../domain/answers/errors.ts";
import { isKeyText } from "../domain/keys/access_key.ts";
import { lastSeenAt, type SeenParts } from "../engine/listed/last_seen.ts";
import { METRICS_TYPE } from "../engine/metrics/metrics_text.ts";
import { type GaugeParts, renderService } from "../engine/metrics/service_gauges.ts";
import { admittedByKey, bearerOf, type KeyParts, keyGiven } from "../http/auth/key_access.ts";
import type { OpeningHttpApp } from "../http/request/http_app.ts";
import { isSame } from "../http/request/sessions.ts";
import { VERSION } from "../version.ts";
import { type DescribedRoute, type Endpoint, endpoint, responseEndpoint } from "./endpoint.ts";

interface MetricsParts {
  readonly cameras: { readonly all: readonly (GaugeParts & SeenParts)[] };
}

export const metrics = responseEndpoint({
  summary: "Figures of the syncs, for Prometheus",
  description:
    "Offered when the setting metrics.scrape is on. Takes a key of any scope in place of metrics.scrape_token.",
  token: "collector",
  answers: {
    200: { description: "The figures", type: METRICS_TYPE, schema: v.string() },
    401: { description: "The bearer token is missing or wrong", type: "text/plain", schema: v.string() },
    404: { description: "Not offered", type: "text/html", schema: v.string() },
  },
  async respond(
    { context },
    app: Pick<OpeningHttpApp<MetricsParts>, "settings" | "isReady" | "opened" | keyof KeyParts>,
  ) {
    const { scrape, scrape_token: token } = app.settings.current.metrics;
    if (!scrape) throw new AppError("NOT_FOUND", "There is no page at this address.");
    if (app.opened === null || !app.isReady())
      throw new AppError("STARTING", "The service is starting or stopping. Try again in a moment.");
    const given = bearerOf(context) ?? "";
    if (!token || !isSame(given, token)) {
      const key = keyGiven(context, app.settings.current.auth);
      // Any scope reaches the figures. A token that is no key is what collectors send that were set up for another one.
      if (key !== null && (isKeyText(key) || context.request.headers.has("x-api-key"))) {
        context.comesByKey();
        await admittedByKey(context, key, app);
      } else if (token)
        return new Response("A bearer token is needed\n", { status: 401, headers: { "www-authenticate": "Bearer" } });
    }
    const headers = { "content-type": METRICS_TYPE, "cache-control": "no-store" };
    return new Response(await renderService(app.opened.cameras.all, lastSeenAt, VERSION), { headers });
  },
});

/** @param routes all of them, of which those for programs are described */
export function description(routes: () => readonly DescribedRoute[]): Endpoint<unknown> {
  return endpoint({
    summary: "This description",
    shape: v.record(v.string(), v.unknown()),
    returns: "OpenAPI 3.1",
    // Loaded on request: few services are ever asked for it, and it would take memory in all.
    answer: async ({ context }) => (await import("./openapi.ts")).openApi(routes(), context.base),
  });
}
