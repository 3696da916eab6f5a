import { formatMoment } from "../text/format.ts";

/** When a line was written, on a wall of some zone. */
export interface LineTime {
  /** `2026-11-21` */
  readonly day: string;
  /** `07:15:00.003` */
  readonly clock: string;
  /** `AEDT` */
  readonly zone: string;
}

const QUARTER_MINUTES = 15;

/**
 * What reads the `ts` of log lines in a zone. Lines are many and calendars are slow, so the calendar is asked once for a
 * quarter of an hour: every zone differs from UTC by whole quarters, and changes its clocks at one.
 */
export function lineTimes(timeZone: string): (ts: string) => LineTime {
  const quarters = new Map<string, { day: string; hour: string; minute: number; zone: string }>();
  return (ts) => {
    const past = Number(ts.slice(14, 16)) % QUARTER_MINUTES;
    const key = ts.slice(0, 13) + Math.floor(Number(ts.slice(14, 16)) / QUARTER_MINUTES);
    let quarter = quarters.get(key);
    if (!quarter) {
      const start = Date.parse(`${ts.slice(0, 16)}:00Z`) - past * 60_000;
      const [day = "", time = "", zone = ""] = formatMoment(start, timeZone).split(" ");
      quarter = { day, hour: time.slice(0, 2), minute: Number(time.slice(3, 5)), zone };
      quarters.set(key, quarter);
    }
    const { day, hour, minute, zone } = quarter;
    return { day, clock: `${hour}:${String(minute + past).padStart(2, "0")}${ts.slice(16, 23)}`, zone };
  };
}
