import { type ClockZone, secondsBetween } from "../../domain/recordings/clock_change.ts";
import { secondsOf } from "../../domain/recordings/recording_name.ts";
import type { Shared } from "../../domain/shares/share.ts";
import { type SharedForce, sharedForces } from "../../domain/shares/shared_force.ts";
import { endsOf, HIDDEN_METERS, type SharedFix, sharedTrack } from "../../domain/shares/shared_track.ts";
import type { Place } from "../../domain/viewer/fix_steps.ts";
import { isBreak } from "../../domain/viewer/trips.ts";
import type { Film } from "../../store/clips/film.ts";
import { versionAt } from "../../store/clips/film_clips.ts";
import { type Films, sizeIn } from "../../store/clips/films.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import type { TelemetryFiles } from "../../store/clips/telemetry_files.ts";
import type { SettingsSource } from "../../store/config/settings_source.ts";
import { pathOf, type Segment } from "../../store/library/recording_files.ts";
import type { ViewedRecordings } from "../viewer/viewed_recordings.ts";

/** Parts of the camera whose recordings a link shows. */
export interface SharedParts {
  readonly segments: Pick<RecordingIndex, "between">;
  readonly viewed: Pick<ViewedRecordings, "trip">;
  readonly telemetry: Pick<TelemetryFiles, "stamps" | "read">;
  readonly films: () => Promise<Pick<Films, "open">>;
  readonly settings: SettingsSource;
  /** Zone of the camera's clock. */
  readonly zone: ClockZone;
  readonly recordings: { readonly root: string };
}

/** More recordings than any link has, and those that came between them since. */
const MOST_BETWEEN = 10_000;

/** Requests to the disk at once. */
const WIDTH = 16;

/** The recordings of a link that are at home now, by time: never one that was not there when it was made. */
export async function shownClips(
  share: Pick<Shared, "keys" | "videos" | "sizes">,
  parts: Pick<SharedParts, "segments" | "recordings">,
): Promise<readonly Segment[]> {
  const clips = await clipsOfShare(share, parts);
  const { keys, videos, sizes } = share;
  if (videos === null || sizes === null) return clips;
  const told = new Map(keys.map((key, at) => [key, { letters: videos[at] ?? "", sizes: sizes[at] ?? [] }]));
  const now = await sizesOf(clips, parts.recordings.root);
  return clips.flatMap((clip, at) => {
    const { letters = "", sizes: then = [] } = told.get(clip.key) ?? {};
    // A camera whose clock was reset gives names again, and all of a clip is of the new one then.
    const isSame = clip.parts.videos.every(({ direction }, video) => {
      const size = now[at]?.[video] ?? 0;
      // One that went just now has no size.
      return size === 0 || size === then[letters.indexOf(direction)];
    });
    return isSame ? [clip] : [];
  });
}

/** Bytes of the videos of each clip, in the order of its own; 0 for one that is not there. */
export async function sizesOf(clips: readonly Segment[], root: string): Promise<number[][]> {
  const sizes: number[][] = [];
  for (let at = 0; at < clips.length; at += WIDTH) {
    const some = clips.slice(at, at + WIDTH).map(async (clip) => {
      const versions = clip.parts.videos.map(({ ending }) => versionAt(root, pathOf(clip, ending)));
      return (await Promise.all(versions)).map(sizeIn);
    });
    sizes.push(...(await Promise.all(some)));
  }
  return sizes;
}

/** As `shownClips`, by their names alone: enough to count them. */
export async function clipsOfShare(
  { keys, videos }: Pick<Shared, "keys" | "videos">,
  { segments }: Pick<SharedParts, "segments">,
): Promise<readonly Segment[]> {
  const wanted = new Map(keys.map((key, at) => [key, videos?.[at] ?? null]));
  const found = await segments.between(keys[0] ?? "", keys.at(-1) ?? "", MOST_BETWEEN);
  return found.flatMap((clip) => {
    const letters = wanted.get(clip.key);
    if (letters === undefined) return [];
    return letters === null ? [clip] : onlyOf(clip, letters);
  });
}

/** A clip with the videos of these directions alone; none when none of them is left. */
function onlyOf(clip: Segment, letters: string): readonly Segment[] {
  const videos = clip.parts.videos.filter(({ direction }) => letters.includes(direction));
  if (videos.length === 0) return [];
  return [{ ...clip, parts: { ...clip.parts, videos } }];
}

/** The film of one direction; null where no recording of it can be shown. It has no byte that is not of the span. */
export async function filmOfShare(
  share: Shared,
  direction: string,
  clips: readonly Segment[],
  { films }: Pick<SharedParts, "films">,
): Promise<Film | null> {
  const hasVideo = clips.some(({ parts }) => parts.videos.some((video) => video.direction === direction));
  if (!share.directions.includes(direction) || !hasVideo) return null;
  const { keys, from, to, sound } = share;
  const film = await (await films()).open({
    direction,
    clips,
    // Where the first or last recording is gone, what is left is whole.
    from: clips[0]?.key === keys[0] ? from : 0,
    to: to !== null && clips.at(-1)?.key === keys.at(-1) ? to : Number.POSITIVE_INFINITY,
    isPlain: true,
    isSilent: !sound,
  });
  return film.length === 0 ? null : film;
}

/** The first and last places of all trips that recordings belong to, as far as they are known now. */
export async function tripEnds(
  clips: readonly Segment[],
  { viewed, telemetry, settings }: Pick<SharedParts, "viewed" | "telemetry" | "settings">,
): Promise<Place[]> {
  const ends: Place[] = [];
  const seen = new Set<string>();
  const { trip_gap_minutes: gapMinutes } = settings.current.viewer;
  for (const { key } of clips) {
    if (seen.has(key)) continue;
    const found = await viewed.trip(key, gapMinutes);
    const trip = found?.trip.clips ?? [];
    for (const clip of trip) seen.add(clip.key);
    for (const part of withoutBreaks(trip, gapMinutes)) {
      const tracks = await Promise.all([firstTrack(part, telemetry), firstTrack(part.toReversed(), telemetry)]);
      ends.push(...endsOf(tracks));
    }
  }
  return ends;
}

/**
 * A trip in parts without a break on the camera's clock. An hour that clocks leave out is none, but a camera that does not
 * follow them may have stood at home for that hour.
 */
function withoutBreaks(trip: readonly Segment[], gapMinutes: number): readonly (readonly Segment[])[] {
  const parts: Segment[][] = [];
  for (const clip of trip) {
    const last = parts.at(-1)?.at(-1);
    if (last === undefined || isBreak(secondsOf(last.key), secondsOf(clip.key), gapMinutes, null)) parts.push([clip]);
    else parts.at(-1)?.push(clip);
  }
  return parts;
}

/** The track of the first clip that has one. */
async function firstTrack(clips: readonly Segment[], telemetry: SharedParts["telemetry"]) {
  for (const clip of clips) {
    const [read] = await telemetry.read(await telemetry.stamps([clip]));
    if (read?.track && read.track.t.length > 0) return read.track;
  }
  return null;
}

/** The track of a link, in stretches, and the forces along it. Ends of trips that are known only now are left out as those known before. */
export async function trackOfShare(
  share: Shared & { readonly hidden: readonly Place[]; readonly radius: number },
  parts: Omit<SharedParts, "films">,
): Promise<{ stretches: SharedFix[][]; forces: SharedForce[] }> {
  const clips = await shownClips(share, parts);
  const hidden = [...share.hidden, ...(await tripEnds(clips, parts))];
  const read = await parts.telemetry.read(await parts.telemetry.stamps(clips));
  const spanTime = (wall: number) => secondsBetween(share.starts, wall, parts.zone);
  const tracks = clips.flatMap(({ key }, at) => {
    const track = read[at]?.track ?? null;
    return track === null ? [] : [{ offset: spanTime(secondsOf(key)), track }];
  });
  const radius = Math.max(HIDDEN_METERS, share.radius);
  const stretches = sharedTrack(tracks, { seconds: spanTime(share.ends), hidden, radius });
  const forces = clips.flatMap(({ key }, at) => {
    const force = read[at]?.force ?? null;
    return force === null ? [] : [{ offset: spanTime(secondsOf(key)), force }];
  });
  return { stretches, forces: sharedForces(forces, stretches) };
}
