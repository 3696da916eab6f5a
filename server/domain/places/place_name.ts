import type { OwnPlace } from "../settings/own_places.ts";
import { metersBetween, type Place } from "../viewer/fix_steps.ts";

/** The own place that somebody stands in, of several the one whose middle is nearest; null for none. */
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
