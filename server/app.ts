import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { applyLogging, codeLine, withoutSecrets } from "./app_log.ts";
import type { AppPaths, AppTools } from "./app_start.ts";
import { systemClock } from "./clock.ts";
import { isTrue } from "./commands/paths.ts";
import { CurrentCamera } from "./current_camera.ts";
import type { Dashcam } from "./dashcam/camera.ts";
import type { DeletionReceipt } from "./domain/retention/deletion.ts";
import { shownZone } from "./domain/settings/schedule.ts";
import type { Settings } from "./domain/settings/settings.ts";
import { CARDS_OF_DELETING } from "./domain/status/cards.ts";
import { toldOf } from "./domain/sync/recording_counts.ts";
import { endInOrder } from "./end_in_order.ts";
import { targetsOf } from "./engine/metrics/metrics_text.ts";
import { RunMetricsTotals } from "./engine/metrics/metrics_totals.ts";
import { DeletionConsent } from "./engine/retention/deletion_consent.ts";
import { lookAtTrash, type RetentionParts } from "./engine/retention/retention.ts";
import { RetentionOutlook } from "./engine/retention/retention_outlook.ts";
import { CardChanges } from "./engine/status/card_changes.ts";
import { DiskForecast } from "./engine/status/disk_forecast.ts";
import { CameraProbe, DiskUsageCache } from "./engine/status/health.ts";
import { KnownList } from "./engine/status/known_list.ts";
import { Job, type RunJob } from "./engine/sync/job.ts";
import { PATIENCE } from "./engine/sync/patience.ts";
import { progressTopic } from "./engine/sync/progress_report.ts";
import { type RunJobParts, runJob } from "./engine/sync/run_job.ts";
import { Scheduler } from "./engine/sync/scheduler.ts";
import { rulesOf } from "./engine/sync/sync_rules.ts";
import { FirstRunCode } from "./http/auth/first_run_code.ts";
import { Passwords } from "./http/auth/password_hashing.ts";
import { Sessions } from "./http/auth/sessions.ts";
import { SignInThrottle } from "./http/auth/sign_in_throttle.ts";
import type { HttpApp } from "./http/listen/http_app.ts";
import { Reach } from "./http/listen/reach.ts";
import { StreamSlots } from "./http/listen/stream_slots.ts";
import { formatJson, formatText, Log } from "./log.ts";
import { openRetention } from "./retention_parts.ts";
import { seedFrom } from "./seed.ts";
import { CameraListFile } from "./store/config/camera_list_file.ts";
import { LogFile } from "./store/config/log_file.ts";
import { hasChoice, RetentionMemory } from "./store/config/retention_memory.ts";
import { RunHistory } from "./store/config/run_history.ts";
import { SessionRevocations } from "./store/config/session_revocations.ts";
import { SettingsFile } from "./store/config/settings_file.ts";
import { Destination } from "./store/destination/destination.ts";
import { DestinationIdentity } from "./store/destination/destination_identity.ts";
import { FailureMarkers } from "./store/destination/failure_markers.ts";
import { PartialRecords } from "./store/destination/partial_records.ts";
import { Library } from "./store/library/library.ts";
import { MediaFiles } from "./store/library/media_files.ts";
import { RecordingIndex } from "./store/library/recording_index.ts";
import { OutsideFiles } from "./store/outside_file.ts";

export interface App extends HttpApp {
  readonly logFile: LogFile;
  readonly bootId: string;
  /** The zone in which times are shown: the schedule's, or the process's own while that is as it was made. */
  readonly timeZone: string;
  /** Whether the schedule's zone was given on purpose at the start, also where it is what it would be anyway. */
  readonly isZoneGiven: boolean;
  /** Whether the password of the first use was given at the start: then no page has asked for it. */
  readonly isPasswordGiven: boolean;
  /** The settings as they were at the start: what has the tier `restart` is read from these. */
  readonly boot: Settings;
  readonly history: RunHistory;
  readonly recordings: Destination;
  readonly destination: DestinationIdentity;
  readonly markers: FailureMarkers;
  readonly retention: RetentionParts & { readonly consent: DeletionConsent };
  readonly deletions: RetentionOutlook;
  readonly library: Library;
  /** What the camera has, and how much of it is at home: the one source of every count of that. */
  readonly listed: KnownList;
  readonly segments: RecordingIndex;
  readonly served: MediaFiles;
  readonly dashcam: Dashcam;
  readonly probe: CameraProbe;
  readonly storage: DiskUsageCache;
  readonly outlook: DiskForecast;
  readonly metrics: RunMetricsTotals;
  readonly job: Job;
  readonly scheduler: Scheduler;
  readonly cards: CardChanges;
  readonly throttle: SignInThrottle;
  readonly firstRunCode: FirstRunCode;
  readonly passwords: Passwords;
}

export interface OpenApp extends App, AsyncDisposable {
  /** Opens the stores that may take a moment; until then nothing but the probes is answered. */
  openStores(): Promise<void>;
  /** From here on the schedule fires. */
  start(): void;
  /** Stops the job (its partial is kept), writes what is to be written, and closes in reverse order. */
  close(): Promise<void>;
}

/**
 * Opens every part once, in order: settings, log, stores, camera, job, scheduler. Nothing reads the environment later.
 * What may take a moment waits for `openStores`, so that the listener can be up before.
 */
export async function openApp(paths: AppPaths, tools: AppTools = {}): Promise<OpenApp> {
  const clock = tools.clock ?? systemClock;
  const { configDir, env } = paths;

  const passwords = new Passwords({ clock });
  let current: Settings | null = null;
  const logFile = new LogFile(join(configDir, "logs", "dashdock.log"), { maxBytes: 10_485_760, backups: 5 });
  const log = new Log(
    clock,
    [
      (line, fields) => {
        const text = current?.logging.format === "json" ? formatJson(line, fields) : formatText(line);
        tools.print?.(text);
        logFile.write(text);
      },
      ...(tools.sink ? [tools.sink] : []),
    ],
    { redact: (text) => withoutSecrets(text, current) },
  );
  const memory = await RetentionMemory.open(join(configDir, "retention.json"), log);
  const settingsPath = join(configDir, "settings.json");
  const isNew = !existsSync(settingsPath);
  const isWritten = await hasChoice(settingsPath);
  const settings = await SettingsFile.open({
    path: settingsPath,
    log,
    clock,
    seed: () => seedFrom(env, passwords),
  });
  // What was agreed to under settings that are lost says nothing about these.
  const root = paths.destination ?? settings.current.system.destination;
  if (isNew) await memory.begin({ chosenFor: env["KEEP"] ? root : null });
  // What was written while nobody looked is somebody's word; what was known before may have been about another folder.
  else if (isWritten && memory.facts.keep !== settings.current.retention.keep) await memory.set({ chosenFor: root });
  await memory.set({ keep: settings.current.retention.keep });
  current = settings.current;
  const boot = settings.current;
  applyLogging(log, logFile, boot);
  settings.onChange((now, before) => {
    current = now;
    applyLogging(log, logFile, now);
    if (now.retention.keep !== before.retention.keep) consent.noteChoice(now.retention.keep);
  });

  const revocations = await SessionRevocations.open({ path: join(configDir, "sessions-revoked.json"), clock, log });
  const sessions = new Sessions({ clock, settings, revocations, lifetimeHours: boot.web.session_lifetime_hours });
  const library = new Library({ root, clock, log });
  const destination = await DestinationIdentity.open({ root, library, log, file: join(configDir, "destination.json") });
  const recordings = new Destination({ root, library, clock, identity: destination });
  const markers = new FailureMarkers({ library, clock, log });
  const records = new PartialRecords(root);
  const patience = tools.patience ?? PATIENCE;
  const index = new RecordingIndex({ library, clock });
  let stores: { history: RunHistory; metrics: RunMetricsTotals } | null = null;
  const opened = () => {
    if (!stores) throw new Error("The stores are not open");
    return stores;
  };

  const outside = new OutsideFiles([configDir, root], [join(configDir, "metrics-state.json")]);
  const ours = { memory, settings, history: () => opened().history };
  const consent = new DeletionConsent({ ...ours, segments: index, library, recordings, destination, clock });
  const add = (receipt: DeletionReceipt) => {
    opened().history.deletions.add(receipt);
    cards.tell(CARDS_OF_DELETING);
    void opened().metrics.enterDeletion(receipt);
  };
  const receipts = { add, has: (id: string) => opened().history.deletions.has(id) };
  const folder = { root, library, identity: destination, clock, log, command: "serve" };
  const retention = { ...openRetention(folder, { consent, receipts }), consent };
  const deletions = new RetentionOutlook({ ...ours, retention, boot, isRunning: () => job.isRunning });
  const camera = new CurrentCamera(settings);
  const bootId = randomBytes(16).toString("hex");
  const listed = new KnownList({
    ...{ library, consent, destination, settings, clock },
    file: new CameraListFile(join(configDir, "camera-list.txt"), log),
    deleted: retention.deleted,
    address: () => camera.client.address,
    changed: () => job.recount(),
  });
  const topic = progressTopic(bootId);
  const probe = new CameraProbe(clock, topic);
  const parts: RunJobParts = {
    ...{ clock, log, recordings, library, markers, records, retention, patience, listed, command: "serve" },
    kept: { probe, listed, history: () => opened().history },
  };
  const run: RunJob = (trigger, report, signal) => {
    // A run keeps the settings it was born with.
    const now = settings.current;
    const options = { trigger, dryRun: boot.system.dry_run, now: clock.now(), unusable: settings.unusable };
    const metrics = { targets: { ...targetsOf(now), outside }, totals: () => opened().metrics };
    const order = {
      dashcam: camera.client,
      rules: rulesOf(now, options),
      historyDays: now.stats.retention_days,
      metrics,
    };
    return runJob(parts, order, report, signal);
  };
  const job = new Job({ clock, log, topic, run, recordings: () => toldOf(listed.known) });
  const scheduler = new Scheduler({ clock, log, settings, job });
  const storage = new DiskUsageCache({ root, clock });
  const cards = new CardChanges({ clock, job, settings, scheduler, probe, storage });
  const streams = new StreamSlots();
  // Past the log, which is shown on a page.
  const tellCode = (code: string) => tools.print?.(codeLine(code, clock.now(), settings.current.logging.format));
  const firstRunCode = new FirstRunCode(settings, tellCode);

  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  let ready = false;
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    ready = false;
    await endInOrder(
      [
        ["scheduler", () => scheduler.close()],
        ["streams", () => streams.close()],
        ["job", () => job.close()],
        ["settings", () => settings.close()],
        ["memory", () => memory.close()],
        ["list", () => listed.close()],
        ["history", () => stores?.history.close()],
        ["passwords", () => passwords.close()],
        ["log file", () => logFile.flush()],
      ],
      log,
    );
  };
  return {
    clock,
    log,
    logFile,
    bootId,
    trustProxy: isTrue(env["SERVICE_TRUST_PROXY"]),
    machine: hostname(),
    get timeZone() {
      return shownZone(settings.current.schedule.timezone, ownZone);
    },
    isZoneGiven: Boolean(env["SERVICE_TIMEZONE"]),
    isPasswordGiven: Boolean(env["SERVICE_ADMIN_PASSWORD"] || env["SERVICE_ADMIN_PASSWORD_FILE"]),
    settings,
    boot,
    get history() {
      return opened().history;
    },
    get metrics() {
      return opened().metrics;
    },
    recordings,
    destination,
    markers,
    retention,
    deletions,
    library,
    listed,
    segments: index,
    served: new MediaFiles({ root, clock }),
    get dashcam() {
      return camera.client;
    },
    probe,
    storage,
    outlook: new DiskForecast(() => opened().history),
    job,
    scheduler,
    cards,
    throttle: new SignInThrottle({ clock }),
    firstRunCode,
    reach: new Reach({ interfaces: networkInterfaces }),
    streams,
    passwords,
    sessions,
    isReady: () => ready,
    async openStores() {
      const history = new RunHistory({ path: join(configDir, "stats.db"), clock, log });
      const stateFile = () => settings.current.metrics.state_file || join(configDir, "metrics-state.json");
      const metrics = await RunMetricsTotals.open({ path: stateFile, log, outside }, history.latest());
      if (history.interrupted) await metrics.enterInterrupted(history.interrupted);
      await listed.open();
      stores = { history, metrics };
      firstRunCode.start();
      ready = !closed;
    },
    start() {
      scheduler.start();
      // In the background: whoever asks first waits for it, nobody else does.
      void library.refresh().then(() => destination.look().then(() => deletions.look().then(() => listed.counts())));
      void lookAtTrash(retention, deletions.rules.trashMs);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
