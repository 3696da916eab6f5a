import * as v from "valibot";
import type { App } from "../app.ts";
import { previewSchedule } from "../domain/settings/schedule_preview.ts";
import { SCHEDULE_PREVIEW } from "../domain/settings/settings_schema.ts";
import { endpoint, NOT_SAVED, query } from "./endpoint.ts";

export const preview = endpoint({
  summary: "What a schedule means, and the next runs it makes",
  parameters: {
    cron_expression: query("Five fields; the setting when it is left out"),
    timezone: query("Such as `Europe/Rome`; the setting when it is left out"),
  },
  shape: SCHEDULE_PREVIEW,
  returns: "Also when it is wrong: then it says why",
  answer({ url }, { settings, clock, zone }) {
    const { cron_expression, timezone } = settings.current.schedule;
    const cron = url.searchParams.get("cron_expression") ?? cron_expression;
    return previewSchedule(cron, url.searchParams.get("timezone") ?? timezone, clock.now(), zone.format);
  },
});

export const pause = endpoint({
  summary: "Skips scheduled syncs from now on",
  shape: v.object({ paused: v.literal(true) }),
  returns: "Paused",
  errors: NOT_SAVED,
  answer: (_context, app) => setPaused(app, true),
});

export const resume = endpoint({
  summary: "Lets scheduled syncs run again",
  shape: v.object({ paused: v.literal(false) }),
  returns: "Resumed",
  errors: NOT_SAVED,
  answer: (_context, app) => setPaused(app, false),
});

async function setPaused<Paused extends boolean>({ settings }: App, paused: Paused): Promise<{ paused: Paused }> {
  if (settings.current.schedule.paused !== paused)
    await settings.update((latest) => ({ ...latest, schedule: { ...latest.schedule, paused } }));
  return { paused };
}
