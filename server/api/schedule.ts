import type { App } from "../app.ts";
import { json } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";

/** `POST /api/schedule/pause`: scheduled runs are skipped from now on. */
export function pause(_visit: Visit, app: Pick<App, "settings">): Promise<Response> {
  return setPaused(app, true);
}

/** `POST /api/schedule/resume`. */
export function resume(_visit: Visit, app: Pick<App, "settings">): Promise<Response> {
  return setPaused(app, false);
}

async function setPaused({ settings }: Pick<App, "settings">, paused: boolean): Promise<Response> {
  if (settings.current.schedule.paused !== paused)
    await settings.update((latest) => ({ ...latest, schedule: { ...latest.schedule, paused } }));
  return json({ paused });
}
