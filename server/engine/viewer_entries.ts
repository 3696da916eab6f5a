import type { ViewerRecording } from "../domain/api.ts";
import { dateOf } from "../domain/recording.ts";
import type { Segment } from "../store/segment.ts";
import type { Segments } from "../store/segments.ts";
import type { VideoFacts } from "../store/video_facts.ts";

/** What pages and programs are told of segments, with lengths as far as they are known by now. */
export async function viewerEntries(
  segments: Pick<Segments, "facts">,
  list: readonly Segment[],
): Promise<ViewerRecording[]> {
  const facts = await segments.facts(list);
  const addresses = new Map<string, string>();
  return list.map((segment, index) => {
    const { folder } = segment;
    const address = addresses.get(folder) ?? addressOf(folder);
    addresses.set(folder, address);
    return entryOf(segment, address, facts[index]);
  });
}

function entryOf({ key, parts }: Segment, address: string, facts: VideoFacts | undefined): ViewerRecording {
  const { videos, thumbnail } = parts;
  const time = `${key.slice(9, 11)}:${key.slice(11, 13)}:${key.slice(13, 15)}`;
  return {
    base_filename: key.slice(0, 15),
    type: key.slice(16),
    datetime: `${dateOf(key)}T${time}`,
    directions: videos.map(({ direction }) => direction),
    has_gps: parts.gps !== null,
    has_3gf: parts.gsensor !== null,
    has_thm: thumbnail !== null,
    videos: Object.fromEntries(videos.map(({ direction, ending }) => [direction, address + key + ending])),
    thumb: thumbnail && address + key + thumbnail,
    size_bytes: facts?.sizeBytes ?? null,
    duration_seconds: facts?.durationSeconds ?? null,
    kept: null,
    kept_with: null,
  };
}

/** What comes before the name in an address. A folder may have been given any name by hand; a recording's is plain. */
export function addressOf(folder: string): string {
  return folder === "" ? "/media/" : `/media/${folder.split("/").map(encodeURIComponent).join("/")}/`;
}
