import type { Signal } from "@preact/signals";
import type { Player } from "./player.ts";

/** Milliseconds that the reason is shown why nothing more of a clip plays. */
const SEEN_MS = 2000;

interface Parts {
  /** Players by their places; looked at anew each time. */
  readonly players: readonly Player[];
  readonly isPlaying: Signal<boolean>;
  readonly time: Signal<number>;
  /** Called when a clip is over of which no camera shows anything more. */
  readonly onEnd: () => void;
}

/** A clip of which no camera can be shown, or none any more: playing stops, and goes on behind it. */
export class BrokenPlayers {
  readonly #parts: Parts;
  /** Time at which playing stopped, in seconds; null unless it did. */
  #stoppedAt: number | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  areAll(): boolean {
    const { players } = this.#parts;
    return players.length > 0 && players.every(({ isBroken }) => isBroken);
  }

  /** Nothing plays where no camera is left. */
  halt(): void {
    const { isPlaying, time } = this.#parts;
    if (!this.areAll() || !isPlaying.value) return;
    this.#stoppedAt = time.value;
    isPlaying.value = false;
  }

  /** Goes on as at the clip's end, unless the viewer does something else meanwhile. */
  passOver(): void {
    this.halt();
    const stoppedAt = this.#stoppedAt;
    if (stoppedAt === null) return;
    setTimeout(() => {
      if (this.#stoppedAt !== stoppedAt) return;
      this.forget();
      this.#parts.onEnd();
    }, SEEN_MS);
  }

  /** Something else is to be seen. */
  forget(): void {
    this.#stoppedAt = null;
  }
}
