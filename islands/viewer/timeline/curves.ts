import { indexAt } from "../../../server/domain/viewer/trip_telemetry.ts";
import type { TimeWindow } from "./time_window.ts";

/** Curves are drawn in a box of this size, which is stretched to its place. */
export const WIDTH = 1000;
export const HEIGHT = 100;

/** A column of values by time; null where there is none. */
export interface Column {
  readonly t: readonly number[];
  readonly values: readonly (number | null)[];
  /** Indexes that no line leads to. */
  readonly breaks: ReadonlySet<number>;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Finer than this no line is seen; of more points in so narrow a stripe the lowest and the highest are drawn. */
const STRIPE = 2;

/** The lines of a column within a window, one for each stretch without a break. @param yOf where a value is drawn */
export function linesOf({ t, values, breaks }: Column, window: TimeWindow, yOf: (value: number) => number): Point[][] {
  const lines: Point[][] = [];
  // One more on each side: lines lead out of the window.
  const first = Math.max(0, indexAt(t, window.from) - 1);
  const last = Math.min(t.length, indexAt(t, window.to) + 1);
  const scale = WIDTH / Math.max(0.001, window.to - window.from);
  let line: Point[] | null = null;
  for (let at = first; at < last; at++) {
    const value = values[at];
    if (value === null || value === undefined) {
      line = null;
      continue;
    }
    if (line === null || breaks.has(at)) {
      line = [];
      lines.push(line);
    }
    line.push({ x: ((t[at] ?? 0) - window.from) * scale, y: yOf(value) });
  }
  return lines.map(thinned);
}

/** A path along lines. */
export function strokeOf(lines: readonly (readonly Point[])[]): string {
  return lines.map((line) => `M${line.map(written).join("L")}${line.length === 1 ? "h1" : ""}`).join("");
}

/** A path around what lies between lines and a level. */
export function areaOf(lines: readonly (readonly Point[])[], level: number): string {
  return lines
    .filter((line) => line.length > 1)
    .map((line) => `M${tenth(line[0]?.x)} ${level}L${line.map(written).join("L")}L${tenth(line.at(-1)?.x)} ${level}Z`)
    .join("");
}

const BARS = 160;

/** Bars from the middle, up for the first path and down for the second: of each stretch the value farthest from 0. */
export function barsOf(
  { t, values }: Omit<Column, "breaks">,
  window: TimeWindow,
  gain: number,
): [up: string, down: string] {
  const span = window.to - window.from;
  const farthest = new Map<number, number>();
  for (let at = indexAt(t, window.from); at < t.length && (t[at] ?? 0) < window.to; at++) {
    const bar = Math.floor((((t[at] ?? 0) - window.from) / span) * BARS);
    const value = values[at] ?? 0;
    if (Math.abs(value) >= Math.abs(farthest.get(bar) ?? 0)) farthest.set(bar, value);
  }
  const step = WIDTH / BARS;
  const paths: [string, string] = ["", ""];
  for (const [bar, value] of farthest) {
    const height = Math.max(0.8, Math.abs(value) * gain);
    const sign = value >= 0 ? -1 : 1;
    paths[value >= 0 ? 0 : 1] +=
      `M${tenth(bar * step + step * 0.15)} 50h${tenth(step * 0.7)}v${tenth(sign * height)}h${tenth(-step * 0.7)}Z`;
  }
  return paths;
}

/** The first of these that is not less than a value; the last when all are. */
export function niceTop(tops: readonly number[], value: number): number {
  return tops.find((top) => top >= value) ?? tops.at(-1) ?? value;
}

/** Least and most of each stripe, in the order in which they come. */
function thinned(line: readonly Point[]): Point[] {
  if (line.length < WIDTH / STRIPE) return [...line];
  const kept: Point[] = [];
  for (let from = 0; from < line.length; ) {
    const stripe = Math.floor((line[from]?.x ?? 0) / STRIPE);
    let to = from;
    let low = from;
    let high = from;
    for (; to < line.length && Math.floor((line[to]?.x ?? 0) / STRIPE) === stripe; to++) {
      if ((line[to]?.y ?? 0) < (line[low]?.y ?? 0)) low = to;
      if ((line[to]?.y ?? 0) > (line[high]?.y ?? 0)) high = to;
    }
    const picked = new Set([
      ...(from === 0 ? [from] : []),
      Math.min(low, high),
      Math.max(low, high),
      ...(to === line.length ? [to - 1] : []),
    ]);
    for (const at of picked) {
      const point = line[at];
      if (point) kept.push(point);
    }
    from = to;
  }
  return kept;
}

function written({ x, y }: Point): string {
  return `${tenth(x)} ${tenth(y)}`;
}

function tenth(value = 0): number {
  return Math.round(value * 10) / 10;
}
