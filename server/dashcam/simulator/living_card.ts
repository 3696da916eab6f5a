import { type Footage, SimulatedCard } from "./simulated_card.ts";
import type { SimulatedLife } from "./simulated_life.ts";
import { LoopRecording, type Overwriting, type Stored } from "./simulated_loop.ts";
import type { Moment } from "./simulated_moments.ts";

export interface LivingCardOptions {
  readonly life: SimulatedLife;
  /** The camera's wall time up to which the car has lived, in epoch milliseconds as if it were UTC. */
  readonly until: number;
  /** Videos that the card holds: then the oldest are overwritten. */
  readonly recordings: number;
  readonly overwriting: Overwriting;
  readonly footage: Footage;
  /** Camera wall time minus UTC. */
  readonly offsetMinutes: number;
}

/** Time for which the car has lived before, so that its card is as full as it can be. */
const LIVED_BEFORE_MS = 56 * 24 * 60 * 60_000;

interface Recorded extends Stored {
  readonly moment: Moment;
}

/** The card of a car that lives: each new recording takes the place of an old one. */
export class LivingCard {
  readonly card: SimulatedCard;
  readonly #loop: LoopRecording<Recorded>;

  constructor({ life, until, recordings, overwriting, footage, offsetMinutes }: LivingCardOptions) {
    this.card = new SimulatedCard(footage, offsetMinutes, 0, life);
    this.#loop = new LoopRecording(recordings, overwriting);
    for (const event of life.events(until - LIVED_BEFORE_MS)) {
      if (event.at >= until) break;
      if (event.kind === "recorded") for (const item of videosOf(event.moment)) this.#loop.write(item);
    }
    for (const { name, moment } of this.#loop.stored()) this.card.record(name, moment);
  }

  /** Writes the videos of a moment, and overwrites as many as they need room. */
  record(moment: Moment): void {
    for (const item of videosOf(moment)) {
      this.card.record(item.name, moment);
      for (const { name } of this.#loop.write(item)) this.card.overwrite(name);
    }
  }
}

/** One of each direction; the card's room is counted in videos. */
function videosOf(moment: Moment): Recorded[] {
  const { base, type, flag, directions } = moment;
  return directions.map((direction) => ({ name: `${base}_${type}${direction}${flag}.mp4`, type, size: 1, moment }));
}
