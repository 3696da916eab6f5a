import { effect, type Signal, signal } from "@preact/signals";
import { PlaybackPace, paceInWords } from "../../../server/domain/viewer/playback_pace.ts";
import type { TripState } from "../trip_state.ts";
import type { SyncedPlayers } from "./synced_players.ts";

interface Parts {
  readonly players: SyncedPlayers;
  readonly trip: TripState;
}

/** Tells where a browser plays slower than it was asked to. */
export class KeepingUp {
  /** Problem as a sentence; null while it keeps up. */
  readonly problem: Signal<string | null> = signal(null);
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Measures while it plays. @returns what ends it */
  follow(): () => void {
    const { players, trip } = this.#parts;
    const pace = new PlaybackPace();
    return effect(() => {
      const isPlaying = players.isPlaying.value;
      const time = trip.time.value;
      const rate = players.rate.value;
      if (!isPlaying || time === null) {
        pace.forget();
        this.problem.value = null;
        return;
      }
      const real = pace.see(performance.now(), time, rate);
      if (real !== undefined) this.problem.value = real === null ? null : paceInWords(real, rate);
    });
  }
}
