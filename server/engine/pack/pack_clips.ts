import { type Purpose, packSpan, type WallSpan } from "../../domain/pack/pack_span.ts";
import { nameOf, parseArtifact, secondsOf } from "../../domain/recordings/recording_name.ts";
import type { ExportWanted } from "../../domain/viewer/export_choice.ts";
import { USUAL_SEGMENT_SECONDS } from "../../domain/viewer/journey.ts";
import { camerasInOrder } from "../../domain/viewer/viewer_address.ts";
import type { PackedVideo, PackedVideos } from "../../store/clips/packed_videos.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import { pathOf, type Segment } from "../../store/library/recording_files.ts";
import { each } from "../../turns.ts";

/** Most clips of a pack: sixteen hours. A report of more is no use to anyone. */
export const MOST_PACK_CLIPS = 1000;
/** No clip is longer: cameras begin a new file every one to three minutes. */
const LONGEST_CLIP_SECONDS = 1800;
/** Videos whose headers are read at once. */
const WIDTH = 8;

/** A clip of a pack, and the videos of it that the pack has, by direction. */
export interface PackClip {
  readonly segment: Segment;
  readonly videos: ReadonlyMap<string, PackedVideo>;
  /** Seconds of its longest video; a guess where none tells. */
  readonly seconds: number;
}

export interface PackChoice {
  /** Time that was asked for, and that the pack covers, on the camera's clock. */
  readonly moment: WallSpan;
  readonly span: WallSpan;
  readonly clips: readonly PackClip[];
  /** Letters of the cameras that have videos, in order. */
  readonly directions: readonly string[];
}

export interface PackOrder {
  readonly wanted: ExportWanted;
  /** The clips of `wanted`, by time. */
  readonly segments: readonly Segment[];
  /** Letters of the cameras; null for all. */
  readonly directions: ReadonlySet<string> | null;
  readonly purpose: Purpose;
}

interface Parts {
  readonly segments: Pick<RecordingIndex, "between">;
  readonly videos: PackedVideos;
}

/** Finds the clips of a pack; null when these cameras have no video of it. */
export async function chooseClips(
  { segments, videos }: Parts,
  { wanted, segments: asked, directions, purpose }: PackOrder,
): Promise<PackChoice | null> {
  const [first] = asked;
  const last = asked.at(-1);
  if (!first || !last) return null;
  const [end] = await withVideos([last], null, videos);
  const length = end?.seconds ?? USUAL_SEGMENT_SECONDS;
  const isRange = wanted.kind === "range";
  const from = secondsOf(first.key) + (isRange ? wanted.fromSeconds : 0);
  const to = secondsOf(last.key) + (isRange ? Math.min(wanted.toSeconds, length) : length);
  const moment = { from, to: Math.max(from, to) };
  const span = packSpan(moment, purpose);
  const keys = new Set(asked.map(({ key }) => key));
  const around =
    purpose === "police"
      ? await segments.between(
          keyAt(span.from - LONGEST_CLIP_SECONDS, "A", first.key),
          keyAt(span.to, "Z", first.key),
          MOST_PACK_CLIPS,
        )
      : [];
  const others = around.filter(({ key }) => !keys.has(key));
  const found = await withVideos([...asked, ...others], directions, videos);
  const clips = found
    .filter(({ segment: { key }, videos: own, seconds }) => {
      const start = secondsOf(key);
      return own.size > 0 && (keys.has(key) || (start < span.to && start + seconds > span.from));
    })
    .sort((one, other) => (one.segment.key < other.segment.key ? -1 : 1));
  const letters = [...new Set(clips.flatMap(({ videos: own }) => [...own.keys()]))];
  return clips.length === 0 ? null : { moment, span, clips, directions: camerasInOrder(letters) };
}

/** Files of a clip that go into a pack of these cameras: their videos, all of each, and what belongs to them. */
export function filesOf({ key, parts }: Segment, directions: readonly string[]): readonly string[] {
  return parts.files.filter((ending) => {
    const artifact = parseArtifact(nameOf(key, ending));
    // Places and forces are of all cameras at once.
    return artifact !== null && (artifact.direction === "" || directions.includes(artifact.direction));
  });
}

async function withVideos(
  segments: readonly Segment[],
  directions: ReadonlySet<string> | null,
  videos: PackedVideos,
): Promise<PackClip[]> {
  const found = new Map<Segment, Map<string, PackedVideo>>(segments.map((segment) => [segment, new Map()]));
  const wanted = segments.flatMap((segment) => segment.parts.videos.map((video) => ({ segment, ...video })));
  const read = async ({ segment, direction, ending }: (typeof wanted)[number]) => {
    if (directions !== null && !directions.has(direction)) return;
    const video = await videos.of(pathOf(segment, ending));
    if (video) found.get(segment)?.set(direction, video);
  };
  await each(wanted, read, WIDTH);
  return [...found].map(([segment, own]) => {
    const seconds = Math.max(0, ...[...own.values()].map((video) => video.seconds ?? 0));
    return { segment, videos: own, seconds: seconds || USUAL_SEGMENT_SECONDS };
  });
}

/** The key of a time on the camera's clock, with the number of another key's name. */
function keyAt(seconds: number, type: string, like: string): string {
  const digits = new Date(seconds * 1000).toISOString().replace(/[-:]/g, "");
  return `${digits.slice(0, 8)}_${digits.slice(9, 15)}_${type}${like.slice(17)}`;
}
