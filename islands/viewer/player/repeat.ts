import { effect, type Signal, signal } from "@preact/signals";
import type { Browsing } from "../browsing.ts";
import type { TripState } from "../trip_state.ts";
import type { SyncedPlayers } from "./synced_players.ts";

interface Parts {
  readonly browsing: Browsing;
  readonly players: SyncedPlayers;
  readonly trip: TripState;
}

/** Plays the marked range of a trip again and again. */
export class Repeat {
  readonly isOn: Signal<boolean> = signal(false);
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Goes back to the beginning of the range where it ends, and ends with the range. @returns what ends it */
  follow(): () => void {
    const { players, trip } = this.#parts;
    return effect(() => {
      const { value: range } = trip.range;
      const { value: time } = trip.time;
      if (range === null && this.isOn.value) this.isOn.value = false;
      if (range === null || time === null || !this.isOn.value || !players.isPlaying.value) return;
      if (time >= range.to) void trip.seek(range.from);
    });
  }

  /** On from the beginning of the range, or off; without a range nothing. */
  toggle(): void {
    const { players, trip } = this.#parts;
    const { value: range } = trip.range;
    const { value: time } = trip.time;
    if (range === null) return;
    this.isOn.value = !this.isOn.value;
    if (!this.isOn.value) return;
    if (time === null || time < range.from || time >= range.to) void trip.seek(range.from);
    players.play();
  }

  /** A clip is over: goes back when nothing of the range lies behind it. @returns whether it did */
  takesOver(): boolean {
    const { browsing, players, trip } = this.#parts;
    const { value: range } = trip.range;
    const { value: clock } = trip.clock;
    const here = clock?.segments.find(({ key }) => key === browsing.key);
    if (!this.isOn.value || range === null || here === undefined) return false;
    const end = here.offset + here.length;
    if (clock?.segments.some(({ offset, length }) => offset < range.to && offset + length > end)) return false;
    players.isPlaying.value = true;
    void trip.seek(range.from);
    players.play();
    return true;
  }
}
