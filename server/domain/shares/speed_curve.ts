import { type SpeedUnit, speedIn } from "../viewer/distance_text.ts";
import { type SpeedScale, speedScale } from "../viewer/speed_ramp.ts";
import type { SharedFix } from "./shared_track.ts";

/** Width and height of the drawing. */
export const CURVE_WIDTH = 1000;
export const CURVE_HEIGHT = 100;

/** The speed of a link as a line over its span, and the area below it: paths of an SVG. */
export interface SpeedCurve {
  readonly line: string;
  readonly area: string;
  /** Speed at the upper edge, in the unit that people read. */
  readonly top: number;
  /** The fastest, whole. */
  readonly fastest: number;
}

const COLOURS = 5;

/** Draws the speeds of a track; null where it tells none. @param seconds length of the span */
export function speedCurve(
  stretches: readonly (readonly SharedFix[])[],
  seconds: number,
  unit: SpeedUnit,
): SpeedCurve | null {
  const lines = stretches.flatMap(withoutBreaks);
  const fastestKnots = Math.max(...lines.flat().map(([, knots]) => knots));
  if (lines.length === 0 || !(seconds > 0)) return null;
  const { step }: SpeedScale = speedScale(fastestKnots, unit);
  const top = COLOURS * step;
  const x = (time: number) => ((time / seconds) * CURVE_WIDTH).toFixed(1);
  const y = (knots: number) => (CURVE_HEIGHT * (1 - Math.min(1, speedIn(knots, unit) / top))).toFixed(1);
  const draw = (line: Line) => line.map(([time, knots]) => `${x(time)} ${y(knots)}`).join("L");
  return {
    line: lines.map((line) => `M${draw(line)}`).join(""),
    area: lines
      .map(
        (line) => `M${x(line[0]?.[0] ?? 0)} ${CURVE_HEIGHT}L${draw(line)}L${x(line.at(-1)?.[0] ?? 0)} ${CURVE_HEIGHT}Z`,
      )
      .join(""),
    top,
    fastest: Math.round(speedIn(fastestKnots, unit)),
  };
}

type Line = readonly (readonly [time: number, knots: number])[];

/** The parts of a stretch in which every speed is known; a single one is no line. */
function withoutBreaks(fixes: readonly SharedFix[]): Line[] {
  const lines: [number, number][][] = [[]];
  for (const [time, , , knots] of fixes)
    if (knots === null) lines.push([]);
    else lines.at(-1)?.push([time, knots]);
  return lines.filter(({ length }) => length > 1);
}
