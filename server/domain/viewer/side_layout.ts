/** Place and size in pixels; all of them even, as coded pictures need them. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Places of all that a video of several cameras shows. Pictures and map cover nothing of each other. */
export interface SideLayout extends Size {
  /** In the order of the cameras. */
  readonly pictures: readonly Box[];
  readonly map: Box | null;
  /** The line of time and speed below the pictures. */
  readonly band: Box;
}

interface Wanted {
  /** Pictures of the cameras as they were recorded, the most important one first; 1 to 4. */
  readonly pictures: readonly Size[];
  readonly hasMap: boolean;
}

/** Wider pictures are more than some devices can encode and many can play. */
const MOST_WIDTH = 1920;
/** Size of a video of two usual cameras with their map. */
const USUAL: Size = { width: MOST_WIDTH, height: 816 };
/** Narrower ones have no room for their text. */
const LEAST_WIDTH = 960;
const BAND_SHARE = 0.05;
/** A map that has the column for itself takes as much as it would beside two others. */
const LONE_MAP_CELLS = 3;
/** Shapes of pictures, width by height; others stand between bars. */
const [NARROWEST, WIDEST] = [1.2, 2.4];

/**
 * Lays out a video: the first camera large, the others and the map in a column of cells of the same shape beside it,
 * as high as the large one. Two cameras without a map are equally large.
 */
export function sideLayout({ pictures: given, hasMap }: Wanted): SideLayout {
  const [first = { width: 16, height: 9 }, ...others] = given;
  const shape = Math.max(NARROWEST, Math.min(WIDEST, first.width / Math.max(1, first.height)));
  const inColumn = others.length + (hasMap ? 1 : 0);
  const cells = others.length === 0 && hasMap ? LONE_MAP_CELLS : inColumn;
  // The large picture is not drawn larger than it is.
  const fitting = cells === 0 ? first.width : (first.width * (cells + 1)) / cells;
  const width = even(Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, fitting)));
  const large = cells === 0 ? width : even((width * cells) / (cells + 1));
  const height = even(large / shape);
  const band = even(width * BAND_SHARE);
  const column = Array.from({ length: inColumn }, (_, at): Box => {
    const top = even((height * at) / inColumn);
    return { x: large, y: top, width: width - large, height: even((height * (at + 1)) / inColumn) - top };
  });
  return {
    width,
    height: height + band,
    pictures: [{ x: 0, y: 0, width: large, height }, ...column.slice(0, others.length)],
    map: hasMap ? (column.at(-1) ?? null) : null,
    band: { x: 0, y: height, width, height: band },
  };
}

/** The part of a box that a picture fills, in the middle of it, whole and not distorted. */
export function fitted({ x, y, width, height }: Box, picture: Size): Box {
  const scale = Math.min(width / Math.max(1, picture.width), height / Math.max(1, picture.height));
  const [wide, high] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
  return { x: x + Math.round((width - wide) / 2), y: y + Math.round((height - high) / 2), width: wide, height: high };
}

/** Bits a second for pictures of this size: sharp enough to read what the camera shows. */
export function bitsFor({ width, height }: Size, rate: number): number {
  return Math.max(1_000_000, Math.round((width * height * rate * 0.16) / 100_000) * 100_000);
}

/** Most bytes that a video of so many seconds has, about. */
export function mostBytes(seconds: number): number {
  return (bitsFor(USUAL, 30) / 8) * seconds;
}

function even(pixels: number): number {
  return 2 * Math.round(pixels / 2);
}
