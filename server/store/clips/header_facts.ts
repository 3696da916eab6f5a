import { embeddedParts } from "../../domain/recordings/embedded_parts.ts";
import type { ReadAt } from "../../domain/recordings/mp4_boxes.ts";
import { secondsOfMp4 } from "../../domain/recordings/mp4_length.ts";
import { videoCodecOf } from "../../domain/recordings/video_codec.ts";
import { readerOf } from "../library/embedded_files.ts";
import { openServedFile } from "../library/opened_file.ts";

/** Parts of a clip's videos that replace files beside them. */
export interface EmbeddedFacts {
  readonly gps: boolean;
  readonly gsensor: boolean;
  /** The ending of the first video that holds a preview; the front's if it does. */
  readonly thumbnail: string | null;
}

/** Facts from the headers of a clip's videos. */
export interface HeaderFacts {
  /** Length of the front's video, or of the first that has one; null until known, and when none has. */
  readonly durationSeconds: number | null;
  /** Codec of each direction, as `videoCodecOf`, without those it does not know; null until known. */
  readonly codecs: Readonly<Record<string, string>> | null;
  readonly embedded: EmbeddedFacts;
}

/** A video as its headers are read. */
export interface Video {
  /** Relative to the root. */
  readonly path: string;
  readonly size: number;
  /** In epoch milliseconds. */
  readonly mtimeMs: number;
  readonly direction: string;
  readonly ending: string;
}

/**
 * Reads box headers, and none of the pictures.
 * @param videos of one clip, the front's first
 * @throws Error when one of them is another by now, or cannot be opened
 */
export async function headersOf(root: string, videos: readonly Video[]): Promise<HeaderFacts> {
  let durationSeconds: number | null = null;
  const codecs: Record<string, string> = {};
  const embedded = { gps: false, gsensor: false, thumbnail: null as string | null };
  for (const video of videos) {
    const { path, size, mtimeMs, direction, ending } = video;
    using file = await openServedFile(root, path);
    // One of the two times is in whole seconds.
    const isSame = file?.size === size && Math.abs(file.modifiedMs - mtimeMs) <= 1000;
    if (!isSame) throw new Error(`${path} is not what it was`);
    const read = await headerOf(size, readerOf(file)).catch(() => null);
    durationSeconds ??= read?.seconds ?? null;
    if (read?.codec) codecs[direction] = read.codec;
    embedded.gps ||= Boolean(read?.parts.gps);
    embedded.gsensor ||= Boolean(read?.parts.gsensor);
    if (read?.parts.thumbnail) embedded.thumbnail ??= ending;
  }
  return { durationSeconds, codecs, embedded };
}

async function headerOf(size: number, readAt: ReadAt) {
  const seconds = await secondsOfMp4(size, readAt);
  return { seconds, codec: await videoCodecOf(size, readAt), parts: await embeddedParts(size, readAt) };
}
