import type { Clock } from "../../clock.ts";
import type { CardTime, ZoneTime } from "../../domain/text/zone_time.ts";

/** The clock, and the zone of all times that are shown. */
export interface CardTimeParts {
  readonly clock: Clock;
  readonly zone: ZoneTime;
}

/** Now, in the zone of all times that are shown. */
export function cardTimeOf({ clock, zone }: CardTimeParts): CardTime {
  return { now: clock.now(), zone };
}
