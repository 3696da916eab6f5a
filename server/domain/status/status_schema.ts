import * as v from "valibot";
import {
  ACTION,
  count,
  epochMs,
  keyText,
  number,
  ofCamera,
  orNull,
  percent,
  STATUS_LEVEL,
  text,
  whole,
} from "../answers/answer_fields.ts";
import { DELETION_NOTE, RETENTION_STATE } from "../retention/deletion_schema.ts";
import { OVERVIEW_PLAN } from "../plan/plan_schema.ts";
import { DISK_SPACE } from "../runs/stats_schema.ts";
import { SNAPSHOT } from "../sync/job_schema.ts";
import { CARD_IDS } from "./card_ids.ts";

/** The state of the job on the progress stream, with the cards that have to be fetched again. */
export const PROGRESS_UPDATE = v.object({
  ...SNAPSHOT.entries,
  changed: v.pipe(
    v.array(v.picklist(CARD_IDS)),
    v.description("The dashboard's cards that say something else since the last event of this stream"),
  ),
  camera: ofCamera,
});
export type ProgressUpdate = v.InferOutput<typeof PROGRESS_UPDATE>;

const WAITING =
  "About what waits on the camera, from the sizes of files like those that came; null while nothing is known of them";

export const STORAGE_HEALTH = v.union([
  v.object({
    available: v.literal(true),
    destination: text("The recordings folder"),
    ...DISK_SPACE.entries,
    used_bytes: count,
    used_percent: v.pipe(
      percent,
      v.description("As the engine's threshold sees it, to one decimal: what is reserved for root is free"),
    ),
    recording_count: whole("Without those in the trash"),
    trash_bytes: whole("Of `used_bytes` what is in the trash; it makes room when it is needed"),
    trash_recordings: whole("Recordings in the trash"),
    room_bytes: orNull(
      count,
      "What can come before syncing stops, the trash emptied for it; null where the disk does not tell its size",
    ),
    waiting_bytes: orNull(count, WAITING),
  }),
  v.object({ available: v.literal(false), reason: v.string() }),
]);

export const DASHCAM_HEALTH = v.union([
  v.object({
    reachable: v.literal(true),
    address: v.string(),
    latency_ms: number("0 while the camera is busy with a download, when it is not asked"),
  }),
  v.object({
    reachable: v.literal(false),
    address: v.exactOptional(v.string()),
    reason: text("A word for a program, such as `timeout`, `refused` or `dns`; a sentence when there is no address"),
  }),
]);

const instant = orNull(v.string(), "ISO 8601 UTC; null when unknown or never");
const recordings = (what: string) => orNull(count, `${what}; null while unknown`);

/** One flat, stable answer for dashboard widgets. */
export const STATUS = v.object({
  state: v.string(),
  camera_online: v.boolean(),
  last_seen: instant,
  pending_files: recordings("Files that are to come: videos and companions"),
  pending_bytes: orNull(v.number(), WAITING),
  recordings_on_camera: recordings("Recordings in the camera's last good list"),
  recordings_chosen: recordings("Of them, those that are to come home"),
  recordings_home: recordings("Of the chosen, those whose video is at home"),
  recordings_waiting: recordings("Of the chosen, those that are only on the camera"),
  disk_used_percent: v.nullable(percent),
  last_run_state: v.nullable(v.picklist(["completed", "failed", "offline"])),
  last_run_at: instant,
  last_run_message: orNull(v.string(), "Why it failed; null when it went through, and for runs of older programs"),
  next_run_at: instant,
  eta_seconds: v.nullable(v.number()),
});

/** Relation of the recordings folder to the one used before. */
export const DESTINATION_STATE = v.picklist(["known", "gone", "unmarked", "other", "accepted"]);

/** Facts about the recordings folder when it was last there. */
export const LAST_KNOWN = v.object({
  at: epochMs,
  recordings: count,
  home: orNull(count, "Of the camera’s chosen recordings, those that were at home"),
  waiting: orNull(count, "Of them, those that were only on the camera"),
  newest: orNull(v.string(), "`YYYYMMDD_HHMMSS` of the newest recording there"),
  available_bytes: v.nullable(count),
  used_percent: v.nullable(percent),
  kept: v.nullable(count),
  trash_recordings: v.nullable(count),
});

const WHEN_GONE = orNull(
  LAST_KNOWN,
  "While the recordings folder is not available: what was known of it before; null while it is there",
);

/** The recordings folder as it was, and the folder at its path now. */
export const DESTINATION = v.object({
  path: v.string(),
  standing: DESTINATION_STATE,
  last_known: WHEN_GONE,
  found: v.object({
    is_there: v.pipe(v.boolean(), v.description("There is a folder at the path")),
    recordings: whole("In it"),
    is_system_disk: v.pipe(v.boolean(), v.description("It is, or would be, on the disk of the system itself")),
    available_bytes: orNull(count, "What can be written there"),
    total_bytes: v.nullable(count),
  }),
  on_camera: orNull(count, "Recordings in the camera’s last good list; null while unknown"),
});
export type DestinationAnswer = v.InferOutput<typeof DESTINATION>;

export const SETTINGS_NOTE = v.object({ section: text("Where in the settings it is set"), sentence: v.string() });
const ACCESS_NOTE = v.object({ ...SETTINGS_NOTE.entries, section: v.nullable(SETTINGS_NOTE.entries.section) });

/** Looks for the camera between runs. */
export const LOOKS = v.object({
  camera: v.pipe(
    v.picklist(["here", "away", "unknown"]),
    v.description("Where it was at the last look or run; a run starts when it comes"),
  ),
  seconds: number("Between two looks; more where the camera takes connections and answers no run"),
  next_at: orNull(epochMs, "Null while a run goes on"),
});

/** The state of everything in one sentence, a second one that says why, and what the readings beside it show. */
export const OVERVIEW = v.object({
  now: epochMs,
  time_zone: text("The zone times are shown in, such as `Europe/Rome`"),
  mood: STATUS_LEVEL,
  sentence: text("Ends with a full stop"),
  detail: v.string(),
  more: text("What else there is to say; empty when that is all"),
  action: orNull(ACTION, "What solves it; null where nothing has to be done"),
  plan: v.pipe(
    orNull(OVERVIEW_PLAN, "Null while it cannot be made"),
    v.description("Will it be safe in time? See `/api/plan`"),
  ),
  address: v.string(),
  paused: v.boolean(),
  next_at: orNull(epochMs, "Null while no run is planned, as when the schedule is paused"),
  looks: orNull(LOOKS, "Null while it is not looked for between runs: switched off, paused, or without an address"),
  destination: v.pipe(
    DESTINATION_STATE,
    v.description(
      "How the recordings folder stands to the one used before; `gone`, `unmarked` and `other` can be accepted",
    ),
  ),
  on_camera: v.nullable(count),
  chosen: v.nullable(count),
  home: v.nullable(count),
  waiting: v.nullable(count),
  waiting_files: orNull(count, "Videos and companions; null while unknown"),
  waiting_bytes: orNull(count, WAITING),
  last_seen_at: v.nullable(epochMs),
  newest: orNull(v.string(), "`YYYYMMDD_HHMMSS` of the newest recording here; null when there is none"),
  newest_key: orNull(
    keyText("`YYYYMMDD_HHMMSS_T`"),
    "`YYYYMMDD_HHMMSS_T` of its clip, which `/viewer?key=` opens; null when there is none",
  ),
  recordings: orNull(count, "Here; null while the recordings folder is not available"),
  last_known: WHEN_GONE,
  available_bytes: orNull(count, "What can be written, which the pages call free"),
  max_used_percent: v.number(),
  retention: RETENTION_STATE,
  deletion_notes: v.pipe(
    v.array(DELETION_NOTE),
    v.description("What is to be said about deleting, the most pressing first; `sentence` may be one of them"),
  ),
  unusable_settings: v.pipe(
    v.array(SETTINGS_NOTE),
    v.description("What the settings file says and cannot be used; something that deletes less counts until it is set"),
  ),
  access_notes: v.pipe(
    v.array(ACCESS_NOTE),
    v.description("What lets in more people than was meant, and the settings section where that is set, if any"),
  ),
  notify_notes: v.pipe(v.array(v.string()), v.description("Services that messages were given up for, as sentences")),
});
