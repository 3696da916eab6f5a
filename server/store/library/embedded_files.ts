import { open } from "node:fs/promises";
import { type ByteSpan, type EmbeddedParts, embeddedParts } from "../../domain/recordings/embedded_parts.ts";
import type { ReadAt } from "../../domain/recordings/mp4_boxes.ts";
import { findServedFile, type MediaFile } from "./media_files.ts";
import { frontFirst, pathOf, type Segment } from "./recording_files.ts";

/** A part of a video that stands for a file beside it. */
export interface EmbeddedFile extends ByteSpan {
  readonly video: MediaFile;
}

const NOTHING: EmbeddedParts = { gps: null, gsensor: null, thumbnail: null };

/** What is to be read of a file, in small parts. */
export async function withFile<T>(
  { path, size }: Pick<MediaFile, "path" | "size">,
  work: (readAt: ReadAt) => Promise<T>,
): Promise<T> {
  await using file = await open(path);
  return await work(async (offset, length) => {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
    return bytes.subarray(0, bytesRead);
  });
}

/** Where in a video its telemetry and its preview are; nothing in one that cannot be read. */
export async function embeddedIn(video: Pick<MediaFile, "path" | "size">): Promise<EmbeddedParts> {
  return await withFile(video, (readAt) => embeddedParts(video.size, readAt)).catch(() => NOTHING);
}

/**
 * The part of a clip's videos that stands for a file of telemetry beside them: the front's, else that of the first that has one.
 * @param spansOf as `embeddedIn`; one that remembers where it is asked often
 */
export async function findEmbedded(
  root: string,
  segment: Segment,
  part: "gps" | "gsensor",
  spansOf: (video: MediaFile) => Promise<EmbeddedParts> = embeddedIn,
): Promise<EmbeddedFile | null> {
  for (const { ending } of frontFirst(segment)) {
    const video = await findServedFile(root, pathOf(segment, ending));
    const span = video && (await spansOf(video))[part];
    if (video && span) return { video, ...span };
  }
  return null;
}
