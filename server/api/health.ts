import type { App } from "../app.ts";
import { storageHealth } from "../engine/status/health.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";

/** `GET /api/health/storage`. */
export async function storage(
  _visit: RequestContext,
  app: Pick<App, "recordings" | "library" | "storage" | "retention">,
): Promise<Response> {
  return json(await storageHealth(app));
}

/** `GET /api/health/dashcam`: asked with a limit of two seconds. */
export async function dashcam(_visit: RequestContext, app: Pick<App, "probe" | "dashcam">): Promise<Response> {
  return json(await app.probe.health(app.dashcam));
}
