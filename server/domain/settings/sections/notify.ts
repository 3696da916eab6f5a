import { field, section } from "../field.ts";
import { choices, nullableText, targets, text, whole } from "../field_kinds.ts";
import { shownTarget, withHiddenParts } from "../notify_address.ts";
import { pingProblem, shownPing } from "../ping_address.ts";
import { timeOfDayProblem } from "../time_of_day.ts";

/** Messages that Dashdock sends by itself. */
export const NOTIFY_CODES = [
  "event",
  "overwritten",
  "sync_failed",
  "camera_missing",
  "disk_nearly_full",
  "held",
  "damaged",
  "offsite_failed",
  "all_safe",
  "settings_changed",
  "new_version",
] as const;
export type NotifyCode = (typeof NOTIFY_CODES)[number];

export const NOTIFY = section("immediate", "Notifications", {
  targets: field(targets(), [], {
    label: "Where to",
    help: "Services that send notifications: one address per line, such as ntfy://host/topic or generic://host/path for a webhook. A name may stand behind #.",
    empty: "nowhere",
    own: true,
    shownAs: shownTarget,
    withHidden: withHiddenParts,
  }),
  events: field(
    choices(NOTIFY_CODES, {
      event: "An event came home",
      overwritten: "Recordings will be overwritten before they can come home",
      sync_failed: "A sync failed",
      camera_missing: "The camera has been away for days",
      disk_nearly_full: "The disk is nearly full",
      held: "Deletion waits for your approval",
      damaged: "Files at home are damaged",
      offsite_failed: "Nothing could be sent off-site for three days",
      all_safe: "The car came home and all is safe",
      settings_changed: "Settings on the camera changed",
      new_version: "Dashdock was updated",
    }),
    ["event", "overwritten", "sync_failed", "camera_missing", "disk_nearly_full", "held", "damaged", "offsite_failed"],
    {
      label: "What",
      help: "Each is told once, and again when it gets worse or after a week.",
      empty: "nothing",
    },
  ),
  camera_missing_days: field(whole(1, 90), 3, {
    label: "Camera away for",
    help: "After so many days without contact Dashdock tells you, then once a week.",
    unit: "days",
  }),
  quiet_from: field(text(timeOfDayProblem, "time"), "", {
    label: "Quiet from",
    help: "Such as 22:00, in the time zone of the schedule. What happens then comes in one message when the quiet hours end. Damaged files, and what will be overwritten, are told at once.",
  }),
  quiet_to: field(text(timeOfDayProblem, "time"), "", {
    label: "Quiet until",
    help: "Such as 07:00. The same time as above: no quiet hours.",
  }),
  ping_url: field(nullableText(pingProblem), null, {
    label: "Dead-man ping",
    help: "This address is called after every run, with /fail behind it when the run failed. A camera that is away is no failure. When the calls stop, Dashdock has stopped.",
    empty: "no calls",
    shownAs: shownPing,
  }),
});
