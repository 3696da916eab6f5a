import { dateOf, exactClockOf, wallOf } from "../text/zone_time.ts";
import type { WallSpan } from "./pack_span.ts";

const WEEKDAYS: readonly string[] = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const DAY_SECONDS = 86_400;

/** `08:22:09` of a time on the camera's clock. */
export function clockText(seconds: number): string {
  return exactClockOf(wallOf(Math.floor(seconds) * 1000));
}

/** `Friday 20 Nov 2026` */
export function dayText(seconds: number): string {
  const wall = wallOf(seconds * 1000);
  return `${WEEKDAYS[wall.weekday]} ${dateOf(wall)}`;
}

/** `08:22:09 to 08:26:09`; with both days where there are two. */
export function spanText({ from, to }: WallSpan): string {
  return isOneDay({ from, to })
    ? `${clockText(from)} to ${clockText(to)}`
    : `${dayText(from)}, ${clockText(from)} to ${dayText(to)}, ${clockText(to)}`;
}

/** The same with its day: `Friday 20 Nov 2026, 08:22:09 to 08:26:09`. */
export function daySpanText(span: WallSpan): string {
  return isOneDay(span) ? `${dayText(span.from)}, ${spanText(span)}` : spanText(span);
}

/** `1 min 35 s`, `2 d 4 h`: whole seconds, and nothing rounded. */
export function exactSeconds(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / DAY_SECONDS), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}\u00a0${unit}`)
    .join(" ");
}

function isOneDay({ from, to }: WallSpan): boolean {
  return Math.floor(from / DAY_SECONDS) === Math.floor(to / DAY_SECONDS);
}
