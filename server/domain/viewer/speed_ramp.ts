import { type SpeedUnit, speedIn } from "./distance_text.ts";

/** The five colours that speed is drawn in (`--v1` to `--v5`): each is so wide, in the unit that people read. */
export interface SpeedScale {
  readonly unit: SpeedUnit;
  readonly step: number;
}

const COLOURS = 5;
/** A trip that was faster ends at a multiple of ten, others at one of five. */
const SLOW_TOP = 50;

/**
 * The colours of a trip: the last one ends at the trip's own top, which is rounded up so that each begins at a whole number.
 * @param fastestKnots the fastest of the trip; null where no speed is known
 */
export function speedScale(fastestKnots: number | null, unit: SpeedUnit): SpeedScale {
  const top = speedIn(fastestKnots ?? 0, unit);
  const round = top > SLOW_TOP ? 2 : 1;
  // Rounding in knots can put a round number slightly above itself. That is no reason for a further step.
  return { unit, step: Math.max(1, Math.ceil((top - 0.01) / COLOURS / round)) * round };
}

/** The number of a speed's colour; 0 when the speed is unknown. */
export function speedClassOf(knots: number | null, { unit, step }: SpeedScale): number {
  return knots === null ? 0 : Math.max(1, Math.min(COLOURS, 1 + Math.floor(speedIn(knots, unit) / step)));
}

/** The speeds at which the five colours are reached, from 0 on. */
export function speedSteps({ step }: SpeedScale): readonly number[] {
  return Array.from({ length: COLOURS }, (_, index) => index * step);
}

/** Returns the numbers at the ends of the five colours: `0`, `18` … `90`. */
export function speedLegend({ step }: SpeedScale): readonly string[] {
  return Array.from({ length: COLOURS + 1 }, (_, index) => String(index * step));
}
