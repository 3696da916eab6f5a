import { fraction, seedOf } from "./simulated_noise.ts";

/** Bands of the Wi-Fi by name, and bytes per second at which a camera sends over each at best. */
export const WIFI_RATES = { "2.4": 5_000_000, "5": 32_000_000 } as const;
export type WifiBand = keyof typeof WIFI_RATES;
export const WIFI_BANDS = Object.keys(WIFI_RATES) as readonly WifiBand[];

/** Bytes of a minute of 4K in front, and of Full HD in the rear, about 25 and 10 Mbit/s. */
const FRONT_BYTES = 180_000_000;
const REAR_BYTES = 75_000_000;
/** A parked car's surroundings change little. */
const PARKED_SHARE = 0.6;
/** Part by which a picture with much or little in it takes more or less. */
const SPREAD = 0.12;

/** Bytes of a real camera's video of a minute. The same name always has the same. */
export function usualBytes(name: string, type: string, direction: string): number {
  const usual = (direction === "F" ? FRONT_BYTES : REAR_BYTES) * (type === "P" || type === "I" ? PARKED_SHARE : 1);
  return Math.round(usual * (1 - SPREAD + 2 * SPREAD * fraction(seedOf(name), 0)));
}
