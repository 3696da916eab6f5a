import type { App } from "../app.ts";
import { previewRetention } from "../engine/retention_preview.ts";
import { json } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";

/** `GET /api/retention/preview`: what `keep` would delete; without it, what the setting does. */
export async function preview({ url }: Visit, app: App): Promise<Response> {
  return json(await previewRetention(app, url.searchParams.get("keep") ?? app.settings.current.retention.keep));
}
