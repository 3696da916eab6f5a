import type { Stats } from "node:fs";
import { type FileHandle, lstat, open, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { NO_FLUSH } from "../destination/put_in_place.ts";
import { errorCode } from "../error_code.ts";
import { READ_PLAIN } from "../plain_file.ts";
import { isSameFile } from "./card_file.ts";

const AT_ONCE = 1024 * 1024;

/** A file of the card, and the one at home that has its bytes. */
export interface MovedFile {
  /** Below the folder that is imported. */
  readonly path: string;
  readonly place: string;
  /** Facts of the file as it was read. */
  readonly stats: Stats;
  /** The destination, and the path of the file below it. */
  readonly root: string;
  readonly home: string;
  /** SHA-256 of the bytes that were read. */
  readonly sha256: string;
}

/**
 * Removes a file from the card when the one at home is another file, is on the disk with its name, and reads there as
 * what was read from the card. True when it was removed; false leaves it, and so do errors.
 */
export async function removeFromCard(file: MovedFile): Promise<boolean> {
  try {
    if (!(await isAtHome(file))) return false;
    for (const folder of foldersOf(file)) await syncStrictly(folder);
    if (!isSameFile(file.stats, await lstat(file.place))) return false;
    await unlink(file.place);
    return true;
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return false;
  }
}

async function isAtHome({ root, home, stats, sha256 }: MovedFile): Promise<boolean> {
  await using file = await open(join(root, home), READ_PLAIN);
  return !isItself(stats, await file.stat()) && (await hashOfSynced(file)) === sha256;
}

/**
 * True when both are one file: the folder is the recordings folder by another path, as a second mount of it. Removing
 * that file would remove the only one. Two mounts may have different devices; a copy made by an import has a time of its
 * own.
 */
function isItself(card: Stats, home: Stats): boolean {
  return card.ino === home.ino && (card.dev === home.dev || card.mtimeMs === home.mtimeMs);
}

async function hashOfSynced(file: FileHandle): Promise<string> {
  await flush(file);
  const hash = new Bun.CryptoHasher("sha256");
  const buffer = new Uint8Array(AT_ONCE);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, AT_ONCE, at);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/** The folders with the names that lead to the file, which may be new as well: its own first, the destination last. */
function foldersOf({ root, home }: MovedFile): string[] {
  const folders: string[] = [];
  for (let folder = dirname(home); folder !== "."; folder = dirname(folder)) folders.push(join(root, folder));
  return [...folders, root];
}

/** As `syncFolder`, but trouble with the disk is an error: without the name the bytes are lost. */
async function syncStrictly(path: string): Promise<void> {
  await using folder = await open(path, "r");
  await flush(folder);
}

async function flush(file: { sync(): Promise<void> }): Promise<void> {
  await file.sync().catch((error: unknown) => {
    if (!NO_FLUSH.includes(errorCode(error))) throw error;
  });
}
