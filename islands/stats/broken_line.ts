import type uPlot from "uplot";
import { stretches } from "../../server/domain/runs/chart_data.ts";

/**
 * A line that ends where values end and begins anew after the gap, and the area below it. uPlot's own one runs through
 * gaps and is clipped there, which leaves a sliver of it at either edge.
 */
export const brokenLine: uPlot.Series.PathBuilder = (plot, series) => lineOver(plot, series, null);

/** Draws the same as `brokenLine`, with the area down to the next series, which has a value wherever this one has. */
export const lineOverNext: uPlot.Series.PathBuilder = (plot, series) => lineOver(plot, series, series + 1);

function lineOver(plot: uPlot, series: number, lower: number | null): uPlot.Series.Paths {
  const stroke = new Path2D();
  const fill = new Path2D();
  const xs = plot.data[0];
  const ys = plot.data[series] ?? [];
  const under = lower === null ? [] : (plot.data[lower] ?? []);
  const x = (at: number) => Math.round(plot.valToPos(xs[at] ?? 0, "x", true));
  const y = (at: number) => Math.round(plot.valToPos(ys[at] ?? 0, "y", true));
  const foot = (at: number) => Math.round(plot.valToPos(under[at] ?? 0, "y", true));
  for (const [first, last] of stretches(ys)) {
    // One value is no line; a point stands for it.
    if (first === last) continue;
    stroke.moveTo(x(first), y(first));
    fill.moveTo(x(first), foot(first));
    for (let at = first; at <= last; at++) {
      stroke.lineTo(x(at), y(at));
      fill.lineTo(x(at), y(at));
    }
    for (let at = last; at >= (lower === null ? last : first); at--) fill.lineTo(x(at), foot(at));
  }
  return { stroke, fill };
}
