import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createFile, replaceFile } from "../atomic_file.ts";

const ID = /^[0-9a-f]{16}$/;

/**
 * The random id of this installation, `installation-id` in the config folder; made when it is first asked for. No backup
 * has it: two installations with one id would end each other's connections.
 */
export async function installationId(configDir: string): Promise<string> {
  const path = join(configDir, "installation-id");
  const read = async () => {
    const text = await readFile(path, "utf8").catch(() => "");
    return ID.test(text.trim()) ? text.trim() : null;
  };
  const known = await read();
  if (known !== null) return known;
  const id = crypto.getRandomValues(new Uint8Array(8)).toHex();
  const isNew = await createFile(path, `${id}\n`, { mode: 0o600 });
  if (!isNew) {
    // Another process may have made it meanwhile; else it is damaged.
    const other = await read();
    if (other !== null) return other;
    await replaceFile(path, `${id}\n`, { mode: 0o600 });
  }
  return id;
}
