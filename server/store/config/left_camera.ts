import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isCameraId } from "../../domain/settings/camera_key.ts";
import { isObject } from "../../domain/settings/settings_migrations.ts";

/** Folder of the further cameras' own files, below the config folder. */
export const CAMERAS_FOLDER = "cameras";

/** The folder of a further camera's own files: its runs, and what is remembered of its recordings. */
export function folderOfCamera(configDir: string, id: string): string {
  return join(configDir, CAMERAS_FOLDER, id);
}

/** Ids of cameras whose own files are there, whether they are in the settings or were taken away. */
export async function camerasWithFiles(configDir: string): Promise<readonly string[]> {
  return (await readdir(join(configDir, CAMERAS_FOLDER)).catch(() => [])).filter(isCameraId);
}

/** The camera that had this folder of recordings before, of these; null for none. */
export async function cameraThatHad(
  destination: string,
  ids: readonly string[],
  configDir: string,
): Promise<string | null> {
  for (const id of ids) {
    const text = await readFile(join(folderOfCamera(configDir, id), "destination.json"), "utf8").catch(() => "null");
    const path = pathIn(text);
    if (path !== null && resolve(path) === resolve(destination)) return id;
  }
  return null;
}

function pathIn(text: string): string | null {
  try {
    const remembered: unknown = JSON.parse(text);
    return isObject(remembered) && typeof remembered["path"] === "string" ? remembered["path"] : null;
  } catch {
    return null;
  }
}
