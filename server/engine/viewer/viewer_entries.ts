import { baseOfMoment, momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { baseOf, dateOf, nameOf, ordinalOf, timeOf, typeOf } from "../../domain/recordings/recording_name.ts";
import { type StillName, stillName } from "../../domain/recordings/still_name.ts";
import { isEvent } from "../../domain/retention/keep_times.ts";
import type { TelemetryFacts } from "../../domain/viewer/clip_facts.ts";
import { mediaFolder } from "../../domain/viewer/media_folder.ts";
import type { Coming, ViewerRecording } from "../../domain/viewer/viewer_schema.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import type { VideoFacts } from "../../store/clips/video_facts.ts";
import { type Segment, thumbnailOf } from "../../store/library/recording_files.ts";
import type { PendingDeletions } from "../retention/pending_deletions.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import type { ComingSource } from "./viewed_recordings.ts";

export interface EntryParts {
  readonly segments: Pick<RecordingIndex, "facts" | "telemetryFacts">;
  readonly coming: Pick<ComingSource, "of">;
  readonly retention: Pick<RetentionParts, "kept" | "stills">;
  readonly deletions: Pick<PendingDeletions, "keptAround">;
}

/** Segments as pages and answers have them, with lengths as far as they are known by now. */
export async function viewerEntries(app: EntryParts, list: readonly Segment[]): Promise<ViewerRecording[]> {
  const facts = await app.segments.facts(list);
  const events = list.filter(({ key }) => isEvent(typeOf(key)));
  const read = await app.segments.telemetryFacts(events);
  const ofEvents = new Map(events.map((segment, at) => [segment, read[at] ?? null]));
  const kept = await app.retention.kept.shown();
  const spared = await app.deletions.keptAround();
  const stills = await app.retention.stills.all();
  const addresses = new Map<string, string>();
  return list.map((segment, index) => {
    const { folder } = segment;
    const address = addresses.get(folder) ?? mediaFolder(folder);
    addresses.set(folder, address);
    const moment = momentNumber(segment.key);
    const coming = stillComing(segment, app.coming.of(segment.key));
    const event = kept.has(moment) ? undefined : spared.get(baseOfMoment(moment));
    return {
      ...entryOf(segment, address, facts[index], coming),
      kept: kept.get(moment)?.kept ?? null,
      kept_with: event === undefined ? null : momentKey(event),
      stills: (stills.get(moment) ?? []).map(stillAnswer),
      strongest: strongestOf(ofEvents.get(segment) ?? null),
      coming: coming && comingOf(segment, address, coming),
    };
  });
}

/** A picture as answers have it. */
export function stillAnswer(still: StillName): ViewerRecording["stills"][number] {
  const { key, direction, milliseconds } = still;
  return { seconds: milliseconds / 1000, direction, url: `/api/recordings/${key}/stills/${stillName(still)}` };
}

function entryOf(
  { key, parts }: Segment,
  address: string,
  facts: VideoFacts | undefined,
  coming: Coming | null,
): Omit<ViewerRecording, "kept" | "kept_with" | "stills" | "strongest" | "coming"> {
  const { videos } = parts;
  const { embedded } = facts ?? {};
  const preview = embedded?.thumbnail ? `${embedded.thumbnail}?view=preview` : null;
  const thumbnail = parts.thumbnail ?? preview;
  return {
    base_filename: baseOf(key),
    ...(ordinalOf(key) > 1 && { number: ordinalOf(key) }),
    type: typeOf(key),
    datetime: `${dateOf(key)}T${timeOf(key)}`,
    directions: [...videos.map(({ direction }) => direction), ...(coming?.directions ?? [])].sort(),
    has_gps: parts.gps !== null || embedded?.gps === true,
    has_3gf: parts.gsensor !== null || embedded?.gsensor === true,
    has_thm: thumbnail !== null,
    videos: Object.fromEntries(videos.map(({ direction, ending }) => [direction, address + nameOf(key, ending)])),
    thumb: thumbnail && address + nameOf(key, thumbnail),
    size_bytes: facts?.sizeBytes ?? null,
    duration_seconds: facts?.durationSeconds ?? null,
    codecs: facts?.codecs ?? null,
  };
}

/**
 * Returns the directions that are still on the camera beside the videos here. The camera's list may be older than
 * those.
 */
function stillComing({ parts: { videos } }: Segment, known: Coming | null): Coming | null {
  const directions = known?.directions.filter((direction) => !videos.some((video) => video.direction === direction));
  return known && directions && directions.length > 0 ? { ...known, directions } : null;
}

function comingOf({ key, parts }: Segment, address: string, coming: Coming): ViewerRecording["coming"] {
  const { state, directions, position, seconds } = coming;
  const stills: Record<string, string> = {};
  for (const direction of directions) {
    const ending = thumbnailOf(direction, parts.files);
    if (ending !== null) stills[direction] = address + nameOf(key, ending);
  }
  return { state, directions: [...directions], position, seconds, stills };
}

/** Also of an event without samples, so that a page knows that there is nothing to wait for. */
function strongestOf(facts: TelemetryFacts | null): ViewerRecording["strongest"] {
  if (facts === null) return null;
  const { t = null, g = null, push = null, fromKnots = null, toKnots = null } = facts.strongest ?? {};
  return { t, g, push, from_knots: fromKnots, to_knots: toKnots };
}
