import { readFile } from "node:fs/promises";
import { createFile } from "../atomic_file.ts";

const BYTES = 32;

/**
 * The key by which placeholders are made: with it they are the same in all support files of this service, and nobody can
 * guess from them. Made when there is none.
 */
export async function supportKey(path: string): Promise<Uint8Array> {
  const found = await readFile(path).catch(() => null);
  if (found?.length === BYTES) return found;
  const made = crypto.getRandomValues(new Uint8Array(BYTES));
  // Where it cannot be kept, it is of this file alone.
  await createFile(path, made).catch(() => {});
  return made;
}
