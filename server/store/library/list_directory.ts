import type { Dirent } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { each, isSliceEnd, nextTurn } from "../../turns.ts";
import { errorCode } from "../error_code.ts";

/** Functions that a listing calls with the names it finds. */
export interface Visitor {
  /** True for names to ask the disk about when the directory does not show whether they are files. */
  wantsFile(name: string): boolean;
  wantsDirectory(name: string): boolean;
  file(name: string): void;
  directory(name: string): void;
}

/**
 * Lists one directory, letting others run every few thousand entries. A link to a file is a file, a link to a directory
 * is nothing. Only links and entries whose kind the filesystem does not report are asked about one by one.
 * @returns how many entries there were
 * @throws what the filesystem answers
 */
export async function listDirectory(path: string, visitor: Visitor): Promise<number> {
  const unclear: Dirent[] = [];
  let handled = 0;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isFile()) visitor.file(entry.name);
    else if (entry.isDirectory()) {
      if (visitor.wantsDirectory(entry.name)) visitor.directory(entry.name);
    } else if (visitor.wantsFile(entry.name) || (!entry.isSymbolicLink() && visitor.wantsDirectory(entry.name))) {
      unclear.push(entry);
    }
    if (isSliceEnd(++handled)) await nextTurn();
  }
  await each(unclear, async (entry) => {
    const kind = await kindOf(entry, path);
    // An entry that the disk refuses to show counts as what its name promises: unknown is not missing.
    if (kind === "file" || (kind === "refused" && visitor.wantsFile(entry.name))) visitor.file(entry.name);
    else if (kind !== "other" && visitor.wantsDirectory(entry.name)) visitor.directory(entry.name);
  });
  return handled;
}

/**
 * Returns the kind of an entry of the directory at `path`: `"other"` also for one that has vanished or leads nowhere,
 * `"refused"` when the disk answers with an error.
 */
export async function kindOf(entry: Dirent, path: string): Promise<"file" | "directory" | "other" | "refused"> {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice()) return "other";
  try {
    const place = join(path, entry.name);
    const found = await lstat(place);
    if (found.isDirectory()) return "directory";
    return (found.isSymbolicLink() ? await stat(place) : found).isFile() ? "file" : "other";
  } catch (error) {
    return MISSING.includes(errorCode(error)) ? "other" : "refused";
  }
}
const MISSING: readonly string[] = ["ENOENT", "ENOTDIR", "ELOOP"];
