import { groupOf } from "../../domain/recordings/recording_name.ts";
import type { NamedCamera } from "../../domain/settings/more_cameras.ts";
import type { RecentClip } from "../../domain/status/card_data.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import { clipOf, clipsFor } from "../viewer/recent_clips.ts";

/** Number of a run's clips that are looked for: the rest may have been deleted since. */
const MOST_LOOKED_FOR = 50;

/** The clips that a run brought and that are here, the newest first. @param names of their videos */
export async function clipsOfRun(
  {
    segments,
    camera,
  }: { readonly segments: Pick<RecordingIndex, "find" | "facts">; readonly camera?: Pick<NamedCamera, "id"> },
  names: readonly string[],
  limit: number,
): Promise<RecentClip[]> {
  const keys = [...new Set(names.map(groupOf))].sort().reverse().slice(0, MOST_LOOKED_FOR);
  const here = [];
  for (const key of keys) {
    const segment = await segments.find(key);
    if (segment !== null && here.push(segment) === limit) break;
  }
  const facts = await segments.facts(here);
  const clips = here.map((segment, at) => clipOf(segment, null, facts[at]?.durationSeconds));
  return clipsFor(camera?.id, clips);
}
