import { type SpeedUnit, speedIn } from "./distance_text.ts";

/** Where the next colour begins: town, main road, country road, motorway. */
const STEPS: Readonly<Record<SpeedUnit, readonly number[]>> = { kmh: [20, 40, 55, 70], mph: [10, 25, 35, 45] };

/** Of the five colours that speed is drawn in (`--v1` to `--v5`) the number of this one; 0 when the speed is unknown. */
export function speedClassOf(knots: number | null, unit: SpeedUnit): number {
  if (knots === null) return 0;
  const speed = speedIn(knots, unit);
  return 1 + STEPS[unit].filter((step) => speed >= step).length;
}

/** The speeds at which the five colours are reached, from 0 on. */
export function speedSteps(unit: SpeedUnit): readonly number[] {
  return [0, ...STEPS[unit]];
}

/** What stands under the five colours: `0`, `20` … `70+`. */
export function speedLegend(unit: SpeedUnit): readonly string[] {
  const steps = STEPS[unit];
  return ["0", ...steps.map((step, index) => (index === steps.length - 1 ? `${step}+` : String(step)))];
}
