import type { Place } from "../viewer/fix_steps.ts";

/** Digits behind the point: about a metre. */
const DIGITS = 5;

const TYPED =
  /^([-+]?[0-9]{1,3}(?:[.,][0-9]+)?)\s*°?\s*([NS])?(?:\s*[,;/]\s*|\s+)([-+]?[0-9]{1,3}(?:[.,][0-9]+)?)\s*°?\s*([EW])?$/i;

/** Reads latitude and longitude as people copy them from a map: `52.52, 13.405`, `52,52; 13,405`, `33.86 S 151.2 E`. */
export function typedPlace(text: string): Place | null {
  const [, north = "", south, east = "", west] = TYPED.exec(text.trim()) ?? [];
  if (north === "") return null;
  const number = (digits: string, isTurned: boolean) => Number(digits.replace(",", ".")) * (isTurned ? -1 : 1);
  return { lat: number(north, /s/i.test(south ?? "")), lon: number(east, /w/i.test(west ?? "")) };
}

/** A place as `typedPlace` reads it: `52.52000, 13.40500`. */
export function placeText({ lat, lon }: Place): string {
  return `${lat.toFixed(DIGITS)}, ${lon.toFixed(DIGITS)}`;
}
