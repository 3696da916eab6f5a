import uPlot from "uplot";
import type { ChartName } from "../../server/domain/runs/statistics_text.ts";
import { onTheme, readColours } from "./colours.ts";
import { drawnOf, type Painting } from "./plot_options.ts";

/** Between two labels on the axis of time, in CSS pixels. */
const LABEL_SPACE = 64;
const GAP = 10;
const DAY = 86_400;
const MONTH = 28 * DAY;

/** A drawn chart. */
export interface DrawnChart {
  /** The moment under a place of the screen, in epoch seconds. */
  momentAt(clientX: number): number;
  /** Shows the cursor there, or none. */
  point(ts: number | null): void;
  remove(): void;
}

/** Draws a chart into an element that has its size from the style sheet; it follows that size and the theme. */
export function draw(place: HTMLElement, name: ChartName, subject: Omit<Painting, "colours">): DrawnChart {
  let colours = readColours(place);
  const { fontFamily, fontSize } = getComputedStyle(place);
  const font = `${Math.round(Number.parseFloat(fontSize))}px ${fontFamily}`;
  const drawn = drawnOf(name, { ...subject, colours: () => colours });
  const { data, zone } = subject;
  const { ticks, top, bottom = 0 } = drawn.scale;
  const margin = drawn.hasPoints ? 0 : (drawn.until - data.from) * 0.008;
  const axis = { stroke: () => colours.text3, font, ticks: { show: false, size: 0 }, gap: GAP };
  const timeLabels = [DAY / 2, DAY, MONTH].map((step) => timeLabel(zone, drawn.until, step));
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: place.clientHeight,
      legend: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      // `chart.tsx` handles the pointer, since the cursor is the same in all charts.
      cursor: { y: false, bind: NO_MOUSE, drag: { x: false, y: false }, points: { show: drawn.hasPoints, size: 8 } },
      // The last label of the axis of time may stand at the very end.
      padding: [8, (self) => Math.ceil(widest(self, timeLabels, font) / 2), 0, 0],
      tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), zone.id),
      scales: {
        x: { range: () => [data.from - margin, drawn.until + margin] },
        y: { range: () => [-bottom, top] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          gap: 6,
          size: Math.round(Number.parseFloat(fontSize) * 1.9),
          space: LABEL_SPACE,
          values: (_, splits, __, ___, step) => splits.map((ts) => timeLabel(subject.zone, ts, step)),
        },
        {
          ...axis,
          grid: { stroke: () => colours.line, width: 1 },
          splits: () => ticks.map(({ at }) => at),
          values: () => ticks.map(({ label }) => label),
          size: (self, labels) => widest(self, labels ?? [], font) + GAP,
        },
      ],
      series: drawn.series,
      hooks: {
        draw: [
          (self) => {
            for (const { at, colour, dash } of drawn.lines ?? []) level(self, at, colours[colour], dash);
          },
        ],
      },
    },
    drawn.values,
    place,
  );
  const size = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = place;
    if (width > 0 && (width !== plot.width || height !== plot.height)) plot.setSize({ width, height });
  });
  size.observe(place);
  const offTheme = onTheme(() => {
    colours = readColours(place);
    plot.redraw(false);
  });
  return {
    momentAt: (clientX) => plot.posToVal(clientX - plot.over.getBoundingClientRect().left, "x"),
    point: (ts) => {
      const left = ts === null ? -10 : plot.valToPos(ts, "x");
      plot.setCursor({ left: left <= plot.over.clientWidth ? left : -10, top: 0 }, false);
    },
    remove: () => {
      size.disconnect();
      offTheme();
      plot.destroy();
    },
  };
}

const none = () => null;
const NO_MOUSE: uPlot.Cursor.Bind = {
  mousedown: none,
  mouseup: none,
  click: none,
  dblclick: none,
  mousemove: none,
  mouseleave: none,
  mouseenter: none,
};

/** Hours as a clock shows them, days and months by name; where a day begins, the day. */
function timeLabel(zone: Painting["zone"], ts: number, step: number): string {
  if (step >= MONTH) return zone.month(ts * 1000);
  const { hour, minute } = zone.wall(ts * 1000);
  return step >= DAY || hour + minute === 0 ? zone.shortDate(ts * 1000) : zone.clock(ts * 1000);
}

function widest({ ctx }: uPlot, labels: readonly string[], font: string): number {
  ctx.save();
  ctx.font = font;
  const widths = labels.map((label) => ctx.measureText(label).width);
  ctx.restore();
  return Math.ceil(Math.max(0, ...widths));
}

/** A dashed line across the whole chart. */
function level({ ctx, bbox, valToPos }: uPlot, at: number, colour: string, dash: readonly number[]): void {
  const y = Math.round(valToPos(at, "y", true));
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5 * uPlot.pxRatio;
  ctx.setLineDash(dash.map((length) => length * uPlot.pxRatio));
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
