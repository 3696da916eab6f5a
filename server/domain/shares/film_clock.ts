/** A film of a link as its page plays it. Times are seconds. */
export interface SharedFilm {
  readonly direction: string;
  readonly name: string;
  readonly address: string;
  readonly bytes: number;
  readonly seconds: number;
  /** Where its recordings begin in the film, and since the beginning of the span; the first a little before it. */
  readonly places: readonly { readonly at: number; readonly time: number }[];
}

type Clock = Pick<SharedFilm, "seconds" | "places">;

/** The time in a film that shows a time of the span; in a gap that of its end. */
export function filmTimeAt({ seconds, places }: Clock, time: number): number {
  const here = places.findLastIndex((place) => place.time <= time);
  const place = places[here];
  if (place === undefined) return 0;
  return Math.min(place.at + time - place.time, places[here + 1]?.at ?? seconds);
}

/** The time of the span that a film shows at one of its own. */
export function spanTimeAt({ places }: Clock, at: number): number {
  const place = places.findLast((one) => one.at <= at) ?? places[0];
  return place === undefined ? 0 : place.time + at - place.at;
}
