import { type ClockZone, secondsBetween } from "../recordings/clock_change.ts";
import { formatSeconds } from "../text/format.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { dateOf, dayOf, exactClockOf, wallOf } from "../text/zone_time.ts";
import { cameraName, camerasInOrder } from "../viewer/viewer_address.ts";
import type { Shared } from "./share.ts";

type Span = Pick<Shared, "starts" | "ends">;

/** `Fri 20 Nov 2026, 08:22:30 to 08:26:30`. @param thisYear is left out of dates; null for dates with their year */
export function sharedTimes(
  { starts, ends }: Span,
  thisYear: number | null,
  format: TimeFormat = USUAL_FORMAT,
): string {
  const [from, to] = [wallOf(Math.floor(starts) * 1000), wallOf(Math.ceil(ends) * 1000)];
  const day = (wall: typeof from) => {
    const short = dayOf(wall, thisYear ?? wall.year, format);
    return thisYear === null ? `${short.slice(0, short.indexOf(" "))} ${dateOf(wall, format)}` : short;
  };
  const isOneDay = from.year === to.year && from.month === to.month && from.day === to.day;
  const end = isOneDay ? exactClockOf(to, format) : `${day(to)}, ${exactClockOf(to, format)}`;
  return `${day(from)}, ${exactClockOf(from, format)} to ${end}`;
}

/** `4 min`. An hour that the camera's clock leaves out in spring counts for nothing. @param zone of that clock */
export function sharedLength({ starts, ends }: Span, zone: ClockZone | null): string {
  return formatSeconds(secondsBetween(starts, ends, zone));
}

/** `Front`, `Front and Rear`, `Front, Rear and Interior` */
export function sharedCameras(directions: string): string {
  const names = camerasInOrder([...directions]).map(cameraName);
  const last = names.pop() ?? "";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}

/** `shared without place and sound`; null where nothing is left out. */
export function leftOut({ place, sound }: Pick<Shared, "place" | "sound">): string | null {
  const parts = [...(place ? [] : ["place"]), ...(sound ? [] : ["sound"])];
  return parts.length === 0 ? null : `shared without ${parts.join(" and ")}`;
}
