import { type FlatDrive, partInside } from "./flat_drives.ts";
import type { FlatBox, MapSize } from "./map_view.ts";

/** The part of the flat world that a canvas has: its pixel of a place is `x * scale - left`. */
export interface Frame extends MapSize {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** Part of the map's size that is painted beyond each of its edges: so far it can be pushed without painting. */
export const BEYOND = 0.35;

/** Where a line is drawn to, as a canvas has it. */
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

/** Numbers of drives at which the line becomes wider. */
export const OFTEN_STEPS = [1, 3, 10, 30, 100] as const;
/** Pixels of a cell. */
const CELL = 6;

/** Drives whose lines are drawn on one cell; more of them would only cover each other. */
const MOST_LINES = 3;

/** Class of a number of drives on one piece of road, from 1 to 5. */
export function oftenClassOf(drives: number): number {
  const at = OFTEN_STEPS.findLastIndex((from) => drives >= from);
  return Math.max(0, at) + 1;
}

/** Cells of a canvas, and of a strip around it. */
export class Cells {
  readonly frame: Frame;
  readonly wide: number;
  readonly high: number;
  /** Lines by class and cell, and the drive that each was drawn of last, from 1 on. */
  readonly #lines: Uint8Array;
  readonly #drawn: Uint32Array;

  /** @param classes lines of each class are counted by themselves */
  constructor(frame: Frame, classes: number) {
    this.frame = frame;
    this.wide = Math.ceil(frame.width / CELL) + 2;
    this.high = Math.ceil(frame.height / CELL) + 2;
    this.#lines = new Uint8Array(this.wide * this.high * classes);
    this.#drawn = new Uint32Array(this.wide * this.high * classes);
  }

  /** The cell of a pixel. */
  at(x: number, y: number): number {
    const column = Math.max(0, Math.min(this.wide - 1, Math.floor(x / CELL) + 1));
    return Math.max(0, Math.min(this.high - 1, Math.floor(y / CELL) + 1)) * this.wide + column;
  }

  /** True when a line of a drive is to be drawn on a cell: not where enough others are. */
  takes(cell: number, kind: number, trip: number): boolean {
    const at = kind * this.wide * this.high + cell;
    if (this.#drawn[at] === trip + 1) return true;
    if ((this.#lines[at] ?? 0) >= MOST_LINES) return false;
    this.#drawn[at] = trip + 1;
    this.#lines[at] = (this.#lines[at] ?? 0) + 1;
    return true;
  }
}

/**
 * Counts drives on small cells of the ground. A drive counts in the cells beside its line, too: two drives on one road are
 * some pixels apart.
 */
export class OftenCells {
  readonly #cells: Cells;
  readonly #count: Uint16Array;
  /** The drive that was counted last in each cell, from 1 on. */
  readonly #last: Uint32Array;

  constructor(frame: Frame) {
    this.#cells = new Cells(frame, 1);
    this.#count = new Uint16Array(this.#cells.wide * this.#cells.high);
    this.#last = new Uint32Array(this.#cells.wide * this.#cells.high);
  }

  /** Counts a drive, which lies so many worlds beside its own place. Drives of one trip count once. */
  count(drive: FlatDrive, copy: number): void {
    const number = drive.trip + 1;
    const { wide, high, frame } = this.#cells;
    eachStep(drive, copy, frame, (x, y) => {
      const column = Math.floor(x / CELL) + 1;
      const row = Math.floor(y / CELL) + 1;
      for (let down = Math.max(0, row - 1); down <= Math.min(high - 1, row + 1); down++) {
        for (let right = Math.max(0, column - 1); right <= Math.min(wide - 1, column + 1); right++) {
          const at = down * wide + right;
          if (this.#last[at] === number) continue;
          this.#last[at] = number;
          this.#count[at] = Math.min(0xffff, (this.#count[at] ?? 0) + 1);
        }
      }
    });
  }

  /** Draws a drive, each piece with the pen of its class: `pens[0]` is that of class 1. */
  draw(drive: FlatDrive, copy: number, pens: readonly Pen[]): void {
    drawInSteps(drive, copy, this.#cells.frame, pens, (x, y) => {
      const cell = this.#cells.at(x, y);
      return this.#cells.takes(cell, 0, drive.trip) ? oftenClassOf(this.#count[cell] ?? 0) - 1 : -1;
    });
  }
}

interface StepBefore {
  readonly x: number;
  readonly y: number;
  readonly pen: Pen | undefined;
  readonly isCorner: boolean;
}

/**
 * Draws a drive step by step.
 * @param penOf the index of the pen of the piece that ends at a pixel, on the line to the place with this number; -1 for none
 */
export function drawInSteps(
  drive: FlatDrive,
  copy: number,
  frame: Frame,
  pens: readonly Pen[],
  penOf: (x: number, y: number, place: number) => number,
): void {
  let before: StepBefore | null = null;
  eachStep(drive, copy, frame, (x, y, place, isFirst, isCorner) => {
    if (isFirst || before === null) {
      before = { x, y, pen: undefined, isCorner };
      return;
    }
    const pen = pens[penOf(x, y, place)];
    if (pen !== before.pen) {
      // The piece before leads to here, and the next one begins where that ends.
      if (!before.isCorner) before.pen?.lineTo(before.x, before.y);
      pen?.moveTo(before.x, before.y);
    }
    if (isCorner) pen?.lineTo(x, y);
    before = { x, y, pen, isCorner };
  });
}

/**
 * Goes along the part of a line that lies on the canvas, by steps shorter than a cell. `isFirst` where a piece begins,
 * `isCorner` at the end of each straight part.
 */
function eachStep(
  { x, y }: FlatDrive,
  copy: number,
  frame: Frame,
  visit: (x: number, y: number, place: number, isFirst: boolean, isCorner: boolean) => void,
): void {
  const edge: FlatBox = { left: -CELL, top: -CELL, right: frame.width + CELL, bottom: frame.height + CELL };
  let isOutside = true;
  for (let at = 1; at < x.length; at++) {
    const x0 = ((x[at - 1] ?? 0) + copy) * frame.scale - frame.left;
    const y0 = (y[at - 1] ?? 0) * frame.scale - frame.top;
    const x1 = ((x[at] ?? 0) + copy) * frame.scale - frame.left;
    const y1 = (y[at] ?? 0) * frame.scale - frame.top;
    const inside = partInside([x0, y0, x1, y1], edge);
    if (inside === null) {
      isOutside = true;
      continue;
    }
    const [from, to] = inside;
    const length = Math.hypot(x1 - x0, y1 - y0) * (to - from);
    const steps = Math.max(1, Math.ceil(length / (CELL - 1)));
    if (isOutside || from > 0) visit(x0 + (x1 - x0) * from, y0 + (y1 - y0) * from, at, true, false);
    for (let step = 1; step <= steps; step++) {
      const part = from + ((to - from) * step) / steps;
      visit(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part, at, false, step === steps);
    }
    isOutside = to < 1;
  }
}
