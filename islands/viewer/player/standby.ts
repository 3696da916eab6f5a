import { batch, effect } from "@preact/signals";
import type { FilmRun } from "../../../server/domain/viewer/film_run.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { Browsing } from "../browsing.ts";
import type { TripState } from "../trip_state.ts";
import type { FilmRuns } from "./film_runs.ts";
import type { GoingOn, Upcoming } from "./going_on.ts";
import type { SyncedPlayers } from "./synced_players.ts";

/** Seconds before its end, as it is played, at which the next videos are made ready. */
const AHEAD_SECONDS = 8;
/** A browser takes so long from being told to play to the second picture. */
const START_MS = 60;
/** From the change in the page to what is seen. */
const DRAW_MS = 16;
/** `HTMLMediaElement.HAVE_FUTURE_DATA` */
const FUTURE_DATA = 3;

interface Parts {
  readonly browsing: Browsing;
  readonly players: SyncedPlayers;
  readonly goingOn: GoingOn;
  readonly trip: TripState;
  readonly films: FilmRuns;
}

/**
 * Plays the next clip, whose videos are loaded before the one on show is over: a drive plays without a gap. Where more
 * follow it, films of all of them are loaded, and play over the ends of their clips by themselves.
 */
export class Standby {
  readonly #parts: Parts;
  #asked: string | null = null;
  readonly #timers: Set<ReturnType<typeof setTimeout>> = new Set();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks for it near the end of each clip, and lets it take over with the last picture. @returns what ends it */
  follow(): () => void {
    const { browsing, players, goingOn, trip, films } = this.#parts;
    players.onLastPictures = (left) => this.#takeOver(left * 1000);
    const end = effect(() => {
      const { key } = browsing;
      if (key !== this.#asked) {
        this.#asked = null;
        goingOn.ready.value = null;
        films.ready.value = null;
      }
      const length = players.length.value;
      const rate = players.rate.value;
      const left = length - players.time.value;
      const isNear = length > 0 && left < AHEAD_SECONDS * Math.max(1, rate);
      if (key === null || !isNear || !players.isPlaying.value || this.#asked !== null) return;
      this.#asked = key;
      // A video that cannot be read is asked for again when the clip is over.
      void this.#prepare(key).catch(() => {});
    });
    const endLook = effect(() => {
      const keys = trip.trip.value?.segments.map(keyOf) ?? [];
      const { key } = browsing;
      // Only within the trip that plays: the video of a clip chosen elsewhere is read later.
      if (key === null || !keys.includes(key) || !films.endWithout(keys)) return;
      // The video that stands ready may have gone, too.
      this.#asked = null;
      goingOn.ready.value = null;
    });
    return () => {
      endLook();
      players.onLastPictures = () => {};
      this.#cancel();
      end();
    };
  }

  async #prepare(key: string): Promise<void> {
    const { browsing, goingOn, films } = this.#parts;
    const next = await goingOn.following(key);
    const run =
      next === null || next.isCounted || films.shown.peek()?.keys.includes(keyOf(next.recording))
        ? null
        : await this.#runFrom(next);
    if (browsing.key !== key) return;
    batch(() => {
      films.ready.value = run;
      goingOn.ready.value = next;
    });
  }

  async #runFrom({ recording, start }: Upcoming): Promise<FilmRun | null> {
    const { films, trip } = this.#parts;
    // Without its films the clip plays by itself.
    return start > 0 ? null : await films.from(recording, await trip.tripOf(keyOf(recording))).catch(() => null);
  }

  /** The clip that stands ready begins unseen, and is on show when the last picture has been seen. */
  #takeOver(leftMs: number): void {
    const { browsing, players, goingOn } = this.#parts;
    const { key } = browsing;
    const { value: next } = goingOn.ready;
    // A counted clip begins when its countdown is over.
    const videos = next === null || next.isCounted ? [] : readyVideos();
    if (videos.length === 0) return;
    this.#cancel();
    const from = players.time.value;
    // The viewer may have stopped, or gone elsewhere.
    const isStill = () => browsing.key === key && players.isPlaying.value && players.time.value >= from;
    this.#in(leftMs - START_MS, () => {
      if (!isStill()) return;
      for (const video of videos) {
        video.playbackRate = players.rate.value;
        video.play().catch(() => {});
      }
    });
    this.#in(leftMs - DRAW_MS, () => {
      if (isStill()) players.onEnd();
      if (browsing.key !== key) return;
      for (const video of videos) {
        video.pause();
        video.currentTime = next?.start ?? 0;
      }
    });
  }

  #in(milliseconds: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, milliseconds);
    this.#timers.add(timer);
  }

  #cancel(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

/** The videos that stand ready; none unless all that can be played at all can begin at once. */
function readyVideos(): HTMLVideoElement[] {
  const all = [...document.querySelectorAll<HTMLVideoElement>("video.is-next")];
  const videos = all.filter(({ error }) => error === null);
  return videos.every(({ readyState }) => readyState >= FUTURE_DATA) ? videos : [];
}
