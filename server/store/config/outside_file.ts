import { lstat, open, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { isDatedFolderOf } from "../../domain/recordings/date_folders.ts";
import { pathOf } from "../../domain/settings/settings.ts";
import { isSystemFolder } from "../../domain/settings/system_folder.ts";
import { readId } from "../destination/destination_id.ts";
import { OWN_FOLDER } from "../destination/own_folder.ts";
import { errorCode } from "../error_code.ts";
import { beginsAsMetricsState } from "./metrics_state.ts";

/** Files that the service writes outside its folders, at a path from the settings. */
export type OutsideKind = "metrics" | "state";

const MOST_READ = 1024 * 1024;
const BEGINS: Readonly<Record<OutsideKind, (text: string) => boolean>> = {
  metrics: (text) => text.startsWith("# HELP dashdock_"),
  state: beginsAsMetricsState,
};

/**
 * Refuses paths for a file that a setting names. Such a file is replaced without a question. It must not be a
 * recording, one of the service's own files, or another program's.
 */
export class OutsideFiles {
  readonly #closed: readonly string[];
  readonly #own: readonly string[];

  /**
   * @param closed folders in which nothing may be written
   * @param own files that may be, wherever they are: the names we choose ourselves
   */
  constructor(closed: readonly string[], own: readonly string[] = []) {
    this.#closed = closed;
    this.#own = own.map((path) => resolve(path));
  }

  /** Tells why the file may not be written, as the rest of a sentence about its path, or null. */
  async problem(path: string, kind: OutsideKind): Promise<string | null> {
    if (this.#own.includes(resolve(path))) return null;
    const real = await realPlace(path);
    for (const folder of this.#closed) {
      const root = await realPlace(folder);
      if (isInside(real, root)) return `must be outside of ${folder}, where it could replace what is kept there`;
    }
    const begin = await beginOf(real);
    if (begin === null || begin === "" || BEGINS[kind](begin)) return null;
    return "names something that is there already and was not written by this service; choose another name";
  }
}

/**
 * Tells why no recordings belong in a folder wherever the settings are, as the rest of a sentence about its path, or
 * null.
 */
export async function systemProblem(path: string): Promise<string | null> {
  return isSystemFolder(await realPlace(path)) ? "is a folder of the system; choose one for recordings" : null;
}

/**
 * Refuses a folder that a settings file has for recordings. One that earlier versions let recordings go to is used on.
 * @throws Error with one line that names the file and the remedy
 */
export async function refuseSystemFolder(settingsPath: string, destination: string): Promise<void> {
  const problem = await systemProblem(destination);
  if (problem === null || (await readId(destination).catch(() => null)) !== null) return;
  throw new Error(
    `Cannot use the settings file ${settingsPath}: ${pathOf("system", "destination")} is ${destination}, which ${problem}; the file is left as it is.`,
  );
}

/** Tells why recordings may not be stored in a folder, as the rest of a sentence about its path, or null. */
export async function folderProblem(path: string, config: string): Promise<string | null> {
  const real = await realPlace(path);
  const own = await realPlace(config);
  const problem = await systemProblem(real);
  if (problem !== null) return problem;
  if (isInside(real, own)) return `must be outside of ${config}, which holds the settings`;
  if (real.split(sep).includes(OWN_FOLDER))
    return `must not lead into ${OWN_FOLDER}, which is for Dashdock's own files`;
  const isOther = await stat(real).then(
    (found) => !found.isDirectory(),
    () => false,
  );
  return isOther ? "names something that is no folder" : null;
}

/** Tells why nothing may be imported from a folder, as the rest of a sentence about its path, or null. */
export async function sourceProblem(
  path: string,
  { config, home }: { readonly config: string; readonly home: string },
): Promise<string | null> {
  const real = await realPlace(path);
  if (isSystemFolder(real)) return "is a folder of the system; choose one for cards";
  if (isInside(real, await realPlace(config))) return `must be outside of ${config}, which holds the settings`;
  if (isInside(real, await realPlace(home))) return `must be outside of ${home}, where the recordings are at home`;
  const isOther = await stat(real).then(
    (found) => !found.isDirectory(),
    () => false,
  );
  return isOther ? "names something that is no folder" : null;
}

function isInside(real: string, root: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** True when a path leads to a folder or into it. */
export async function liesIn(path: string, folder: string): Promise<boolean> {
  return isInside(await realPlace(path), await realPlace(folder));
}

/** True when two paths lead to the same place. */
export async function isSamePlace(one: string, other: string): Promise<boolean> {
  return (await realPlace(one)) === (await realPlace(other));
}

/** True when a path leads to a folder in which another one groups its recordings by date. */
export async function leadsToDatedFolder(path: string, recordings: string): Promise<boolean> {
  return isDatedFolderOf(await realPlace(path), await realPlace(recordings));
}

/** Resolves the links of a path as far as files exist; the last part is the name itself. */
async function realPlace(path: string): Promise<string> {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch {
    const folder = dirname(whole);
    return folder === whole ? whole : join(await realPlace(folder), basename(whole));
  }
}

/** The text at the head of a file; null when nothing is there, and something no format begins with for what is no file. */
async function beginOf(path: string): Promise<string | null> {
  try {
    if (!(await lstat(path)).isFile()) return "\0";
    await using file = await open(path, "r");
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_READ), 0, MOST_READ, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } catch (error) {
    // A file that cannot be read is another program's.
    return ["ENOENT", "ENOTDIR"].includes(errorCode(error)) ? null : "\0";
  }
}
