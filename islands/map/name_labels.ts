import { flatPlace } from "../../server/domain/viewer/map_drawing.ts";
import type { MapName } from "../../server/domain/places/places_schema.ts";
import { BEYOND, type Frame } from "./often.ts";

/** A name at its place on a canvas. */
export interface NameLabel {
  readonly name: string;
  readonly own: boolean;
  readonly x: number;
  readonly y: number;
  /** The name stands at the left of its place. */
  readonly isLeft: boolean;
}

/** A rectangle of pixels: from the left, from the top, and where it ends. */
export type Pixels = readonly [left: number, top: number, right: number, bottom: number];

/** Pixels between the middle of a place and its name, and of a line of text. */
export const LABEL_GAP = 8;
const LINE = 18;
/** Room between two names. */
const APART = 6;

/**
 * Names that have room on a canvas, those that come first before others. Each stands at the right of its place, or at the
 * left where the edge of the map would cut it. Names of towns that would be cut all the same, or be covered, are left out.
 * @param widthOf the width of a name in pixels
 * @param covered parts of the map, from its left upper corner on, that have something over them
 */
export function labelsOf(
  names: readonly MapName[],
  frame: Frame,
  widthOf: (name: string, own: boolean) => number,
  covered: readonly Pixels[] = [],
): NameLabel[] {
  const [left, top] = [frame.width, frame.height].map((all) => (all * BEYOND) / (1 + 2 * BEYOND)) as [number, number];
  const [right, bottom] = [frame.width - left, frame.height - top];
  const isCut = (box: Pixels) =>
    meets(box, [left, top, right, bottom]) && (box[0] < left || box[2] > right || box[1] < top || box[3] > bottom);
  const hidden = covered.map((one): Pixels => [one[0] + left, one[1] + top, one[2] + left, one[3] + top]);
  const taken: Pixels[] = [];
  const found: NameLabel[] = [];
  for (const { name, lat, lon, own } of names) {
    const place = flatPlace(lat, lon);
    const y = place.y * frame.scale - frame.top;
    // The copy of the world that the canvas has.
    const copy = Math.ceil(frame.left / frame.scale - place.x);
    const x = (place.x + copy) * frame.scale - frame.left;
    if (x > frame.width || y < 0 || y > frame.height) continue;
    const wide = LABEL_GAP + widthOf(name, own) + APART;
    const high = LINE / 2 + APART;
    const boxes = [false, true].map((isLeft) => {
      const box: Pixels = [x - (isLeft ? wide : LABEL_GAP), y - high, x + (isLeft ? LABEL_GAP : wide), y + high];
      return { box, isLeft };
    });
    const isFree = ({ box }: { readonly box: Pixels }) => taken.every((other) => !meets(box, other));
    const isWhole = ({ box }: { readonly box: Pixels }) => !isCut(box) && hidden.every((other) => !meets(box, other));
    const whole = boxes.filter(isWhole)[0] ?? (own ? boxes[0] : undefined);
    if (whole === undefined || !isFree(whole)) continue;
    taken.push(whole.box);
    found.push({ name, own, x, y, isLeft: whole.isLeft });
  }
  return found;
}

function meets(one: Pixels, other: Pixels): boolean {
  return one[2] >= other[0] && one[0] <= other[2] && one[3] >= other[1] && one[1] <= other[3];
}
