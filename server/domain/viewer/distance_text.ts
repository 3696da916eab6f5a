/** `viewer.speed_unit` */
export type SpeedUnit = "kmh" | "mph";

const METERS = { kmh: 1000, mph: 1609.344 } as const;
const KNOT = { kmh: 1.852, mph: 1.15078 } as const;

/** Stands for a distance: the camera had satellites nowhere on the way. */
export const NO_FIX = "no fix";

/** A speed over ground in the unit that people read. */
export function speedIn(knots: number, unit: SpeedUnit): number {
  return knots * KNOT[unit];
}

/** `km/h` */
export function speedUnitName(unit: SpeedUnit): string {
  return unit === "kmh" ? "km/h" : "mph";
}

/** `24.6 km` or `15.3 mi`; from a hundred on without a decimal. */
export function distanceInWords(meters: number, unit: SpeedUnit): string {
  const length = meters / METERS[unit];
  return `${length < 99.95 ? length.toFixed(1) : Math.round(length)}\u00a0${unit === "kmh" ? "km" : "mi"}`;
}

/** `0.62`, in g: one moment reads the same wherever it is told. */
export function forceText(g: number): string {
  // Rounds first as lists do, so that both show the same.
  return (Math.round(g * 10_000) / 10_000).toFixed(2);
}

/** `82 km/h` or `51 mph`. */
export function speedInWords(knots: number, unit: SpeedUnit): string {
  return `${Math.round(speedIn(knots, unit))}\u00a0${speedUnitName(unit)}`;
}
