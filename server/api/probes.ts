import type { App } from "../app.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";

/** `GET /healthz`: the process is up. */
export function healthz(): Response {
  return json({ status: "ok" });
}

/** `GET /readyz`: settings and stores are open, and not closing yet. */
export function readyz(_visit: RequestContext, app: Pick<App, "isReady">): Response {
  return app.isReady()
    ? json({ status: "ready", settings_loaded: true })
    : json({ status: "starting", settings_loaded: false }, { status: 503 });
}
