import type { OwnPlace } from "../settings/own_places.ts";
import { metersBetween, type Place } from "../viewer/fix_steps.ts";
import { ownPlaceAt } from "./place_name.ts";

/** A place at which a trip ended. */
export interface Stop {
  readonly place: Place;
  /** The key of the trip's last clip. */
  readonly key: string;
}

/** A place at which trips end. */
export interface UsualStop extends Stop {
  readonly count: number;
}

/** Trips that end so near to each other end at one place: a car is not parked on the same spot each time. */
const ONE_STOP_METERS = 150;

/**
 * The places at which trips end most often and that have no name of the owner's yet; of those that are as frequent the
 * one of the latest trip first.
 * @param stops the latest first
 */
export function usualStops(stops: readonly Stop[], own: readonly OwnPlace[], most: number): UsualStop[] {
  const found: { place: Place; key: string; count: number }[] = [];
  for (const { place, key } of stops) {
    if (ownPlaceAt(place, own) !== null) continue;
    const known = found.find((one) => metersBetween(one.place, place) <= ONE_STOP_METERS);
    if (known) known.count++;
    else found.push({ place, key, count: 1 });
  }
  return found.sort((one, other) => other.count - one.count).slice(0, most);
}
