import type { App } from "../app.ts";
import { status } from "../engine/status.ts";
import { json } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";

/** `GET /api/status`: one flat answer for dashboard widgets. */
export async function currentStatus(_visit: Visit, app: App): Promise<Response> {
  return json(await status(app));
}
