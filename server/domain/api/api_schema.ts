import * as v from "valibot";
import type { GpsPoint } from "../recordings/gps_file.ts";
import type { GsensorSample } from "../recordings/gsensor_file.ts";
import { ARTIFACT_KINDS } from "../recordings/recording_name.ts";
import { FAILURE_REASONS } from "../runs/run.ts";
import { AUTH_MODES, SECTION_NAMES, type Tier } from "../settings/settings.ts";
import { CARD_IDS, type ProgressUpdate } from "../status/cards.ts";
import type { DashcamHealth, StorageHealth } from "../status/health.ts";
import type { CurrentFile, FileState, JobState, Phase, Snapshot } from "../sync/job_progress.ts";
import type { Api, JourneySegment, RecentRecordings, ViewerDay, ViewerRecording } from "./api.ts";
import { KEPT, WOULD_DELETE } from "./deletion_schema.ts";
import { DISK_SPACE } from "./disk_space_schema.ts";
import { ERRORS, type ErrorCode } from "./errors.ts";
import { exactly } from "./exactly.ts";

/**
 * The answers of the API as schemas, for its description. Each is tied to the type the program itself uses, so neither
 * can change without the other.
 */

const text = (description: string) => v.pipe(v.string(), v.description(description));
const number = (description: string) => v.pipe(v.number(), v.description(description));
const whole = (description: string) => v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const epoch = number("Epoch seconds");
const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));

const FAILURE_REASON = v.picklist(FAILURE_REASONS);

const JOB_STATE = exactly<JobState>()(v.picklist(["idle", "running", "completed", "failed"]));

export const CURRENT_FILE = exactly<CurrentFile>()(
  v.object({
    filename: v.string(),
    recording_base: text("The file name without its extension"),
    artifact: v.picklist(ARTIFACT_KINDS),
    direction: text("F front, R rear, I interior, O optional"),
    total_bytes: whole("0 until the camera has said how long the file is"),
    downloaded_bytes: whole("Includes what an earlier run had brought"),
    bytes_per_second: number("Of the bytes of this run only"),
    eta_seconds: v.pipe(v.nullable(v.number()), v.description("Null while unknown")),
    state: exactly<FileState>()(v.picklist(["starting", "downloading", "completed", "failed"])),
    failure_reason: v.nullable(FAILURE_REASON),
    percent,
  }),
);

export const SNAPSHOT = exactly<Snapshot>()(
  v.object({
    job_id: text("Empty when idle"),
    boot_id: text("Names this process: another one counts `seq` anew"),
    seq: whole("Grows by one with every published change"),
    started_at_wall: number("Epoch seconds; 0 when idle"),
    state: JOB_STATE,
    phase: v.nullable(exactly<Phase>()(v.picklist(["listing", "downloading", "retention"]))),
    current_file: v.nullable(CURRENT_FILE),
    files_total: whole("Files to transfer, without the skipped; 0 while the camera is asked what it has"),
    files_completed: count,
    files_failed: count,
    files_skipped: whole("Files that needed no transfer"),
    files_here: whole("Of them those at home already"),
    files_absent: whole("Of them those that the camera does not have"),
    bytes_downloaded_total: whole("Transferred in this run"),
    bytes_per_second: v.number(),
    eta_seconds: v.pipe(v.nullable(v.number()), v.description("For the whole job; null while unknown")),
    percent,
    failure_reason: v.nullable(FAILURE_REASON),
    message: v.pipe(v.nullable(v.string()), v.description("What went wrong, as a sentence; null while nothing did")),
    recordings: v.pipe(
      v.nullable(v.object({ on_camera: count, chosen: count, home: count, waiting: count })),
      v.description("How much of the camera's last good list is at home, whatever this run does; null while unknown"),
    ),
  }),
);

export const PROGRESS_UPDATE = exactly<ProgressUpdate>()(
  v.object({
    ...SNAPSHOT.entries,
    changed: v.pipe(
      v.array(v.picklist(CARD_IDS)),
      v.description("The dashboard's cards that say something else since the last event of this stream"),
    ),
  }),
);

export const STORAGE_HEALTH = exactly<StorageHealth>()(
  v.union([
    v.object({
      available: v.literal(true),
      destination: text("The recordings folder"),
      ...DISK_SPACE.entries,
      used_bytes: count,
      used_percent: v.pipe(
        percent,
        v.description("As the engine's threshold sees it: what is reserved for root is free"),
      ),
      recording_count: whole("Without those in the trash"),
      trash_bytes: whole("Of `used_bytes` what is in the trash; it makes room when it is needed"),
      trash_recordings: whole("Recordings in the trash"),
    }),
    v.object({ available: v.literal(false), reason: v.string() }),
  ]),
);

export const DASHCAM_HEALTH = exactly<DashcamHealth>()(
  v.union([
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
  ]),
);

export const RECENT_RECORDINGS = exactly<RecentRecordings>()(
  v.object({
    recordings: v.array(
      v.object({ filename: v.string(), mtime: epoch, path: text("Relative to the recordings folder") }),
    ),
    total: whole("All videos there are"),
  }),
);

const VIEWER_DAY = exactly<ViewerDay>()(
  v.object({
    date: text("`YYYY-MM-DD`, camera time"),
    count: whole("Clips: a moment with its cameras together, not files"),
  }),
);

export const VIEWER_RECORDING = exactly<ViewerRecording>()(
  v.object({
    base_filename: text("`YYYYMMDD_HHMMSS`"),
    type: text("A letter, such as N normal, E event, P parking, M manual"),
    datetime: text("Camera time, ISO 8601 without an offset"),
    directions: v.array(v.string()),
    has_gps: v.boolean(),
    has_3gf: v.boolean(),
    has_thm: v.boolean(),
    videos: v.pipe(v.record(v.string(), v.string()), v.description("Direction to the address of its video")),
    thumb: v.pipe(v.nullable(v.string()), v.description("Address of a thumbnail")),
    size_bytes: v.pipe(v.nullable(count), v.description("All videos together; null until known")),
    duration_seconds: v.pipe(v.nullable(v.number()), v.description("Null until known")),
    kept: v.pipe(v.nullable(KEPT), v.description("The mark that keeps it from being deleted")),
    kept_with: v.pipe(v.nullable(v.string()), v.description("The key of the kept event that keeps this one, too")),
  }),
);

export const JOURNEY_SEGMENT = exactly<JourneySegment>()(
  v.object({ ...VIEWER_RECORDING.entries, offset_seconds: number("Where it begins on the journey's time line") }),
);

export const DAYS = exactly<Api["GET /api/viewer/days"]>()(v.object({ days: v.array(VIEWER_DAY) }));

export const DAY_RECORDINGS = exactly<Api["GET /api/viewer/recordings"]>()(
  v.object({ days: v.array(v.object({ date: v.string(), recordings: v.array(VIEWER_RECORDING) })) }),
);

export const JOURNEY = exactly<Api["GET /api/viewer/recordings/:key/journey"]>()(
  v.object({ segments: v.array(JOURNEY_SEGMENT) }),
);

const GPS_POINT = exactly<GpsPoint>()(
  v.object({
    t: number("Seconds since the beginning of the recording"),
    lat: number("Decimal degrees, north positive"),
    lon: number("Decimal degrees, east positive"),
    speed: v.pipe(v.nullable(v.number()), v.description("Knots; null when unknown")),
  }),
);

export const GPS = exactly<Api["GET /api/viewer/recordings/:key/gps"]>()(v.object({ points: v.array(GPS_POINT) }));

const GSENSOR_SAMPLE = exactly<GsensorSample>()(
  v.object({
    t: number("Seconds since the beginning of the recording"),
    x: number("Vertical: about 1 at rest"),
    y: number("Lateral"),
    z: number("Longitudinal"),
  }),
);

export const GSENSOR = exactly<Api["GET /api/viewer/recordings/:key/gsensor"]>()(
  v.object({ samples: v.array(GSENSOR_SAMPLE) }),
);

export const LOG_LINE = v.object({
  seq: whole("Counts from 1 in each process"),
  ts: text("ISO 8601 UTC with milliseconds"),
  level: v.picklist(["DEBUG", "INFO", "WARNING", "ERROR"]),
  level_no: v.number(),
  logger: v.string(),
  message: v.string(),
});

/** What a frame of the log stream holds. */
export const LOG_FRAME = v.object({ boot_id: v.string(), lines: v.array(LOG_LINE) });

export const RECENT_LOGS = v.object({
  ...LOG_FRAME.entries,
  file_path: text("Empty when no file is written"),
  capacity: whole("Lines that are kept in memory"),
  verbosity: v.picklist(["quiet", "normal", "verbose", "debug"]),
});

const instant = v.pipe(v.nullable(v.string()), v.description("ISO 8601 UTC; null when unknown or never"));

const recordings = (what: string) => v.pipe(v.nullable(count), v.description(`${what}; null while unknown`));

export const STATUS = v.object({
  state: v.string(),
  camera_online: v.boolean(),
  last_seen: instant,
  pending_files: v.pipe(count, v.description("Files that are to come: videos and companions; 0 while unknown")),
  pending_bytes: v.nullable(v.number()),
  recordings_on_camera: recordings("Recordings in the camera's last good list"),
  recordings_chosen: recordings("Of them, those that are to come home"),
  recordings_home: recordings("Of the chosen, those whose video is at home"),
  recordings_waiting: recordings("Of the chosen, those that are only on the camera"),
  disk_used_percent: v.nullable(percent),
  last_run_state: v.nullable(v.picklist(["completed", "failed", "offline"])),
  last_run_at: instant,
  last_run_message: v.pipe(
    v.nullable(v.string()),
    v.description("Why it failed; null when it went through, and for runs of older programs"),
  ),
  next_run_at: instant,
  eta_seconds: v.nullable(v.number()),
});

export const ME = v.object({ username: v.string(), mode: v.picklist(AUTH_MODES) });

const TIER = exactly<Tier>()(v.picklist(["immediate", "next_tick", "restart"]));

export const PATCHED = v.object({
  section: v.picklist(SECTION_NAMES),
  tier: TIER,
  applied: v.literal(true),
  would_delete: v.exactOptional(WOULD_DELETE),
  warnings: v.exactOptional(
    v.pipe(
      v.array(v.object({ path: v.string(), message: v.string() })),
      v.description("What was set all the same and may not be meant; left out when there is nothing to say"),
    ),
  ),
});

export const ERROR = v.object({
  error: text("A sentence for people"),
  code: v.picklist(Object.keys(ERRORS) as ErrorCode[]),
  details: v.record(v.string(), v.unknown()),
});
