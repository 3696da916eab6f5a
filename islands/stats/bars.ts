import uPlot from "uplot";
import type { ChartData } from "../../server/domain/runs/chart_data.ts";

/** The width of bars, in CSS pixels. */
const THINNEST = 2;
const WIDEST = 14;
const WIDEST_SLOT = 36;
/** The least height of a value above zero, in CSS pixels. */
const LOWEST = 2;

/** A bar per run, as wide as the usual distance of two allows. */
export function runBars({ pace }: ChartData): uPlot.Series.PathBuilder {
  return (plot, series, first, last) => {
    const path = new Path2D();
    const [xs, ys] = columns(plot, series);
    const room = (plot.valToPos(pace, "x", true) - plot.valToPos(0, "x", true)) * 0.7;
    const width = Math.min(WIDEST * uPlot.pxRatio, Math.max(THINNEST * uPlot.pxRatio, room));
    const base = plot.valToPos(0, "y", true);
    for (let at = first; at <= last; at++) {
      const value = ys[at] ?? 0;
      if (value === 0) continue;
      const middle = plot.valToPos(xs[at] ?? 0, "x", true);
      const height = Math.max(LOWEST * uPlot.pxRatio, base - plot.valToPos(value, "y", true));
      path.rect(Math.round(middle - width / 2), base - height, width, height);
    }
    return { fill: path };
  };
}

/**
 * Bars that stand on those of the series before, or hang from zero where values are negative. Each is as wide as the
 * stretch of time it is about, as far as that is shown.
 */
export function slotBars({ failed, from, to }: ChartData): uPlot.Series.PathBuilder {
  return (plot, series, first, last) => {
    const path = new Path2D();
    const [, ys] = columns(plot, series);
    const [, below] = series > 1 ? columns(plot, series - 1) : [[], []];
    const x = (ts: number) => plot.valToPos(ts, "x", true);
    for (let at = first; at <= last; at++) {
      const value = ys[at] ?? 0;
      const under = Math.max(0, below[at] ?? 0);
      const slot = failed.slots[at];
      if (!slot || value === (value < 0 ? 0 : under)) continue;
      const begin = x(Math.max(from, slot.ts));
      const end = x(Math.min(to, slot.end));
      const width = Math.min(WIDEST_SLOT * uPlot.pxRatio, Math.max(THINNEST * uPlot.pxRatio, (end - begin) * 0.76));
      const middle = (begin + end) / 2;
      const foot = plot.valToPos(value < 0 ? 0 : under, "y", true);
      const head = plot.valToPos(value, "y", true);
      // One pixel of background separates two pieces, also without their colours.
      const gap = under > 0 ? uPlot.pxRatio : 0;
      const height = Math.max(LOWEST * uPlot.pxRatio, Math.abs(foot - head) - gap);
      path.rect(middle - width / 2, value < 0 ? foot : foot - gap - height, width, height);
    }
    return { fill: path };
  };
}

type Column = ArrayLike<number | null | undefined>;

function columns(plot: uPlot, series: number): [x: Column, y: Column] {
  return [plot.data[0] ?? [], plot.data[series] ?? []];
}
