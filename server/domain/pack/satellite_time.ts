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

function isKnownWeek(utc: number): boolean {
  return utc >= KNOWN_WEEKS.from && utc < KNOWN_WEEKS.to;
}
