import { applyPatches, type HeaderPatch, hevcPatches } from "../../domain/recordings/hevc_header.ts";
import { readerOf } from "../library/embedded_files.ts";
import { type OpenFile, readInto, readPart } from "../library/opened_file.ts";

/** Videos remembered: those of a month, of which most need nothing. */
const MOST_KNOWN = 2000;
/** A part of this size is answered at once; a larger one is made while it is sent. */
const MOST_AT_ONCE = 1024 * 1024;
/** Bytes of a file that are read at once. */
const CHUNK_BYTES = 256 * 1024;

/** Mends videos for browsers that their headers keep from playing: on the way out, never on the disk. */
export class RepairedVideos {
  readonly #known = new Map<string, Promise<readonly HeaderPatch[]>>();

  /** Returns the changes that mend a video; none for one that is fine, that is no video, or that cannot be read. */
  async patchesOf(file: OpenFile): Promise<readonly HeaderPatch[]> {
    const key = `${file.etag} ${file.place}`;
    const known = this.#known.get(key);
    if (known) return await known;
    const found = read(file);
    this.#known.set(key, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return await found;
  }
}

async function read(file: OpenFile): Promise<readonly HeaderPatch[]> {
  return await hevcPatches(file.size, readerOf(file)).catch(() => []);
}

/**
 * The bytes of a video from `from` to `to`, the latter not included, with its patches; null where none lies in them, and
 * they are as in the file.
 * @param again opens the file anew for what is made while it is sent
 */
export async function repairedPart(
  file: OpenFile,
  patches: readonly HeaderPatch[],
  from: number,
  to: number,
  again: () => Promise<OpenFile | null>,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null> {
  if (!patches.some(({ at, bytes }) => at < to && at + bytes.length > from)) return null;
  if (to - from > MOST_AT_ONCE) return stream(file.etag, again, patches, from, to);
  const part = await readPart(file, from, to - from);
  if (part.length < to - from) throw new Error(`${file.place} became shorter while it was sent`);
  applyPatches(part, from, patches);
  return part;
}

function stream(
  etag: string,
  again: () => Promise<OpenFile | null>,
  patches: readonly HeaderPatch[],
  from: number,
  to: number,
): ReadableStream<Uint8Array> {
  // Opened by the first part: a stream that nothing is asked of is not closed either.
  let opening: Promise<OpenFile | null> | null = null;
  let running: Promise<Uint8Array> | null = null;
  let at = from;
  const fill = async () => {
    opening ??= again();
    const file = await opening;
    if (file?.etag !== etag) throw new Error("A video was changed before it could be sent");
    const part = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, to - at));
    if ((await readInto(file, at, part)) < part.length)
      throw new Error(`${file.place} became shorter while it was sent`);
    applyPatches(part, at, patches);
    at += part.length;
    return part;
  };
  const close = async () => {
    await running?.catch(() => {});
    const ended = opening;
    opening = null;
    (await ended?.catch(() => null))?.[Symbol.dispose]();
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
