import type { App } from "../app.ts";
import type { Api } from "../domain/api.ts";
import { overview } from "../engine/overview.ts";
import { json } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";

/** `GET /api/overview`: the sentence of the dashboard, its reason, and the readings beside it. */
export async function currentOverview(_visit: Visit, app: App): Promise<Response> {
  return json((await overview(app)) satisfies Api["GET /api/overview"]);
}
