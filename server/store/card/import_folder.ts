import { realpath, stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { liesIn } from "../config/outside_file.ts";

/** A folder that may be imported. */
export interface ImportFolder {
  /** Without links in its path. */
  readonly folder: string;
  /** The same below the folder for cards; empty for that itself. */
  readonly path: string;
}

/**
 * Finds a folder in the folder for cards, links resolved: none leads out of it. @param closed folders whose contents are
 * not imported
 * @returns `none` when there is no such folder there, `closed` when it lies in one that is closed
 */
export async function findImportFolder(
  source: string,
  path: string,
  closed: readonly string[],
): Promise<ImportFolder | "none" | "closed"> {
  const [top, folder] = await Promise.all([realOf(source), realOf(resolve(source, path))]);
  if (top === null || folder === null) return "none";
  const below = relative(top, folder);
  if (below === ".." || below.startsWith("../")) return "none";
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) return "none";
  for (const one of closed) if (await liesIn(folder, one)) return "closed";
  return { folder, path: below };
}

async function realOf(path: string): Promise<string | null> {
  return await realpath(path).catch(() => null);
}
