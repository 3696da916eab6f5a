import type { OwnPlace } from "../settings/own_places.ts";
import { metersBetween, type Place } from "../viewer/fix_steps.ts";

const METERS_IN_DEGREE = 111_195;

/** The own place that the car stands in, of several the one whose middle is nearest; null for none. */
export function ownPlaceAt(place: Place, own: readonly OwnPlace[]): OwnPlace | null {
  let found: OwnPlace | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const one of own) {
    const meters = metersBetween(place, one);
    if (meters <= one.radius && meters < least) [found, least] = [one, meters];
  }
  return found;
}

/** The name of a trip by the names of its ends: one when both are the same; null when neither has one. */
export function tripName(from: string | null, to: string | null): string | null {
  if (from === null || to === null) return from === null ? to && `To ${to}` : `From ${from}`;
  return from === to ? from : `${from} to ${to}`;
}

/** True when a name has words that begin as what was typed does. Capitals and accents do not count. */
export function isNamed(name: string, typed: string): boolean {
  const words = plain(name).split(/[\s-]+/);
  const sought = plain(typed)
    .split(/[\s-]+/)
    .filter((word) => word !== "");
  return sought.length > 0 && sought.every((word) => words.some((one) => one.startsWith(word)));
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}

/** A box around a place. `east` may be less than `west`, over 180 degrees. */
export function boxAround({ lat, lon }: Place, meters: number): string {
  const high = meters / METERS_IN_DEGREE;
  const wide = Math.min(179, high / Math.max(0.01, Math.cos((lat * Math.PI) / 180)));
  const turned = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;
  const sides = [turned(lon - wide), Math.max(-90, lat - high), turned(lon + wide), Math.min(90, lat + high)];
  return sides.map((degrees) => String(Number(degrees.toFixed(5)))).join(",");
}
