import { groupOf } from "../../domain/recordings/recording_name.ts";
import type { RecentActivity, RecentClip } from "../../domain/status/card_data.ts";
import { camerasInOrder } from "../../domain/viewer/viewer_address.ts";
import { pathOf, type Segment } from "../../store/library/recording_files.ts";
import type { RecordingIndex } from "../../store/library/recording_index.ts";
import { type CardTimeParts, cardTimeOf } from "./card_time.ts";
import { addressOf } from "./viewer_entries.ts";

/** Files that are searched for clips: each may have several cameras, and each of these more than one version. */
const MOST_FILES = 50;

/** The clips that came home last, a moment with all its cameras each, with picture and length as far as they are known. */
export async function recentClips(
  parts: CardTimeParts & { readonly segments: Pick<RecordingIndex, "recent" | "find" | "facts" | "days"> },
  limit: number,
): Promise<RecentActivity> {
  const { segments } = parts;
  const { recordings } = await segments.recent(MOST_FILES);
  /** By key, in the order of their newest files. */
  const newest = new Map<string, number>();
  for (const { filename, mtime } of recordings) {
    const key = groupOf(filename);
    if (!newest.has(key)) newest.set(key, mtime);
  }
  const found = await Promise.all([...newest.keys()].slice(0, limit).map((key) => segments.find(key)));
  const known = found.filter((segment) => segment !== null);
  const facts = await segments.facts(known);
  const clips = known.map((segment, at) => clipOf(segment, newest.get(segment.key) ?? 0, facts[at]?.durationSeconds));
  const days = await segments.days();
  return { clips, total: days.reduce((sum, { count }) => sum + count, 0), ...cardTimeOf(parts) };
}

function clipOf(segment: Segment, mtime: number, length: number | null = null): RecentClip {
  const { key, folder, parts } = segment;
  return {
    key,
    mtime,
    cameras: camerasInOrder(parts.videos.map(({ direction }) => direction)),
    paths: parts.videos.map(({ ending }) => pathOf(segment, ending)),
    thumb: parts.thumbnail && addressOf(folder) + key + parts.thumbnail,
    duration_seconds: length,
  };
}
