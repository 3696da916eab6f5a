import type { App } from "../app.ts";
import { previewSchedule } from "../domain/settings/schedule_preview.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";

/** `GET /api/schedule/preview`: what a schedule means; what is not given is as it is set. */
export function preview({ url }: RequestContext, { settings, clock }: Pick<App, "settings" | "clock">): Response {
  const { cron_expression, timezone } = settings.current.schedule;
  const cron = url.searchParams.get("cron_expression") ?? cron_expression;
  return json(previewSchedule(cron, url.searchParams.get("timezone") ?? timezone, clock.now()));
}

/** `POST /api/schedule/pause`: scheduled runs are skipped from now on. */
export function pause(_visit: RequestContext, app: Pick<App, "settings">): Promise<Response> {
  return setPaused(app, true);
}

/** `POST /api/schedule/resume`. */
export function resume(_visit: RequestContext, app: Pick<App, "settings">): Promise<Response> {
  return setPaused(app, false);
}

async function setPaused({ settings }: Pick<App, "settings">, paused: boolean): Promise<Response> {
  if (settings.current.schedule.paused !== paused)
    await settings.update((latest) => ({ ...latest, schedule: { ...latest.schedule, paused } }));
  return json({ paused });
}
