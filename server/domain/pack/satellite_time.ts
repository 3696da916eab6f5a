import { type ClockZone, secondsBetween } from "../recordings/clock_change.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import type { WallSpan } from "./pack_span.ts";

/** A clock that differs by so much at most is believed to be wrong, whatever day the satellites told. */
const MOST_DOUBTED_SECONDS = 2 * 86_400;
/**
 * The count of weeks that satellites send began anew at the first moment and does so again at the second. A receiver
 * that does not know of it tells a day of many years earlier.
 */
const KNOWN_WEEKS = { from: Date.UTC(2019, 3, 7), to: Date.UTC(2038, 10, 21) };

/** A clip whose beginning the satellites know. */
export interface SatelliteTime {
  /** On the camera's clock, in seconds as if it were UTC. */
  readonly wall: number;
  /** By the satellites, in epoch milliseconds. */
  readonly utc: number;
}

/** A span of the camera's clock, by the satellites. */
export interface SatelliteSpan {
  /** Epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  /** Whole seconds by which the camera's clock was ahead in the first clip that tells, and in the last one. */
  readonly firstError: number;
  readonly lastError: number;
}

/** Returns when a span was by the satellites; null when no clip tells. @param zone zone of the camera's clock */
export function satelliteSpan(
  times: readonly SatelliteTime[],
  { from, to }: WallSpan,
  zone: Pick<ZoneTime, "offset">,
): SatelliteSpan | null {
  const read = times
    .map(({ wall, utc }) => {
      const error = Math.round(wall - (utc + zone.offset(utc)) / 1000);
      // Names of recordings have whole seconds.
      const told = Math.abs(error) <= 1 ? 0 : error;
      return { utc, error: told, ahead: told * 1000 + zone.offset(utc) };
    })
    .filter(({ utc, error }) => Math.abs(error) <= MOST_DOUBTED_SECONDS || isKnownWeek(utc));
  const [first, last] = [read[0], read.at(-1)];
  if (!(first && last)) return null;
  return {
    from: from * 1000 - first.ahead,
    to: to * 1000 - last.ahead,
    firstError: first.error,
    lastError: last.error,
  };
}

/** Names of recordings have whole seconds: the satellites' time between two of them may differ by a little more. */
const ROUNDING_SECONDS = 5;

/**
 * Returns how many seconds passed between two times on the camera's clock: by the satellites where they tell both and the
 * clock was set or changed meanwhile, else by the clock. @param zone of the camera's clock
 */
export function passedBy(times: readonly SatelliteTime[], zone: ClockZone): (from: number, to: number) => number {
  const told = new Map(times.map(({ wall, utc }) => [wall, utc]));
  return (from, to) => {
    const seconds = secondsBetween(from, to, zone);
    const real = ((told.get(to) ?? Number.NaN) - (told.get(from) ?? Number.NaN)) / 1000;
    return real >= 0 && Math.abs(real - seconds) > ROUNDING_SECONDS ? real : seconds;
  };
}

function isKnownWeek(utc: number): boolean {
  return utc >= KNOWN_WEEKS.from && utc < KNOWN_WEEKS.to;
}
