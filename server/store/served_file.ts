import { realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { errorCode } from "./recordings.ts";

/** A file below the destination that may be handed out. */
export interface ServedFile {
  /** Where it really lies, links followed. */
  readonly path: string;
  readonly size: number;
  /** When it was last written: nanoseconds since the epoch. */
  readonly mtimeNs: bigint;
}

const NOT_THERE: readonly string[] = ["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EACCES", "EINVAL"];

/**
 * Finds a file below `root`. Links are followed as long as they stay below it; hidden files and folders, and those a
 * NAS keeps for itself (`@eaDir`, `#recycle`), are not there, neither by name nor through a link.
 * @param path relative to the root, parts separated by `/`
 * @returns null when there is no such file
 */
export async function findServedFile(root: string, path: string): Promise<ServedFile | null> {
  if (!isPlain(path)) return null;
  try {
    const asked = join(root, path);
    const [top, place, found] = await Promise.all([realpath(root), realpath(asked), stat(asked, { bigint: true })]);
    return isPlain(relative(top, place)) && found.isFile()
      ? { path: place, size: Number(found.size), mtimeNs: found.mtimeNs }
      : null;
  } catch (error) {
    if (NOT_THERE.includes(errorCode(error))) return null;
    throw error;
  }
}

/** True for a path that goes down only, through parts that are neither hidden nor special. */
function isPlain(path: string): boolean {
  return !path.includes("\0") && path.split("/").every((part) => part !== "" && !".@#".includes(part.charAt(0)));
}
