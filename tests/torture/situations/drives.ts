import { baseOf } from "../../../server/dashcam/simulator/simulated_moments.ts";
import { DAY_MS, FIRST_DAY } from "../deleting_plan.ts";
import type { Dice } from "../dice.ts";
import type { Companion, PlannedVideo } from "../plan_card.ts";

/** Recordings of a situation. */
export interface Drives {
  /** A drive a day, from this day of the round on. */
  readonly firstDay?: number;
  readonly days: number;
  /** Moments of each drive, a minute apart. */
  readonly moments: number;
  readonly directions?: readonly string[];
  readonly letters?: string;
  readonly least: number;
  readonly most: number;
  readonly without?: readonly Companion[];
}

/** Recordings of some days, all of them long before today. */
export function planDrives(dice: Dice, drives: Drives): PlannedVideo[] {
  const { firstDay = 0, days, moments, directions = ["F"], letters = "N", least, most, without = [] } = drives;
  const videos: PlannedVideo[] = [];
  for (let day = firstDay; day < firstDay + days; day++) {
    const start = FIRST_DAY + day * DAY_MS + dice.whole(6, 18) * 3_600_000;
    for (let moment = 0; moment < moments; moment++) {
      const base = baseOf(start + moment * 60_000);
      const letter = dice.pick([...letters]);
      for (const direction of directions)
        videos.push({
          name: `${base}_${letter}${direction}.mp4`,
          bytes: dice.spread(least, most),
          keepsFlag: false,
          without,
        });
    }
  }
  return videos;
}

/** The key of the moment that a file belongs to. */
export function keyOf(name: string): string {
  return name.slice(0, 17);
}

/** The keys of all of them, each once. */
export function keysOf(videos: readonly PlannedVideo[]): string[] {
  return [...new Set(videos.map(({ name }) => keyOf(name)))];
}
