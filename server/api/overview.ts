import type { App } from "../app.ts";
import type { Api } from "../domain/api/api.ts";
import { overview } from "../engine/status/overview.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";

/** `GET /api/overview`: the sentence of the dashboard, its reason, and the readings beside it. */
export async function currentOverview(_visit: RequestContext, app: App): Promise<Response> {
  return json((await overview(app)) satisfies Api["GET /api/overview"]);
}
