import type { CameraCheck } from "../camera/camera_check.ts";
import type { GpsPoint } from "../recordings/gps_file.ts";
import type { GsensorSample } from "../recordings/gsensor_file.ts";
import type {
  DatedAmount,
  DeletionForecast,
  Kept,
  RecordingFailure,
  RetentionState,
  TrashDay,
} from "../retention/deletion.ts";
import type { Forecast } from "../runs/disk_forecast.ts";
import type { FailedRuns } from "../runs/failure_slots.ts";
import type { Range, RunSeries, RunSummary } from "../runs/run.ts";
import type { RunDetail } from "../runs/run_detail.ts";
import type { SchedulePreview } from "../settings/schedule_preview.ts";
import type { DiskSpace } from "../status/disk_space.ts";
import type { Overview } from "../status/overview.ts";

/** What each endpoint answers. Shapes with a home elsewhere are named here, never written again. */
export interface Api {
  "GET /api/overview": Overview;
  "GET /api/recordings/recent": RecentRecordings;
  "GET /api/retention": RetentionState;
  "GET /api/retention/preview": RetentionPreview;
  "POST /api/retention/confirm": { confirmed: true };
  "POST /api/retention/seen": { seen: number };
  "GET /api/runs/:id": RunDetail;
  "GET /api/schedule/preview": SchedulePreview;
  "GET /api/stats/series": Statistics;
  "GET /api/trash": { days: TrashDay[] };
  /** `restored`: moments; `recordings`: their videos. */
  "POST /api/trash/restore": { restored: number; recordings: number; failed: RecordingFailure[] };
  "DELETE /api/trash": { deleted: number; bytes: number };
  "PUT /api/recordings/:key/keep": { key: string; kept: Kept };
  "DELETE /api/recordings/:key/keep": { key: string; kept: Kept | null };
  "DELETE /api/recordings/:key": { key: string; purge_at: string | null };
  "DELETE /api/recordings": Deleted;
  "GET /api/viewer/days": { days: ViewerDay[] };
  "GET /api/viewer/recordings": { days: { date: string; recordings: ViewerRecording[] }[] };
  "GET /api/viewer/recordings/:key/journey": { segments: JourneySegment[] };
  "GET /api/viewer/recordings/:key/gps": { points: GpsPoint[] };
  "GET /api/viewer/recordings/:key/gsensor": { samples: GsensorSample[] };
  "POST /api/dashcam/check": CameraCheck;
}

/** What a scheduled sync would delete at this moment, or what is wrong with the time to keep. */
export type RetentionPreview =
  | {
      readonly valid: true;
      /** `YYYY-MM-DD`, the first day that is kept; null when everything is. */
      readonly cutoff: string | null;
      /** The service only says what it would delete. */
      readonly dry_run: boolean;
      /** Videos; null while the recordings folder cannot be read, or it is not known how large they are where a limit asks. */
      readonly recordings: number | null;
      /** Null when that would take long to find out. */
      readonly bytes: number | null;
      /** `YYYY-MM-DD` of the oldest and the newest of them; null when there are none. */
      readonly oldest: DatedAmount["oldest"] | null;
      readonly newest: DatedAmount["newest"] | null;
      /** Null as `recordings`. */
      readonly forecast: DeletionForecast | null;
    }
  | { readonly valid: false; readonly problem: string };

/** What was moved to the trash by hand. */
export interface Deleted {
  /** Keys. */
  deleted: string[];
  failed: RecordingFailure[];
  /** ISO 8601 UTC; null when recordings do not wait in the trash but are gone. */
  purge_at: string | null;
}

export interface RecentRecordings {
  /** Latest first. `mtime` in epoch seconds, `path` absolute. */
  recordings: { filename: string; mtime: number; path: string }[];
  /** All videos there are. */
  total: number;
}

export interface Statistics {
  range: Range;
  /** Epoch seconds: from where on runs are counted (of all, the first one; null without any), and when they were. */
  period: { from: number | null; to: number };
  summary: RunSummary;
  series: RunSeries;
  failed_runs: FailedRuns;
  forecast: Forecast;
  /** The disk as it is now; null while it cannot be read. */
  storage: DiskSpace | null;
}

export interface ViewerDay {
  /** `YYYY-MM-DD` in camera wall time, as in the names. */
  date: string;
  /** Moments, not files. */
  count: number;
}

/** One moment and type, with a video per direction. */
export interface ViewerRecording {
  /** `YYYYMMDD_HHMMSS` */
  base_filename: string;
  type: string;
  /** Camera wall time, ISO 8601 without an offset. */
  datetime: string;
  /** Sorted letters. */
  directions: string[];
  has_gps: boolean;
  has_3gf: boolean;
  has_thm: boolean;
  /** Direction → address of its video. */
  videos: Record<string, string>;
  /** Address of the front's thumbnail, or of the first direction that has one. */
  thumb: string | null;
  /** All its videos together; null until known. */
  size_bytes: number | null;
  /** Length of the front's video, or of the first direction's; null until known, and when the video does not tell. */
  duration_seconds: number | null;
  /** The mark that keeps it from being deleted; null without one. */
  kept: Kept | null;
  /** The key of the kept event that keeps this one, too; null when there is none. */
  kept_with: string | null;
}

export interface JourneySegment extends ViewerRecording {
  /** Where it begins on the journey's time line. */
  offset_seconds: number;
}
