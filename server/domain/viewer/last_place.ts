import { isGroupKey } from "../recordings/moment_number.ts";

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

/** Reads the cookie's text; null for anything else. */
export function placeOf(text: string | undefined): LastPlace | null {
  const [key = "", told = "", newest = ""] = (text ?? "").split("~");
  const seconds = Number(told);
  if (!isGroupKey(key) || !isGroupKey(newest) || !(seconds >= 0 && seconds < 86_400)) return null;
  return { key, seconds, newest };
}

/** True when the viewer goes on from there: no newer trip has begun, which people want to see first. */
export function isStillWanted(place: LastPlace, newestTrip: readonly { readonly key: string }[]): boolean {
  const [first] = newestTrip;
  return first === undefined || first.key <= place.newest || newestTrip.some(({ key }) => key === place.key);
}
