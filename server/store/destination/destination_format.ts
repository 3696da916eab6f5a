import { open } from "node:fs/promises";
import { join } from "node:path";
import { createFile, replaceFile } from "../atomic_file.ts";
import { DESTINATION_FORMAT, formatIn } from "../file_versions.ts";
import { READ_PLAIN } from "../plain_file.ts";
import { FORMAT_PATH } from "./own_folder.ts";

/** Longer than any number that will ever be there; the file may hold anything. */
const READ_BYTES = 64;

/** The format of a destination; null where none is known. */
export async function readFormat(root: string): Promise<number | null> {
  try {
    await using file = await open(join(root, FORMAT_PATH), READ_PLAIN);
    if (!(await file.stat()).isFile()) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0);
    return formatIn(buffer.toString("utf8", 0, bytesRead));
  } catch {
    return null;
  }
}

/** Notes the format in a destination that carries an older one, or none. Errors are the file system's own. */
export async function noteFormat(root: string): Promise<void> {
  const found = await readFormat(root);
  if (found !== null && found >= DESTINATION_FORMAT) return;
  const path = join(root, FORMAT_PATH);
  const text = `${DESTINATION_FORMAT}\n`;
  const options = { mode: 0o644 };
  if (!(await createFile(path, text, options))) await replaceFile(path, text, options);
}
