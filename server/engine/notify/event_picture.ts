import { pictureType } from "../../domain/viewer/map_tile.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import { embeddedIn } from "../../store/library/embedded_files.ts";
import { type OpenFile, openServedFile, readPart } from "../../store/library/opened_file.ts";
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
    const picture = file && (await pictureIn(file, 0, file.size));
    if (picture !== null) return picture;
  }
  for (const { ending } of videos) {
    using video = await openServedFile(root, pathOf(segment, ending));
    const part = video && (await embeddedIn(video)).thumbnail;
    const picture = video && part && (await pictureIn(video, part.at, part.length));
    if (picture) return picture;
  }
  return null;
}

/** Null for what is no JPEG, or too long: a service would refuse the message because of it. */
async function pictureIn(file: OpenFile, at: number, length: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (length === 0 || length > MOST_BYTES) return null;
  const bytes = await readPart(file, at, length);
  return pictureType(bytes) === "image/jpeg" ? bytes : null;
}
