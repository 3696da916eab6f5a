import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { ZipLayout } from "../../../server/domain/viewer/zip_layout.ts";

/** Entries of a stored ZIP by name, in order, read by its directory alone. */
export function entriesOf(zip: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = zip.length - 22;
  const entries = new Map<string, Uint8Array>();
  let at = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    const length = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(zip.subarray(at + 46, at + 46 + length));
    const head = view.getUint32(at + 42, true);
    const start = head + 30 + view.getUint16(head + 26, true) + view.getUint16(head + 28, true);
    entries.set(name, zip.slice(start, start + view.getUint32(at + 24, true)));
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** A pack in a folder of its own, which is removed at the end. */
export class UnpackedPack implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "pack-"));

  constructor(entries: ReadonlyMap<string, Uint8Array>) {
    for (const [name, bytes] of entries) {
      const path = join(this.folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
    }
  }

  /** Runs a line of a shell in it. */
  run(command: string): { readonly code: number; readonly text: string } {
    const { exitCode, stdout, stderr } = Bun.spawnSync(["sh", "-c", command], { cwd: this.folder });
    return { code: exitCode, text: `${stdout}${stderr}`.trim() };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A stored ZIP of these entries, in order; names may be any. */
export function zipOf(entries: readonly (readonly [name: string, bytes: Uint8Array])[]): Uint8Array {
  const layout = new ZipLayout(
    entries.map(([name, bytes]) => ({ name, size: bytes.length, wall: 0, crc: crc32(bytes) })),
  );
  const parts = [...layout.pieces(0, layout.size)].map(({ part, entry }) => {
    if (part === "data") return entries[entry]?.[1] ?? new Uint8Array();
    if (part === "head") return layout.head(entry);
    return part === "end" ? layout.end() : layout.directory(entry, crc32(entries[entry]?.[1] ?? new Uint8Array()));
  });
  return new Uint8Array(Buffer.concat(parts));
}
