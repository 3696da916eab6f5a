import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPackZip } from "../../../server/store/pack/pack_zip.ts";

/** Files of a ZIP by name, read and held against their checksums by the reader of packs. */
export async function unzipped(zip: Uint8Array): Promise<Map<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), "unzipped-"));
  try {
    writeFileSync(join(folder, "one.zip"), zip);
    await using content = await openPackZip(join(folder, "one.zip"));
    if (content.problems.length > 0) throw new Error(content.problems.join("; "));
    const files = new Map<string, Buffer>();
    for (const { name, pieces } of content.files) files.set(name, Buffer.concat(await Array.fromAsync(pieces())));
    return files;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Rows of a database that is there as bytes. */
export function rowsIn(bytes: Uint8Array | undefined, sql: string): unknown[] {
  using db = Database.deserialize(bytes ?? new Uint8Array());
  return db.query(sql).all();
}
