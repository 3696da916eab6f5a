import type { JourneyClock } from "./journey_clock.ts";

const HOUR = 3600;
const HOURS_A_DAY = 24;
/** Hours from which and until which a parked car is said to stand through the night. */
const EVENING = 20;
const MORNING = 5;

/** Names the time line of a parked car: `Night`, or by day `Parked`. */
export function stayName(clock: Pick<JourneyClock, "wallAt" | "length">): string {
  const isDark = (wall: number) => {
    const hour = Math.floor(wall / HOUR) % HOURS_A_DAY;
    return hour >= EVENING || hour < MORNING;
  };
  return isDark(clock.wallAt(0)) || isDark(clock.wallAt(clock.length)) ? "Night" : "Parked";
}

/**
 * The time that is meant by one on the time line of a parked car, where movements are drawn wider than they last: beside a
 * movement its start, elsewhere the time itself.
 * @param reach seconds beside a movement that still mean it
 */
export function nearMovement({ segments }: Pick<JourneyClock, "segments">, time: number, reach: number): number {
  let meant = time;
  let nearest = reach;
  for (const { offset, length } of segments) {
    if (time >= offset && time < offset + length) return time;
    const away = time < offset ? offset - time : time - (offset + length);
    if (away > nearest) continue;
    [meant, nearest] = [offset, away];
  }
  return meant;
}
