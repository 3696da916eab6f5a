import { type ByteSpan, type EmbeddedParts, embeddedParts } from "../../domain/recordings/embedded_parts.ts";
import type { ReadAt } from "../../domain/recordings/mp4_boxes.ts";
import { factsAlone, type MediaFile, type OpenFile, openServedFile, readPart } from "./opened_file.ts";
import { frontFirst, pathOf, type Segment } from "./recording_files.ts";

/** A part of a video that stands for a file beside it. */
export interface EmbeddedFile extends ByteSpan {
  /** Relative to the root. */
  readonly path: string;
  readonly video: MediaFile;
}

const NOTHING: EmbeddedParts = { gps: null, gsensor: null, thumbnail: null };

/** Reads an open file in small parts. */
export function readerOf(file: OpenFile): ReadAt {
  return (offset, length) => readPart(file, offset, length);
}

/** Finds the telemetry and the preview in a video; nothing in one that cannot be read. */
export async function embeddedIn(video: OpenFile): Promise<EmbeddedParts> {
  return await embeddedParts(video.size, readerOf(video)).catch(() => NOTHING);
}

/**
 * The part of a clip's videos that stands for a file of telemetry beside them: the front's, else that of the first that has one.
 * @param spansOf as `embeddedIn`; one that remembers where it is asked often
 */
export async function findEmbedded(
  root: string,
  segment: Segment,
  part: "gps" | "gsensor",
  spansOf: (video: OpenFile) => Promise<EmbeddedParts> = embeddedIn,
): Promise<EmbeddedFile | null> {
  for (const { ending } of frontFirst(segment)) {
    const path = pathOf(segment, ending);
    using video = await openServedFile(root, path);
    const span = video && (await spansOf(video))[part];
    if (video && span) return { path, video: factsAlone(video), ...span };
  }
  return null;
}

/** The first bytes of such a part; null when its video is another one by now. */
export async function readEmbedded(
  root: string,
  { path, video, at, length }: EmbeddedFile,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  using file = await openServedFile(root, path);
  return file?.etag === video.etag ? await readPart(file, at, Math.min(most, length)) : null;
}
