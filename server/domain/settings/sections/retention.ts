import { ALWAYS } from "../duration.ts";
import { field, section } from "../field.ts";
import { duration, limit, whole } from "../field_kinds.ts";

const KEPT = "Nothing is deleted until it is set.";
const UNLIMITED = "Nothing is deleted to stay below it until it is set.";

export const RETENTION = section("next_tick", "Retention", {
  keep: field(duration("age"), "2w", {
    label: "Keep recordings for",
    help: "A number and d, w or y, such as 2w or 2 weeks; a number alone is days, a year is 365. Older recordings are deleted by scheduled syncs. Empty: keep all.",
    empty: "for ever",
    decides: "deleting",
    env: { name: "KEEP", read: "text" },
    safest: { value: "", words: KEPT },
  }),
  keep_event: ofKind(
    "Keep events for",
    "Events, impacts, hard braking, acceleration and cornering, overspeed. Empty: as all others. always: never deleted.",
  ),
  keep_parking: ofKind("Keep parking recordings for"),
  keep_manual: ofKind("Keep manual recordings for"),
  event_context: field(whole(0, 10), 1, {
    label: "Keep around each event",
    help: "The clips before and after an event, of the same trip, stay as long as the event.",
    meaning: { of: { 0: "the event alone", 1: "clip before and 1 after" }, others: "clips before and # after" },
    decides: "deleting",
    safest: { value: 10, words: "Ten clips before and after each event are kept with it until it is set." },
  }),
  max_gb: field(limit(1_000_000), null, {
    label: "Delete oldest above, in GB",
    help: "Above this limit the oldest recordings are deleted first. Events and manual recordings go last. Protected recordings stay.",
    unit: "GB",
    empty: "no limit",
    decides: "deleting",
    safest: { value: null, words: UNLIMITED },
  }),
  max_percent: field(limit(100), null, {
    label: "Delete oldest above, in % of the disk",
    help: "The share of the whole disk. The trash is emptied first.",
    unit: "%",
    empty: "no limit",
    decides: "deleting",
    safest: { value: null, words: UNLIMITED },
  }),
  trash_days: field(whole(0, 365), 7, {
    label: "Keep in the trash for",
    help: "Deleted recordings can be restored during this time. 0: deleted for good at once.",
    unit: "days",
    meaning: {
      of: { 0: "deleted at once, and cannot be restored" },
      larger: [{ from: 60, per: 30.4, unit: "month", about: true }],
    },
    decides: "deleting",
    safest: { value: 365, words: "Deleted recordings wait in the trash for a year until it is set." },
  }),
  scrub_days: field(whole(0, 365), 90, {
    label: "Check recordings every",
    help: "Every recording is read again once in this time, and compared with what came home. It is read slowly, in the background. 0: never.",
    unit: "days",
    meaning: { of: { 0: "never checked in the background" } },
  }),
  max_used_disk_percent: field(whole(1, 100), 90, {
    label: "Stop downloading at",
    help: "Dashdock downloads nothing while the disk is this full.",
    unit: "%",
    decides: "downloading",
    env: { name: "MAX_USED_DISK", read: "number" },
  }),
});

/** A keep time of one kind of recordings. */
function ofKind(label: string, help = "Empty: as all others. always: never deleted.") {
  return field(duration("age_or_always"), "", {
    label,
    help,
    empty: "as Normal",
    decides: "deleting",
    safest: { value: ALWAYS, words: KEPT },
  });
}
