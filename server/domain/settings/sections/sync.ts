import { GROUPINGS } from "../../recordings/date_folders.ts";
import { shown } from "../../text/shown.ts";
import { field, section } from "../field.ts";
import { choice, choices, codes, duration, flag, nullableText, number } from "../field_kinds.ts";

/** Orders in which recordings can be downloaded. */
export const PRIORITIES = ["date", "rdate", "type", "smart"] as const;
export type Priority = (typeof PRIORITIES)[number];

export const SYNC = section("next_tick", "Sync", {
  priority: field(
    choice(PRIORITIES, {
      date: "Oldest first",
      rdate: "Newest first",
      type: "By kind: manual, event, then the rest",
      smart: "At risk first: what the camera overwrites next, then events, drives and parking",
    }),
    "date",
    {
      label: "Download order",
      help: "These recordings come first when time is short.",
      env: { name: "PRIORITY", read: "text" },
    },
  ),
  grouping: field(
    choice(GROUPINGS, {
      none: "All in one folder",
      daily: "One folder per day",
      weekly: "One folder per week",
      monthly: "One folder per month",
      yearly: "One folder per year",
    }),
    "none",
    {
      label: "Folders",
      help: "New recordings go into a folder per day, week, month or year. Existing recordings stay where they are.",
      env: { name: "GROUPING", read: "text" },
    },
  ),
  include: field(codes(), [], {
    label: "Only these recordings",
    help: "One code per line: a kind such as P, or a kind and a camera such as NF. Empty: all.",
    empty: "all",
    rare: true,
    env: { name: "INCLUDE", read: "list" },
  }),
  exclude: field(codes(), [], {
    label: "Not these recordings",
    help: "These stay on the camera, even when the list above names them. One code per line.",
    rare: true,
    env: { name: "EXCLUDE", read: "list" },
  }),
  retry_failed_after: field(duration("delay"), "1d", {
    label: "Retry a failed file after",
    help: "A number and s, h, d, w or y, such as 12h or 12 hours. A number alone is days.",
    env: { name: "RETRY_FAILED_AFTER", read: "text" },
  }),
  metadata_first: field(flag("On: drives are on the map at once", "Off: with their videos"), true, {
    label: "Map and pictures first",
    help: "Thumbnails and GPS files come before the videos. They take at most a tenth of the time.",
  }),
  skip_metadata: field(choices(["t", "3", "g"], { t: "Thumbnails", "3": "G-sensor", g: "GPS" }), [], {
    label: "Companion files to skip",
    help: "These small files stay on the camera.",
    env: { name: "SKIP_METADATA", read: "letters" },
  }),
  max_video_gb: field(number({ whole: false, min: 1 }), 32, {
    label: "Largest video",
    unit: "GB",
    help: "Dashdock stops downloading a larger video. So no wrong answer can fill the disk.",
    rare: true,
  }),
  affinity_key: field(nullableText(headerValueProblem), null, {
    label: "Camera ID for a shared proxy",
    help: "Sent with every request as X-Affinity-Key. A proxy in front of several cameras can find the right one. Empty: not sent.",
    empty: "not sent",
    rare: true,
    env: { name: "AFFINITY_KEY", read: "text" },
  }),
});

function headerValueProblem(value: string): string | null {
  return /^[ -~]*$/.test(value) ? null : `${shown(value)} holds characters a request header cannot carry`;
}
