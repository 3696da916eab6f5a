import { type TimeFormat, USUAL_FORMAT } from "../../../server/domain/text/time_format.ts";
import { clockOf, exactClockOf, type Wall, wallOf } from "../../../server/domain/text/zone_time.ts";
import { type JourneyClock, SHORTEST_GAP_SECONDS } from "../../../server/domain/viewer/journey_clock.ts";

/** The part of a trip that the time line shows, in seconds on its clock. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Closer there is nothing to see: samples come ten times a second. */
const SHORTEST_SECONDS = 10;
/** Fingers are not exact: from this share on they have the whole trip. */
const NEARLY_ALL = 0.97;
const MINUTE = 60;
const HOUR = 3600;
const TICK_STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR),
];

/** The window made smaller (factor below 1) or larger around a time, which keeps its place; null for the whole trip. */
export function zoomed({ from, to }: TimeWindow, factor: number, around: number, length: number): TimeWindow | null {
  const span = Math.max(Math.min(SHORTEST_SECONDS, length), (to - from) * factor);
  if (span >= length) return null;
  const share = to > from ? Math.max(0, Math.min(1, (around - from) / (to - from))) : 0.5;
  const begin = Math.max(0, Math.min(length - span, around - share * span));
  return { from: begin, to: begin + span };
}

/** The window moved by so many seconds, as far as the trip goes. */
export function moved({ from, to }: TimeWindow, by: number, length: number): TimeWindow {
  const begin = Math.max(0, Math.min(length - (to - from), from + by));
  return { from: begin, to: begin + (to - from) };
}

/**
 * The window in which two fingers keep under them what they took hold of; null for the whole trip.
 * @param held the times they took hold of
 * @param shares where they are now, as shares of the width
 */
export function pinched(
  held: readonly [number, number],
  shares: readonly [number, number],
  length: number,
): TimeWindow | null {
  const apart = Math.abs(shares[1] - shares[0]);
  const wanted = apart > 0 ? Math.abs(held[1] - held[0]) / apart : length;
  const span = Math.max(Math.min(SHORTEST_SECONDS, length), wanted);
  if (span >= length * NEARLY_ALL) return null;
  const middle = (held[0] + held[1]) / 2;
  const begin = Math.max(0, Math.min(length - span, middle - ((shares[0] + shares[1]) / 2) * span));
  return { from: begin, to: begin + span };
}

/** Place of a time in a window, in percent: below 0 and above 100 outside. */
export function percentAt({ from, to }: TimeWindow, time: number): number {
  return to > from ? Math.round(((time - from) / (to - from)) * 100_000) / 1000 : 0;
}

/** Round times of the camera's clock in a window, with their places, as many as there is room for. */
export function ticksOf(
  clock: Pick<JourneyClock, "wallAt" | "timeAtWall">,
  window: TimeWindow,
  most: number,
  format: TimeFormat = USUAL_FORMAT,
): { readonly label: string; readonly percent: number }[] {
  const first = clock.wallAt(window.from);
  const last = clock.wallAt(window.to);
  const length = window.to - window.from;
  const step = TICK_STEPS.find((seconds) => length / seconds <= Math.max(2, most)) ?? 24 * HOUR;
  const ticks: { label: string; percent: number }[] = [];
  for (let wall = Math.ceil(first / step) * step; wall <= last; wall += step) {
    const time = clock.timeAtWall(wall);
    // An hour that clocks leave out has no time of its own.
    if (Math.abs(clock.wallAt(time) - wall) >= SHORTEST_GAP_SECONDS) continue;
    const percent = percentAt(window, time);
    const label = (step < MINUTE ? exactClockOf : clockOf)(wallAt(wall), format);
    // Times in which the camera was set back have no place of their own.
    if (percent >= 0 && percent <= 100 && percent > (ticks.at(-1)?.percent ?? -100) + 4) ticks.push({ label, percent });
  }
  return ticks;
}

/** A player that was sent to a time shows the frame before it: so much may be missing. */
export const FRAME_SECONDS = 0.04;

/** Time on the camera's clock at a time of the trip: `08:15:41`. */
export function clockAt(clock: JourneyClock, time: number, format: TimeFormat): string {
  return wallClock(clock.wallAt(time + FRAME_SECONDS), format);
}

/** `08:15:41` at a moment of the camera's clock, see `wallAt`. */
export function wallClock(wall: number, format: TimeFormat): string {
  return exactClockOf(wallAt(wall), format);
}

/** A moment of the camera's clock, in seconds since 1970 as if that were UTC. */
export function wallAt(wall: number): Wall {
  // A thousandth is what sums of lengths may be off.
  return wallOf(Math.floor(wall + 0.001) * 1000);
}
