import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import type { PartProps } from "./later_place.tsx";

/** The clock time of a moment (ISO 8601) in the zone of the schedule, with its day unless that is today. */
export function timeInWords(time: string, { shared: { runs, format }, drawn }: PartProps): string {
  const { value: schedule } = runs;
  const zone = new ZoneTime(schedule.valid ? schedule.time_zone : "UTC", format);
  const ms = Date.parse(time);
  const now = Math.max(drawn.now, ms);
  return zone.dayNumber(ms) === zone.dayNumber(now) ? zone.clock(ms) : zone.moment(ms, now);
}
