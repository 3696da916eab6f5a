import type { Clock } from "../../clock.ts";
import type { LivingCard } from "./living_card.ts";
import type { LifeEvent, SimulatedLife } from "./simulated_life.ts";
import type { Simulator } from "./simulator.ts";

export interface LiveOptions {
  readonly simulator: Pick<Simulator, "goAway" | "comeBack" | "rate">;
  readonly life: SimulatedLife;
  readonly card: LivingCard;
  readonly clock: Clock;
  /** Camera wall time minus UTC. */
  readonly offsetMinutes: number;
  /** The camera's wall time from which on it lives; its card is that of this moment. */
  readonly from: number;
  /** Bytes per second at this part of the Wi-Fi's best rate; null is as fast as it goes. */
  rateOf(share: number): number | null;
  /** Called when something has happened. */
  readonly onEvent?: (event: LifeEvent) => void;
}

/** Longest time to sleep at once: a clock that was set is seen then. */
const LONGEST_SLEEP_MS = 60 * 60_000;

/** Lets the camera live by a clock until the signal aborts: it records, overwrites, comes and goes. */
export async function live(options: LiveOptions, signal: AbortSignal): Promise<void> {
  const { simulator, life, card, clock, offsetMinutes, from, rateOf, onEvent } = options;
  simulator.rate = rateOf(life.rateShareAt(from));
  if (!life.isHere(from)) await simulator.goAway();
  for (const event of life.events(from)) {
    for (;;) {
      const early = event.at - (clock.now() + offsetMinutes * 60_000);
      if (early <= 0 || signal.aborted) break;
      // Aborted is no error: the loop ends behind this one.
      await clock.sleep(Math.min(early, LONGEST_SLEEP_MS), signal).catch(() => {});
    }
    if (signal.aborted) return;
    switch (event.kind) {
      case "recorded":
        card.record(event.moment);
        break;
      case "arrives":
        simulator.rate = rateOf(event.rateShare);
        await simulator.comeBack();
        break;
      case "leaves":
        await simulator.goAway();
        break;
    }
    onEvent?.(event);
  }
}
