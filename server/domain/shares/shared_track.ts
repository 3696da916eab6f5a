import { metersBetween, type Place } from "../viewer/fix_steps.ts";
import type { Track } from "../viewer/track.ts";

/** Metres around the ends of a trip that a link never shows. */
export const HIDDEN_METERS = 500;
/** Metres by which that may be more: the place at which a track begins must not lie on a circle of a known size. */
export const MOST_MORE_METERS = 100;
/** Coordinates are rounded to less than this. */
const ROUNDING_METERS = 1;

/** A fix of the shown track: seconds since the beginning of the span, place, and knots. */
export type SharedFix = [seconds: number, lat: number, lon: number, speed: number | null];

/** A clip's track and where the clip begins, in seconds since the beginning of the span. */
export interface PlacedTrack {
  readonly offset: number;
  readonly track: Track;
}

/** The first and the last place of a trip; none where no place of it is known. */
export function endsOf(tracks: readonly (Track | null)[]): Place[] {
  const withFixes = tracks.filter((track) => track !== null && track.t.length > 0);
  const [first, last] = [withFixes[0], withFixes.at(-1)];
  if (!first || !last) return [];
  const at = last.t.length - 1;
  return [
    { lat: first.lat[0] ?? 0, lon: first.lon[0] ?? 0 },
    { lat: last.lat[at] ?? 0, lon: last.lon[at] ?? 0 },
  ];
}

/**
 * The stretches of a track that lie within a span and not around the ends of its trips. Coordinates are as exact as a
 * line on a map needs them.
 */
export function sharedTrack(
  tracks: readonly PlacedTrack[],
  { seconds, hidden, radius }: { readonly seconds: number; readonly hidden: readonly Place[]; readonly radius: number },
): SharedFix[][] {
  const least = Math.max(radius, HIDDEN_METERS) + ROUNDING_METERS;
  const stretches: SharedFix[][] = [];
  let stretch: SharedFix[] = [];
  const end = () => {
    if (stretch.length > 0) stretches.push(stretch);
    stretch = [];
  };
  for (const { offset, track } of tracks) {
    const breaks = new Set(track.breaks);
    let isFirst = true;
    for (const [at, t] of track.t.entries()) {
      const place = { lat: track.lat[at] ?? 0, lon: track.lon[at] ?? 0 };
      const time = offset + t;
      const isShown = time >= 0 && time <= seconds && hidden.every((end) => metersBetween(end, place) > least);
      const last = stretch.at(-1);
      // Between two clips a line leads on where the times do.
      if (!isShown || breaks.has(at) || (isFirst && last !== undefined && time - last[0] > 3)) end();
      isFirst = false;
      if (isShown) stretch.push([thousandths(time), rounded(place.lat), rounded(place.lon), track.speed[at] ?? null]);
    }
  }
  end();
  return stretches;
}

function thousandths(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** A tenth of a metre. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
