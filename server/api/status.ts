import type { App } from "../app.ts";
import { status } from "../engine/status/status.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";

/** `GET /api/status`: one flat answer for dashboard widgets. */
export async function currentStatus(_visit: RequestContext, app: App): Promise<Response> {
  return json(await status(app));
}
