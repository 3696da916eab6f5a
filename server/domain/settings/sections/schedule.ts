import { field, section } from "../field.ts";
import { flag, text, whole } from "../field_kinds.ts";
import { cronProblem, FALLBACK_SCHEDULE, timeZoneProblem } from "../schedule.ts";

export const SCHEDULE = section("next_tick", "Schedule", {
  cron_expression: field(text(cronProblem, "cron"), FALLBACK_SCHEDULE.cron_expression, {
    label: "Look for the camera",
    help: "More often catches short visits. When clocks change, a skipped time runs right after. A repeated time runs once.",
    env: { name: "SERVICE_SCHEDULE", read: "text" },
  }),
  on_arrival: field(flag("On: a sync starts as soon as it is there", "Off: only the schedule starts syncs"), true, {
    label: "Start when the camera arrives",
    help: "While the camera is away, Dashdock tries a connection and closes it again. This keeps no camera awake.",
    applies: "immediate",
    env: { name: "SERVICE_ON_ARRIVAL", read: "boolean" },
  }),
  arrival_seconds: field(whole(15, 600), 30, {
    label: "Look for its arrival every",
    help: "A sync starts at the latest so long after the camera has come.",
    unit: "s",
    rare: true,
    applies: "immediate",
    env: { name: "SERVICE_ARRIVAL_SECONDS", read: "number" },
  }),
  timezone: field(text(timeZoneProblem, "time_zone"), FALLBACK_SCHEDULE.timezone, {
    label: "Time zone",
    help: "Used for the schedule, all times shown, and the age of recordings. Choose the camera’s zone.",
    decides: "deleting",
    env: { name: "SERVICE_TIMEZONE", read: "text" },
  }),
  paused: field(flag("On: no sync starts by itself", "Off: Dashdock follows the schedule"), false, {
    label: "Pause scheduled syncs",
    help: "Ends looking for the camera, too. Sync now still works.",
  }),
});
