import { secondsOf } from "../recordings/recording_name.ts";
import { JourneyClock } from "./journey_clock.ts";
import type { Telemetry } from "./viewer_schema.ts";

/** Film of one camera, as the service tells of it. */
export interface SideFilm {
  readonly direction: string;
  readonly seconds: number;
  readonly places: readonly { readonly key: string; readonly at: number; readonly from: number }[];
}

/** Part of a film in the video that is made. */
export interface SidePiece {
  /** Seconds of the video at which it begins. */
  readonly at: number;
  /** Seconds of the film at which it begins. */
  readonly film: number;
  readonly seconds: number;
}

/** Part of the video without a break in time. */
export interface SideStretch {
  /** Seconds of the video at which it begins. */
  readonly at: number;
  /** Seconds on the trip's clock at which it begins. */
  readonly trip: number;
  readonly seconds: number;
}

export interface SidePlan {
  readonly seconds: number;
  readonly stretches: readonly SideStretch[];
  /** By camera, in the order of the films. */
  readonly pieces: readonly (readonly SidePiece[])[];
}

/** A shorter time without any picture is how cameras change files: the last picture stays. */
const LEAST_BREAK_SECONDS = 0.5;
/** A picture stays so long where its camera's clip ends before those of the others. */
const LONGEST_STAY_SECONDS = 1;

interface OnTrip {
  readonly trip: number;
  readonly film: number;
  readonly seconds: number;
}

/** The clock of a trip with all recordings of its films, also with those that its telemetry does not know. */
export function sideClock(films: readonly SideFilm[], { segments }: Pick<Telemetry, "segments">): JourneyClock {
  const lengths = new Map<string, number | null>();
  const told = new Map(segments.map(({ key, offset_seconds: offset }) => [key, offset]));
  for (const { seconds, places } of films)
    for (const [number, { key, at, from }] of places.entries())
      if (!lengths.has(key)) lengths.set(key, from + (places[number + 1]?.at ?? seconds) - at);
  for (const { key, duration_seconds: seconds } of segments)
    if (seconds !== null || !lengths.has(key)) lengths.set(key, seconds);
  const clips = [...lengths].map(([key, seconds]) => {
    const offset = told.get(key);
    return { key, duration_seconds: seconds, ...(offset !== undefined && { offset_seconds: offset }) };
  });
  return new JourneyClock(clips.sort((one, other) => secondsOf(one.key) - secondsOf(other.key)));
}

/**
 * Puts the films of several cameras on one clock. Times that no camera recorded are left out; what a camera recorded
 * twice is shown once, from the earlier recording.
 */
export function sidePlan(films: readonly SideFilm[], clock: Pick<JourneyClock, "offsetOf">): SidePlan {
  const onTrip = films.map((film) => onTripOf(film, clock));
  const stretches: { at: number; trip: number; seconds: number }[] = [];
  for (const { trip, seconds } of onTrip.flat().sort((one, other) => one.trip - other.trip)) {
    const last = stretches.at(-1);
    const end = last === undefined ? 0 : last.trip + last.seconds;
    if (last === undefined) stretches.push({ at: 0, trip, seconds });
    else if (trip - end < LEAST_BREAK_SECONDS) last.seconds = Math.max(last.seconds, trip + seconds - last.trip);
    else stretches.push({ at: last.at + last.seconds, trip, seconds });
  }
  const end = stretches.at(-1);
  return {
    seconds: end === undefined ? 0 : end.at + end.seconds,
    stretches,
    pieces: onTrip.map((parts) =>
      parts.flatMap(({ trip, film, seconds }) => {
        const stretch = stretches.findLast((one) => one.trip <= trip);
        return stretch === undefined ? [] : [{ at: stretch.at + (trip - stretch.trip), film, seconds }];
      }),
    ),
  };
}

/** The parts of a film by time on the trip's clock, none of which overlap. */
function onTripOf({ seconds: whole, places }: SideFilm, clock: Pick<JourneyClock, "offsetOf">): OnTrip[] {
  const parts: OnTrip[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const [number, { key, at, from }] of places.entries()) {
    const offset = clock.offsetOf(key);
    if (offset === null) continue;
    const begins = offset + from;
    const ends = begins + (places[number + 1]?.at ?? whole) - at;
    const trip = Math.max(begins, end);
    if (ends <= trip) continue;
    parts.push({ trip, film: at + (trip - begins), seconds: ends - trip });
    end = ends;
  }
  return parts;
}

/** The film's time at a time of the video; null where this camera has no picture. */
export function filmTimeAt(pieces: readonly SidePiece[], time: number): number | null {
  const piece = pieces[lastAtOrBefore(pieces, time)];
  if (piece === undefined) return null;
  const within = time - piece.at;
  if (within < piece.seconds) return piece.film + within;
  return within - piece.seconds < LONGEST_STAY_SECONDS ? piece.film + piece.seconds : null;
}

/** The time of the video at which a time of the film is heard; null where that is not in the video. */
export function videoTimeAt(pieces: readonly SidePiece[], film: number): number | null {
  const piece = pieces.find((one) => film >= one.film && film < one.film + one.seconds);
  return piece === undefined ? null : piece.at + (film - piece.film);
}

/** The time on the trip's clock at a time of the video. */
export function tripTimeAt({ stretches }: Pick<SidePlan, "stretches">, time: number): number {
  const stretch = stretches[Math.max(0, lastAtOrBefore(stretches, time))];
  return stretch === undefined ? 0 : stretch.trip + (time - stretch.at);
}

/** Pictures a second of a video whose first camera recorded so many: not more than 30. */
export function sideRate(recorded: number): number {
  const usual = recorded > 0 && Number.isFinite(recorded) ? recorded : 30;
  return Math.max(1, Math.round((usual / Math.ceil(usual / 30.5)) * 100) / 100);
}

/** The last that begins at a time or before it; -1 where none does. */
function lastAtOrBefore(parts: readonly { readonly at: number }[], time: number): number {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.at ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
