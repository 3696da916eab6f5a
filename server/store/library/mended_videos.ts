import { type FileHandle, open } from "node:fs/promises";
import { applyPatches, type HeaderPatch, hevcPatches } from "../../domain/recordings/hevc_header.ts";
import { withFile } from "./embedded_files.ts";
import type { MediaFile } from "./media_files.ts";

/** Videos remembered: those of a month, of which most need nothing. */
const MOST_KNOWN = 2000;
/** A part of this size is answered at once; a larger one is made while it is sent. */
const MOST_AT_ONCE = 1024 * 1024;
/** What is read of a file at once, for each of the buffers: one goes out while the next is read. */
const CHUNK_BYTES = 256 * 1024;
const BUFFERS = 3;

/** How videos are shown to browsers that their headers keep from playing: mended on the way out, never on the disk. */
export class MendedVideos {
  readonly #known = new Map<string, Promise<readonly HeaderPatch[]>>();

  /** What is mended in a video; nothing in one that is fine, that is no video, or that cannot be read. */
  async patchesOf(file: MediaFile): Promise<readonly HeaderPatch[]> {
    const key = `${file.etag} ${file.path}`;
    const known = this.#known.get(key);
    if (known) return await known;
    const found = read(file);
    this.#known.set(key, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return await found;
  }
}

async function read(file: MediaFile): Promise<readonly HeaderPatch[]> {
  return await withFile(file, (readAt) => hevcPatches(file.size, readAt)).catch(() => []);
}

/** The bytes of a video from `from` to `to`, the latter not included, with its patches; as it is where none lies in them. */
export async function mendedPart(
  file: MediaFile,
  patches: readonly HeaderPatch[],
  from: number,
  to: number,
): Promise<Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const plain = Bun.file(file.path).slice(from, to);
  if (!patches.some(({ at, bytes }) => at < to && at + bytes.length > from)) return plain;
  if (to - from <= MOST_AT_ONCE) {
    const bytes = await plain.bytes();
    applyPatches(bytes, from, patches);
    return bytes;
  }
  return stream(file, patches, from, to);
}

function stream(
  file: MediaFile,
  patches: readonly HeaderPatch[],
  from: number,
  to: number,
): ReadableStream<Uint8Array> {
  const buffers = Array.from({ length: BUFFERS }, () => Buffer.allocUnsafeSlow(CHUNK_BYTES));
  // Opened by the first part: a stream that nothing is asked of is not closed either.
  let opening: Promise<FileHandle> | null = null;
  let running: Promise<Uint8Array> | null = null;
  let [at, turn] = [from, 0];
  const fill = async () => {
    opening ??= open(file.path);
    const handle = await opening;
    const buffer = buffers[turn++ % BUFFERS] ?? new Uint8Array(0);
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) throw new Error(`${file.path} became shorter while it was sent`);
    const part = buffer.subarray(0, bytesRead);
    applyPatches(part, at, patches);
    at += bytesRead;
    return part;
  };
  const close = async () => {
    await running?.catch(() => {});
    await (await opening?.catch(() => null))?.close();
  };
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          running = fill();
          controller.enqueue(await running);
        } catch (error) {
          await close();
          throw error;
        }
        if (at < to) return;
        await close();
        controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
