import { closeSync, constants, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { createFile, replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import { ID_PATH, makeOwnFolder } from "./own_folder.ts";

const ID = /^[0-9a-f]{32}$/;
/** Longer than any id; the file may hold anything. */
const READ_BYTES = 64;

/** A new name for a destination, unlike any other. */
export function newId(): string {
  return crypto.getRandomValues(new Uint8Array(16)).toHex();
}

/** The id that a destination carries; null when it has none, or one that is damaged. Errors are the file system's own. */
export async function readId(root: string): Promise<string | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    await using file = await open(idPath(root), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0);
    return idIn(buffer.toString("utf8", 0, bytesRead));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return null;
    throw error;
  }
}

/** As `readId`, at once; null as well where it cannot be read. */
export function readIdNow(root: string): string | null {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const descriptor = openSync(idPath(root), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const buffer = Buffer.alloc(READ_BYTES);
      return idIn(buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, READ_BYTES, 0)));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

function idIn(text: string): string | null {
  const id = text.trim();
  return ID.test(id) ? id : null;
}

/**
 * Gives a destination this id. Another process may be giving it one at the same time: the first counts for both.
 * @returns the id that the destination has now
 */
export async function giveId(root: string, id: string): Promise<string> {
  await makeOwnFolder(root);
  const options = { mode: 0o644 };
  const isNew = await createFile(idPath(root), `${id}\n`, options);
  const there = await readId(root);
  if (there !== null) return there;
  if (!isNew) await replaceFile(idPath(root), `${id}\n`, options);
  return id;
}

function idPath(root: string): string {
  return join(root, ID_PATH);
}
