import type { App } from "../app.ts";
import type { Api } from "../domain/api/api.ts";
import { AppError } from "../domain/api/errors.ts";
import { fieldsOf } from "../domain/settings/settings.ts";
import { previewRetention } from "../engine/retention/retention_preview.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";

/** `GET /api/retention`: what is held, what was deleted last, what lies in the trash. */
export async function state(_visit: RequestContext, { deletions }: Pick<App, "deletions">): Promise<Response> {
  return json((await deletions.state()) satisfies Api["GET /api/retention"]);
}

/** `GET /api/retention/preview`: what settings of retention would delete; without any, what those in force do. */
export async function preview({ url }: RequestContext, app: App): Promise<Response> {
  const names = [...fieldsOf("retention").map(([key]) => key), "timezone"];
  const draft = names.map((key) => [key, url.searchParams.get(key)] as const);
  return json(await previewRetention(app, Object.fromEntries(draft)));
}

/** `POST /api/retention/confirm`: what is held goes with the next scheduled run. @throws AppError NOTHING_HELD */
export async function confirm(context: RequestContext, { deletions, retention, log, cards }: App): Promise<Response> {
  const held = await deletions.held();
  if (held === null) throw new AppError("NOTHING_HELD", "Nothing waits to be deleted");
  await retention.consent.release();
  cards.tell(["status-card"]);
  log.info("retention", `The deletion that was held (${held.reason}) was agreed to from ${context.address}`);
  return json({ confirmed: true } satisfies Api["POST /api/retention/confirm"]);
}

/** `POST /api/retention/seen` `{id}`: that receipt and those before it need not be told any more. */
export async function seen(
  context: RequestContext,
  { history, cards }: Pick<App, "history" | "cards">,
): Promise<Response> {
  const { id } = await context.json();
  if (typeof id !== "string") throw new AppError("INVALID_BODY", "Say which receipt: id");
  const seen = history.deletions.see(id);
  cards.tell(["status-card", "receipts-card"]);
  return json({ seen } satisfies Api["POST /api/retention/seen"]);
}
