import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import { embeddedIn } from "../../store/library/embedded_files.ts";
import { openServedFile, readPart } from "../../store/library/opened_file.ts";
import { pathOf } from "../../store/library/recording_files.ts";

/** Services take no more, and no camera makes a thumbnail of more. */
const MOST_BYTES = 2 * 1024 * 1024;

export interface PictureParts {
  readonly segments: Pick<RecordingIndex, "find">;
  readonly recordings: { readonly root: string };
}

/** The picture of a recording at home, as its camera made it; null without one. @param key `YYYYMMDD_HHMMSS_T` */
export async function eventPicture(
  { segments, recordings: { root } }: PictureParts,
  key: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const segment = await segments.find(key);
  if (segment === null) return null;
  const { thumbnail, videos } = segment.parts;
  if (thumbnail !== null) {
    using file = await openServedFile(root, pathOf(segment, thumbnail));
    if (file !== null && file.size > 0 && file.size <= MOST_BYTES) return await readPart(file, 0, file.size);
  }
  for (const { ending } of videos) {
    using video = await openServedFile(root, pathOf(segment, ending));
    const part = video && (await embeddedIn(video)).thumbnail;
    if (video && part && part.length <= MOST_BYTES) return await readPart(video, part.at, part.length);
  }
  return null;
}
