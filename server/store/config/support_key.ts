import { readFile } from "node:fs/promises";
import { createFile } from "../atomic_file.ts";

const BYTES = 32;

/**
 * The key by which placeholders are made: with it they are the same in all support files of this service, and nobody can
 * guess from them. Made when there is none.
 */
export async function supportKey(path: string): Promise<Uint8Array> {
  const read = async () => {
    const found = await readFile(path).catch(() => null);
    return found?.length === BYTES ? found : null;
  };
  const found = await read();
  if (found !== null) return found;
  const made = crypto.getRandomValues(new Uint8Array(BYTES));
  // Where it cannot be kept, it is of this file alone.
  const isKept = await createFile(path, made).catch(() => true);
  return isKept ? made : ((await read()) ?? made);
}
