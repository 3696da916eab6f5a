import { hasUnsetClock, secondsOf } from "../recordings/recording_name.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import { CLOCK_TOLERANCE_MS, satelliteError } from "./check_findings.ts";

/** A moment at which a recording's name tells something about the camera's clock. */
export interface ClockSighting {
  /** Epoch milliseconds: by this machine, or by the satellites when the recording began. */
  readonly at: number;
  /** The recording's name or key. */
  readonly name: string;
  /** It was the newest on the camera's list, or still being recorded, or its track has the satellites' time. */
  readonly how: "listed" | "recording" | "satellites";
}

/** A name is the time at which its recording began; the longest that cameras can be set to take three minutes. */
const LONGEST_RECORDING_MS = 3 * 60_000;
/** Satellites tell the time exactly, and names of recordings to the second. */
const SATELLITE_TOLERANCE_MS = 2 * 60_000;
const MOST_BELIEVED_MS = 2 * 86_400_000;
const HALF_YEAR_MS = 182 * 86_400_000;

/**
 * Returns the least milliseconds by which the camera's clock is ahead of the zone's, less than 0 behind it. It is 0
 * when the clock is right, null when nothing is proved. A car that was parked has an old newest name. Only a name from
 * the future, or one that is still being recorded, proves anything. Cameras do not change to summer time: the zone's
 * standard time is right as well.
 */
export function clockError({ at, name, how }: ClockSighting, zone: ZoneTime): number | null {
  const named = secondsOf(name) * 1000;
  if (how === "satellites") {
    const error = satelliteError(name, at, zone);
    // A receiver that tells another day has not found its time yet.
    if (Math.abs(error) > MOST_BELIEVED_MS && !hasUnsetClock(name)) return null;
    return Math.abs(error) >= SATELLITE_TOLERANCE_MS ? error : 0;
  }
  if (hasUnsetClock(name)) return named - at;
  const offsets = [at, at + HALF_YEAR_MS].map((ms) => zone.offset(ms));
  const earliest = at + Math.min(...offsets);
  const latest = at + Math.max(zone.offset(at), Math.min(...offsets));
  if (named - latest > CLOCK_TOLERANCE_MS) return named - latest;
  if (how === "listed") return null;
  const behind = named + LONGEST_RECORDING_MS - earliest;
  return behind < -CLOCK_TOLERANCE_MS ? behind : 0;
}

/**
 * Returns the sighting of the camera's clock to remember: the latest that proves anything. A newer name that is not
 * from the future disproves one that is.
 */
export function latestProof(before: ClockSighting | null, now: ClockSighting, zone: ZoneTime): ClockSighting | null {
  if (clockError(now, zone) !== null) return now;
  const isDisproved = before?.how === "listed" && before.name < now.name;
  return isDisproved ? null : before;
}
