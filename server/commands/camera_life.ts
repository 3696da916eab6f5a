import type { ParseArgsOptionsConfig } from "node:util";
import type { Clock } from "../clock.ts";
import { FasterClock } from "../dashcam/simulator/faster_clock.ts";
import { type LiveOptions, live } from "../dashcam/simulator/live.ts";
import { LivingCard } from "../dashcam/simulator/living_card.ts";
import type { Footage } from "../dashcam/simulator/simulated_card.ts";
import { type LifeEvent, SimulatedLife } from "../dashcam/simulator/simulated_life.ts";
import { LIFE_NAMES, LIFE_PATTERNS } from "../dashcam/simulator/simulated_life_patterns.ts";
import { OVERWRITING_NAMES } from "../dashcam/simulator/simulated_loop.ts";
import { usualBytes, WIFI_BANDS, WIFI_RATES } from "../dashcam/simulator/simulated_sizes.ts";
import type { Simulator } from "../dashcam/simulator/simulator.ts";
import { readChoice, readText, readWhole, UsageProblem } from "./usage.ts";

export const LIFE_OPTIONS = {
  life: { type: "string" },
  speed: { type: "string" },
  wifi: { type: "string" },
  overwrites: { type: "string" },
  seed: { type: "string" },
} satisfies ParseArgsOptionsConfig;

type LifeValues = { readonly [name in keyof typeof LIFE_OPTIONS]?: string | undefined };

const MOST_SPEED = 100_000;
/** Time before now at which a life begins that goes faster. */
const PAST_MS = 14 * 24 * 60 * 60_000;

/** A life that a simulated camera can lead. */
export interface CameraLife {
  readonly card: LivingCard;
  /** Resolves when the signal aborts; `told` gets a line each time the car comes home or leaves. */
  lead(simulator: Simulator, told: (line: string) => void, signal: AbortSignal): Promise<void>;
}

interface CameraLifeOptions {
  readonly values: LifeValues;
  /** Videos that the card holds. */
  readonly recordings: number;
  /** Bytes per second at best; null: what the Wi-Fi would give. */
  readonly rate: number | null;
  readonly footage: Footage;
  readonly clock: Clock;
  /** Camera wall time minus UTC. */
  readonly offsetMinutes: number;
}

/** Reads the options of a life; null without `--life`. @throws UsageProblem */
export function cameraLife(options: CameraLifeOptions): CameraLife | null {
  const { values, recordings, footage, offsetMinutes } = options;
  if (values.life === undefined) {
    for (const name of ["speed", "wifi", "overwrites", "seed"] as const)
      if (values[name] !== undefined) throw new UsageProblem(`--${name} belongs to a life: give --life, too`);
    return null;
  }
  const name = readChoice(values.life, "--life", LIFE_NAMES);
  if (recordings === 0) throw new UsageProblem("--recordings must be 1 or more with --life: it is what the card holds");
  const speed = readWhole(values.speed ?? "1", "--speed", 1, MOST_SPEED);
  const band = readChoice(values.wifi ?? "5", "--wifi", WIFI_BANDS);
  const overwriting = readChoice(values.overwrites ?? "oldest", "--overwrites", OVERWRITING_NAMES);
  const life = new SimulatedLife(name, readText(values.seed, "--seed"));
  const { clock, speedNow } = lifeClock(options.clock, speed);
  const from = clock.now() + offsetMinutes * 60_000;
  const card = new LivingCard({ life, until: from, recordings, overwriting, footage, offsetMinutes });
  const best = options.rate ?? WIFI_RATES[band] * sizeShare(card);
  const rateOf: LiveOptions["rateOf"] = (share) => best * share * (options.rate === null ? speedNow() : 1);
  return {
    card,
    lead(simulator, told, signal) {
      if (!life.isHere(from)) told(lineOf(from, "The car is not at home"));
      const onEvent = (event: LifeEvent) => {
        if (event.kind === "arrives") told(lineOf(event.at, "The car is at home"));
        else if (event.kind === "leaves") told(lineOf(event.at, "The camera cannot be reached any more"));
      };
      return live({ simulator, life, card, clock, offsetMinutes, from, rateOf, onEvent }, signal);
    },
  };
}

/** A life at the usual speed begins now; a faster one some time before, so that no recording is of the future. */
function lifeClock(clock: Clock, speed: number): { clock: Clock; speedNow: () => number } {
  if (speed === 1) return { clock, speedNow: () => 1 };
  const faster = new FasterClock(clock, speed, clock.now() - PAST_MS);
  return { clock: faster, speedNow: () => faster.speed };
}

/** Size of the card's videos as a part of that of a real camera's: they come as often, and take as long. */
function sizeShare({ card }: LivingCard): number {
  let bytes = 0;
  let usual = 0;
  for (const name of card.videos()) {
    bytes += card.files.get(name)?.size ?? 0;
    usual += usualBytes(name, name.charAt(16), name.charAt(17));
  }
  return usual === 0 ? 1 : bytes / usual;
}

function lineOf(at: number, text: string): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")}  ${text}`;
}

/** The patterns of life, one a line. */
export function lifeList(): string {
  return LIFE_NAMES.map((name) => `  ${name.padEnd(12)}${LIFE_PATTERNS[name].help}`).join("\n");
}
