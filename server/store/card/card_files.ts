import type { Dirent, Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { each, isSliceEnd, nextTurn } from "../../turns.ts";
import { errorCode } from "../error_code.ts";
import { isSystemFolder } from "../library/system_folders.ts";

/** Requests to the card at once. */
const WIDTH = 16;

/** Files that a walk through a folder finds. All paths are below that folder. */
export interface CardVisitor {
  /** True for the name of a file whose size is wanted. */
  wants(name: string): boolean;
  /** A file that is wanted. */
  file(path: string, name: string, size: number): void;
  /** Whatever is no such file: another one, a link, or what cannot be read. */
  other(path: string, why: "foreign" | "link" | "unreadable"): void;
}

interface Walk {
  readonly root: string;
  readonly visitor: CardVisitor;
  readonly skipped: (place: string) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Looks at every file below a folder, at any depth. Links are not followed, so nothing is seen twice. Others run every few
 * thousand entries.
 * @param options.skipped true for a folder that is left alone, such as the one of the recordings at home
 * @throws the signal's reason, and the file system's own errors about the folder itself
 */
export async function walkCard(
  root: string,
  visitor: CardVisitor,
  { skipped = () => false, signal }: { skipped?: (place: string) => boolean; signal: AbortSignal },
): Promise<void> {
  const walk = { root, visitor, skipped, signal };
  let level = await look(walk, "", await readdir(root, { withFileTypes: true }));
  while (level.length > 0) {
    const deeper: string[] = [];
    for (const folder of level) {
      signal.throwIfAborted();
      const entries = await entriesOf(walk, folder);
      if (entries !== null) for (const child of await look(walk, folder, entries)) deeper.push(child);
    }
    level = deeper;
  }
}

async function entriesOf({ root, visitor }: Walk, folder: string): Promise<Dirent[] | null> {
  try {
    return await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "") throw error;
    visitor.other(folder, "unreadable");
    return null;
  }
}

/** Looks at the entries of one folder, and returns the folders in it. */
async function look(walk: Walk, folder: string, entries: readonly Dirent[]): Promise<string[]> {
  const { root, visitor, signal } = walk;
  const folders: string[] = [];
  const wanted: Dirent[] = [];
  let handled = 0;
  for (const entry of entries) {
    const path = pathIn(folder, entry.name);
    if (entry.isSymbolicLink()) visitor.other(path, "link");
    else if (entry.isDirectory()) enter(walk, path, entry.name, folders);
    else if (entry.isFile() && !visitor.wants(entry.name)) visitor.other(path, "foreign");
    // The others are files whose size is wanted, and what the file system does not tell the kind of.
    else wanted.push(entry);
    if (isSliceEnd(++handled)) await nextTurn();
  }
  await each(
    wanted,
    async ({ name }) => {
      signal.throwIfAborted();
      const path = pathIn(folder, name);
      const found = await statOf(join(root, path));
      if (found === null) visitor.other(path, "unreadable");
      else if (found.isSymbolicLink()) visitor.other(path, "link");
      else if (found.isDirectory()) enter(walk, path, name, folders);
      else if (found.isFile() && visitor.wants(name)) visitor.file(path, name, found.size);
      else visitor.other(path, "foreign");
    },
    WIDTH,
  );
  return folders;
}

function enter({ root, skipped }: Walk, path: string, name: string, folders: string[]): void {
  if (!isSystemFolder(name) && !skipped(join(root, path))) folders.push(path);
}

async function statOf(place: string): Promise<Stats | null> {
  try {
    return await lstat(place);
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return null;
  }
}

function pathIn(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
