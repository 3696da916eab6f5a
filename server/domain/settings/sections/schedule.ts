import { field, section } from "../field.ts";
import { flag, text } from "../field_kinds.ts";
import { cronProblem, FALLBACK_SCHEDULE, timeZoneProblem } from "../schedule.ts";

export const SCHEDULE = section("next_tick", "Schedule", {
  cron_expression: field(text(cronProblem, "cron"), FALLBACK_SCHEDULE.cron_expression, {
    label: "Look for the camera",
    help: "More often catches short visits. When clocks change, a skipped time runs right after. A repeated time runs once.",
    env: { name: "SERVICE_SCHEDULE", read: "text" },
  }),
  timezone: field(text(timeZoneProblem, "time_zone"), FALLBACK_SCHEDULE.timezone, {
    label: "Time zone",
    help: "Used for the schedule, all times shown, and the age of recordings. Choose the camera’s zone.",
    decides: "deleting",
    env: { name: "SERVICE_TIMEZONE", read: "text" },
  }),
  paused: field(flag("On: no scheduled sync starts", "Off: Dashdock follows the schedule"), false, {
    label: "Pause scheduled syncs",
    help: "Sync now still works.",
  }),
});
