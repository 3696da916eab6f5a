import { flatPlace } from "../../server/domain/viewer/map_drawing.ts";

/** A part of the earth in degrees. Over 180° its west is greater than its east. */
export interface EarthBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/**
 * A part of the flat world, which is 1 wide and 1 high from the north-west on. `right` is greater than `left`: over 180° it
 * is greater than 1.
 */
export interface FlatBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The middle of what is seen on the flat world, and how close that is. East of 180° the world begins again. */
export interface MapView {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** Pixels of a map. */
export interface MapSize {
  readonly width: number;
  readonly height: number;
}

/** A pixel of a map, from its left upper corner on. */
export interface Pixel {
  readonly x: number;
  readonly y: number;
}

export const LEAST_ZOOM = 1;
export const MOST_ZOOM = 19;
/** Closer than this a single drive is not shown by itself. */
const CLOSEST_FIT = 15;
const EQUATOR_METERS = 40_075_016.686;
/** Pixels of the whole world at zoom 0. */
export const WORLD_PIXELS = 256;
/** Places after the dot in addresses: about a metre. */
const DIGITS = 5;

/** Pixels of the whole world. */
export function scaleOf({ zoom }: Pick<MapView, "zoom">): number {
  return WORLD_PIXELS * 2 ** zoom;
}

/** A longitude within -180 to 180. */
function aroundWorld(lon: number): number {
  return lon - 360 * Math.floor((lon + 180) / 360);
}

function latitudeOf(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
}

/** The part that a map of this size shows, with so much of its size beyond each edge. */
export function flatBoxOf(view: MapView, { width, height }: MapSize, beyond = 0): FlatBox {
  const wide = (width * (0.5 + beyond)) / scaleOf(view);
  const high = (height * (0.5 + beyond)) / scaleOf(view);
  return { left: view.x - wide, top: view.y - high, right: view.x + wide, bottom: view.y + high };
}

export function earthBoxOf({ left, top, right, bottom }: FlatBox): EarthBox {
  const [north, south] = [latitudeOf(Math.max(0, top)), latitudeOf(Math.min(1, bottom))];
  if (right - left >= 1) return { west: -180, south, east: 180, north };
  const [west, east] = [aroundWorld(left * 360 - 180), aroundWorld(right * 360 - 180)];
  // An edge on 180° itself is the edge of the world on this side.
  return { west, south, east: east === -180 ? 180 : east, north };
}

export function flatBoxOfEarth({ west, south, east, north }: EarthBox): FlatBox {
  const { x: left, y: top } = flatPlace(north, west);
  const { x: right, y: bottom } = flatPlace(south, east);
  return { left, top, right: right < left ? right + 1 : right, bottom };
}

/** The view that shows a part of the world as large as it fits, with some room around it. */
export function viewOfBox({ left, top, right, bottom }: FlatBox, { width, height }: MapSize, room = 0): MapView {
  const wide = Math.max(1, width - 2 * room) / WORLD_PIXELS;
  const high = Math.max(1, height - 2 * room) / WORLD_PIXELS;
  const fits = Math.min(wide / Math.max(1e-9, right - left), high / Math.max(1e-9, bottom - top));
  const closest = room > 0 ? CLOSEST_FIT : MOST_ZOOM;
  return within({ x: (left + right) / 2, y: (top + bottom) / 2, zoom: Math.min(closest, Math.log2(fits)) });
}

/** A view that lies on the world. */
export function within({ x, y, zoom }: MapView): MapView {
  return { x, y: Math.max(0, Math.min(1, y)), zoom: Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, zoom)) };
}

/** The view after the map was pushed so many pixels to the right and down. */
export function pushed(view: MapView, right: number, down: number): MapView {
  const scale = scaleOf(view);
  return within({ ...view, x: view.x - right / scale, y: view.y - down / scale });
}

/** The view from closer, or farther: what is at this pixel stays there. */
export function zoomed(view: MapView, size: MapSize, by: number, at: Pixel): MapView {
  const place = flatAt(view, size, at);
  const zoom = Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, view.zoom + by));
  const scale = scaleOf({ zoom });
  return within({ x: place.x - (at.x - size.width / 2) / scale, y: place.y - (at.y - size.height / 2) / scale, zoom });
}

/** The place of the flat world at a pixel. */
export function flatAt(view: MapView, { width, height }: MapSize, { x, y }: Pixel): Pixel {
  const scale = scaleOf(view);
  return { x: view.x + (x - width / 2) / scale, y: view.y + (y - height / 2) / scale };
}

/** The pixel of a place of the flat world. */
export function pixelOf(view: MapView, { width, height }: MapSize, { x, y }: Pixel): Pixel {
  const scale = scaleOf(view);
  return { x: (x - view.x) * scale + width / 2, y: (y - view.y) * scale + height / 2 };
}

/** The same part of the world, on the copy of it that is nearest to what is seen. */
export function nearCopy({ left, right, ...rest }: FlatBox, { x }: Pick<MapView, "x">): FlatBox {
  const by = Math.round(x - (left + right) / 2);
  return { ...rest, left: left + by, right: right + by };
}

/** Metres of one pixel in the middle of what is seen. */
export function metersPerPixel(view: MapView): number {
  return (EQUATOR_METERS * Math.cos((latitudeOf(view.y) * Math.PI) / 180)) / scaleOf(view);
}

/** Width and height in metres. */
export function metersOf({ left, top, right, bottom }: FlatBox): { readonly wide: number; readonly high: number } {
  const meters = EQUATOR_METERS * Math.cos((latitudeOf((top + bottom) / 2) * Math.PI) / 180);
  return { wide: (right - left) * meters, high: (bottom - top) * meters };
}

/** `7.1,50.2,7.4,50.4`: west, south, east, north, as addresses and the API have them. */
export function boxText({ west, south, east, north }: EarthBox): string {
  return [west, south, east, north].map((degrees) => String(Number(degrees.toFixed(DIGITS)))).join(",");
}

/** Reads `boxText`; null for anything else. */
export function boxOfText(text: string | null): EarthBox | null {
  const parts = (text ?? "").split(",").map((part) => (/^\s*-?[0-9]/.test(part) ? Number(part) : Number.NaN));
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = parts;
  const isWhere = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  return parts.length === 4 && isWhere && south <= north ? { west, south, east, north } : null;
}
