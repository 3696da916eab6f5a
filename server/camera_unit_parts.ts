import type { Clock } from "./clock.ts";
import type { Dashcam } from "./dashcam/camera.ts";
import type { Settings } from "./domain/settings/settings.ts";
import type { ZoneTime } from "./domain/text/zone_time.ts";
import type { CameraHints } from "./engine/camera/camera_hints.ts";
import type { CameraSettings } from "./engine/camera/camera_settings.ts";
import type { Card } from "./engine/card/card.ts";
import type { Checksums } from "./engine/checksums/checksums.ts";
import type { Scrub } from "./engine/checksums/scrub.ts";
import type { VerifyJob } from "./engine/checksums/verify_job.ts";
import type { Ledger } from "./engine/coverage/ledger.ts";
import type { ImportJob } from "./engine/import/import_job.ts";
import type { CameraProbe } from "./engine/listed/camera_probe.ts";
import type { ComingRecordings } from "./engine/listed/coming_recordings.ts";
import type { KnownList } from "./engine/listed/known_list.ts";
import type { RequestedRecordings } from "./engine/listed/requested_recordings.ts";
import type { SizeMemory } from "./engine/listed/size_memory.ts";
import type { WaitingQueue } from "./engine/listed/waiting_queue.ts";
import type { RunMetricsTotals } from "./engine/metrics/metrics_totals.ts";
import type { SharedMetrics } from "./engine/metrics/shared_metrics.ts";
import type { PackFiles } from "./engine/pack/packs.ts";
import type { OpenPlaces } from "./engine/places/open_places.ts";
import type { Planner } from "./engine/plan/planner.ts";
import type { Visits } from "./engine/plan/visits.ts";
import type { DeletionConsent } from "./engine/retention/deletion_consent.ts";
import type { PendingDeletions } from "./engine/retention/pending_deletions.ts";
import type { RetentionParts } from "./engine/retention/retention_parts.ts";
import type { Arrival } from "./engine/run/arrival.ts";
import type { Job } from "./engine/run/job.ts";
import type { Scheduler } from "./engine/run/scheduler.ts";
import type { BroughtToday } from "./engine/status/brought_today.ts";
import type { CardChanges } from "./engine/status/card_changes.ts";
import type { DiskForecast } from "./engine/status/disk_forecast.ts";
import type { DiskReservations } from "./engine/transfer/disk_reservations.ts";
import type { DiskUsageCache } from "./engine/transfer/disk_space.ts";
import type { WaitLimits } from "./engine/transfer/wait_limits.ts";
import type { LastFolder } from "./engine/viewer/last_known.ts";
import type { ViewedRecordings } from "./engine/viewer/viewed_recordings.ts";
import type { IdleMemory } from "./idle_memory.ts";
import type { Log } from "./log.ts";
import type { Films } from "./store/clips/films.ts";
import type { MediaFiles } from "./store/clips/media_files.ts";
import type { RecordingArchives } from "./store/clips/recording_archive.ts";
import type { RecordingIndex } from "./store/clips/recording_index.ts";
import type { RepairedVideos } from "./store/clips/repaired_videos.ts";
import type { TelemetryFiles } from "./store/clips/telemetry_files.ts";
import type { OutsideFiles } from "./store/config/outside_file.ts";
import type { RetentionMemory } from "./store/config/retention_memory.ts";
import type { RunHistory } from "./store/config/run_history.ts";
import type { SettingsSource } from "./store/config/settings_source.ts";
import type { Destination } from "./store/destination/destination.ts";
import type { DestinationIdentity } from "./store/destination/destination_identity.ts";
import type { FailureMarkers } from "./store/destination/failure_markers.ts";
import type { Library } from "./store/library/library.ts";
import type { Turns } from "./turns.ts";
import type { Asked } from "./when_asked.ts";

/** Everything that belongs to one camera: the camera itself, the folder of its recordings, and the work with both. */
export interface CameraUnit {
  /** The client for the address that is set at the moment. */
  readonly dashcam: Dashcam;
  readonly probe: CameraProbe;
  /** The camera's own settings. */
  readonly cameraSettings: CameraSettings;
  /** Hints about it beside its syncs. */
  readonly hints: Asked<CameraHints>;
  /** Requested of users for recordings that are still on the camera. */
  readonly requested: RequestedRecordings;
  /** The recordings of which videos are still on the camera. */
  readonly coming: ComingRecordings;
  /** The recordings that are to come home, in their order. */
  readonly queue: Asked<WaitingQueue>;
  /** Recordings on the camera, and the counts of those at home: the one source of every such count. */
  readonly listed: KnownList;
  /** Known sizes of its files. */
  readonly sizes: () => Promise<SizeMemory>;
  readonly library: Library;
  readonly segments: RecordingIndex;
  /** Recordings that the viewer lists: those at home, and those to come. */
  readonly viewed: ViewedRecordings;
  readonly mediaFiles: MediaFiles;
  readonly repairedVideos: () => Promise<RepairedVideos>;
  /** Checksums and headers of files that go into packs. */
  readonly packFiles: () => Promise<PackFiles>;
  readonly films: () => Promise<Films>;
  readonly archives: () => Promise<RecordingArchives>;
  readonly telemetry: TelemetryFiles;
  /** Where the car was and what happened, of all recordings. */
  readonly places: () => Promise<OpenPlaces>;
  /** Facts about recordings that are slow to read, kept in a file of their own. */
  readonly facts: { readonly close: () => Promise<void> };
  readonly recordings: Destination;
  readonly destination: DestinationIdentity;
  readonly markers: FailureMarkers;
  readonly retention: RetentionParts & { readonly consent: DeletionConsent };
  readonly deletions: PendingDeletions;
  readonly storage: DiskUsageCache;
  readonly diskForecast: DiskForecast;
  readonly broughtToday: BroughtToday;
  /** Keeps what has become of every recording. */
  readonly ledger: Ledger;
  /** The camera's card: what is on it, and how it is doing. */
  readonly card: Asked<Card>;
  /** Files of what is known of the card. */
  readonly cardFiles: { readonly close: () => Promise<unknown> };
  /** Checksums of all files at home, and which of these are damaged. */
  readonly checksums: Checksums;
  /** The check of all recordings that a user asked for. */
  readonly verify: Asked<VerifyJob>;
  /** Reads recordings again in the background. */
  readonly scrub: Scrub;
  /** Known facts about the recordings folder when it was last there. */
  readonly lastKnown: LastFolder;
  readonly job: Job;
  /** Imports of folders into its recordings. */
  readonly imports: Asked<ImportJob>;
  readonly scheduler: Scheduler;
  /** Looks for the camera between runs. */
  readonly arrival: Arrival;
  readonly visits: Visits;
  /** Tells whether what waits on the camera comes home in time. */
  readonly planner: Asked<Planner>;
  readonly cards: CardChanges;
  /** Starts the schedule; resolves when the folder has been looked at, as far as `isOver` is not true by then. */
  readonly begin: (isOver: () => boolean) => Promise<unknown>;
}

/** Parts that a unit is opened with. */
export interface CameraUnitParts {
  /** Its id. */
  readonly id: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly configDir: string;
  /** The folder its recordings go to. */
  readonly root: string;
  /** The folders of all cameras. */
  readonly homes: () => readonly string[];
  readonly bootId: string;
  readonly settings: SettingsSource;
  /** Zone in which times are shown. */
  readonly zone: () => ZoneTime;
  /** The settings as they were at the start: a dry run lasts until the next one. */
  readonly boot: Settings;
  readonly memory: RetentionMemory;
  readonly idleMemory: IdleMemory;
  /** Cameras read the details of their recordings one after the other. */
  readonly filling: Turns;
  readonly waitLimits: WaitLimits;
  /** Room on the disks that the runs of all cameras have reserved. */
  readonly reservations: DiskReservations;
  readonly outside: OutsideFiles;
  readonly history: RunHistory;
  readonly metrics: RunMetricsTotals;
  readonly sharedMetrics: SharedMetrics;
}
