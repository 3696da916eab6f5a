import { groupOf, parseArtifact } from "../../domain/recordings/recording_name.ts";
import type { RunHistory } from "../../store/config/run_history.ts";

/** Times that are known of a file of the camera, in epoch milliseconds; null while unknown. */
export interface FileTimes {
  /** The first list of the camera that is known to have named it. */
  readonly firstSeen: number | null;
  /** The end of the sync that brought it. */
  readonly cameHome: number | null;
}

/**
 * Returns what the syncs noted of a file. They note videos: what belongs to a video has the video's times. Older syncs
 * are forgotten, and each notes so many names only: what is not noted is not known.
 */
export function fileTimes(history: Pick<RunHistory, "allNotes">): (name: string) => FileTimes {
  const seen = new Map<string, number>();
  const home = new Map<string, number>();
  for (const { endedAt, notes } of history.allNotes()) {
    const { listed_at: listedAt, waiting, brought } = notes;
    if (listedAt !== null) for (const name of [...waiting, ...brought]) noteFirst(seen, name, listedAt);
    for (const name of brought) noteFirst(home, name, Math.round(endedAt * 1000));
  }
  return (name) => {
    const own = parseArtifact(name)?.direction === "" ? groupOf(name) : name.replace(/\.thm$/, ".mp4");
    return { firstSeen: seen.get(own) ?? null, cameHome: home.get(own) ?? null };
  };
}

/** Notes a video, and the moment it is of, where these have no time yet. */
function noteFirst(times: Map<string, number>, name: string, at: number): void {
  for (const one of [name, groupOf(name)]) if (!times.has(one)) times.set(one, at);
}
