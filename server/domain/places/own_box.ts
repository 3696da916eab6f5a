import type { MapBox } from "./map_box.ts";

/** Stands in the guide for the box of one's own drives, as the program that makes map files wants it. */
const BOX_TO_FILL = "--bbox=5.8,47.2,15.1,55.1";
/** Some kilometres around the drives. */
const AROUND_DEGREES = 0.05;

/** The text of the guide with the box of one's own drives in its command. */
export function withOwnBox(text: string, box: MapBox): string {
  const degrees = (number: number, most: number) =>
    String(Math.round(Math.max(-most, Math.min(most, number)) * 100) / 100);
  const sides = [
    degrees(box.west - AROUND_DEGREES, 180),
    degrees(box.south - AROUND_DEGREES, 85),
    degrees(box.east + AROUND_DEGREES, 180),
    degrees(box.north + AROUND_DEGREES, 85),
  ];
  return text.replaceAll(BOX_TO_FILL, `--bbox=${sides.join(",")}`);
}

/** True for a text that has such a command. */
export function hasBoxToFill(text: string): boolean {
  return text.includes(BOX_TO_FILL);
}
