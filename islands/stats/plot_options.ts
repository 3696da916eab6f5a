import type uPlot from "uplot";
import { alone, type ChartData, failedIn, mostAwayIn, reasonsIn } from "../../server/domain/runs/chart_data.ts";
import { PERCENT_SCALE, scaleOf, type Tick, type ValueScale } from "../../server/domain/runs/chart_scale.ts";
import type { FailureReason } from "../../server/domain/runs/failure_reason.ts";
import type { ChartName } from "../../server/domain/runs/statistics_text.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { runBars, slotBars } from "./bars.ts";
import { brokenLine, lineOverNext } from "./broken_line.ts";
import type { Colours } from "./colours.ts";

/** Levels on the disk, 0..1. */
export interface Limits {
  readonly stops: number;
  readonly settles: number | null;
}

export interface Painting {
  readonly data: ChartData;
  readonly limits: Limits;
  readonly zone: ZoneTime;
  /** Asked at every drawing: the theme may change. */
  readonly colours: () => Colours;
}

/** Parts of the options that differ between charts. */
interface Drawn {
  readonly series: uPlot.Series[];
  readonly values: uPlot.AlignedData;
  readonly scale: ValueScale & { readonly bottom?: number };
  readonly hasPoints: boolean;
  readonly until: number;
  readonly lines?: readonly { readonly at: number; readonly colour: keyof Colours; readonly dash: number[] }[];
}

/** The token of each reason, for the chart and its key. */
export const REASON_COLOURS: Readonly<Record<FailureReason, keyof Colours>> = {
  disk: "failed",
  http: "c2",
  timeout: "attention",
  network: "waiting",
  unknown: "text3",
};

/** Options of the chart of that name. */
export function drawnOf(name: ChartName, painting: Painting): Drawn {
  switch (name) {
    case "disk":
      return disk(painting);
    case "bytes":
      return bars(painting, "bytes", "c1");
    case "files":
      return bars(painting, "files", "c2");
    case "duration":
      return duration(painting);
    case "failed":
      return failed(painting);
  }
}

function disk({ data, limits, colours }: Painting): Drawn {
  const { x, used, whole, ahead } = data.disk;
  const hasTrash = whole.some((value) => value !== null);
  const withTrash: uPlot.Series = {
    stroke: () => colours().text3,
    width: 1.25,
    paths: lineOverNext,
    fill: () => colours().trashArea,
    points: lonelyPoints(whole, colours, "text3"),
  };
  const line = { stroke: () => colours().c1, paths: brokenLine };
  const lines = [
    { at: limits.stops, colour: "failed" as const, dash: [8, 4] },
    ...(limits.settles === null ? [] : [{ at: limits.settles, colour: "attention" as const, dash: [2, 3] }]),
  ];
  return {
    series: [
      {},
      ...(hasTrash ? [withTrash] : []),
      { ...line, width: 2, fill: () => colours().area, points: lonelyPoints(used, colours) },
      { ...line, width: 1.75, dash: [5, 4], points: { show: false } },
    ],
    values: [[...x], ...(hasTrash ? [[...whole]] : []), [...used], [...ahead]],
    scale: PERCENT_SCALE,
    hasPoints: true,
    until: data.until,
    lines,
  };
}

function bars({ data, colours }: Painting, of: "bytes" | "files", colour: "c1" | "c2"): Drawn {
  const { x, y } = data[of];
  return {
    series: [{}, { fill: () => colours()[colour], width: 0, paths: runBars(data), points: { show: false } }],
    values: [[...x], [...y]],
    scale: scaleOf(Math.max(0, ...y.map((value) => value ?? 0)), of === "bytes" ? "bytes" : "count"),
    hasPoints: false,
    until: data.to,
  };
}

function duration({ data, colours }: Painting): Drawn {
  const { x, y } = data.duration;
  const stroke = () => colours().c1;
  return {
    series: [{}, { stroke, width: 2, paths: brokenLine, points: lonelyPoints(y, colours) }],
    values: [[...x], [...y]],
    scale: scaleOf(Math.max(0, ...y.map((value) => value ?? 0)), "seconds"),
    hasPoints: true,
    until: data.to,
  };
}

/** The room a point wants, in CSS pixels. */
const POINT_SPACE = 12;

/** Points where they have room, and in any case where a line would show nothing. */
function lonelyPoints(
  values: readonly (number | null)[],
  colours: () => Colours,
  of: "c1" | "text3" = "c1",
): uPlot.Series.Points {
  const colour = () => colours()[of];
  return {
    size: 4.5,
    space: POINT_SPACE,
    width: 0,
    fill: colour,
    stroke: colour,
    filter: (plot, _, show) => {
      const x = (at: number) => plot.valToPos(plot.data[0][at] ?? 0, "x");
      return show ? null : alone(values, (first, last) => x(last) - x(first) < POINT_SPACE);
    },
  };
}

/** Above zero what failed, stacked; below it, on a measure of its own, how often the camera was away. */
function failed({ data, colours }: Painting): Drawn {
  const { slots } = data.failed;
  const reasons = reasonsIn(slots);
  const above = scaleOf(Math.max(0, ...slots.map(failedIn)), "count", 2, "failed");
  const mostAway = mostAwayIn(slots);
  const bottom = mostAway === 0 ? 0 : above.top * 0.8;
  let sums = slots.map(() => 0);
  const stacked = reasons.map((reason) => {
    sums = sums.map((sum, at) => sum + (slots[at]?.[reason] ?? 0));
    return sums;
  });
  const hidden = { width: 0, paths: slotBars(data), points: { show: false } };
  return {
    series: [
      {},
      { ...hidden, fill: () => colours().c3 },
      ...reasons.map((reason) => ({ ...hidden, fill: () => colours()[REASON_COLOURS[reason]] })),
    ],
    values: [
      slots.map(({ ts, end }) => (ts + end) / 2),
      slots.map(({ away }) => (away === 0 ? 0 : (-away / mostAway) * bottom)),
      ...stacked,
    ],
    scale: { ...above, bottom, ticks: [...awayTick(mostAway, bottom), ...above.ticks] },
    hasPoints: false,
    until: data.to,
  };
}

function awayTick(most: number, bottom: number): Tick[] {
  return most === 0 ? [] : [{ at: -bottom, label: `${most}\u00a0away` }];
}
