import { type SpeedUnit, speedIn } from "../../server/domain/viewer/distance_text.ts";
import type { FlatDrive } from "./flat_drives.ts";
import { type Cells, drawInSteps, type Pen } from "./often.ts";

/** Speeds at which the five colours begin, in the unit that people read: they are those of streets and motorways. */
export const SPEED_STEPS: Readonly<Record<SpeedUnit, readonly number[]>> = {
  kmh: [0, 20, 50, 80, 110],
  mph: [0, 15, 30, 50, 70],
};

/** Class of a speed in knots, from 1 to 5; 0 when it is not known. */
export function speedStepOf(knots: number, unit: SpeedUnit): number {
  if (Number.isNaN(knots)) return 0;
  // Rounding in knots can put a round number slightly below itself.
  const speed = speedIn(knots, unit) + 0.01;
  return (
    Math.max(
      0,
      SPEED_STEPS[unit].findLastIndex((from) => speed >= from),
    ) + 1
  );
}

/** Speed of the line between two places of a drive: the mean, or the one that is known. */
function knotsBetween({ knots }: Pick<FlatDrive, "knots">, at: number): number {
  const [one = Number.NaN, other = Number.NaN] = [knots[at - 1], knots[at]];
  return Number.isNaN(one) ? other : Number.isNaN(other) ? one : (one + other) / 2;
}

/** Draws a drive, each piece with the pen of its speed: `pens[0]` is for speeds that are not known. */
export function drawBySpeed(drive: FlatDrive, copy: number, cells: Cells, unit: SpeedUnit, pens: readonly Pen[]): void {
  drawInSteps(drive, copy, cells.frame, pens, (x, y, place) => {
    const speed = speedStepOf(knotsBetween(drive, place), unit);
    return cells.takes(cells.at(x, y), speed, drive.trip) ? speed : -1;
  });
}

/** The parts of a drive that were at least so many knots fast. */
export function fastParts(drive: FlatDrive, least: number): FlatDrive[] {
  if (least <= 0) return [drive];
  const { x, y, knots } = drive;
  const found: FlatDrive[] = [];
  let from = -1;
  for (let at = 1; at <= x.length; at++) {
    const isFast = at < x.length && knotsBetween(drive, at) >= least;
    if (isFast && from < 0) from = at - 1;
    if (isFast || from < 0) continue;
    found.push({ ...drive, x: x.subarray(from, at), y: y.subarray(from, at), knots: knots.subarray(from, at) });
    from = -1;
  }
  return found;
}
