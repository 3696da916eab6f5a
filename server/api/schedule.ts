import * as v from "valibot";
import type { App } from "../app.ts";
import { orNull } from "../domain/answers/answer_fields.ts";
import { previewSchedule } from "../domain/settings/schedule_preview.ts";
import { SCHEDULE_PREVIEW } from "../domain/settings/settings_schema.ts";
import { endpoint, NOT_SAVED } from "./endpoint.ts";

export const preview = endpoint({
  summary: "What a schedule means, and the next runs it makes",
  query: v.object({
    cron_expression: orNull(v.string(), "Five fields; the setting when it is left out"),
    timezone: orNull(v.string(), "Such as `Europe/Rome`; the setting when it is left out"),
  }),
  shape: SCHEDULE_PREVIEW,
  returns: "Also when it is wrong: then it says why",
  answer({ query }, { settings, clock, zone }) {
    const { schedule } = settings.current;
    const cron = query.cron_expression ?? schedule.cron_expression;
    return previewSchedule(cron, query.timezone ?? schedule.timezone, clock.now(), zone.format);
  },
});

export const pause = endpoint({
  summary: "Skips scheduled syncs from now on",
  shape: v.object({ paused: v.literal(true) }),
  returns: "Paused",
  errors: NOT_SAVED,
  answer: (_context, app) => setPaused(app, true),
  all: (answers) => ({ paused: true, cameras: answers.map(({ camera }) => ({ camera, paused: true })) }),
});

export const resume = endpoint({
  summary: "Lets scheduled syncs run again",
  shape: v.object({ paused: v.literal(false) }),
  returns: "Resumed",
  errors: NOT_SAVED,
  answer: (_context, app) => setPaused(app, false),
  all: (answers) => ({ paused: false, cameras: answers.map(({ camera }) => ({ camera, paused: false })) }),
});

async function setPaused<Paused extends boolean>({ settings }: App, paused: Paused): Promise<{ paused: Paused }> {
  if (settings.current.schedule.paused !== paused)
    await settings.update((latest) => ({ ...latest, schedule: { ...latest.schedule, paused } }));
  return { paused };
}
