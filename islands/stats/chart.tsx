/** @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type ChartData, nearest } from "../../server/domain/runs/chart_data.ts";
import { type ChartName, type ChartView, readingAt } from "../../server/domain/runs/statistics_text.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { type DrawnChart, draw } from "./draw.ts";
import type { Limits } from "./plot_options.ts";

/** Properties that all charts have in common. Charts without data keep their places. */
export interface ChartGroup {
  readonly data: ChartData | null;
  readonly limits: Limits;
  readonly zone: ZoneTime;
  /** The moment that is pointed at, in whichever chart; null: none. Epoch seconds. */
  readonly pointed: Signal<number | null>;
}

interface ChartProps {
  readonly name: ChartName;
  readonly title: string;
  readonly view: ChartView;
  readonly group: ChartGroup;
  /** Key of the lines, in the head. */
  readonly keys?: ComponentChildren;
  /** A remark below, and keys that have no room in the head. */
  readonly foot?: ComponentChildren;
  readonly class?: string;
}

/** A chart in its card: what it is, what is pointed at, the keys, the drawing, and a remark. */
export function Chart({ name, title, view, group, keys, foot, class: more = "" }: ChartProps) {
  return (
    <section class={`cell chart-cell ${more}`.trim()} data-chart={name} aria-labelledby={`chart-${name}`}>
      <div class="chart-head">
        <h2 id={`chart-${name}`}>{title}</h2>
        {view.empty === null && <ReadOut name={name} rest={view.rest} group={group} />}
        {view.empty === null && keys}
      </div>
      {view.empty === null ? (
        <>
          <Plot name={name} label={view.label} group={group} />
          <p class="chart-told small">{view.label}</p>
        </>
      ) : (
        <p class="plot plot-empty soft">{view.empty}</p>
      )}
      {foot && view.empty === null && <div class="cell-foot chart-foot">{foot}</div>}
    </section>
  );
}

interface PartProps {
  readonly name: ChartName;
  readonly group: ChartGroup;
}

function ReadOut({ name, rest, group: { data, pointed, zone } }: PartProps & { readonly rest: string }) {
  const { value: ts } = pointed;
  const isPointed = data !== null && ts !== null;
  return <span class="read">{isPointed ? readingAt(name, data, nearest(data.moments, ts), zone) : rest}</span>;
}

function Plot({ name, label, group }: PartProps & { readonly label: string }) {
  const { data, limits, zone, pointed } = group;
  const { value: at } = pointed;
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart | null>(null);

  useEffect(() => {
    if (place.current === null || data === null) return;
    const chart = draw(place.current, name, { data, limits, zone });
    drawn.current = chart;
    return () => {
      drawn.current = null;
      chart.remove();
    };
  }, [data]);
  useEffect(() => drawn.current?.point(at), [data, at]);

  const follow = (event: PointerEvent) => {
    if (drawn.current === null || data === null) return;
    const ts = drawn.current.momentAt(event.clientX);
    // Ahead there are no runs to point at.
    const isAhead = ts > data.to + (data.until - data.to) * 0.02;
    pointed.value = isAhead ? null : (data.moments[nearest(data.moments, ts)] ?? null);
  };
  return (
    <div
      class="plot"
      ref={place}
      role="img"
      aria-label={label}
      aria-describedby="charts-told"
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={({ pointerType }) => {
        // A finger that is lifted leaves, too; its reading stays.
        if (pointerType === "mouse") pointed.value = null;
      }}
    />
  );
}
