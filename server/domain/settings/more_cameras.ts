import { isDatedFolderOf } from "../recordings/date_folders.ts";
import { shown } from "../text/shown.ts";
import { folderBeside, isInFolder, tidyPath } from "./camera_folder.ts";
import { isCameraId, MAIN_CAMERA } from "./camera_key.ts";
import { isCameraLetter, lettersOf } from "./camera_letter.ts";
import { cameraNameProblem, LONGEST_CAMERA_NAME } from "./camera_name.ts";
import { buildSettings, type SectionName, type Settings } from "./settings.ts";
import { isObject } from "./settings_migrations.ts";
import { checkStored, type Unusable } from "./stored_settings.ts";

/** Sections that each camera has for itself. */
export const CAMERA_SECTIONS = [
  "connection",
  "schedule",
  "sync",
  "retention",
] as const satisfies readonly SectionName[];

export type CameraSection = (typeof CAMERA_SECTIONS)[number];

/** Parts of the settings file about cameras, as it has them. */
export interface CameraParts {
  /** Name and letter of the first camera. */
  readonly main_camera?: unknown;
  readonly more_cameras?: unknown;
}

/** A camera as pages name it. */
export interface NamedCamera {
  readonly id: string;
  readonly name: string;
  /** One or two characters that stand for it where there is no room for its name. */
  readonly letter: string;
}

/** A camera with its settings. */
export interface ConfiguredCamera extends NamedCamera {
  /** The letter that was chosen for it; null where it is made from the name. */
  readonly chosenLetter: string | null;
  /** All settings as this camera has them: its own sections, and those that all cameras share. */
  readonly settings: Settings;
  /** Values of its sections that cannot be used, with something safer in force. */
  readonly unusable: readonly Unusable[];
}

/** The cameras of a settings file, the first one first, and a sentence for each entry or value that is not used. */
export interface CameraReading {
  readonly cameras: readonly [ConfiguredCamera, ...ConfiguredCamera[]];
  readonly warnings: readonly string[];
  /** Those of the entries left out that share with another camera what they must not. */
  readonly conflicts: readonly (CameraConflict & { readonly id: string })[];
}

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly letter: string | null;
  readonly settings: Settings;
  readonly unusable: readonly Unusable[];
}

/** True when a section is each camera's own. */
export function isCameraSection(name: string): name is CameraSection {
  return CAMERA_SECTIONS.some((section) => section === name);
}

/**
 * Reads the cameras of a settings file. An entry of `more_cameras` that cannot be used is left out with one warning
 * that names its id; of two with one id, one address or one folder the first counts.
 * @param main the settings at the top of the file
 */
export function readCameras(parts: CameraParts, main: Settings, mainUnusable: readonly Unusable[]): CameraReading {
  const warnings: string[] = [];
  const conflicts: (CameraConflict & { id: string })[] = [];
  const first = nameOfMain(parts.main_camera);
  const entries: Entry[] = [{ id: MAIN_CAMERA, ...first, settings: main, unusable: mainUnusable }];
  const raw = parts.more_cameras;
  if (raw !== undefined && !Array.isArray(raw)) warnings.push("more_cameras must be a list; no further camera is used");
  for (const [at, one] of (Array.isArray(raw) ? raw : []).entries()) {
    const named = isObject(one) && typeof one["id"] === "string" ? shown(one["id"]) : `number ${at + 1}`;
    const problem = entryProblem(one, entries);
    if (problem !== null) {
      warnings.push(`Camera ${named} is left out: ${problem}`);
      continue;
    }
    const { entry, problems } = readEntry(one as Readonly<Record<string, unknown>>, main);
    const conflict = conflictOf(entry, entries);
    if (conflict !== null) {
      warnings.push(`Camera ${named} is left out: ${conflict.message}`);
      conflicts.push({ id: entry.id, ...conflict });
      continue;
    }
    if (problems.length > 0) warnings.push(`Camera ${named}: ${problems.join("; ")}`);
    entries.push(entry);
  }
  const [head, ...rest] = withLetters(entries);
  if (head === undefined) throw new Error("the first camera is always there");
  return { cameras: [head, ...rest], warnings, conflicts };
}

/** A field of a camera that another camera has already, with a sentence that names it. */
export interface CameraConflict {
  readonly field: "address" | "destination";
  readonly message: string;
}

/**
 * Tells what two cameras cannot share: an address, a folder, or a folder around the other's. A folder below another
 * camera's is allowed. Links are not resolved here.
 */
export function conflictOf(
  one: Pick<ConfiguredCamera, "id" | "settings">,
  others: readonly Pick<ConfiguredCamera, "id" | "name" | "settings">[],
): CameraConflict | null {
  const { connection, system } = one.settings;
  for (const other of others) {
    if (other.id === one.id) continue;
    const { address } = other.settings.connection;
    if (address !== "" && addressKey(address) === addressKey(connection.address))
      return { field: "address", message: `its address is that of ${other.name}` };
    const theirs = other.settings.system.destination;
    if (isInFolder(system.destination, theirs) && isInFolder(theirs, system.destination))
      return { field: "destination", message: `its folder is that of ${other.name}` };
    if (isInFolder(theirs, system.destination))
      return { field: "destination", message: `its folder holds the folder of ${other.name}` };
    if (isDatedFolderOf(tidyPath(system.destination), tidyPath(theirs)))
      return { field: "destination", message: datedFolderOf(other.name) };
  }
  return null;
}

/** Tells that a camera may not have a folder in which another one groups its recordings by date. */
export function datedFolderOf(name: string): string {
  return `its folder is one in which ${name} groups recordings by date`;
}

function nameOfMain(raw: unknown): { name: string; letter: string | null } {
  const { name, letter } = isObject(raw) ? raw : {};
  const usable = typeof name === "string" && cameraNameProblem(name) === null ? name.trim() : "Camera";
  return { name: usable, letter: typeof letter === "string" && isCameraLetter(letter) ? letter : null };
}

/** The fault that keeps an entry from being used at all; null for none. */
function entryProblem(raw: unknown, before: readonly Entry[]): string | null {
  if (!isObject(raw)) return "it must be an object";
  const { id, name, destination } = raw;
  if (!isCameraId(id)) return "its id must be 1 to 31 lower-case letters, digits and hyphens";
  if (id === MAIN_CAMERA) return `${MAIN_CAMERA} is the id of the first camera`;
  if (before.some((one) => one.id === id)) return "another camera has this id";
  if (name !== undefined && (typeof name !== "string" || cameraNameProblem(name) !== null))
    return `its name must be text of 1 to ${LONGEST_CAMERA_NAME} characters`;
  if (destination !== undefined && destination !== null && (typeof destination !== "string" || destination[0] !== "/"))
    return "its destination must be the whole path of a folder";
  const wrong = CAMERA_SECTIONS.find((section) => raw[section] !== undefined && !isObject(raw[section]));
  return wrong === undefined ? null : `${wrong} must be an object with the fields of the section`;
}

function readEntry(raw: Readonly<Record<string, unknown>>, main: Settings) {
  const own = CAMERA_SECTIONS.filter((section) => raw[section] !== undefined);
  const stored = checkStored(Object.fromEntries(own.map((section) => [section, raw[section]])));
  const id = String(raw["id"]);
  const destination =
    typeof raw["destination"] === "string" ? raw["destination"] : folderBeside(main.system.destination, id);
  const entry: Entry = {
    id,
    name: typeof raw["name"] === "string" ? raw["name"].trim() : id,
    letter: typeof raw["letter"] === "string" && isCameraLetter(raw["letter"]) ? raw["letter"] : null,
    settings: settingsOf(stored.settings, destination, main),
    unusable: stored.unusable,
  };
  const problems = [
    ...stored.problems.map((problem) => `${problem}; the default is used`),
    ...stored.unusable.map(({ problem, sentence }) => `${problem}. ${sentence}`),
  ];
  return { entry, problems };
}

/** All settings as a camera has them. */
function settingsOf(own: Settings, destination: string, main: Settings): Settings {
  return buildSettings((name) => {
    if (isCameraSection(name)) return own[name];
    return name === "system" ? { ...main.system, destination } : main[name];
  });
}

function withLetters(entries: readonly Entry[]): ConfiguredCamera[] {
  const letters = lettersOf(entries);
  return entries.map(({ letter, ...entry }, at) => ({ ...entry, letter: letters[at] ?? "", chosenLetter: letter }));
}

/** Host names are the same in upper and lower case, and port 80 is the usual one. */
function addressKey(address: string): string {
  return address.toLowerCase().replace(/:80$/, "");
}
