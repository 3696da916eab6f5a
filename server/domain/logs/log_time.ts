import { clockOf, type ZoneTime } from "../text/zone_time.ts";

/** Time at which a line was written, by the wall clock of a zone. */
export interface LineTime {
  /** `2026-11-21` */
  readonly day: string;
  /** `07:15:00.003` */
  readonly clock: string;
  /** `AEDT` */
  readonly zone: string;
}

/** A function that reads the `ts` of log lines, ISO 8601 UTC, in a zone. */
export function lineTimes(zone: ZoneTime): (ts: string) => LineTime {
  return (ts) => {
    const ms = Date.parse(ts);
    // Lines of the file have this form, in whatever format other times are shown.
    return { day: zone.isoDay(ms), clock: `${clockOf(zone.wall(ms))}${ts.slice(16, 23)}`, zone: zone.name(ms) };
  };
}
