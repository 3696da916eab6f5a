import type { Film } from "../film/film_schema.ts";
import type { JourneyClock } from "./journey_clock.ts";
import { nextOfTrip } from "./trip_play.ts";
import { camerasOf, keyOf } from "./viewer_address.ts";
import type { Trip, ViewerRecording } from "./viewer_schema.ts";

/** Clips that follow each other without a break, and play as one film of each camera. */
export interface FilmRun {
  readonly keys: readonly string[];
  readonly films: readonly RunFilm[];
}

interface RunFilm {
  readonly direction: string;
  readonly address: string;
  /** The part of each clip, in the order of the keys; seconds of the film. */
  readonly parts: readonly FilmPart[];
}

interface FilmPart {
  readonly from: number;
  readonly to: number;
}

/** With less there is no end of a clip within the film. */
const LEAST_CLIPS = 2;
/** Most clips of a film: a header of more takes longer to come than the first pictures should. */
const MOST_CLIPS = 60;
/** Most cameras: a film keeps its connection open, and browsers have six for all that the page asks for. */
const MOST_CAMERAS = 3;
/** Videos of one moment whose lengths differ by more do not stay together in films. */
const MOST_UNEVEN_SECONDS = 0.1;
/** A film that begins later in its clip than this is no film of the whole clip. */
const AT_ONCE_SECONDS = 0.02;

/** The keys of the clips that may play as one film, from a clip of the trip on; none when it is alone. */
export function clipsOfRun(
  trip: Pick<Trip, "segments">,
  clock: JourneyClock,
  first: ViewerRecording,
  canPlay: (codec: string) => boolean,
): readonly string[] {
  const wanted = filmed(first, canPlay);
  const keys: string[] = [];
  for (let here: ViewerRecording | null = wanted === null ? null : first; here !== null; ) {
    const key = keyOf(here);
    keys.push(key);
    const next = keys.length < MOST_CLIPS ? nextOfTrip(trip, clock, key, null) : null;
    const follows = next !== null && next.start === 0 && next.skipped.seconds === 0 && next.skipped.waiting === 0;
    here = follows && filmed(next.recording, canPlay) === wanted ? next.recording : null;
  }
  return keys.length < LEAST_CLIPS ? [] : keys;
}

/** The request that tells of their films. */
export function runQuery(keys: readonly string[]): string {
  return `from=${encodeURIComponent(keys[0] ?? "")}&to=${encodeURIComponent(keys.at(-1) ?? "")}`;
}

/** The clips from the first on that lie in the films of all cameras alike; null when there are less than two. */
export function runOf(keys: readonly string[], films: readonly Film[]): FilmRun | null {
  const all = films.map((film) => ({ direction: film.direction, parts: partsOf(film, keys) }));
  const lengths = (at: number) => all.map(({ parts }) => (parts[at] ? parts[at].to - parts[at].from : Number.NaN));
  const end = keys.findIndex((_, at) => !(Math.max(...lengths(at)) - Math.min(...lengths(at)) < MOST_UNEVEN_SECONDS));
  const held = end < 0 ? keys : keys.slice(0, end);
  if (held.length < LEAST_CLIPS || all.length === 0) return null;
  return {
    keys: held,
    films: all.map(({ direction, parts }) => ({
      direction,
      address: `/film/${direction}.mp4?${runQuery(keys)}`,
      parts: parts.slice(0, held.length),
    })),
  };
}

/** The film of a camera in which a clip lies, and its part of it; null for a clip of another run. */
export function partIn(
  run: FilmRun | null,
  key: string,
  direction: string,
): { readonly address: string; readonly part: FilmPart } | null {
  const film = run?.films.find((one) => one.direction === direction);
  const part = film?.parts[run?.keys.indexOf(key) ?? -1];
  return film && part ? { address: film.address, part } : null;
}

/** The parts of the clips from the first on, as far as they follow each other in the film as they do in the trip. */
function partsOf({ places = [], seconds }: Film, keys: readonly string[]): readonly FilmPart[] {
  const parts: FilmPart[] = [];
  for (const [at, key] of keys.entries()) {
    const place = places[at];
    if (place === undefined || place.key !== key || Math.abs(place.from) > AT_ONCE_SECONDS) break;
    parts.push({ from: place.at, to: places[at + 1]?.at ?? seconds });
  }
  return parts;
}

/** The cameras of a clip as letters, when all of their videos are here and a film of them can be played; else null. */
function filmed(recording: ViewerRecording, canPlay: (codec: string) => boolean): string | null {
  const cameras = camerasOf(recording);
  const areAll = cameras.every(({ address, codec }) => address !== null && codec !== null && canPlay(codec));
  return areAll && cameras.length > 0 && cameras.length <= MOST_CAMERAS
    ? cameras.map(({ direction }) => direction).join("")
    : null;
}
