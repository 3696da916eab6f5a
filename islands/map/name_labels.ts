import { flatPlace } from "../../server/domain/viewer/map_drawing.ts";
import type { MapName } from "../../server/domain/places/places_schema.ts";
import type { Frame } from "./often.ts";

/** A name at its place on a canvas. */
export interface NameLabel {
  readonly name: string;
  readonly own: boolean;
  readonly x: number;
  readonly y: number;
}

/** Pixels between the middle of a place and its name, and of a line of text. */
export const LABEL_GAP = 8;
const LINE = 18;
/** Room between two names. */
const APART = 6;

/**
 * Names that have room on a canvas, those that come first before others. Each stands at the right of its place.
 * @param widthOf the width of a name in pixels
 */
export function labelsOf(
  names: readonly MapName[],
  frame: Frame,
  widthOf: (name: string, own: boolean) => number,
): NameLabel[] {
  const taken: (readonly [left: number, top: number, right: number, bottom: number])[] = [];
  const found: NameLabel[] = [];
  for (const { name, lat, lon, own } of names) {
    const place = flatPlace(lat, lon);
    const y = place.y * frame.scale - frame.top;
    // The copy of the world that the canvas has.
    const copy = Math.ceil(frame.left / frame.scale - place.x);
    const x = (place.x + copy) * frame.scale - frame.left;
    if (x > frame.width || y < 0 || y > frame.height) continue;
    const box = [
      x - LABEL_GAP,
      y - LINE / 2 - APART,
      x + LABEL_GAP + widthOf(name, own) + APART,
      y + LINE / 2 + APART,
    ] as const;
    const isFree = taken.every(
      ([left, top, right, bottom]) => box[2] < left || box[0] > right || box[3] < top || box[1] > bottom,
    );
    if (!isFree) continue;
    taken.push(box);
    found.push({ name, own, x, y });
  }
  return found;
}
