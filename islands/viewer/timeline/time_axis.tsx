/** @jsxImportSource preact */
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import type { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import { type TimeWindow, ticksOf } from "./time_window.ts";

/** Pixels that a time needs under the lanes. */
const TICK_WIDTHS = { 12: 84, 24: 72 } as const;
/** Pixels of a character in a label under the lanes. */
const CHARACTER_WIDTH = 7.5;
/** Percent from an end within which a label around its place would be cut. */
const EDGE_PERCENT = 4;

interface TimeAxisProps {
  /** Null until it is known. */
  readonly clock: Pick<JourneyClock, "wallAt" | "timeAtWall"> | null;
  readonly window: TimeWindow;
  /** Pixels. */
  readonly width: number;
  readonly format: TimeFormat;
}

/** Times of the camera's clock under the lanes. */
export function TimeAxis({ clock, window, width, format }: TimeAxisProps) {
  const ticks = clock ? ticksOf(clock, window, Math.floor(width / TICK_WIDTHS[format.hours]), format) : [];
  const first = ticks[0];
  const last = ticks.at(-1);
  // At the edges labels stand beside their place, not around it: with seconds they reach to the next one.
  const isClear = (tick: (typeof ticks)[number]) =>
    [first, last].every(
      (edge) =>
        !edge ||
        tick === edge ||
        (edge.percent >= EDGE_PERCENT && edge.percent <= 100 - EDGE_PERCENT) ||
        (Math.abs(edge.percent - tick.percent) / 100) * width > tick.label.length * CHARACTER_WIDTH * 1.6,
    );
  return (
    <svg class="tl-axis" aria-hidden="true">
      {ticks.filter(isClear).map(({ label, percent }) => (
        <text
          key={label}
          x={`${percent}%`}
          y="14"
          class={percent < EDGE_PERCENT ? "is-first" : percent > 100 - EDGE_PERCENT ? "is-last" : undefined}
        >
          {label}
        </text>
      ))}
    </svg>
  );
}
