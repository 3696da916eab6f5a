import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { isPassing } from "../../domain/offsite/bucket_problem.ts";
import { PART_BYTES, partBytesOf, partCount, partSpan } from "../../domain/offsite/part_bytes.ts";
import { REQUEST_WAITS } from "../../domain/offsite/retry_times.ts";
import type { Bucket, HashedBytes } from "../../remote/s3/bucket.ts";
import { BucketError } from "../../remote/s3/bucket_error.ts";
import type { BegunUpload, OffsiteDatabase } from "../../store/config/offsite_database.ts";
import { READ_PLAIN } from "../../store/plain_file.ts";
import { nextTurn } from "../../turns.ts";
import { sealedPart, sealedSize } from "./age_content.ts";
import { type AgeHead, makeHead, openHead } from "./age_head.ts";
import type { ChunkSeal } from "./chunk_seal.ts";

/** A file at home, and where it goes. */
export interface FileToSend {
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
  readonly key: string;
  readonly size: number;
  /** As `FileSum` has it. */
  readonly modified: number;
  /** Hash of the bytes that came home, in hexadecimal digits. */
  readonly sha256: string;
  readonly homeHash: string;
}

export interface SendParts {
  readonly clock: Clock;
  readonly bucket: Bucket;
  readonly database: OffsiteDatabase;
  /** Null without encryption. */
  readonly passphrase: string | null;
  /** Used by one file after the other. */
  readonly seal: ChunkSeal;
  /** Resolves when the next bytes may be sent. */
  readonly turn: (signal: AbortSignal) => Promise<void>;
  /** Called with the bytes of a file that are there already, before more are sent. */
  readonly had: (bytes: number) => void;
  /** Called when bytes were sent; resolves when the rate allows for more. */
  readonly sent: (bytes: number, signal: AbortSignal) => Promise<void>;
}

export type Sent =
  /** Bytes that the object has. */
  | { readonly outcome: "there"; readonly bytes: number }
  /** Another object has its name. */
  | { readonly outcome: "taken"; readonly bytes: number }
  /** It is another file than it was, or gone: it is looked at again later. */
  | { readonly outcome: "changed" }
  /** Its bytes are others than those that came home, though its length and time are the same. Nothing of it is there. */
  | { readonly outcome: "damaged" };

/** Thrown when a file is not as it was when it was listed. */
class FileChanged extends Error {}

/** Thrown when the bytes of a file are others than those that came home. */
class FileDamaged extends Error {}

/**
 * Sends a file, in one piece or in parts, and goes on where it was cut. What the bucket has of this name is never
 * written over.
 * @throws BucketError when the bucket does not take it; the signal's reason
 */
export async function sendFile(file: FileToSend, parts: SendParts, signal: AbortSignal): Promise<Sent> {
  let handle: FileHandle;
  try {
    handle = await open(join(file.root, file.path), READ_PLAIN);
  } catch {
    return { outcome: "changed" };
  }
  try {
    await requireSame(handle, file);
    const size = parts.passphrase === null ? file.size : sealedSize(file.size);
    return size <= PART_BYTES
      ? await sendWhole(file, handle, parts, signal)
      : await sendInParts(file, handle, parts, signal);
  } catch (error) {
    if (error instanceof FileChanged) return { outcome: "changed" };
    if (error instanceof FileDamaged) return { outcome: "damaged" };
    throw error;
  } finally {
    await handle.close().catch(() => {});
  }
}

/** Does something until it goes well, as often and as long as a passing fault is worth it. */
export async function tried<T>(clock: Clock, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (const wait of REQUEST_WAITS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BucketError) || !isPassing(error.fault)) throw error;
      await clock.sleep(wait, signal);
    }
  }
  return await work();
}

/** About a millisecond's work. */
const HASHED_AT_ONCE = 1024 * 1024;

type Source = Pick<Content, "size" | "part">;

interface Content {
  /** In the bucket. */
  readonly size: number;
  /** Its head, to be opened again with the passphrase; null without encryption. */
  readonly head: Uint8Array | null;
  /** A part of the object, at the beginning of `into`. */
  readonly part: (from: number, to: number, into: Uint8Array<ArrayBuffer>) => Promise<HashedBytes>;
  /** Reads what no part was made of, such as those that were sent before a restart. @throws FileDamaged */
  readonly requireWhole: (signal: AbortSignal) => Promise<void>;
}

async function sendWhole(file: FileToSend, handle: FileHandle, parts: SendParts, signal: AbortSignal): Promise<Sent> {
  const { clock, bucket, passphrase } = parts;
  const content = contentOf(file, handle, passphrase === null ? null : await makeHead(passphrase), parts);
  await parts.turn(signal);
  const body = await content.part(0, content.size, new Uint8Array(content.size));
  await requireSame(handle, file);
  await content.requireWhole(signal);
  try {
    const before = await tried(clock, signal, async () => {
      // Servers without `If-None-Match`, such as s3rver, write over all the same. An answer may be lost after the object was stored, too.
      const there = await found(file, content, bucket, signal);
      if (there === null) await bucket.put(file.key, body, file.homeHash, signal);
      return there;
    });
    if (before !== null) return before;
  } catch (error) {
    if (!(error instanceof BucketError) || error.fault !== "taken") throw error;
    return await judged(file, content, parts, signal);
  }
  await parts.sent(body.bytes.length, signal);
  return { outcome: "there", bytes: content.size };
}

async function sendInParts(file: FileToSend, handle: FileHandle, parts: SendParts, signal: AbortSignal): Promise<Sent> {
  const { clock, bucket, database } = parts;
  const { key, size, homeHash } = file;
  // Nothing is sent twice because the answer to its end was lost, and nothing in vain.
  const bytes = parts.passphrase === null ? size : sealedSize(size);
  const before = await tried(clock, signal, () => found(file, { size: bytes }, bucket, signal));
  if (before !== null) {
    await endUpload(key, parts, signal);
    return before;
  }
  for (let isAgain = false; ; isAgain = true) {
    const begun = await goOn(file, parts, signal);
    const content = contentOf(file, handle, begun.head, parts);
    const upload = begun.upload ?? (await begin(file, content, parts, signal));
    try {
      await sendMissing(upload, content, parts, signal);
      await requireSame(handle, file);
      await content.requireWhole(signal);
      const meanwhile = await tried(clock, signal, async () => {
        // The parts may have taken hours, and a server without `If-None-Match` would write over what has come since.
        const there = await found(file, content, bucket, signal);
        if (there === null) await bucket.complete(upload, database.parts(key), signal);
        return there;
      });
      if (meanwhile !== null) await endUpload(key, parts, signal);
      return meanwhile ?? { outcome: "there", bytes: content.size };
    } catch (error) {
      if (error instanceof FileChanged || error instanceof FileDamaged) await endUpload(key, parts, signal);
      if (!(error instanceof BucketError)) throw error;
      if (error.fault === "taken") {
        await endUpload(key, parts, signal);
        return await judged(file, content, parts, signal);
      }
      if (error.fault !== "no_upload") throw error;
      // It may be whole already, and only the answer was lost.
      const after = await tried(clock, signal, () => found({ key, homeHash }, content, bucket, signal));
      await endUpload(key, parts, signal);
      if (after !== null) return after;
      if (isAgain) throw error;
    }
  }
}

/** The upload that has begun, if it is still there and of this very file, and the head to go on with. */
async function goOn(
  { key, size, homeHash }: FileToSend,
  parts: SendParts,
  signal: AbortSignal,
): Promise<{ readonly upload: BegunUpload | null; readonly head: AgeHead | null }> {
  const { clock, bucket, database, passphrase } = parts;
  const upload = database.upload(key);
  const isSame =
    upload?.size === size && upload.homeHash === homeHash && (upload.head === null) === (passphrase === null);
  if (upload && isSame) {
    const head = passphrase === null || upload.head === null ? null : await openHead(upload.head, passphrase);
    const there = head === null && passphrase !== null ? null : await partsThere(upload, parts, signal);
    if (there !== null) {
      // Parts that the bucket has lost, or has otherwise than they were sent, are sent again.
      const tags = new Map(there.map(({ number, etag }) => [number, bare(etag)]));
      const whole = database.parts(key).filter(({ number, etag }) => tags.get(number) === bare(etag));
      if (whole.length < database.parts(key).length) {
        database.begin(upload);
        for (const part of whole) database.putPart(key, part);
      }
      return { upload, head };
    }
  }
  if (upload) {
    await tried(clock, signal, () => bucket.abort(upload, signal));
    database.endUpload(key);
  }
  if (passphrase === null) return { upload: null, head: null };
  const head = await makeHead(passphrase);
  // The allocator would keep the 32 MiB of a passphrase beside the parts.
  Bun.gc(true);
  return { upload: null, head };
}

/** Some servers list tags without their quotes. */
function bare(etag: string): string {
  return etag.replaceAll('"', "");
}

/** Null when the upload is gone. */
async function partsThere(upload: BegunUpload, { clock, bucket, database }: SendParts, signal: AbortSignal) {
  try {
    return await tried(clock, signal, () => bucket.parts(upload, signal));
  } catch (error) {
    // A server that cannot tell is believed to have all that it took.
    if (error instanceof BucketError && error.fault === "unsupported") return database.parts(upload.key);
    if (error instanceof BucketError && (error.fault === "no_upload" || error.fault === "no_object")) return null;
    throw error;
  }
}

async function begin(
  { key, size, homeHash }: FileToSend,
  content: Content,
  { clock, bucket, database }: SendParts,
  signal: AbortSignal,
): Promise<BegunUpload> {
  const id = await tried(clock, signal, () => bucket.begin(key, homeHash, signal));
  const { head } = content;
  const upload = { key, id, size, homeHash, partBytes: partBytesOf(content.size), head };
  database.begin(upload);
  return upload;
}

async function sendMissing(upload: BegunUpload, content: Source, parts: SendParts, signal: AbortSignal): Promise<void> {
  const { clock, bucket, database } = parts;
  const { key, partBytes } = upload;
  const done = new Set(database.parts(key).map(({ number }) => number));
  const missing: number[] = [];
  let had = 0;
  for (let number = 1; number <= partCount(content.size, partBytes); number++) {
    const { from, to } = partSpan(number, partBytes, content.size);
    if (done.has(number)) had += to - from;
    else missing.push(number);
  }
  parts.had(had);
  // One is made while the one before is on its way; each has one of two buffers.
  const buffers = missing.slice(0, 2).map(() => new Uint8Array(partBytes));
  const made = (at: number) => {
    const { [at]: number } = missing;
    const { [at % 2]: buffer } = buffers;
    if (number === undefined || buffer === undefined) return null;
    const { from, to } = partSpan(number, partBytes, content.size);
    const body = content.part(from, to, buffer);
    // The one before may fail first.
    body.catch(() => {});
    return body;
  };
  let next = made(0);
  for (const [at, number] of missing.entries()) {
    const body = await next;
    if (body === null) return;
    await parts.turn(signal);
    next = made(at + 1);
    try {
      const sent = await tried(clock, signal, () => bucket.part({ ...upload, number }, body, signal));
      database.putPart(key, { number, ...sent });
    } catch (error) {
      // The file is closed after this.
      await next?.catch(() => {});
      throw error;
    }
    // The runtime’s own copy of the part, which it would keep for long: it does not know how large it is.
    Bun.gc(false);
    await parts.sent(body.bytes.length, signal);
  }
}

async function endUpload(key: string, { clock, bucket, database }: SendParts, signal: AbortSignal): Promise<void> {
  const upload = database.upload(key);
  if (upload === null) return;
  await tried(clock, signal, () => bucket.abort(upload, signal));
  database.endUpload(key);
}

/** Tells what the bucket has of a name; null for nothing. */
async function found(
  { key, homeHash }: Pick<FileToSend, "key" | "homeHash">,
  { size }: Pick<Content, "size">,
  bucket: Bucket,
  signal: AbortSignal,
): Promise<Extract<Sent, { outcome: "there" | "taken" }> | null> {
  try {
    const there = await bucket.head(key, signal);
    const isSame = there.bytes === size && there.homeHash === homeHash;
    return { outcome: isSame ? "there" : "taken", bytes: there.bytes };
  } catch (error) {
    if (error instanceof BucketError && error.fault === "no_object") return null;
    throw error;
  }
}

/** The bucket says that it has an object of this name. */
async function judged(
  file: FileToSend,
  content: Source,
  { clock, bucket }: SendParts,
  signal: AbortSignal,
): Promise<Sent> {
  const there = await tried(clock, signal, () => found(file, content, bucket, signal));
  return there ?? { outcome: "changed" };
}

function contentOf(
  { size, sha256 }: FileToSend,
  handle: FileHandle,
  head: AgeHead | null,
  { seal, turn }: Pick<SendParts, "seal" | "turn">,
): Content {
  const sum = new Bun.CryptoHasher("sha256");
  let summed = 0;
  const read = async (from: number, to: number, into: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = into.subarray(0, to - from);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await handle.read(bytes, at, bytes.length - at, from + at);
      if (bytesRead === 0) throw new FileChanged();
      at += bytesRead;
    }
    // Parts follow each other and share some bytes of the file; those before a gap are read at the end.
    if (from <= summed && to > summed) {
      await hash(sum, bytes.subarray(summed - from));
      summed = to;
    }
    return bytes;
  };
  const requireWhole = async (signal: AbortSignal) => {
    const rest = new Uint8Array(Math.min(HASHED_AT_ONCE, size - summed));
    while (summed < size) {
      await turn(signal);
      await read(summed, Math.min(summed + rest.length, size), rest);
    }
    if (sum.digest("hex") !== sha256) throw new FileDamaged();
  };
  if (head === null) return { size, head, part: async (...place) => hashed(await read(...place)), requireWhole };
  const part: Content["part"] = async (from, to, into) =>
    hashed(await sealedPart({ head, size, read, seal }, from, to, nextTurn, into));
  return { size: sealedSize(size), head: head.bytes, part, requireWhole };
}

async function hashed(bytes: Uint8Array<ArrayBuffer>): Promise<HashedBytes> {
  const sum = new Bun.CryptoHasher("sha256");
  await hash(sum, bytes);
  return { bytes, sha256: sum.digest("base64") };
}

/** Hashes piece by piece, with a turn for everything else between them. */
async function hash(sum: Bun.CryptoHasher, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    sum.update(bytes.subarray(at, at + HASHED_AT_ONCE));
    await nextTurn();
  }
}

async function requireSame(handle: FileHandle, { size, modified }: FileToSend): Promise<void> {
  const found = await handle.stat({ bigint: true });
  const isSame = found.isFile() && Number(found.size) === size && Number(found.mtimeNs / 1_000_000n) === modified;
  if (!isSame) throw new FileChanged();
}
