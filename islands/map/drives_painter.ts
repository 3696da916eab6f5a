import type { SpeedUnit } from "../../server/domain/viewer/distance_text.ts";
import type { MapName } from "../../server/domain/places/places_schema.ts";
import { copiesIn, type FlatDrive } from "./flat_drives.ts";
import type { DrawnBy } from "./map_address.ts";
import type { Ink, MapInks } from "./map_inks.ts";
import type { FlatBox } from "./map_view.ts";
import { LABEL_GAP, labelsOf, type Pixels } from "./name_labels.ts";
import { Cells, type Frame, OftenCells } from "./often.ts";
import { drawBySpeed } from "./speed_lines.ts";

export interface Painting {
  readonly drives: readonly FlatDrive[];
  readonly frame: Frame;
  readonly by: DrawnBy;
  readonly unit: SpeedUnit;
  readonly inks: MapInks;
  /** Pictures of streets lie below. */
  readonly isOnStreets: boolean;
  /** Places that are named where there is room. */
  readonly names: readonly MapName[];
  /** Parts of the map that have something over them: no name of a town stands there. */
  readonly covered: readonly Pixels[];
}

/** Drives of one step: a step has to take less than a frame. */
const AT_ONCE = 40;
/** Pixels by which lines on streets have an edge. */
const CASING = 2.5;
const DOT = 2.6;
/** Corners of a house around its place. */
const HOUSE: readonly (readonly [x: number, y: number])[] = [
  [-9, 1],
  [0, -9],
  [9, 1],
  [9, 10],
  [-9, 10],
];
const HOUSE_ROOM = 5;
/** Pixels between two lines of the grid, at least. */
const GRID_PIXELS = 90;

/** Paints the grid and the drives, a step at a time: the page stays alive between two. */
export function* paintDrives(brush: CanvasRenderingContext2D, painting: Painting): Generator<undefined, void> {
  const { frame, by, inks, isOnStreets } = painting;
  brush.clearRect(0, 0, frame.width, frame.height);
  if (!isOnStreets) paintGrid(brush, frame, inks.grid);
  brush.lineJoin = "round";
  brush.lineCap = "round";
  yield;
  yield* by === "often" ? paintOften(brush, painting) : paintSpeeds(brush, painting);
  paintNames(brush, painting);
}

function* paintOften(brush: CanvasRenderingContext2D, painting: Painting): Generator<undefined, void> {
  const cells = new OftenCells(painting.frame);
  const groups = groupsOf(painting);
  for (const group of groups) {
    for (const { drive, copy } of group) cells.count(drive, copy);
    yield;
  }
  // Roads that were driven most lie above all others.
  const lines: Path2D[][] = [];
  for (const group of groups) {
    const pens = painting.inks.often.map(() => new Path2D());
    for (const { drive, copy } of group) cells.draw(drive, copy, pens);
    lines.push(pens);
    yield;
  }
  if (painting.isOnStreets)
    for (const pens of lines) {
      for (const [at, { width }] of painting.inks.often.entries())
        stroke(brush, pens[at], { ...painting.inks.casing, width: width + CASING });
      yield;
    }
  for (const [at, ink] of painting.inks.often.entries())
    for (const pens of lines) {
      stroke(brush, pens[at], ink);
      yield;
    }
}

function* paintSpeeds(brush: CanvasRenderingContext2D, painting: Painting): Generator<undefined, void> {
  const { frame, unit, inks } = painting;
  const cells = new Cells(frame, inks.speeds.length);
  const lines: Path2D[][] = [];
  for (const group of groupsOf(painting)) {
    const pens = inks.speeds.map(() => new Path2D());
    for (const { drive, copy } of group) drawBySpeed(drive, copy, cells, unit, pens);
    for (const pen of pens) stroke(brush, pen, inks.casing);
    lines.push(pens);
    yield;
  }
  for (const [at, ink] of inks.speeds.entries())
    for (const pens of lines) {
      stroke(brush, pens[at], ink);
      yield;
    }
}

function stroke(brush: CanvasRenderingContext2D, line: Path2D | undefined, { colour, width }: Ink): void {
  if (line === undefined) return;
  brush.strokeStyle = colour;
  brush.lineWidth = width;
  brush.stroke(line);
}

interface DrawnDrive {
  readonly drive: FlatDrive;
  readonly copy: number;
}

/** The drives that lie on the canvas, in groups of one step each. */
function groupsOf({ drives, frame }: Painting): DrawnDrive[][] {
  const { left, top, width, height, scale } = frame;
  const seen: FlatBox = {
    left: left / scale,
    top: top / scale,
    right: (left + width) / scale,
    bottom: (top + height) / scale,
  };
  const all = drives.flatMap((drive) => {
    const { bounds } = drive;
    if (bounds.bottom < seen.top || bounds.top > seen.bottom) return [];
    return copiesIn(seen, drive).map((copy) => ({ drive, copy }));
  });
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, at) =>
    all.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
}

/** Towns as dots, own places as houses, each with its name. */
function paintNames(brush: CanvasRenderingContext2D, { frame, names, covered, inks }: Painting): void {
  const fontOf = (own: boolean) => `${own ? "600 14px" : "500 13px"} ${inks.font}`;
  const widthOf = (name: string, own: boolean) => {
    brush.font = fontOf(own);
    return brush.measureText(name).width;
  };
  brush.textBaseline = "middle";
  brush.strokeStyle = inks.halo;
  for (const { name, own, x, y, isLeft } of labelsOf(names, frame, widthOf, covered)) {
    brush.font = fontOf(own);
    brush.fillStyle = own ? inks.own : inks.town;
    brush.beginPath();
    if (own) for (const [right, down] of HOUSE) brush.lineTo(x + right, y + down);
    else brush.arc(x, y, DOT, 0, 2 * Math.PI);
    brush.closePath();
    brush.lineWidth = 3;
    brush.stroke();
    brush.fill();
    const aside = LABEL_GAP + (own ? HOUSE_ROOM : 0);
    const edge = isLeft ? x - aside : x + aside;
    brush.textAlign = isLeft ? "right" : "left";
    brush.lineWidth = 4;
    brush.strokeText(name, edge, y);
    brush.fillText(name, edge, y);
  }
}

/** Lines that stay in their places on the ground, so that an empty map is seen to move. */
function paintGrid(brush: CanvasRenderingContext2D, { scale, left, top, width, height }: Frame, ink: string): void {
  const step = scale / 2 ** Math.floor(Math.log2(scale / GRID_PIXELS));
  brush.beginPath();
  for (let x = Math.ceil(left / step) * step - left; x <= width; x += step) {
    brush.moveTo(Math.round(x) + 0.5, 0);
    brush.lineTo(Math.round(x) + 0.5, height);
  }
  for (let y = Math.ceil(top / step) * step - top; y <= height; y += step) {
    brush.moveTo(0, Math.round(y) + 0.5);
    brush.lineTo(width, Math.round(y) + 0.5);
  }
  brush.strokeStyle = ink;
  brush.lineWidth = 1;
  brush.stroke();
}
