import { groupOf } from "../../domain/recordings/recording_name.ts";
import type { ArchiveSource } from "../../store/clips/archive_source.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import { chooseClips } from "./pack_clips.ts";
import { findSources } from "./pack_sources.ts";
import type { PackSource } from "./packs.ts";

/** `20260607_101500_NF.jpg`, of a namesake `20260607_101500_NF.2.jpg`, and with the second where a user kept it. */
const NAME = /^([0-9]{8}_[0-9]{6}_[A-Z]{2}(?:\.[1-9][0-9]?)?)(?:_[0-9]+\.[0-9]{3}s)?\.(?:jpg|png)$/;

interface Parts extends Omit<PackSource, "segments" | "history" | "films"> {
  readonly segments: Pick<RecordingIndex, "root" | "between" | "find">;
}

/** Finds a picture by its name in packs: the one that a pack of its recording has under it. Null where there is none. */
export async function findPicture(
  { segments, files: { videos }, stills }: Parts,
  name: string,
): Promise<ArchiveSource | null> {
  const [, recording] = NAME.exec(name) ?? [];
  if (recording === undefined) return null;
  const key = groupOf(`${recording}.jpg`);
  const segment = await segments.find(key);
  if (segment === null) return null;
  const wanted = { kind: "clip", key } as const;
  const choice = await chooseClips(
    { segments, videos },
    { wanted, segments: [segment], directions: null, purpose: "all" },
  );
  if (choice === null) return null;
  const { pictures } = await findSources({ root: segments.root, stills }, choice);
  return pictures.find(({ source }) => source.name === `pictures/${name}`)?.source ?? null;
}
