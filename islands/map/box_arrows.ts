import type { Pass } from "../../server/domain/places/places_schema.ts";
import { copiesIn, type FlatDrive, partInside } from "./flat_drives.ts";
import type { FlatBox } from "./map_view.ts";
import { passWays, wayOf } from "./pass_days.ts";

/** An arrow on a line in the drawn box. */
export interface BoxArrow {
  /** Its place on the flat world. */
  readonly x: number;
  readonly y: number;
  /** Clockwise from north. */
  readonly degrees: number;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** An arrow to the north around its middle, as the path of a drawing. */
export const ARROW_PATH = "M0 -10L7 9L0 5L-7 9Z";
const MOST_ARROWS = 4;
/** Part of the way through the box at which an arrow stands: those of the two ways of one road stand apart. */
const ALONG = 0.3;

/** Arrows for the most frequent ways through a box, each on the line of the newest drive that leads so. */
export function boxArrows(
  box: FlatBox,
  passes: readonly Pick<Pass, "trip" | "heading">[],
  drives: readonly FlatDrive[],
): BoxArrow[] {
  const lines = Map.groupBy(drives, ({ key }) => key);
  const ways = passWays(passes).filter(({ wind }) => wind !== null);
  return ways.slice(0, MOST_ARROWS).flatMap(({ wind }) => {
    for (const pass of passes) {
      if (wayOf(pass) !== wind) continue;
      const found = (lines.get(pass.trip) ?? [])
        .flatMap((drive) => runsInside(box, drive))
        .map((run) => arrowOn(run))
        .sort((one, other) => aside(one, pass) - aside(other, pass));
      if (found[0]) return [found[0]];
    }
    return [];
  });
}

/** Degrees between an arrow and the course of a pass. */
function aside({ degrees }: BoxArrow, { heading }: Pick<Pass, "heading">): number {
  const apart = Math.abs(degrees - (heading ?? 0)) % 360;
  return Math.min(apart, 360 - apart);
}

/** The parts of a drive's line in a box, each of two places or more. */
function runsInside(box: FlatBox, drive: FlatDrive): Place[][] {
  const { x, y } = drive;
  const runs: Place[][] = [];
  for (const by of copiesIn(box, drive)) {
    let run: Place[] | null = null;
    for (let at = 1; at < x.length; at++) {
      const [x0, y0] = [(x[at - 1] ?? 0) + by, y[at - 1] ?? 0];
      const [x1, y1] = [(x[at] ?? 0) + by, y[at] ?? 0];
      const inside = partInside([x0, y0, x1, y1], box);
      if (inside === null || inside[0] === inside[1]) {
        run = null;
        continue;
      }
      const [from, to] = inside;
      if (run === null || from > 0) {
        run = [{ x: x0 + (x1 - x0) * from, y: y0 + (y1 - y0) * from }];
        runs.push(run);
      }
      run.push({ x: x0 + (x1 - x0) * to, y: y0 + (y1 - y0) * to });
      if (to < 1) run = null;
    }
  }
  return runs;
}

function arrowOn(run: readonly Place[]): BoxArrow {
  const lengths = run.slice(1).map((place, at) => lengthOf(run[at] ?? place, place));
  let left = lengths.reduce((sum, length) => sum + length, 0) * ALONG;
  let at = 0;
  while (at < lengths.length - 1 && left > (lengths[at] ?? 0)) left -= lengths[at++] ?? 0;
  const [one = { x: 0, y: 0 }, other = one] = run.slice(at, at + 2);
  const part = left / Math.max(Number.MIN_VALUE, lengths[at] ?? 0);
  return {
    x: one.x + (other.x - one.x) * part,
    y: one.y + (other.y - one.y) * part,
    degrees: ((Math.atan2(other.x - one.x, one.y - other.y) * 180) / Math.PI + 360) % 360,
  };
}

function lengthOf(one: Place, other: Place): number {
  return Math.hypot(other.x - one.x, other.y - one.y);
}
