import { type Signal, signal } from "@preact/signals";
import { isBusy, isOver, type Player } from "./player.ts";

/** How long the others wait for one whose data does not come. */
const PATIENCE_MS = 3000;

/** Players whose data does not come: all wait for them a while, and then play on without them. */
export class LatePlayers {
  /** The places of cameras that are waited for no longer. */
  readonly places: Signal<readonly number[]> = signal([]);
  readonly #players: readonly Player[];
  readonly #synchronise: () => void;
  #patience: ReturnType<typeof setTimeout> | undefined;

  /** @param players by their places; looked at anew each time. @param synchronise is called when the patience is over */
  constructor(players: readonly Player[], synchronise: () => void) {
    this.#players = players;
    this.#synchronise = synchronise;
  }

  /** Whether the leading player has to wait for another one, `PATIENCE_MS` at most. */
  isWaitedFor(leader: Player, isPlaying: boolean): boolean {
    for (const player of this.#players) if (!isBusy(player)) player.isSlow = false;
    this.tell();
    const late = this.#players.filter(
      (player) => player !== leader && !player.isBroken && !isOver(player) && !player.isSlow && isBusy(player),
    );
    if (late.length === 0 || !isPlaying) {
      clearTimeout(this.#patience);
      this.#patience = undefined;
      return false;
    }
    this.#patience ??= setTimeout(() => {
      this.#patience = undefined;
      for (const player of late) player.isSlow = isBusy(player);
      this.#synchronise();
    }, PATIENCE_MS);
    return true;
  }

  tell(): void {
    const late = this.#players.filter(({ isSlow }) => isSlow).map(({ order }) => order);
    if (late.join() !== this.places.value.join()) this.places.value = late;
  }
}
