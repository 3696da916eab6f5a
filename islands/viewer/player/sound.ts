import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Player } from "./player.ts";
import { FASTEST_WITH_SOUND } from "./rates.ts";

/** The sound of one camera, or none: all at once would be an echo. */
export class Sound {
  readonly isMuted: Signal<boolean> = signal(false);
  /** The place of the camera that is heard: the chosen one, or while that does not play the first one that does. */
  readonly audible: Signal<number> = signal(0);
  #chosen = 0;
  readonly #players: readonly Player[];
  readonly #rate: ReadonlySignal<number>;

  /** @param players by their places; looked at anew each time */
  constructor(players: readonly Player[], rate: ReadonlySignal<number>) {
    this.#players = players;
    this.#rate = rate;
  }

  /** Nothing is heard, however loud it is set. */
  get isTooFast(): boolean {
    return this.#rate.value > FASTEST_WITH_SOUND;
  }

  audiblePlayer(): Player | undefined {
    const usable = this.#players.filter(({ isBroken }) => !isBroken);
    return usable.find(({ order }) => order === this.#chosen) ?? usable[0];
  }

  toggle(): void {
    this.isMuted.value = !this.isMuted.value;
    this.share();
  }

  /** Lets this camera be heard, and no other. */
  hear(order: number): void {
    this.#chosen = order;
    this.isMuted.value = false;
    this.share();
  }

  /** Gives the sound to the one that is heard. */
  share(): void {
    const audible = this.audiblePlayer();
    if (audible) this.audible.value = audible.order;
    for (const player of this.#players) player.video.muted = player !== audible || this.isMuted.value || this.isTooFast;
  }

  /** The browser changed it, as its own controls do. */
  changed(player: Player): void {
    if (player === this.audiblePlayer() && !this.isTooFast) this.isMuted.value = player.video.muted;
  }
}
