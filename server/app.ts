import { existsSync, readdirSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import type { CameraUnit } from "./camera_unit_parts.ts";
import { Cameras, type OpenCamera } from "./cameras.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type AppPaths, isTrue } from "./commands/paths.ts";
import type { RestoreOutcome } from "./domain/backup/restore_schema.ts";
import { MAIN_CAMERA } from "./domain/settings/camera_key.ts";
import type { ConfiguredCamera, NamedCamera } from "./domain/settings/more_cameras.ts";
import { shownZones } from "./domain/settings/schedule.ts";
import type { Settings } from "./domain/settings/settings.ts";
import type { ZoneTime } from "./domain/text/zone_time.ts";
import { endInOrder } from "./end_in_order.ts";
import type { Restores } from "./engine/backup/restores.ts";
import type { RunMetricsTotals } from "./engine/metrics/metrics_totals.ts";
import type { Packs } from "./engine/pack/packs.ts";
import type { PlaceNames } from "./engine/places/place_names.ts";
import type { WaitLimits } from "./engine/transfer/wait_limits.ts";
import type { MapTiles } from "./engine/viewer/map_tiles.ts";
import type { MediaFiles } from "./store/clips/media_files.ts";
import { codeLine, FirstRunCode } from "./http/auth/first_run_code.ts";
import { LinkGuesses } from "./http/auth/link_guesses.ts";
import { Passwords } from "./http/auth/password_hashing.ts";
import { SignInThrottle } from "./http/auth/sign_in_throttle.ts";
import { PreparedAnswers } from "./http/listen/prepared_answers.ts";
import type { HttpApp } from "./http/request/http_app.ts";
import { Reach } from "./http/request/reach.ts";
import { Sessions } from "./http/request/sessions.ts";
import { StreamSlots } from "./http/request/stream_slots.ts";
import { HomeAssistant } from "./home_assistant.ts";
import { IdleMemory } from "./idle_memory.ts";
import { formatJson, formatText, Log, type LogSink, ownOffset, readLogLine, withoutSecrets } from "./log.ts";
import { refuseNewer } from "./newer_files.ts";
import { Notifications } from "./notifications.ts";
import { Offsite } from "./offsite.ts";
import { seedFrom } from "./seed.ts";
import { formatAtStart } from "./start_format.ts";
import { KeyList } from "./store/config/key_list.ts";
import { KnownSessions } from "./store/config/known_sessions.ts";
import { applyLogging, LogFile } from "./store/config/log_file.ts";
import { OutsideFiles, refuseSystemFolder } from "./store/config/outside_file.ts";
import { hasChoice, RetentionMemory } from "./store/config/retention_memory.ts";
import type { RunHistory } from "./store/config/run_history.ts";
import { SessionRevocations } from "./store/config/session_revocations.ts";
import { SettingsFile } from "./store/config/settings_file.ts";
import { ShareList } from "./store/config/share_list.ts";
import { RESTORE_JOURNAL, RESTORE_STAGE } from "./store/file_versions.ts";
import { Turns } from "./turns.ts";
import { VERSION } from "./version.ts";
import { whenAsked } from "./when_asked.ts";

/** The parts that are there from the start: enough to listen, and to say that the rest is being opened. */
export interface EarlyApp extends HttpApp {
  readonly logFile: LogFile;
  readonly bootId: string;
  /** True when the start gave the schedule's zone on purpose, even if it is the usual one. */
  readonly isZoneGiven: boolean;
  /** True when the start gave the password of the first use: then no page has asked for it. */
  readonly isPasswordGiven: boolean;
  /** Settings as they were at the start: settings with the tier `restart` are read from these. */
  readonly boot: Settings;
  readonly throttle: SignInThrottle;
  readonly firstRunCode: FirstRunCode;
  readonly passwords: Passwords;
  readonly prepared: PreparedAnswers;
  /** Archives on their way, of which each takes memory. */
  readonly downloads: StreamSlots;
  /** Films on their way that are put together from several files. */
  readonly filmStreams: StreamSlots;
  /** The same of links: people outside take no place of those who are signed in. */
  readonly sharedStreams: StreamSlots;
  readonly linkGuesses: LinkGuesses;
  readonly mapTiles: () => Promise<MapTiles>;
  /** Files of the config folder, for the own map file. */
  readonly mapFile: () => Promise<MediaFiles>;
  readonly packs: () => Promise<Packs>;
  readonly restores: () => Promise<Restores>;
  /** True where the stores can be opened anew, as after a restore. */
  readonly canRestart: boolean;
  /** The restore that this start has carried out, or has found to be impossible; null for none. */
  readonly restored: RestoreOutcome | null;
  /** Names of places, with the towns that come with the program. */
  readonly placeNames: () => Promise<PlaceNames>;
}

/**
 * The parts that exist once, and the unit of one camera: `settings`, `boot`, `history` and `metrics` are those of this
 * camera, too. Each camera has a value of its own; that of the first is the one that the service opens with.
 */
export interface App extends EarlyApp, CameraUnit {
  /** Tells people and services what matters; one for all cameras. */
  readonly notifications: Notifications;
  /** Publishes the cameras for Home Assistant; one for all cameras. */
  readonly homeAssistant: HomeAssistant;
  /** Sends copies of recordings to a bucket; one for all cameras. */
  readonly offsite: Offsite;
  /** Names the camera that this value answers for. */
  readonly camera: NamedCamera;
  /** All cameras, each as a value of this type. */
  readonly cameras: Cameras<App>;
  /** The zone in which times are shown: the schedule's, or the process's own while that is as it was made. */
  readonly zone: ZoneTime;
  readonly history: RunHistory;
  readonly metrics: RunMetricsTotals;
}

/** Stops the job (its partial is kept), writes what is to be written, and closes in reverse order. */
interface Closing extends AsyncDisposable {
  close(): Promise<void>;
}

/** An app that can listen already. */
export interface StartingApp extends EarlyApp, Closing {
  /** The whole app from the moment its stores are open; null before. */
  readonly opened: App | null;
  /** Opens the stores and the camera's unit, which may take a moment: until then nothing but the probes is answered. */
  openStores(): Promise<OpenApp>;
}

export interface OpenApp extends App, Closing {
  /** Starts the schedule. */
  start(): void;
}

/** Tools that the service works with; tests bring their own. */
export interface AppTools {
  clock?: Clock;
  /**
   * Sink for log lines besides the file, in the form that the settings name, and for texts that only the person who
   * started this may read. Nothing is printed when left out.
   */
  print?: (text: string) => void;
  /** A further sink, for a command with a display of its own. */
  sink?: LogSink;
  /** Time that a run waits for a camera that breaks off; the usual when left out. */
  waitLimits?: WaitLimits;
  /** Closes the app and opens it anew; left out where that cannot be. */
  restart?: () => void;
}

/** Lines of the process before that are kept: no log shows more. */
const MOST_RECALLED = 10_000;

/**
 * Opens every part once, in order: log, settings, sign-in, then the camera and the parts around it. Nothing reads the
 * environment later. Slow parts wait for `openStores`, so that the listener can be up before.
 */
export async function openApp(paths: AppPaths, tools: AppTools = {}): Promise<StartingApp> {
  const clock = tools.clock ?? systemClock;
  const { configDir, env } = paths;
  const restored = existsSync(join(configDir, RESTORE_JOURNAL))
    ? await (await import("./store/config/restore_journal.ts")).finishRestore(configDir)
    : null;
  if (existsSync(configDir) && readdirSync(configDir).some((name) => name.startsWith(RESTORE_STAGE)))
    await (await import("./store/config/restore_journal.ts")).sweepAtStart(configDir);
  await refuseNewer({ configDir });

  const passwords = new Passwords({ clock });
  const formatBefore = formatAtStart(configDir, env);
  let current: Settings | null = null;
  const zoneOf = shownZones(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  // Lines from before the settings are read are in the process's own zone.
  const offset = (ms: number) => (current === null ? ownOffset(ms) : zoneOf(current.schedule.timezone).offset(ms));
  const logFile = new LogFile(join(configDir, "logs", "dashdock.log"), { maxBytes: 10_485_760, backups: 5 });
  // Before anything is written: the log begins with the end of what the process before wrote.
  const earlier = (await logFile.tail()).map(readLogLine).filter((line) => line !== null);
  const log = new Log(
    clock,
    [
      (line, fields) => {
        const format = current?.logging.format ?? formatBefore;
        const text = format === "json" ? formatJson(line, fields) : formatText(line, offset);
        tools.print?.(text);
        logFile.write(text);
      },
      ...(tools.sink ? [tools.sink] : []),
    ],
    { redact: (text) => withoutSecrets(text, current) },
  );
  log.recall(earlier.slice(-MOST_RECALLED));
  if (restored?.problem)
    log.error("backup", `The backup was not restored (${restored.problem}). All is as it was before.`);
  else if (restored) log.info("backup", `A backup was restored. What was there is kept in ${restored.before}`);
  const memory = await RetentionMemory.open(join(configDir, "retention.json"), log);
  const settingsPath = join(configDir, "settings.json");
  const isNew = !existsSync(settingsPath);
  const isWritten = await hasChoice(settingsPath);
  const settings = await SettingsFile.open({
    path: settingsPath,
    log,
    clock,
    seed: () => seedFrom(env, passwords, paths.destination),
    judge: async ({ system }) => {
      if (paths.destination === undefined) await refuseSystemFolder(settingsPath, system.destination);
    },
  });
  // An agreement under settings that are lost does not count for these.
  const root = paths.destination ?? settings.current.system.destination;
  await refuseNewer({ root }).catch(async (error: unknown) => {
    await settings.close();
    throw error;
  });
  if (isNew) await memory.begin({ chosenFor: env["KEEP"] ? root : null });
  // A value written into the settings file meanwhile is a user's choice. The facts known before may have been about
  // another folder.
  else if (isWritten && memory.facts.keep !== settings.current.retention.keep) await memory.set({ chosenFor: root });
  await memory.set({ keep: settings.current.retention.keep });
  current = settings.current;
  const boot = settings.current;
  applyLogging(log, logFile, boot);
  settings.onChange((now) => {
    current = now;
    applyLogging(log, logFile, now);
  });

  const revocations = await SessionRevocations.open({ path: join(configDir, "sessions-revoked.json"), clock, log });
  const throttle = new SignInThrottle({ clock });
  settings.onChange((now, before) => {
    if (now.auth.password_hash !== before.auth.password_hash) throttle.forget();
  });
  const knownSessions = await KnownSessions.open({ path: join(configDir, "sessions.json"), clock, log });
  const sessions = new Sessions({
    clock,
    settings,
    revocations,
    known: knownSessions,
    lifetimeHours: boot.web.session_lifetime_hours,
  });
  const shares = await ShareList.open({ path: join(configDir, "shares.json"), clock, log });
  const keys = await KeyList.open({ path: join(configDir, "keys.json"), clock, log });
  const ownFiles = [join(configDir, "metrics-state.json")];
  const outside = new OutsideFiles([configDir, root], ownFiles);
  const bootId = crypto.getRandomValues(new Uint8Array(16)).toHex();
  const zone = () => zoneOf(settings.current.schedule.timezone);
  const idleMemory = new IdleMemory(clock);
  const filling = new Turns(1);
  let cameras: Cameras<App> | null = null;
  const homes = () => {
    // A folder that was changed by hand is in use from the next start on.
    const used = cameras?.all.map(({ recordings }) => recordings.root) ?? [];
    return [...settings.cameras.cameras.map((one) => one.settings.system.destination), ...used];
  };
  const known = { clock, log, configDir, homes, root, bootId, settings, zone, boot, memory, idleMemory, filling };
  let history: RunHistory | null = null;
  let camera: CameraUnit | null = null;
  let opened: App | null = null;
  let notifications: Notifications | null = null;
  let homeAssistant: HomeAssistant | null = null;
  let offsite: Offsite | null = null;
  const streams = new StreamSlots();
  // Past the log, which is shown on a page.
  const printCode = (code: string) => tools.print?.(codeLine(code, clock.now(), settings.current.logging.format));
  const firstRunCode = new FirstRunCode(settings, printCode);

  let ready = false;
  let closed = false;
  let opening: Promise<unknown> = Promise.resolve();
  // Work that the start set off writes to both folders. After the close they may be gone, and nothing may make them
  // again.
  let begun: Promise<unknown> = Promise.resolve();
  const close = async () => {
    if (closed) return;
    closed = true;
    ready = false;
    await endInOrder(
      [
        ["messages", () => notifications?.close()],
        ["Home Assistant", () => homeAssistant?.close()],
        ["copies off-site", () => offsite?.close()],
        ["scheduler", () => camera?.scheduler.close()],
        ["arrival", () => camera?.arrival.close()],
        ["streams", () => streams.close()],
        // Stores that are just being opened would stay open; a failure is told by the caller of `openStores`.
        ["stores", () => opening.catch(() => {})],
        ["cameras", () => cameras?.close()],
        ["job", () => camera?.job.close()],
        ["visits", () => camera?.visits.close()],
        ["plan", async () => (await camera?.planner.ifAsked())?.close()],
        ["import", async () => (await camera?.imports.ifAsked())?.close()],
        ["check", async () => (await camera?.verify.ifAsked())?.close()],
        ["scrub", () => camera?.scrub.close()],
        ["checksums", () => camera?.checksums.close()],
        ["start", () => begun],
        ["idle memory", () => idleMemory.close()],
        ["facts", () => camera?.facts.close()],
        ["camera settings", () => camera?.cameraSettings.close()],
        ["hints", async () => (await camera?.hints.ifAsked())?.close()],
        ["requested", () => camera?.requested.close()],
        ["card", () => camera?.cardFiles.close()],
        ["settings", () => settings.close()],
        ["memory", () => memory.close()],
        ["marks", () => camera?.retention.kept.close()],
        ["ledger", () => camera?.ledger.close()],
        ["list", () => camera?.listed.close()],
        ["sessions", () => knownSessions.close()],
        ["links", () => shares.close()],
        ["keys", () => keys.close()],
        ["last known", () => camera?.lastKnown.close()],
        ["history", () => history?.close()],
        ["passwords", () => passwords.close()],
        ["log file", () => logFile.flush()],
      ],
      log,
    );
  };
  const early: EarlyApp = {
    clock,
    log,
    logFile,
    bootId,
    trustProxy: isTrue(env["SERVICE_TRUST_PROXY"]),
    machine: hostname(),
    isZoneGiven: Boolean(env["SERVICE_TIMEZONE"]),
    isPasswordGiven: Boolean(env["SERVICE_ADMIN_PASSWORD"] || env["SERVICE_ADMIN_PASSWORD_FILE"]),
    settings,
    boot,
    throttle,
    firstRunCode,
    reach: new Reach({ interfaces: networkInterfaces }),
    streams,
    downloads: new StreamSlots({ limit: 8, sessionLimit: 4, name: "archives" }),
    filmStreams: new StreamSlots({ limit: 24, name: "films" }),
    sharedStreams: new StreamSlots({ limit: 24, sessionLimit: 12, name: "films" }),
    linkGuesses: new LinkGuesses({ clock, passwords }),
    shares,
    keys,
    passwords,
    prepared: new PreparedAnswers(),
    mapFile: whenAsked(async () => {
      const { MediaFiles } = await import("./store/clips/media_files.ts");
      return new MediaFiles({ root: configDir, clock });
    }),
    mapTiles: whenAsked(async () => {
      const [{ MapTiles }, { TileServer }, { TileCache }] = await Promise.all([
        import("./engine/viewer/map_tiles.ts"),
        import("./remote/tile_server.ts"),
        import("./store/config/tile_cache.ts"),
      ]);
      const server = new TileServer({ clock, userAgent: `Dashdock/${VERSION} (self-hosted dashcam viewer)` });
      return new MapTiles({ server, cache: new TileCache({ folder: join(configDir, "tiles"), clock }), clock });
    }),
    packs: whenAsked(async () => {
      const [{ Packs }, { TimeStamps }, { SigningKeyFile }, { StampFiles }] = await Promise.all([
        import("./engine/pack/packs.ts"),
        import("./engine/pack/time_stamps.ts"),
        import("./store/config/pack_signing.ts"),
        import("./store/config/stamp_files.ts"),
      ]);
      const files = new StampFiles(join(configDir, "timestamps"));
      return new Packs({
        key: new SigningKeyFile(join(configDir, "pack-key.pem"), log),
        stamps: new TimeStamps({ files, clock, log }),
      });
    }),
    restores: whenAsked(async () => {
      const { Restores } = await import("./engine/backup/restores.ts");
      const restart = tools.restart ?? null;
      return new Restores({
        configDir,
        mainRoot: root,
        bootId,
        clock,
        log,
        cameras: () => cameras?.all ?? [],
        restart,
      });
    }),
    canRestart: tools.restart !== undefined,
    restored: restored && { at: clock.now(), keptIn: restored.before, problem: restored.problem },
    placeNames: whenAsked(async () => {
      const { PlaceNames } = await import("./engine/places/place_names.ts");
      const towns = whenAsked(async () => (await import("./engine/places/towns.ts")).readTowns());
      return new PlaceNames({ settings, towns });
    }),
    sessions,
    isReady: () => ready,
  };
  const closing: Closing = { close, [Symbol.asyncDispose]: close };
  const openStores = async (): Promise<OpenApp> => {
    // Loaded when the service listens already: it can say that it is up, and that it starts.
    const [{ openCameraUnit }, { DiskReservations }, { WAIT_LIMITS }, ...others] = await Promise.all([
      import("./camera_unit.ts"),
      import("./engine/transfer/disk_reservations.ts"),
      import("./engine/transfer/wait_limits.ts"),
      import("./store/config/run_history.ts"),
      import("./engine/metrics/metrics_totals.ts"),
      import("./engine/metrics/shared_metrics.ts"),
    ]);
    const [{ RunHistory }, { RunMetricsTotals }, shared] = others;
    const runs = new RunHistory({ path: join(configDir, "stats.db"), clock, log });
    history = runs;
    const stateFile = () => settings.current.metrics.state_file || join(configDir, "metrics-state.json");
    const metrics = await RunMetricsTotals.open({ path: stateFile, log, outside }, runs.latest());
    const waitLimits = tools.waitLimits ?? WAIT_LIMITS;
    const reservations = new DiskReservations();
    const sharedMetrics = new shared.SharedMetrics(() => {
      const measured = cameras?.all ?? [];
      return {
        cameras: measured.map((one) => ({ id: one.camera.id, latest: one.metrics.latest })),
        settings: settings.current,
        outside: new OutsideFiles([configDir, ...measured.map((one) => one.recordings.root)], ownFiles),
      };
    });
    const unit = await openCameraUnit({
      ...known,
      id: MAIN_CAMERA,
      waitLimits,
      reservations,
      outside,
      sharedMetrics,
      history: runs,
      metrics,
    });
    camera = unit;
    if (runs.interrupted) await metrics.enterInterrupted(runs.interrupted);
    await Promise.all([unit.listed.open(), unit.requested.open()]);
    firstRunCode.start();
    const all = new Cameras<App>({
      clock,
      settings,
      log,
      async open(configured: ConfiguredCamera): Promise<OpenCamera<App>> {
        const { openFurtherCamera } = await import("./further_camera.ts");
        const others = all.all.map(({ camera: { name }, recordings }) => ({ name, root: recordings.root }));
        const nameNow = () => all.nameOf(configured.id);
        const given = { ...known, waitLimits, reservations, sharedMetrics, zoneOf, file: settings };
        const { unit: further, parts, ...rest } = await openFurtherCamera({ ...given, configured, others, nameNow });
        const one: App = {
          ...early,
          ...further,
          ...parts,
          cameras: all,
          notifications: told,
          homeAssistant: published,
          offsite: copies,
          get camera() {
            return nameNow();
          },
          get zone() {
            return zoneOf(parts.settings.current.schedule.timezone);
          },
          get dashcam() {
            return further.dashcam;
          },
        };
        return { app: one, ...rest };
      },
    });
    cameras = all;
    const told = new Notifications({ clock, log, settings, configDir, cameras: all });
    notifications = told;
    const published = new HomeAssistant({ clock, log, settings, configDir, cameras: all });
    homeAssistant = published;
    const copies = new Offsite({ clock, log, settings, configDir, cameras: all, zone });
    offsite = copies;
    const app: OpenApp = {
      ...early,
      ...unit,
      ...closing,
      cameras: all,
      notifications: told,
      homeAssistant: published,
      offsite: copies,
      history: runs,
      metrics,
      get camera() {
        return all.nameOf(MAIN_CAMERA);
      },
      get zone() {
        return zone();
      },
      get dashcam() {
        return unit.dashcam;
      },
      start() {
        // Runs in the background: only a call that needs it waits for it, and the close.
        begun = unit.begin(() => closed);
        all.start();
        told.start();
        published.start();
        copies.start();
      },
    };
    await all.open(app);
    opened = app;
    ready = !closed;
    return app;
  };
  return {
    ...early,
    ...closing,
    get opened() {
      return opened;
    },
    openStores() {
      const opens = openStores();
      opening = opens;
      return opens;
    },
  };
}
