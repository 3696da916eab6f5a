/** The slowest and the fastest that can be chosen, and what lies between. */
export const RATES: readonly number[] = [0.25, 0.5, 1, 1.5, 2, 4, 8, 16];
/** Above it voices are noise, and some browsers play no sound at all. */
export const FASTEST_WITH_SOUND = 4;

/** The next slower (-1) or faster (1) rate; null at the end. */
export function rateBeside(now: number, by: -1 | 1): number | null {
  return (by > 0 ? RATES.find((rate) => rate > now) : RATES.findLast((rate) => rate < now)) ?? null;
}
