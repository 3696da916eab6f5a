import { isGroupKey } from "../recordings/moment_number.ts";
import { inTime, splitKey } from "../settings/camera_key.ts";

/** Place at which a browser left the viewer. */
export interface LastPlace {
  /** The clip that was on show, and the seconds into it. */
  readonly key: string;
  readonly seconds: number;
  /** The key of the newest clip there was. */
  readonly newest: string;
}

/** The server reads it, so that the very first paint is where the browser left. */
export const PLACE_COOKIE = "dashdock_place";

/** Writes it as a cookie holds it. */
export function placeText({ key, seconds, newest }: LastPlace): string {
  return `${key}~${Math.round(seconds * 10) / 10}~${newest}`;
}

/** A key, the seconds, and another key; keys of a further camera have its id before them. */
const PLACE = /^((?:[a-z0-9-]+~)?[0-9]{8}_[^~]+)~([^~]*)~((?:[a-z0-9-]+~)?[0-9]{8}_[^~]+)$/;

/** Reads the cookie's text; null for anything else. */
export function placeOf(text: string | undefined): LastPlace | null {
  const [, key = "", told = "", newest = ""] = PLACE.exec(text ?? "") ?? [];
  const seconds = Number(told);
  if (!isGroupKey(splitKey(key).bare) || !isGroupKey(splitKey(newest).bare) || !(seconds >= 0 && seconds < 86_400))
    return null;
  return { key, seconds, newest };
}

/** True when the viewer goes on from there: no newer trip has begun, which people want to see first. */
export function isStillWanted(place: LastPlace, newestTrip: readonly { readonly key: string }[]): boolean {
  const [first] = newestTrip;
  return first === undefined || inTime(first.key, place.newest) <= 0 || newestTrip.some(({ key }) => key === place.key);
}
