import { existsSync } from "node:fs";
import { join } from "node:path";
import { openCameraUnit } from "./camera_unit.ts";
import type { CameraUnit, CameraUnitParts } from "./camera_unit_parts.ts";
import { type ConfiguredCamera, datedFolderOf, type NamedCamera } from "./domain/settings/more_cameras.ts";
import type { shownZones } from "./domain/settings/schedule.ts";
import type { Settings } from "./domain/settings/settings.ts";
import { endInOrder } from "./end_in_order.ts";
import { RunMetricsTotals } from "./engine/metrics/metrics_totals.ts";
import { refuseNewer } from "./newer_files.ts";
import { CameraEntry } from "./store/config/camera_entry.ts";
import { folderOfCamera } from "./store/config/left_camera.ts";
import { folderProblem, isSamePlace, leadsToDatedFolder, liesIn, OutsideFiles } from "./store/config/outside_file.ts";
import { RetentionMemory } from "./store/config/retention_memory.ts";
import { RunHistory } from "./store/config/run_history.ts";
import type { SettingsFile } from "./store/config/settings_file.ts";
import { makeConfigFolder } from "./store/config/settings_text.ts";
import { giveId, newId, readId } from "./store/destination/destination_id.ts";
import { isFolder } from "./store/path_facts.ts";

/** Parts that a further camera is opened with, beside its settings. */
export interface FurtherCameraParts
  extends Pick<
    CameraUnitParts,
    | "clock"
    | "log"
    | "configDir"
    | "homes"
    | "bootId"
    | "idleMemory"
    | "filling"
    | "waitLimits"
    | "reservations"
    | "sharedMetrics"
  > {
  readonly file: SettingsFile;
  readonly configured: ConfiguredCamera;
  /** The cameras that are open, with their folders. */
  readonly others: readonly { readonly name: string; readonly root: string }[];
  /** Its name at the moment. */
  readonly nameNow: () => NamedCamera;
  readonly zoneOf: ReturnType<typeof shownZones>;
}

/** A further camera that is open. */
export interface FurtherCamera {
  readonly unit: CameraUnit;
  /** Parts of which each camera has its own, beside its unit. */
  readonly parts: {
    readonly settings: CameraEntry;
    readonly boot: Settings;
    readonly history: RunHistory;
    readonly metrics: RunMetricsTotals;
  };
  /** Starts its schedule. */
  start(): void;
  /** Stops its job, whose partial is kept, writes what is to be written, and closes. */
  close(): Promise<void>;
}

/**
 * Opens a further camera: its own files lie in a folder of the config folder, its recordings in its destination.
 * @throws Error with one line when its folder is another camera's, or was written by a newer program
 */
export async function openFurtherCamera(parts: FurtherCameraParts): Promise<FurtherCamera> {
  const { clock, homes, file, configured, others, nameNow, zoneOf, bootId } = parts;
  const { idleMemory, filling, waitLimits, reservations, sharedMetrics } = parts;
  const { id } = configured;
  const root = configured.settings.system.destination;
  const configDir = folderOfCamera(parts.configDir, id);
  const problem = await folderProblem(root, parts.configDir);
  if (problem !== null) throw new Error(`its folder ${problem}`);
  await refuseSharedFolder(root, others);
  await refuseNewer({ configDir, root });
  await makeConfigFolder(configDir);
  await markFolderBelow(root, configDir, others);
  const log = parts.log.ofCamera(id, () => nameNow().name);

  // Parts that are open already are closed when a later one cannot be opened: each change of the settings tries again.
  await using undo = new AsyncDisposableStack();
  const settings = new CameraEntry(file, configured);
  undo.defer(() => settings.close());
  const memory = await RetentionMemory.open(join(configDir, "retention.json"), log);
  undo.defer(() => memory.close());
  await memory.set({ keep: settings.current.retention.keep });
  const history = new RunHistory({ path: join(configDir, "stats.db"), clock, log });
  undo.defer(() => history.close());
  const statePath = join(configDir, "metrics-state.json");
  const outside = new OutsideFiles([parts.configDir, root], [statePath]);
  const metrics = await RunMetricsTotals.open({ path: () => statePath, log, outside }, history.latest());
  const zone = () => zoneOf(settings.current.schedule.timezone);
  const boot = settings.current;
  const known = {
    id,
    clock,
    log,
    configDir,
    root,
    bootId,
    settings,
    zone,
    boot,
    memory,
    idleMemory,
    filling,
    waitLimits,
  };
  const shared = { homes, reservations, sharedMetrics };
  const unit = await openCameraUnit({ ...known, ...shared, outside, history, metrics });
  if (history.interrupted) await metrics.enterInterrupted(history.interrupted);
  await Promise.all([unit.listed.open(), unit.requested.open()]);
  undo.move();

  let isClosed = false;
  let begun: Promise<unknown> = Promise.resolve();
  return {
    unit,
    parts: { settings, boot, history, metrics },
    start() {
      begun = unit.begin(() => isClosed);
    },
    async close() {
      isClosed = true;
      await endInOrder(
        [
          ["scheduler", () => unit.scheduler.close()],
          ["arrival", () => unit.arrival.close()],
          ["job", () => unit.job.close()],
          ["visits", () => unit.visits.close()],
          ["plan", async () => (await unit.planner.ifAsked())?.close()],
          ["import", async () => (await unit.imports.ifAsked())?.close()],
          ["check", async () => (await unit.verify.ifAsked())?.close()],
          ["scrub", () => unit.scrub.close()],
          ["checksums", () => unit.checksums.close()],
          ["start", () => begun],
          ["facts", () => unit.facts.close()],
          ["camera settings", () => unit.cameraSettings.close()],
          ["hints", async () => (await unit.hints.ifAsked())?.close()],
          ["requested", () => unit.requested.close()],
          ["card", () => unit.cardFiles.close()],
          ["settings", () => settings.close()],
          ["memory", () => memory.close()],
          ["marks", () => unit.retention.kept.close()],
          ["ledger", () => unit.ledger.close()],
          ["list", () => unit.listed.close()],
          ["last known", () => unit.lastKnown.close()],
          ["history", () => history.close()],
        ],
        log,
      );
    },
  };
}

/**
 * Marks a new camera's folder that lies below another camera's: until it carries an id, the other one takes the recordings
 * in it for its own, and its rules delete them. Errors are the file system's own.
 */
async function markFolderBelow(root: string, configDir: string, others: FurtherCameraParts["others"]): Promise<void> {
  // A folder that was used before and has no id now may be the place of a disk that is not mounted.
  if (existsSync(join(configDir, "destination.json")) || !(await isFolder(root))) return;
  for (const other of others)
    if ((await liesIn(root, other.root)) && (await readId(root)) === null) await giveId(root, newId());
}

/** Links may lead two paths to one folder. @throws Error with a sentence that names the other camera */
async function refuseSharedFolder(root: string, others: FurtherCameraParts["others"]): Promise<void> {
  for (const other of others) {
    if (await isSamePlace(root, other.root)) throw new Error(`its folder is that of ${other.name}`);
    if (await liesIn(other.root, root)) throw new Error(`its folder holds the folder of ${other.name}`);
    if (await leadsToDatedFolder(root, other.root)) throw new Error(datedFolderOf(other.name));
  }
}
