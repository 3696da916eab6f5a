import { readGps } from "../../domain/recordings/gps_file.ts";
import type { ZoneTime } from "../../domain/text/zone_time.ts";
import type { TelemetryFacts } from "../../domain/viewer/clip_facts.ts";
import { clockOffsetOf } from "../../domain/viewer/clock_offset.ts";
import type { TelemetryFiles } from "../../store/clips/telemetry_files.ts";
import type { Segment } from "../../store/library/recording_files.ts";

interface Parts {
  readonly telemetry: Pick<TelemetryFiles, "stamps" | "gpsBytes">;
  /** Zone of the camera's clock. */
  readonly zone: Pick<ZoneTime, "offset">;
}

/** A few clips of a trip tell as much as all. */
const MOST_CLIPS = 5;
/** A minute of a receiver that writes much. */
const MOST_BYTES = 64 * 1024;

/** Facts of a trip's clips, in the same order; null for those that have not been read yet. */
type FactsOfClips = readonly (TelemetryFacts | null)[];

/** Returns the seconds by which the camera's clock was ahead of the satellites in a trip; null when no clip tells. */
export async function clockOffset(
  clips: readonly Segment[],
  facts: FactsOfClips,
  parts: Parts,
): Promise<number | null> {
  return facts.includes(null) ? await readClockOffset(clips, parts) : knownClockOffset(clips, facts, parts.zone);
}

/** The same from a few files of the trip, whatever is known of them. */
export async function readClockOffset(clips: readonly Segment[], { telemetry, zone }: Parts): Promise<number | null> {
  const withGps = clips.filter(({ parts }) => parts.gps !== null);
  const every = Math.max(1, Math.ceil(withGps.length / MOST_CLIPS));
  const stamps = await telemetry.stamps(withGps.filter((_, at) => at % every === 0));
  const told = await Promise.all(
    stamps.map(async (stamp) => {
      const bytes = await telemetry.gpsBytes(stamp, MOST_BYTES);
      const utc = bytes && readGps(bytes).startUtc;
      return utc === null ? [] : [{ key: stamp.segment.key, utc }];
    }),
  );
  return clockOffsetOf(told.flat(), zone);
}

/** The same from what is known of the clips; null until all have been read. */
export function knownClockOffset(clips: readonly Segment[], facts: FactsOfClips, zone: Parts["zone"]): number | null {
  if (facts.includes(null)) return null;
  const told = clips.flatMap(({ key }, at) => {
    const utc = facts[at]?.startUtc ?? null;
    return utc === null ? [] : [{ key, utc }];
  });
  return clockOffsetOf(told, zone);
}
