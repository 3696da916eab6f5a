import { lstat, mkdir, open, readdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Clock } from "../../clock.ts";
import { isPassing } from "../../domain/offsite/bucket_problem.ts";
import { keyBeginning, pathOfObject } from "../../domain/offsite/object_key.ts";
import { REQUEST_WAITS } from "../../domain/offsite/retry_times.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Bucket, BucketObject } from "../../remote/s3/bucket.ts";
import { BucketError } from "../../remote/s3/bucket_error.ts";
import { putWhereNothingIs, syncFolder } from "../../store/atomic_file.ts";
import { errorCode } from "../../store/error_code.ts";
import { openedContent, SealBroken, sealedSize } from "./age_content.ts";
import { homeHashes } from "./home_hash.ts";
import { tried } from "./send_file.ts";

/** Marks a folder as one that is being filled from a bucket, so that a run that was cut goes on. */
const MARKER = ".dashdock-fetch";
/** Tries of a file whose bytes are not those that were sent: the first, and four more. */
const TRIES = 5;

/** The folder may not be filled; the message is a sentence without a full stop. */
export class FolderRefused extends Error {
  override readonly name = "FolderRefused";
}

export interface FetchOrder {
  readonly bucket: Bucket;
  readonly settings: Pick<Settings["offsite"], "endpoint" | "bucket" | "prefix" | "passphrase">;
  /** The folder that is filled. */
  readonly folder: string;
  /** `YYYYMMDD`, the first day whose recordings come; empty for all. */
  readonly since: string;
  /** The folder may hold other files. */
  readonly isIntoExisting: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Tells each file that has come to an end. */
  readonly onFile: (file: FetchedFile) => void;
}

export interface FetchedFile {
  readonly path: string;
  readonly bytes: number;
  readonly outcome:
    | "fetched"
    /** It is here already, as it is in the bucket. */
    | "here"
    /** Another file of this name is here, and stays. */
    | "taken"
    /** The bytes are not those that were sent, or the passphrase does not open it. */
    | "broken"
    | "locked"
    /** No copy that Dashdock has made. */
    | "foreign"
    | "gone";
}

const MISSING: readonly FetchedFile["outcome"][] = ["broken", "locked", "gone"];

/**
 * Brings all copies back from a bucket into a folder, each verified by its length and its hash. Nothing there is written
 * over.
 * @throws FolderRefused, BucketError, the file system’s own errors, and the signal’s reason
 */
export async function fetchOffsite(order: FetchOrder): Promise<void> {
  const { bucket, settings, folder, since, clock, signal } = order;
  await prepare(order);
  let isWhole = true;
  const tell = (file: FetchedFile) => {
    if (MISSING.includes(file.outcome)) isWhole = false;
    order.onFile(file);
  };
  const hash = await homeHashes(settings);
  const beginning = keyBeginning(settings.prefix);
  for await (const page of pagesOf(bucket, beginning, clock, signal))
    for (const object of page) {
      signal.throwIfAborted();
      const named = pathOfObject(object.key, settings.prefix);
      if (named === null) {
        tell({ path: object.key, bytes: object.bytes, outcome: "foreign" });
        continue;
      }
      if (!isSince(named.path, since)) continue;
      tell(await fetchOne(order, object, named, hash));
    }
  // With it the same command goes on, as with another passphrase.
  if (isWhole) await unlink(join(folder, MARKER)).catch(() => {});
}

/** A list that breaks is asked for again as a whole: pages that came before are told again by `here`. */
async function* pagesOf(
  bucket: Bucket,
  prefix: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<BucketObject[]> {
  const pages = await tried(clock, signal, () => Array.fromAsync(bucket.list(prefix, signal)));
  yield* pages;
}

/** @throws FolderRefused */
async function prepare({ settings, folder, isIntoExisting }: FetchOrder): Promise<void> {
  const { endpoint, bucket, prefix } = settings;
  await mkdir(folder, { recursive: true });
  const marker = join(folder, MARKER);
  const own = JSON.stringify([endpoint?.replace(/\/$/, ""), bucket, prefix.replace(/\/$/, "")]);
  const begun = await readFile(marker, "utf8").catch(() => null);
  if (begun !== null && begun !== own) throw new FolderRefused(`${folder} is being filled from another bucket`);
  if (begun === own) return;
  if (!isIntoExisting && (await readdir(folder)).length > 0)
    throw new FolderRefused(`${folder} is not empty. With --into-existing files are added, and none is written over`);
  await writeFile(marker, own, { flag: "wx", mode: 0o600 });
}

async function fetchOne(
  order: FetchOrder,
  { key, bytes }: BucketObject,
  { path, isEncrypted }: { readonly path: string; readonly isEncrypted: boolean },
  hash: (sha256: string) => string,
): Promise<FetchedFile> {
  const { bucket, settings, folder, clock, signal } = order;
  const { passphrase } = settings;
  const place = join(folder, path);
  const end = (outcome: FetchedFile["outcome"]): FetchedFile => ({ path, bytes, outcome });
  if (isEncrypted && passphrase === null) return end("locked");
  const facts = await factsOf(bucket, key, clock, signal);
  if (facts === null) return end("gone");
  const { homeHash } = facts;
  if (homeHash === null) return end("foreign");
  // Files that were sent before a passphrase was set carry the plain hash.
  const isHash = (sha256: string) => (isEncrypted ? hash(sha256) : sha256) === homeHash;
  const partial = join(dirname(place), `.${basename(place)}.fetching`);
  const here = await lstat(place).catch(() => null);
  if (here !== null) {
    // A kill may have come between the file's two names.
    await rm(partial, { force: true });
    const isLength = here.isFile() && (isEncrypted ? sealedSize(here.size) : here.size) === facts.bytes;
    return end(isLength && isHash(await sha256Of(place)) ? "here" : "taken");
  }
  await mkdir(dirname(place), { recursive: true });
  for (let left = TRIES; left > 0; left--) {
    const pieces = piecesOf(bucket, key, facts.bytes, clock, signal);
    try {
      const plain = isEncrypted && passphrase !== null ? openedContent(pieces, passphrase) : pieces;
      if (!isHash(await written(partial, plain))) continue;
      if (!(await putWhereNothingIs(partial, place))) return end("taken");
      await syncFolder(dirname(place));
      return end("fetched");
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      if (error.isLocked) return end("locked");
    } finally {
      await rm(partial, { force: true });
    }
  }
  return end("broken");
}

/** Null for an object that has gone since it was listed. */
async function factsOf(bucket: Bucket, key: string, clock: Clock, signal: AbortSignal) {
  try {
    return await tried(clock, signal, () => bucket.head(key, signal));
  } catch (error) {
    if (error instanceof BucketError && error.fault === "no_object") return null;
    throw error;
  }
}

/** All bytes of an object; what is cut goes on where it was. @throws BucketError */
async function* piecesOf(
  bucket: Bucket,
  key: string,
  length: number,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  let tries = 0;
  while (at < length || (length === 0 && tries === 0)) {
    const before = at;
    try {
      for await (const piece of bucket.get(key, at, signal)) {
        at += piece.length;
        if (at > length) throw new SealBroken("The bucket sends more bytes than it has said.", false);
        yield piece;
      }
      if (at < length) throw new BucketError("busy", `only ${at} of ${length} bytes came`);
      tries += 1;
    } catch (error) {
      if (!(error instanceof BucketError) || !isPassing(error.fault)) throw error;
      // A connection that brings bytes is worth another try.
      if (at > before) tries = 0;
      const wait = REQUEST_WAITS[tries++];
      if (wait === undefined) throw error;
      await clock.sleep(wait, signal);
    }
  }
}

/** Writes a file and returns its hash; what a kill left of it is begun anew. */
async function written(path: string, pieces: AsyncIterable<Uint8Array>): Promise<string> {
  await rm(path, { force: true });
  await using file = await open(path, "wx", 0o644);
  const hash = new Bun.CryptoHasher("sha256");
  for await (const piece of pieces) {
    hash.update(piece);
    for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten;
  }
  await file.sync().catch((error: unknown) => {
    if (errorCode(error) === "EIO" || errorCode(error) === "ENOSPC") throw error;
  });
  return hash.digest("hex");
}

async function sha256Of(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const piece of Bun.file(path).stream()) hash.update(piece);
  return hash.digest("hex");
}

/** True for a recording from this day on. */
function isSince(path: string, since: string): boolean {
  const day = basename(path).slice(0, 8);
  return since === "" || (/^[0-9]{8}$/.test(day) && day >= since);
}
