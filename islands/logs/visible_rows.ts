import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Part } from "./filter_lines.ts";

/**
 * Number of rows that are all there, for the browser's own search and for screen readers; of more only those near by.
 */
const ALL_ROWS = 1000;
/** Rows this far out of sight are drawn. */
const MARGIN_PX = 800;

export interface VisibleRows {
  /** True when the rows of a part are drawn. */
  readonly isDrawn: (part: Part, index: number) => boolean;
  /** Height of the rows that are not drawn: measured when they were last seen, else a guess. */
  readonly heightOf: (part: Part) => string;
  /** Measures again; to be called when the pane is scrolled. */
  readonly update: () => void;
}

/**
 * Finds the parts of a long log that are in sight or close to it, before they are painted.
 * @param pane its only child holds an element for each part, in order
 * @param style what the height of rows depends on
 */
export function useVisibleRows(
  pane: RefObject<HTMLElement | null>,
  parts: readonly Part[],
  style: string,
): VisibleRows {
  const near = useSignal({ from: 0, to: -1 });
  const heights = useRef({ of: "", perRow: new Map<number, number>() });
  const isLong = parts.reduce((rows, { entries }) => rows + entries.length, 0) > ALL_ROWS;

  const update = () => {
    const shown = pane.current;
    if (!shown || !isLong) return;
    const of = `${style} ${shown.clientWidth}`;
    if (heights.current.of !== of) heights.current = { of, perRow: new Map() };
    const top = shown.scrollTop - MARGIN_PX;
    const bottom = shown.scrollTop + shown.clientHeight + MARGIN_PX;
    const places = shown.firstElementChild?.children ?? [];
    const found: number[] = [];
    for (const [index, { key, entries }] of parts.entries()) {
      const place = places[index];
      if (!(place instanceof HTMLElement)) continue;
      const { offsetTop, offsetHeight, childElementCount } = place;
      if (childElementCount > 0) heights.current.perRow.set(key, offsetHeight / entries.length);
      if (offsetTop < bottom && offsetTop + offsetHeight > top) found.push(key);
    }
    const from = found[0] ?? 0;
    const to = found.at(-1) ?? -1;
    const before = near.peek();
    if (before.from !== from || before.to !== to) near.value = { from, to };
  };
  useLayoutEffect(update);
  const { from, to } = near.value;

  return {
    // The end is always there, so that following never meets a gap.
    isDrawn: ({ key }, index) => !isLong || index >= parts.length - 2 || (key >= from && key <= to),
    heightOf: ({ key, entries }) => {
      const perRow = heights.current.perRow.get(key);
      return perRow === undefined ? `calc(var(--row) * ${entries.length})` : `${perRow * entries.length}px`;
    },
    update,
  };
}
