import { field, section } from "../field.ts";
import { flag, text } from "../field_kinds.ts";
import { cronProblem, FALLBACK_SCHEDULE, timeZoneProblem } from "../schedule.ts";

export const SCHEDULE = section("next_tick", "Schedule", {
  cron_expression: field(text(cronProblem, "cron"), FALLBACK_SCHEDULE.cron_expression, {
    label: "Look for the camera",
    help: "Five fields: minute, hour, day of month, month, day of week. */15 * * * * is every 15 minutes.",
    env: { name: "SERVICE_SCHEDULE", read: "text" },
  }),
  timezone: field(text(timeZoneProblem, "time_zone"), FALLBACK_SCHEDULE.timezone, {
    label: "Time zone",
    help: "The zone the schedule is written in, such as Europe/Rome. It should be the camera's: how old recordings are is counted in its days. A time that daylight saving skips runs right after the gap, a repeated one once.",
    decides: "deleting",
    env: { name: "SERVICE_TIMEZONE", read: "text" },
  }),
  paused: field(flag("On, no scheduled run starts", "Off, runs follow the schedule"), false, {
    label: "Pause scheduled runs",
    help: "Sync now still works.",
  }),
});
