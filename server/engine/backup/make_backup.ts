import { createReadStream } from "node:fs";
import { type FileHandle, mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, crc32, createDeflateRaw } from "node:zlib";
import { isObject } from "../../domain/settings/settings_migrations.ts";
import { type ZipEntry, ZipLayout } from "../../domain/viewer/zip_layout.ts";
import { copyDatabase } from "../../store/config/database_copy.ts";
import { errorCode } from "../../store/error_code.ts";
import { readPlainFile } from "../../store/plain_file.ts";
import { nextTurn } from "../../turns.ts";
import { VERSION } from "../../version.ts";
import { type BackedUpCamera, type BackupFile, backupFiles } from "./backup_files.ts";

/** Version of the shape of a backup. */
export const BACKUP_FORMAT = 1;
const CHUNK_BYTES = 256 * 1024;
const FOLDER_START = ".backup-";
/** A folder of parts that is older was left by a process that was killed. */
const LEFT_MS = 24 * 60 * 60 * 1000;

export interface BackupSource {
  readonly configDir: string;
  readonly cameras: readonly BackedUpCamera[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Wall time in seconds, which the archive's files have. */
  readonly wall: number;
  /** Breaks it off. */
  readonly signal?: AbortSignal;
}

/** A backup that is made, in a folder of its own that goes when it is disposed of. */
export interface MadeBackup extends AsyncDisposable {
  readonly path: string;
  readonly bytes: number;
}

/** A file of ours that a backup cannot have as it is; a sentence. */
export class BackupProblem extends Error {
  override name = "BackupProblem";
}

interface Part {
  readonly entry: ZipEntry & { readonly crc: number };
  /** Its deflated bytes. */
  readonly path: string;
}

/**
 * Makes a backup in a new folder below `folder`. Nothing of it is longer in memory than it takes to pack it.
 * @throws BackupProblem, or the error of the file system
 */
export async function makeBackup(source: BackupSource, folder: string): Promise<MadeBackup> {
  await sweep(folder, source.now);
  const own = await mkdtemp(join(folder, FOLDER_START));
  const dispose = () => rm(own, { recursive: true, force: true });
  try {
    const parts: Part[] = [];
    for (const file of backupFiles(source.configDir, source.cameras)) {
      source.signal?.throwIfAborted();
      const part = await partOf(file, join(own, `${parts.length}`), source);
      if (part !== null) parts.push(part);
    }
    const about = {
      format: BACKUP_FORMAT,
      product: "dashdock",
      version: VERSION,
      made_at: new Date(source.now).toISOString(),
      files: parts.map(({ entry: { name, unpacked = 0 } }) => ({ name, bytes: unpacked })),
    };
    const text = Buffer.from(`${JSON.stringify(about, null, 2)}\n`);
    parts.unshift(await packed("manifest.json", text, join(own, "manifest"), source.wall));
    const path = join(own, "backup.zip");
    const bytes = await write(path, parts);
    return { path, bytes, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Null for a file that is not there. */
async function partOf(file: BackupFile, place: string, { wall, signal }: BackupSource): Promise<Part | null> {
  const { name, path, kind } = file;
  try {
    if (kind === "plain") return await packed(name, await readPlainFile(path), place, wall);
    if (kind === "settings") return await packed(name, withoutSession(await readPlainFile(path)), place, wall);
    await stat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return null;
    if (error instanceof SyntaxError) throw new BackupProblem(`${path} cannot be read, so there is no backup.`);
    throw error;
  }
  const copy = `${place}.db`;
  try {
    await copyDatabase(path, copy, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (errorCode(error).startsWith("SQLITE_FULL")) throw error;
    throw new BackupProblem(`${path} cannot be copied (${errorCode(error) || "damaged"}), so there is no backup.`);
  }
  const part = await packed(name, createReadStream(copy, { highWaterMark: CHUNK_BYTES }), place, wall);
  await rm(copy);
  return part;
}

/** The settings without the secret that sessions are signed with. */
function withoutSession(file: Buffer): Buffer {
  const settings: unknown = JSON.parse(file.toString("utf8"));
  if (!isObject(settings)) throw new SyntaxError("the settings are no object");
  const { auth } = settings;
  const kept = isObject(auth) ? { ...settings, auth: { ...auth, session_secret: undefined } } : settings;
  return Buffer.from(`${JSON.stringify(kept, null, 2)}\n`);
}

async function packed(
  name: string,
  content: Buffer | AsyncIterable<Buffer>,
  path: string,
  wall: number,
): Promise<Part> {
  let unpacked = 0;
  let crc = 0;
  let size = 0;
  await using file = await open(path, "wx", 0o600);
  async function* counted() {
    for await (const piece of Buffer.isBuffer(content) ? piecesOf(content) : content) {
      unpacked += piece.length;
      crc = crc32(piece, crc);
      yield piece;
    }
  }
  const sink = new Writable({
    write(piece: Buffer, _encoding, done) {
      size += piece.length;
      file.appendFile(piece).then(() => done(), done);
    },
  });
  await pipeline(counted, createDeflateRaw({ level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES }), sink);
  return { entry: { name, size, unpacked, crc, wall }, path };
}

function* piecesOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES);
}

/** Writes the archive and returns its length. */
async function write(path: string, parts: readonly Part[]): Promise<number> {
  const layout = new ZipLayout(parts.map(({ entry }) => entry));
  await using file = await open(path, "wx", 0o600);
  for (const [index, part] of parts.entries()) {
    await file.appendFile(layout.head(index));
    await append(file, part.path);
    await rm(part.path);
    await nextTurn();
  }
  for (const [index, { entry }] of parts.entries()) await file.appendFile(layout.directory(index, entry.crc));
  await file.appendFile(layout.end());
  await file.sync();
  return layout.size;
}

async function append(file: FileHandle, path: string): Promise<void> {
  for await (const piece of createReadStream(path, { highWaterMark: CHUNK_BYTES })) await file.appendFile(piece);
}

/** Removes folders that a process left that was killed. */
async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(FOLDER_START)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (found?.isDirectory() && now - found.mtimeMs > LEFT_MS)
      await rm(join(folder, name), { recursive: true, force: true });
  }
}
