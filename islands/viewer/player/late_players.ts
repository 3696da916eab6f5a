import { type Signal, signal } from "@preact/signals";
import { isBusy, isOver, type Player } from "./player.ts";

/** Longest wait of the others for a player whose data does not come. */
const WAIT_MS = 3000;
/** After so long without a picture it is told what is waited for. */
const TOLD_MS = 700;

/** Players whose data does not come: all wait for them a while, and then play on without them. */
export class LatePlayers {
  /** The places of cameras whose pictures do not come: what is seen of them is not of this moment. */
  readonly places: Signal<readonly number[]> = signal([]);
  readonly #players: readonly Player[];
  readonly #synchronise: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tells: ReturnType<typeof setTimeout> | undefined;

  /** @param players by their places; looked at anew each time. @param synchronise is called when the wait is over */
  constructor(players: readonly Player[], synchronise: () => void) {
    this.#players = players;
    this.#synchronise = synchronise;
  }

  /** True while the leading player has to wait for another one, `WAIT_MS` at most. */
  isWaitedFor(leader: Player, isPlaying: boolean): boolean {
    for (const player of this.#players) if (!isBusy(player)) player.isSlow = false;
    this.tell();
    const late = this.#players.filter(
      (player) => player !== leader && !player.isBroken && !isOver(player) && !player.isSlow && isBusy(player),
    );
    if (late.length === 0 || !isPlaying) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      return false;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const player of late) player.isSlow = isBusy(player);
      this.#synchronise();
    }, WAIT_MS);
    return true;
  }

  /** Says of whom nothing comes, once that has lasted. */
  tell(): void {
    const late = this.#late();
    if (late.length === 0) {
      clearTimeout(this.#tells);
      this.#tells = undefined;
    } else
      this.#tells ??= setTimeout(() => {
        this.#tells = undefined;
        this.#show(this.#late());
      }, TOLD_MS);
    this.#show(this.places.peek().filter((order) => late.includes(order)));
  }

  #late(): number[] {
    return this.#players.filter((one) => !one.isBroken && !isOver(one) && isBusy(one)).map(({ order }) => order);
  }

  #show(late: readonly number[]): void {
    if (late.join() !== this.places.peek().join()) this.places.value = late;
  }
}
