import { dirname, join } from "node:path";
import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { diskStopWarning } from "../domain/runs/disk_space.ts";
import type { FieldError } from "../domain/settings/field_check.ts";
import { conflictOf } from "../domain/settings/more_cameras.ts";
import {
  MASK,
  mask,
  pathOf,
  SECTION_NAMES,
  SECTIONS,
  type SectionName,
  type Settings,
} from "../domain/settings/settings.ts";
import { PATCHED } from "../domain/settings/settings_schema.ts";
import { proxyRole, proxyUser } from "../http/auth/proxy_user.ts";
import { refusedAs } from "../http/request/read_request.ts";
import type { Caller } from "../http/request/request_context.ts";
import { json } from "../http/request/respond.ts";
import { ownMapProblem } from "../store/config/map_file.ts";
import {
  folderProblem,
  isSamePlace,
  liesIn,
  OutsideFiles,
  type OutsideKind,
  sourceProblem,
} from "../store/config/outside_file.ts";
import { endpoint, NOT_SAVED, responseEndpoint } from "./endpoint.ts";

type Patched = Pick<
  App,
  "camera" | "cameras" | "settings" | "log" | "retention" | "deletions" | "recordings" | "storage"
>;

export const allSettings = responseEndpoint({
  summary: "All settings, secrets masked",
  answers: {
    200: { description: "By section, each with its tier: how soon a change takes effect", schema: "Settings" },
  },
  respond: (_asked, { settings }: Pick<App, "settings">) => json(mask(settings.current)),
});

const SECTION = v.pipe(
  v.picklist(SECTION_NAMES, "There is no such settings section"),
  v.description("A section of the settings"),
  refusedAs("SECTION_NOT_FOUND", "section"),
);

export const patchSettings = endpoint({
  summary: "Changes the fields that are sent",
  description: "A section can be sent back as it was read: `_tier` and `***` are ignored.",
  params: v.object({ section: SECTION }),
  body: "Changes",
  shape: PATCHED,
  returns: "Changed",
  errors: NOT_SAVED,
  answer: ({ context, params: { section }, body }, app: Patched) => changeSection(context, section, body, app),
});

/** Changes fields of one section of a camera's settings, as both endpoints for it do. @throws AppError */
export async function changeSection(
  context: Caller,
  section: SectionName,
  body: Readonly<Record<string, unknown>>,
  { camera, cameras, settings, log, retention, deletions, recordings, storage }: Patched,
): Promise<v.InferOutput<typeof PATCHED>> {
  const { current: before } = settings;
  const agree = async () => {
    if (section !== "retention" || !isDecision(body, before.retention, settings.current.retention)) return;
    if ("keep" in body) retention.consent.noteChoice();
    await retention.consent.release();
  };
  try {
    await settings.patch(section, body, async (changed, from) => {
      refuseLockOut(context, changed.auth);
      const others = cameras.all.map((one) => one.recordings.root);
      refuseShared({ id: camera.id, settings: changed }, from, cameras.file.cameras.cameras);
      await refusePaths(changed, from, { config: dirname(settings.path), root: recordings.root, others });
    });
    await agree();
  } catch (error) {
    // The change is in force all the same; only the file was not written.
    if (error instanceof AppError && error.code === "STORAGE_FULL") await agree();
    throw error;
  }
  const { current: now } = settings;
  const which = section === "auth" ? `: ${changedFields(before.auth, now.auth).join(", ") || "nothing"}` : "";
  log.info("settings", `The ${section} settings were changed from ${context.address}${which}`);
  const answer = { section, tier: SECTIONS[section].tier, applied: true } as const;
  if (section !== "retention") return answer;
  const warnings = await diskStopWarnings(storage, before.retention, now.retention);
  const would_delete = await deletions.wouldDelete();
  return { ...answer, would_delete, ...(warnings.length > 0 && { warnings }) };
}

/** A disk stop that was moved below what is used already lets nothing more come home. */
async function diskStopWarnings(
  storage: App["storage"],
  before: Retention,
  { max_used_disk_percent: percent }: Retention,
): Promise<FieldError[]> {
  if (percent === before.max_used_disk_percent) return [];
  const disk = await storage.read().catch(() => null);
  const message = disk && diskStopWarning(percent, disk.usedRatio * 100);
  return message ? [{ path: pathOf("retention", "max_used_disk_percent"), message }] : [];
}

/** The names of the fields that changed, for the log: their values may be secret. */
function changedFields(before: Settings["auth"], now: Settings["auth"]): string[] {
  const names = Object.keys(now) as (keyof Settings["auth"])[];
  return names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(before[name]));
}

/**
 * True when a change of `retention` decides what may be deleted, so that nothing is on hold any more. Sending back all
 * that was read decides nothing. Naming one field does, even with its own value.
 */
function isDecision(body: Readonly<Record<string, unknown>>, before: Retention, now: Retention): boolean {
  const set = Object.keys(body).filter((key) => key !== "_tier" && body[key] !== MASK);
  const isEcho = set.length >= Object.keys(now).length && JSON.stringify(before) === JSON.stringify(now);
  return set.length > 0 && !isEcho;
}
type Retention = App["boot"]["retention"];

/**
 * Refuses a metrics file whose path is another file of Dashdock or of another program: it would be replaced. Refuses a
 * folder for recordings that Dashdock uses otherwise, and a map file that is none.
 * @throws AppError SETTINGS_INVALID
 */
async function refusePaths(
  { metrics, system, viewer }: Settings,
  before: Settings,
  { config, root, others }: { readonly config: string; readonly root: string; readonly others: readonly string[] },
): Promise<void> {
  const isMoved = system.destination !== before.system.destination;
  const outside = new OutsideFiles([config, root, ...others], [join(config, "metrics-state.json")]);
  const field_errors: FieldError[] = [];
  const refuse = (path: string, problem: string | null) => {
    if (problem !== null) field_errors.push({ path, message: `${path} ${problem}` });
  };
  const destination = pathOf("system", "destination");
  const check = async (key: "file" | "state_file", kind: OutsideKind) => {
    const setting = pathOf("metrics", key);
    const path = metrics[key];
    if (!path) return;
    if (path !== before.metrics[key]) refuse(setting, await outside.problem(path, kind));
    if (isMoved && (await liesIn(path, system.destination))) refuse(destination, `holds ${setting}`);
  };
  await check("file", "metrics");
  await check("state_file", "state");
  const { file, state_file } = metrics;
  const areNew = file !== before.metrics.file || state_file !== before.metrics.state_file;
  if (areNew && file && state_file && (await isSamePlace(file, state_file)))
    refuse(pathOf("metrics", "state_file"), `must not be the file of ${pathOf("metrics", "file")}`);
  if (isMoved) refuse(destination, await folderProblem(system.destination, config));
  const { import_folder: source } = system;
  if (source && source !== before.system.import_folder)
    refuse(pathOf("system", "import_folder"), await sourceProblem(source, { config, home: root }));
  const { map_file: map } = viewer;
  if (map !== null && map !== before.viewer.map_file)
    refuse(pathOf("viewer", "map_file"), await ownMapProblem(config, map));
  if (field_errors.length > 0)
    throw new AppError("SETTINGS_INVALID", "The settings were not changed", { field_errors });
}

/** Refuses an address or a folder that another camera has. @throws AppError SETTINGS_INVALID */
function refuseShared(
  camera: Parameters<typeof conflictOf>[0],
  { connection, system }: Settings,
  cameras: Parameters<typeof conflictOf>[1],
): void {
  const { settings } = camera;
  const isMoved = settings.system.destination !== system.destination;
  if (settings.connection.address === connection.address && !isMoved) return;
  const conflict = conflictOf(camera, cameras);
  if (conflict === null) return;
  const path = conflict.field === "address" ? pathOf("connection", "address") : pathOf("system", "destination");
  throw new AppError("SETTINGS_INVALID", `The settings were not changed: ${conflict.message}`, {
    field_errors: [{ path, message: conflict.message }],
  });
}

const MODE = pathOf("auth", "mode");

/** Proxy mode that refuses this very request would lock out the user who turns it on. @throws AppError SETTINGS_INVALID */
function refuseLockOut(context: Caller, auth: App["boot"]["auth"]): void {
  if (auth.mode !== "proxy") return;
  if (proxyUser(context, auth) !== null) {
    if (proxyRole(context, auth) === "admin") return;
    const path = pathOf("auth", "proxy_admin_group");
    const message = `${path} cannot be “${auth.proxy_admin_group}” yet: the proxy does not name this group for you in ${auth.proxy_groups_header}, so you could change nothing any more`;
    throw new AppError("SETTINGS_INVALID", "The settings were not changed", { field_errors: [{ path, message }] });
  }
  const message = `${MODE} cannot be ${auth.mode} yet: this request did not come through a trusted proxy with the user header, so it would lock you out`;
  throw new AppError("SETTINGS_INVALID", "The settings were not changed", {
    field_errors: [{ path: MODE, message }],
  });
}
