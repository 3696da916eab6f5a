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
    label: "With each event, keep also",
    help: "The minutes around it, of the same trip, live as long as the event does.",
    meaning: { of: { 0: "the event alone", 1: "clip before and 1 after" }, others: "clips before and # after" },
    decides: "deleting",
    safest: { value: 10, words: "Ten clips before and after each event are kept with it until it is set." },
  }),
  max_gb: field(limit(1_000_000), null, {
    label: "Stay below, in GB",
    help: "The oldest go first when a limit is passed; events and manual ones last, kept ones never.",
    unit: "GB",
    empty: "no limit",
    decides: "deleting",
    safest: { value: null, words: UNLIMITED },
  }),
  max_percent: field(limit(100), null, {
    label: "Stay below, in % of the disk",
    help: "The share of the whole disk. The trash is emptied before anything else goes.",
    unit: "%",
    empty: "no limit",
    decides: "deleting",
    safest: { value: null, words: UNLIMITED },
  }),
  trash_days: field(whole(0, 365), 7, {
    label: "Keep in the trash for",
    help: "What is deleted can be restored for so long. 0 deletes at once, without a way back.",
    unit: "days",
    meaning: {
      of: { 0: "deleted at once, without a way back" },
      larger: [{ from: 60, per: 30.4, unit: "month", about: true }],
    },
    decides: "deleting",
    safest: { value: 365, words: "What is deleted waits in the trash for a year until it is set." },
  }),
  max_used_disk_percent: field(whole(1, 100), 90, {
    label: "Stop at disk usage",
    help: "Nothing more is downloaded while the disk of the recordings is this full.",
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
