const NBSP = "\u00a0";

/**
 * What a stop at `percent` of the disk would mean with the disk as full as it is, as a sentence; null when there is room
 * below it.
 */
export function diskStopWarning(percent: number, usedPercent: number): string | null {
  if (usedPercent < percent) return null;
  return `The disk is ${Math.round(usedPercent * 10) / 10}${NBSP}% full now: nothing more would come home.`;
}
