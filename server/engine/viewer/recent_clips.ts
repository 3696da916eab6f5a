import { groupOf, nameOf } from "../../domain/recordings/recording_name.ts";
import { addressIn, keyIn, MAIN_CAMERA } from "../../domain/settings/camera_key.ts";
import type { NamedCamera } from "../../domain/settings/more_cameras.ts";
import type { RecentActivity, RecentClip } from "../../domain/status/card_data.ts";
import { mediaFolder } from "../../domain/viewer/media_folder.ts";
import { camerasInOrder } from "../../domain/viewer/viewer_address.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import { pathOf, type Segment } from "../../store/library/recording_files.ts";
import { type CardTimeParts, cardTimeOf } from "./card_time.ts";
import { type FolderParts, isFolderUnknown, type LastFolder } from "./last_known.ts";

/** Files that came last, among which those of the newest clips are looked for. */
const MOST_FILES = 50;

type RecentParts = CardTimeParts & {
  readonly segments: Pick<RecordingIndex, "recent" | "inDays" | "find" | "facts">;
} & FolderParts & {
    readonly lastKnown: Pick<LastFolder, "isKnown" | "known" | "clips" | "noteClips">;
  };

/** The clips that were recorded last, with all their cameras, and picture and length as far as they are known. */
export async function recentClips(
  parts: RecentParts & { readonly camera?: Pick<NamedCamera, "id"> },
  limit: number,
): Promise<RecentActivity> {
  const found = await recentOf(parts, limit);
  return { ...found, clips: clipsFor(parts.camera?.id, found.clips) };
}

/** Clips with the keys and addresses of their camera; those of the first camera as they are. */
export function clipsFor(camera: string | undefined, clips: RecentClip[]): RecentClip[] {
  if (camera === undefined || camera === MAIN_CAMERA) return clips;
  return clips.map((clip) => ({
    ...clip,
    key: keyIn(camera, clip.key),
    thumb: clip.thumb && addressIn(camera, clip.thumb),
  }));
}

async function recentOf(parts: RecentParts, limit: number): Promise<RecentActivity> {
  const { segments, lastKnown } = parts;
  /** By key, when the newest of its files came. */
  const came = new Map<string, number>();
  for (const { filename, mtime } of (await segments.recent(MOST_FILES)).recordings) {
    const key = groupOf(filename);
    if (!came.has(key)) came.set(key, mtime);
  }
  // The folders were looked through just now.
  const days = await segments.inDays();
  const keys = new Set<string>();
  for (const { key } of days.newestFirst()) if (keys.add(key).size === limit) break;
  // A clip may lie in several folders: this is the one that the viewer opens.
  const newest = (await Promise.all([...keys].map((key) => segments.find(key)))).filter((one) => one !== null);
  const facts = await segments.facts(newest);
  const clips = newest.map((segment, at) => clipOf(segment, came.get(segment.key) ?? null, facts[at]?.durationSeconds));
  const total = days.counts.reduce((sum, { count }) => sum + count, 0);
  const there = { clips, total, as_of: null, is_unknown: false, ...cardTimeOf(parts) };
  if (!isFolderUnknown(parts)) lastKnown.noteClips(clips);
  // Recordings in another folder's place can be seen, but they are not the missing ones.
  else if (total === 0)
    return { ...there, clips: [...lastKnown.clips], as_of: lastKnown.known?.at ?? null, is_unknown: true };
  return there;
}

/** A clip as it is shown small. @param mtime when the newest of its files came */
export function clipOf(segment: Segment, mtime: number | null, length: number | null = null): RecentClip {
  const { key, folder, parts } = segment;
  return {
    key,
    mtime,
    cameras: camerasInOrder(parts.videos.map(({ direction }) => direction)),
    paths: parts.videos.map(({ ending }) => pathOf(segment, ending)),
    thumb: parts.thumbnail && mediaFolder(folder) + nameOf(key, parts.thumbnail),
    duration_seconds: length,
  };
}
