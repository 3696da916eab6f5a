import { typeOf } from "../recordings/recording_name.ts";
import { BEFORE_SECONDS } from "../viewer/event_moment.ts";
import type { SharedForce } from "./shared_force.ts";

/** Part of a span that one recording shows. Times are seconds since the beginning of the span. */
export interface SharedClip {
  readonly from: number;
  readonly to: number;
  /** The letter of its type. */
  readonly type: string;
}

/** A film of a link with what its recordings are called, which stays here. */
export interface NamedFilm {
  readonly seconds: number;
  /** Where each begins in the film, and in the span. */
  readonly places: readonly { readonly key: string; readonly at: number; readonly time: number }[];
}

/** The recordings of a span as far as its films show them, by time. @param seconds length of the span */
export function clipsOfFilms(films: readonly NamedFilm[], seconds: number): SharedClip[] {
  const clips = new Map<string, { from: number; to: number; type: string }>();
  for (const film of films)
    for (const [number, { key, at, time }] of film.places.entries()) {
      const ends = time + (film.places[number + 1]?.at ?? film.seconds) - at;
      const [from, to] = [thousandths(Math.max(0, time)), thousandths(Math.min(seconds, ends))];
      const known = clips.get(key);
      if (known === undefined) clips.set(key, { from, to, type: typeOf(key) });
      else Object.assign(known, { from: Math.min(known.from, from), to: Math.max(known.to, to) });
    }
  return [...clips.values()].filter(({ from, to }) => to > from).sort((one, other) => one.from - other.from);
}

/** An event of a span. */
export interface SharedEvent {
  readonly clip: SharedClip;
  /** Its strongest moment, where forces are shared. */
  readonly strongest: number | null;
  /** Where one goes to see it. */
  readonly begins: number;
}

/** The events of a span, by time. @param forces by time; none without the place */
export function eventsOf(
  clips: readonly SharedClip[],
  forces: readonly SharedForce[],
  isEvent: (type: string) => boolean,
): SharedEvent[] {
  return clips
    .filter(({ type }) => isEvent(type))
    .map((clip) => {
      let [strongest, most]: [number | null, number] = [null, 0];
      for (const [time, g] of forces)
        if (time >= clip.from && time < clip.to && g > most) [strongest, most] = [time, g];
      const begins = strongest === null ? clip.from : Math.max(clip.from, strongest - BEFORE_SECONDS);
      return { clip, strongest, begins };
    });
}

/** A time is told to a tenth, and people press twice. */
const NEAR_SECONDS = 0.5;

/** The event after a time; behind the last one it is the first again. Null without any. */
export function eventAfter(events: readonly SharedEvent[], time: number): SharedEvent | null {
  return events.find(({ begins }) => begins > time + NEAR_SECONDS) ?? events[0] ?? null;
}

/** Further into a clip a step back leads to its own beginning. */
const STEP_BACK_SECONDS = 2;

/** Where the next clip (1) begins, or this one or the one before it (-1); null where there is none. */
export function clipBeside(clips: readonly SharedClip[], time: number, by: 1 | -1): number | null {
  const begins = clips.map(({ from }) => from);
  const found =
    by > 0
      ? begins.find((from) => from > time + NEAR_SECONDS)
      : (begins.findLast((from) => from < time - STEP_BACK_SECONDS) ?? begins[0]);
  return found ?? null;
}

function thousandths(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
