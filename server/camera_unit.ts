import { join } from "node:path";
import type { CameraUnit, CameraUnitParts } from "./camera_unit_parts.ts";
import { cameraInForce } from "./dashcam/camera.ts";
import { momentKey } from "./domain/recordings/moment_number.ts";
import type { DeletionReceipt } from "./domain/retention/deletion.ts";
import type { Settings } from "./domain/settings/settings.ts";
import { CARD_IDS, CARDS_OF_DELETING } from "./domain/status/card_ids.ts";
import { isAcceptable } from "./domain/status/destination_state.ts";
import { jobCountsOf } from "./domain/sync/recording_counts.ts";
import { CameraSettings } from "./engine/camera/camera_settings.ts";
import { GivenUp } from "./engine/card/given_up.ts";
import { Checksums } from "./engine/checksums/checksums.ts";
import { Scrub } from "./engine/checksums/scrub.ts";
import { Ledger } from "./engine/coverage/ledger.ts";
import { CameraProbe } from "./engine/listed/camera_probe.ts";
import { ComingRecordings } from "./engine/listed/coming_recordings.ts";
import { isAnother } from "./engine/listed/last_seen.ts";
import { KnownList } from "./engine/listed/known_list.ts";
import { LatestList } from "./engine/listed/latest_list.ts";
import { RequestedRecordings } from "./engine/listed/requested_recordings.ts";
import { targetsOf } from "./engine/metrics/metrics_text.ts";
import type { OpenPlaces } from "./engine/places/open_places.ts";
import type { PlaceRules } from "./engine/places/place_rules.ts";
import { PlacesWork } from "./engine/places/places_work.ts";
import { Visits } from "./engine/plan/visits.ts";
import { DeletionConsent } from "./engine/retention/deletion_consent.ts";
import { PendingDeletions } from "./engine/retention/pending_deletions.ts";
import { recoverTrash } from "./engine/retention/retention.ts";
import { openRetention, type RetentionParts } from "./engine/retention/retention_parts.ts";
import { Arrival } from "./engine/run/arrival.ts";
import { Job, type RunJob } from "./engine/run/job.ts";
import type { RunJobParts, RunOrder } from "./engine/run/run_job.ts";
import { Scheduler } from "./engine/run/scheduler.ts";
import { rulesOf } from "./engine/run/sync_rules.ts";
import { BroughtToday } from "./engine/status/brought_today.ts";
import { CardChanges } from "./engine/status/card_changes.ts";
import { DiskForecast } from "./engine/status/disk_forecast.ts";
import { DiskUsageCache } from "./engine/transfer/disk_space.ts";
import { progressTopic } from "./engine/transfer/progress_report.ts";
import { isFolderUnknown, LastFolder, rememberFolder } from "./engine/viewer/last_known.ts";
import { ViewedRecordings } from "./engine/viewer/viewed_recordings.ts";
import { messageOf } from "./log.ts";
import { ClipFacts } from "./store/clips/clip_facts.ts";
import { FactsDatabase } from "./store/clips/facts_database.ts";
import { FactsFiller } from "./store/clips/facts_filler.ts";
import { MediaFiles } from "./store/clips/media_files.ts";
import { RecordingIndex } from "./store/clips/recording_index.ts";
import { TelemetryFiles } from "./store/clips/telemetry_files.ts";
import { BroughtRecordings } from "./store/config/brought_recordings.ts";
import { CameraListFile } from "./store/config/camera_list_file.ts";
import { CameraSnapshotFiles } from "./store/config/camera_snapshot.ts";
import { GivenUpFile } from "./store/config/given_up_file.ts";
import { KnownMarks } from "./store/config/known_marks.ts";
import { LastKnownFile } from "./store/config/last_known_file.ts";
import { OtherCameraFile } from "./store/config/other_camera_file.ts";
import { PresenceFile } from "./store/config/presence_file.ts";
import { RequestedFile } from "./store/config/requested_file.ts";
import { Destination, type DestinationOptions } from "./store/destination/destination.ts";
import { DestinationIdentity } from "./store/destination/destination_identity.ts";
import { lockHolder } from "./store/destination/destination_lock.ts";
import { FailureMarkers } from "./store/destination/failure_markers.ts";
import { PartialRecords } from "./store/destination/partial_records.ts";
import { SumsFile } from "./store/destination/sums.ts";
import type { LibraryMoment } from "./store/destination/trash_moves.ts";
import { Library } from "./store/library/library.ts";
import { isFolder } from "./store/path_facts.ts";
import { Turns } from "./turns.ts";
import { whenAsked } from "./when_asked.ts";

/** Milliseconds in which users look at a run's new recordings, before the details of these are read. */
const FILL_AFTER_MS = 5000;
/** The first pages have the disk to themselves. */
const FILL_AFTER_START_MS = 30_000;

/** Opens every part of a unit once, in order. */
export async function openCameraUnit(parts: CameraUnitParts): Promise<CameraUnit> {
  const { clock, log, configDir, root, settings, boot, memory, idleMemory, waitLimits, history, metrics } = parts;
  const { reservations } = parts;

  const library = new Library({ root, clock, log, homes: parts.homes });
  const marks = await KnownMarks.open({ path: join(configDir, "kept-marks.json"), root, log });
  const destination = await DestinationIdentity.open({ root, library, log, file: join(configDir, "destination.json") });
  const brought = await BroughtRecordings.open(join(configDir, "brought.txt"), log);
  const isOurs = () => !isAcceptable(destination.standing);
  const isHere = () => isOurs() && isFolder(root) && destination.isSame;
  const checksums: Checksums = new Checksums({
    clock,
    log,
    root,
    file: new SumsFile({ root, clock, log, place: destination }),
    library,
    isHere,
    isBusy: () => isWriting(),
    camera: parts.id,
    onDamage(moments) {
      ledger.noteChanged(moments);
      cards.publish(["status-card"]);
    },
  });
  const isWriting = () => isRunning() || (imports.opened?.isRunning ?? false);
  const came: DestinationOptions["came"] = (...file) => checksums.noteCame(...file);
  const recordings = new Destination({ root, library, clock, identity: destination, brought, came });
  const markers = new FailureMarkers({ library, clock, log, place: destination });
  const records = new PartialRecords(root, destination);
  const storage = new DiskUsageCache({ root, clock, isOurs });

  const progress = progressTopic(parts.bootId);
  const isRunning = () => progress.value.state === "running";
  const probe = new CameraProbe(clock, progress);
  const scheduler = new Scheduler({ clock, log, settings });

  const telemetry = new TelemetryFiles({ root });
  const database = new FactsDatabase({ path: join(configDir, "library.db"), log });
  const clipFacts = new ClipFacts({ root, clock, telemetry, database });
  const segments = new RecordingIndex({
    library,
    clock,
    facts: clipFacts,
    recentIsRead: () => cards.publish(["recent-activity-card"]),
  });
  const filler = new FactsFiller({
    clock,
    database,
    segments: () => segments.all(),
    store: (one) => clipFacts.store(one),
    turns: parts.filling,
    // Looking through 10,000 recordings leaves megabytes.
    ended: () => void idleMemory.during(async () => {}),
  });

  const placesPath = join(configDir, "places.db");
  const placeRules = (): PlaceRules => {
    const { moments, viewer } = settings.current;
    const { brake, accelerate, turn, bump, impact, parked_bump } = moments;
    const thresholds = { brake, accelerate, turn, bump, impact, parked_bump };
    return { thresholds, gapMinutes: viewer.trip_gap_minutes, zone: parts.zone() };
  };
  let openedPlaces: OpenPlaces | null = null;
  const places = whenAsked(async () => {
    const { openPlaces } = await import("./engine/places/open_places.ts");
    const path = placesPath;
    const rules = placeRules;
    const isBusy = isWriting;
    const ended = () => void idleMemory.during(async () => {});
    const camera = parts.id;
    openedPlaces = openPlaces({ camera, path, clock, log, library, segments, telemetry, rules, isHere, isBusy, ended });
    return openedPlaces;
  });
  const placesWork = new PlacesWork({
    clock,
    path: placesPath,
    library,
    rules: placeRules,
    fill: async () => (await places()).filler.start(),
  });

  const dashcam = cameraInForce(() => {
    const { connection, sync } = settings.current;
    const timeoutMs = connection.timeout_seconds * 1000;
    return { address: connection.address, timeoutMs, affinityKey: sync.affinity_key };
  });
  const presence = new PresenceFile(join(configDir, "presence.json"), log);
  const visits = new Visits({ clock, records: history.visits });
  const arrival = new Arrival({ clock, log, settings, dashcam, progress, file: presence, visits });
  await arrival.open();
  const cards = new CardChanges({ clock, progress, settings, scheduler, arrival, probe, storage });

  const latest = new LatestList({
    library,
    destination,
    file: new CameraListFile(join(configDir, "camera-list.txt"), log),
    address: () => dashcam().address,
  });

  const ours = { memory, settings, history };
  const consent = new DeletionConsent({
    ...ours,
    segments,
    library,
    brought,
    destination,
    marks,
    clock,
    onCamera: () => latest.list,
  });
  settings.onChange(({ retention: { keep } }, before) => {
    if (keep !== before.retention.keep) consent.noteChoice(keep);
  });
  const add = (receipt: DeletionReceipt) => {
    history.deletions.add(receipt);
    cards.publish(CARDS_OF_DELETING);
    void metrics.enterDeletion(receipt);
  };
  const receipts = { add, has: (id: string) => history.deletions.has(id) };
  const isOnCamera = (moment: number) => latest.lists(moment);
  const leaving = (moments: readonly LibraryMoment[]) => checksums.noteLeaving(moments);
  const folder = { root, library, identity: destination, clock, log, command: "serve", leaving };
  const onDeleted: RetentionParts["onDeleted"] = (batch, moments) => ledger.noteDeleted(batch, moments);
  const retention = { ...openRetention(folder, { consent, receipts, isOnCamera, marks, onDeleted }), consent };
  const lastKnown = new LastFolder({ root, clock, file: new LastKnownFile(join(configDir, "last-known.json"), log) });
  await lastKnown.open();
  const isUnknown = () => isFolderUnknown({ library, destination, lastKnown });
  const deletions = new PendingDeletions({ ...ours, retention, boot, isUnknown, isRunning });

  const requested = new RequestedRecordings(new RequestedFile(join(configDir, "wishes.json"), log));
  const listed = new KnownList({
    library,
    consent,
    settings,
    clock,
    latest,
    requested,
    deleted: retention.deleted,
    kept: retention.kept,
    zone: parts.zone,
  });
  // The counts, and what is told of them, follow.
  requested.onChange(async () => {
    await listed.counts();
    cards.publish(["plan-card"]);
  });
  const givenUp = new GivenUp(new GivenUpFile(join(configDir, "given-up.json"), log));
  await givenUp.open();
  const ledger = new Ledger({
    clock,
    log,
    path: join(configDir, "ledger.db"),
    library,
    destination,
    listed,
    retention,
    settings,
    history,
    visits: (since) => visits.all(since),
    damaged: () => checksums.damaged,
    givenUp: () => givenUp.moments,
  });
  settings.onChange(({ schedule: { paused } }, before) => {
    if (paused !== before.schedule.paused) void ledger.notePause(paused);
  });
  const order = () => {
    const { priority } = settings.current.sync;
    return { priority, atRiskBefore: priority === "smart" ? (planner.opened?.boundary() ?? null) : null };
  };
  const coming = new ComingRecordings({ listed, requested, progress, order });
  const queue = whenAsked(async () => {
    const { WaitingQueue } = await import("./engine/listed/waiting_queue.ts");
    return new WaitingQueue({ listed, requested, library, order });
  });
  const counted = async () => {
    if (listed.known === null) await listed.counts().catch(() => null);
  };
  const viewed = new ViewedRecordings({ segments, library, coming, counted, zone: parts.zone });

  const files = new CameraSnapshotFiles(configDir, log);
  const other = new OtherCameraFile(join(configDir, "camera", "other.json"), log);
  await other.open();
  const otherChanged = () => cards.publish(CARD_IDS);
  const cameraSettings = new CameraSettings({ clock, log, settings, dashcam, isRunning, files, other, otherChanged });
  /** True when another camera, or another device, was found at the address. */
  const answersAnother = () => {
    const camera = dashcam();
    return cameraSettings.otherAt(camera.address) !== null || isAnother({ dashcam: camera, probe, history });
  };
  const hints = whenAsked(async () => {
    const { CameraHints } = await import("./engine/camera/camera_hints.ts");
    const { CameraHintsFile } = await import("./store/config/camera_hints_file.ts");
    return new CameraHints({
      clock,
      settings,
      dashcam,
      cameraSettings,
      listed,
      history,
      probe,
      scheduler,
      library,
      zone: parts.zone,
      file: new CameraHintsFile(join(configDir, "camera-hints.json"), log),
      changed: () => cards.publish(["hints-card", "dashcam-card"]),
    });
  });
  const sizes = whenAsked(async () => {
    const { SizeMemory } = await import("./engine/listed/size_memory.ts");
    const { ExpectedSizesFile } = await import("./store/config/expected_sizes_file.ts");
    return new SizeMemory({
      file: new ExpectedSizesFile(join(configDir, "expected-sizes.json"), log),
      library,
      camera: async () => (await cameraSettings.known())?.model ?? dashcam().address,
    });
  });

  const planner = whenAsked(async () => {
    const { Planner } = await import("./engine/plan/planner.ts");
    const { CardMemoryFile } = await import("./store/config/card_memory_file.ts");
    const made = new Planner({
      clock,
      zone: parts.zone,
      listed,
      sizes,
      visits,
      // A run talks with the camera before it has shown in the end that it is here.
      place() {
        if (answersAnother()) return "away";
        if (visits.current !== null) return "here";
        // While no looks are made, none of them sees it leave.
        return arrival.place === "here" && arrival.looks() === null ? "unknown" : arrival.place;
      },
      address: () => dashcam().address,
      file: new CardMemoryFile(join(configDir, "card-memory.json"), log),
      priority: () => requested.queue?.order.priority ?? settings.current.sync.priority,
      requested,
      damaged: () => checksums.damaged.filter(({ moment }) => isOnCamera(moment) === true).length,
    });
    await made.open();
    return made;
  });
  // The order `smart` asks it without waiting. A failure is told to those who wait for it.
  const openForOrder = async ({ sync }: Settings) => {
    if (sync.priority === "smart") await planner().catch(() => {});
  };
  await openForOrder(settings.current);
  settings.onChange((now) => void openForOrder(now));

  const cardHistory = whenAsked(async () => {
    const { CardHistoryFile } = await import("./store/config/card_history_file.ts");
    const { CardWatch } = await import("./engine/card/card_watch.ts");
    const file = new CardHistoryFile(join(configDir, "card-history.txt"), log);
    return { file, watch: new CardWatch({ clock, file }) };
  });
  const card = whenAsked(async () => {
    const { Card } = await import("./engine/card/card.ts");
    return new Card({
      ...(await cardHistory()),
      clock,
      address: () => dashcam().address,
      listed,
      library,
      history,
      arrival,
      isAnother: answersAnother,
      ledger,
      checksums,
      givenUp,
      async otherCard() {
        (await planner()).noteOtherCard();
      },
      async lengths() {
        await clipFacts.readLengths();
        return clipFacts.lengthOf;
      },
    });
  });
  const mending = whenAsked(async () => {
    const { Mending } = await import("./engine/checksums/mend.ts");
    return new Mending({ clock, log, checksums, library, recordings, records, retention });
  });
  const turns = new Turns(1);
  const jobParts: Omit<RunJobParts, "listed"> = {
    turns,
    clock,
    log,
    recordings,
    library,
    markers,
    records,
    retention,
    waitLimits,
    reservations,
    requested,
    atRiskBefore: () => planner.opened?.boundary() ?? null,
    command: "serve",
    ledger,
    remembered: { probe, listed, history },
    sizes,
    mend: async (visit) => await (await mending()).run(visit),
    async visit(camera, signal) {
      await cameraSettings.visit(camera, signal);
      cameraSettings.requireKnown(camera.address);
      // Before the plan of the run: at risk is what does not last until the visit after this one.
      visits.contact();
    },
  };
  const noteWhatCame = async () => {
    await givenUp.forget((moment) => latest.lists(moment) !== false);
    await rememberFolder({ library, destination, segments, storage, listed, deletions, lastKnown });
    await requested.forget(
      // While it is unknown which recordings are at home, none is known to have come.
      (moment) => listed.known === null || coming.of(momentKey(moment)) !== null,
      (moment) => latest.lists(moment) !== false,
    );
  };
  const run: RunJob = async (trigger, report, signal) => {
    // A run keeps the settings it began with.
    const now = settings.current;
    const options = { trigger, dryRun: boot.system.dry_run, now: clock.now(), unusable: settings.unusable };
    const targets = { ...targetsOf(now), outside: parts.outside };
    const outlets: RunOrder["metrics"] = {
      totals: () => metrics,
      emit: (own, ended) => parts.sharedMetrics.emit(own, targets, log, ended),
    };
    const began = trigger === "manual" ? "hand" : trigger;
    const camera = dashcam();
    const order = {
      ...({ dashcam: camera, rules: rulesOf(now, options), trigger: began, metrics: outlets } as const),
      historyDays: now.stats.retention_days,
    };
    // Loaded with the first job, as all that brings recordings home: the first page does not wait for it.
    const open = { planner: await planner(), hints: await hints(), ...(await cardHistory()) };
    open.watch.begin(latest.list);
    const unfollow = open.planner.follow(report);
    const fileEnded: RunJobParts["fileEnded"] = (...ended) => open.watch.note(...ended);
    const result = await idleMemory.during(async () => {
      const { runJob } = await import("./engine/run/run_job.ts");
      const followed = { ...jobParts, listed: open.hints.watching, fileEnded };
      return await runJob(followed, order, report, signal).finally(() => {
        unfollow();
        filler.start(FILL_AFTER_MS);
        placesWork.start(FILL_AFTER_MS);
      });
    });
    void checksums.announce();
    arrival.noteRun(camera.address, result.run);
    await ledger.settle();
    await open.watch.end(latest.list);
    if (result.failure?.kind === "away") cameraSettings.noteAway();
    await noteWhatCame();
    await open.planner.refresh();
    // Learning from a run is no part of it: when that goes wrong, the run's result stays.
    await open.hints
      .learn()
      .catch((error) => log.warning("camera", `The hints were not brought up to date: ${messageOf(error)}`));
    return result;
  };
  const job = new Job({
    clock,
    log,
    run,
    topic: progress,
    recordings: () => jobCountsOf(listed.known, listed.drive),
  });
  listed.changed.subscribe(() => job.recount());
  const imports = whenAsked(async () => {
    const { ImportJob } = await import("./engine/import/import_job.ts");
    return new ImportJob({
      clock,
      log,
      bootId: parts.bootId,
      async run({ folder, homes }, { report, tally }, signal) {
        // As a sync that a user starts: it deletes nothing.
        const options = { trigger: "manual", dryRun: boot.system.dry_run, now: clock.now() } as const;
        const rules = rulesOf(settings.current, { ...options, unusable: settings.unusable });
        return await idleMemory.during(async () => {
          const { importEnding, runImport } = await import("./engine/import/run_import.ts");
          const holder = lockHolder("import", clock);
          const order = { folder, homes, rules, move: false };
          const result = await runImport({ ...jobParts, report, tally, holder, turns }, order, signal);
          void checksums.announce();
          filler.start(FILL_AFTER_MS);
          placesWork.start(FILL_AFTER_MS);
          await listed.counts();
          await noteWhatCame();
          await ledger.settle();
          cards.publish(CARD_IDS);
          return { ...result, ending: importEnding(result) };
        });
      },
    });
  });
  const checking = {
    clock,
    log,
    checksums,
    library,
    trash: retention.trash,
    isHere,
    refusal: async () => (await destination.refusalOfWork())?.[0] ?? null,
    during: (work: () => Promise<void>) => idleMemory.during(work),
  };
  const verify = whenAsked(async () => {
    const { VerifyJob } = await import("./engine/checksums/verify_job.ts");
    return new VerifyJob({ ...checking, isBusy: isWriting });
  });
  const scrub = new Scrub({
    ...checking,
    days: () => settings.current.retention.scrub_days,
    isOnCamera,
    isBusy: () => isWriting() || (verify.opened?.isRunning ?? false),
  });
  return {
    get dashcam() {
      return dashcam();
    },
    probe,
    listed,
    library,
    segments,
    viewed,
    recordings,
    destination,
    markers,
    retention,
    deletions,
    storage,
    job,
    imports,
    scheduler,
    arrival,
    ledger,
    checksums,
    verify,
    scrub,
    visits,
    planner,
    cards,
    cameraSettings,
    hints,
    requested,
    card,
    cardFiles: {
      close: () => Promise.all([givenUp.close(), cardHistory.ifAsked().then((asked) => asked?.file.close())]),
    },
    coming,
    queue,
    sizes,
    lastKnown,
    mediaFiles: new MediaFiles({ root, clock }),
    repairedVideos: whenAsked(async () => {
      const { RepairedVideos } = await import("./store/clips/repaired_videos.ts");
      return new RepairedVideos();
    }),
    films: whenAsked(async () => {
      const { Films } = await import("./store/clips/films.ts");
      return new Films({ root, clock, zone: parts.zone });
    }),
    archives: whenAsked(async () => {
      const { RecordingArchives } = await import("./store/clips/recording_archive.ts");
      return new RecordingArchives({ root });
    }),
    packFiles: whenAsked(async () => {
      const [{ FileChecksums }, { PackedVideos }] = await Promise.all([
        import("./store/clips/file_checksums.ts"),
        import("./store/clips/packed_videos.ts"),
      ]);
      const kept = new FileChecksums({
        find: (file) => checksums.keptOf(file),
        doubt: ({ path }) => checksums.doubt(path),
      });
      return { checksums: kept, videos: new PackedVideos(root) };
    }),
    telemetry,
    places,
    facts: {
      async close() {
        await placesWork.close();
        await openedPlaces?.close();
        await filler.close();
        clipFacts.close();
      },
    },
    diskForecast: new DiskForecast(history),
    broughtToday: new BroughtToday(history),
    begin(isOver) {
      scheduler.start(job);
      arrival.start(job);
      const { connection, schedule } = settings.current;
      // A user who has set an address wants to see recordings, and not to wait for the schedule. A user who paused it
      // wants none.
      if (connection.address !== "" && !schedule.paused && history.latest() === null) job.start("first");
      filler.start(FILL_AFTER_START_MS);
      placesWork.start(FILL_AFTER_START_MS);
      scrub.start();
      const look = async () => {
        await library.refresh();
        if (isOver()) return;
        await destination.check();
        await deletions.refresh();
        await listed.counts();
        if (isOver()) return;
        await ledger.begin(settings.current.schedule.paused);
      };
      return Promise.all([idleMemory.during(look), recoverTrash(retention, deletions.rules.trashMs)]);
    },
  };
}
