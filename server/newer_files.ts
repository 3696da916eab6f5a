import { open } from "node:fs/promises";
import { join } from "node:path";
import { FORMAT_PATH, KEPT_PATH } from "./store/destination/own_folder.ts";
import {
  CAMERA_LIST_VERSION,
  DESTINATION_FORMAT,
  FACTS_VERSION,
  formatIn,
  KEPT_VERSION,
  RUN_DATABASE_VERSION,
} from "./store/file_versions.ts";

/** A file of ours that carries the version of its shape; `settings.json` looks at its own. */
interface Versioned {
  readonly path: string;
  /** The newest that this program reads. */
  readonly known: number;
  readonly found: (file: Buffer) => number | null;
}

/** Long enough for the head of a database, and for the first line of a list. */
const HEAD_BYTES = 4096;
const DATABASE = "SQLite format 3\0";
/** Position of a database's `user_version`, by SQLite's file format. */
const USER_VERSION_AT = 60;

/**
 * Refuses, before anything is written, what a newer Dashdock has left: this one would take it for damaged, or lose what it
 * does not know.
 * @throws Error with one line that names the file and the remedy
 */
export async function refuseNewer(folders: { readonly configDir?: string; readonly root?: string }): Promise<void> {
  for (const { path, known, found } of versionedIn(folders)) {
    const version = found(await headOf(path));
    if (version === null || version <= known) continue;
    throw new Error(
      `Cannot use ${path}: it is of version ${version}, newer than version ${known} that this program reads. Use the program version that wrote it, or restore an older copy; the file is left as it is.`,
    );
  }
}

function versionedIn({ configDir, root }: Parameters<typeof refuseNewer>[0]): Versioned[] {
  const files: Versioned[] = [];
  if (configDir !== undefined)
    files.push(
      { path: join(configDir, "stats.db"), known: RUN_DATABASE_VERSION, found: inDatabase },
      { path: join(configDir, "library.db"), known: FACTS_VERSION, found: inDatabase },
      { path: join(configDir, "camera-list.txt"), known: CAMERA_LIST_VERSION, found: inText },
    );
  if (root !== undefined)
    files.push(
      { path: join(root, FORMAT_PATH), known: DESTINATION_FORMAT, found: (file) => formatIn(file.toString("utf8")) },
      { path: join(root, KEPT_PATH), known: KEPT_VERSION, found: inText },
    );
  return files;
}

function inDatabase(head: Buffer): number | null {
  if (head.toString("latin1", 0, DATABASE.length) !== DATABASE) return null;
  return head.length < USER_VERSION_AT + 4 ? null : head.readUInt32BE(USER_VERSION_AT);
}

/** Our own programs write it first. */
function inText(head: Buffer): number | null {
  const [, version] = /^\s*\{\s*"version"\s*:\s*([0-9]{1,9})\b/.exec(head.toString("utf8")) ?? [];
  return version === undefined ? null : Number(version);
}

/** The beginning of a file; nothing where it is not there or cannot be read, which its own reader says. */
async function headOf(path: string): Promise<Buffer> {
  try {
    await using file = await open(path, "r");
    if (!(await file.stat()).isFile()) return Buffer.alloc(0);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    return Buffer.alloc(0);
  }
}
