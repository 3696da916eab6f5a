import type { Clock } from "../../clock.ts";
import type { CardTime } from "../../domain/status/card_data.ts";

/** What tells when and where it is. */
export interface CardTimeParts {
  readonly clock: Clock;
  readonly timeZone: string;
}

/** Now, in the zone of all times that are shown. */
export function cardTimeOf({ clock, timeZone }: CardTimeParts): CardTime {
  return { now: clock.now(), time_zone: timeZone };
}
