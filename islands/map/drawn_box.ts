import type { MapName } from "../../server/domain/places/places_schema.ts";
import { flatPlace } from "../../server/domain/viewer/map_drawing.ts";
import { distanceInWords, type SpeedUnit } from "../../server/domain/viewer/distance_text.ts";
import {
  type FlatBox,
  flatAt,
  type MapSize,
  type MapView,
  metersOf,
  nearCopy,
  type Pixel,
  pixelOf,
} from "./map_view.ts";

/** Pixels that an arrow key moves a box, or makes it larger. */
const STEP = 16;
/** Pixels of the smallest box that keys make. */
const LEAST = 16;
/** Half of a box around a place that was tapped. */
const AROUND_TAP = 22;
/** A place is near so many metres from the middle of a box, and a box is at one place up to so many metres. */
const NEAR_METERS = 5000;
const MOST_METERS = 10_000;
/** Feet of a metre. */
const FEET = 3.28084;
const LARGE = { kmh: 1000, mph: 1609.344 } as const;

/** Corners that a box is dragged by. */
export const CORNERS = ["nw", "ne", "sw", "se"] as const;
export type Corner = (typeof CORNERS)[number];

/** A box between two pixels, whichever is farther up or to the left. */
export function boxBetween(view: MapView, size: MapSize, one: Pixel, other: Pixel): FlatBox {
  const first = flatAt(view, size, { x: Math.min(one.x, other.x), y: Math.min(one.y, other.y) });
  const last = flatAt(view, size, { x: Math.max(one.x, other.x), y: Math.max(one.y, other.y) });
  return inWorld({ left: first.x, top: first.y, right: last.x, bottom: last.y });
}

/** A small box around a place that was tapped. */
export function boxAround(view: MapView, size: MapSize, { x, y }: Pixel): FlatBox {
  const [from, to] = [-AROUND_TAP, AROUND_TAP].map((by) => ({ x: x + by, y: y + by })) as [Pixel, Pixel];
  return boxBetween(view, size, from, to);
}

/** A box in the middle of what is seen, a quarter as wide and high. */
export function boxInMiddle(view: MapView, size: MapSize): FlatBox {
  const at = (part: number) => ({ x: size.width * part, y: size.height * part });
  return boxBetween(view, size, at(3 / 8), at(5 / 8));
}

const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** The way of an arrow key in pixels; null for another key. */
export function wayOfKey(key: string): readonly [x: number, y: number] | null {
  return ARROWS[key] ?? null;
}

/**
 * A box after an arrow key: moved, or with Shift larger to the right and below, smaller with the other two. Null when the
 * key is no arrow.
 */
export function boxAfterKey(
  box: FlatBox,
  { key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">,
  view: MapView,
  size: MapSize,
): FlatBox | null {
  const way = wayOfKey(key);
  if (way === null) return null;
  const { from, to } = pixelsOf(box, view, size);
  const [x, y] = way;
  if (!shiftKey) return boxBetween(view, size, { x: from.x + x, y: from.y + y }, { x: to.x + x, y: to.y + y });
  const end = { x: Math.max(from.x + LEAST, to.x + x), y: Math.max(from.y + LEAST, to.y + y) };
  return boxBetween(view, size, from, end);
}

/** A box after one of its corners was dragged to a pixel. */
export function boxAfterDrag(box: FlatBox, corner: Corner, to: Pixel, view: MapView, size: MapSize): FlatBox {
  const { from, to: end } = pixelsOf(box, view, size);
  const other = { x: corner.endsWith("w") ? end.x : from.x, y: corner.startsWith("n") ? end.y : from.y };
  return boxBetween(view, size, to, other);
}

/** The corners of a box on the map. */
export function pixelsOf(box: FlatBox, view: MapView, size: MapSize): { readonly from: Pixel; readonly to: Pixel } {
  const { left, top, right, bottom } = nearCopy(box, view);
  return { from: pixelOf(view, size, { x: left, y: top }), to: pixelOf(view, size, { x: right, y: bottom }) };
}

/** `1.8 × 1.5 km`, `240 × 180 m`. */
export function sizeInWords(box: FlatBox, unit: SpeedUnit): string {
  const { wide, high } = metersOf(box);
  if (Math.max(wide, high) >= LARGE[unit]) {
    const [width = ""] = distanceInWords(wide, unit).split("\u00a0");
    return `${width} × ${distanceInWords(high, unit)}`;
  }
  const [short, factor] = unit === "kmh" ? ["m", 1] : ["ft", FEET];
  return `${Math.round(wide * factor)} × ${Math.round(high * factor)}\u00a0${short}`;
}

/** The name that a box is near: the nearest one, unless the box is large or the place is far from it. Null for none. */
export function nameNear(box: FlatBox, names: readonly MapName[]): string | null {
  const { wide, high } = metersOf(box);
  if (Math.max(wide, high) > MOST_METERS) return null;
  const metersOfWorld = wide / (box.right - box.left);
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  let found: string | null = null;
  let least = NEAR_METERS;
  for (const { name, lat, lon } of names) {
    const place = flatPlace(lat, lon);
    const aside = place.x - x;
    const meters = Math.hypot(aside - Math.round(aside), place.y - y) * metersOfWorld;
    if (meters <= least) [found, least] = [name, meters];
  }
  return found;
}

function inWorld({ left, top, right, bottom }: FlatBox): FlatBox {
  return { left, top: Math.max(0, top), right: Math.min(right, left + 1), bottom: Math.min(1, bottom) };
}
