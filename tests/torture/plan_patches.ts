import { GROUPINGS } from "../../server/domain/recordings/date_folders.ts";
import { DIRECTIONS, TYPES } from "../../server/domain/recordings/recording_codes.ts";
import { PRIORITIES } from "../../server/domain/settings/sections/sync.ts";
import type { Dice } from "./dice.ts";

/** A change of one section of the settings, as a page sends it. */
export interface PlannedPatch {
  section: string;
  body: Readonly<Record<string, unknown>>;
}

/** Codes of recordings, for include and exclude. */
export function planCodes(dice: Dice): string[] {
  if (dice.chance(0.8)) return [];
  const code = () => dice.pick([..."NEPNEP", ...Object.keys(TYPES)]) + dice.pick(["", "", ...Object.keys(DIRECTIONS)]);
  return [...new Set(Array.from({ length: dice.whole(1, 3) }, code))];
}

/** A change by a user while the service works. The keep time stays unlimited: nothing is ever deleted here. */
export function planPatch(dice: Dice): PlannedPatch {
  const choices: readonly (() => PlannedPatch)[] = [
    () => ({ section: "sync", body: { grouping: dice.pick(GROUPINGS) } }),
    () => ({ section: "sync", body: { priority: dice.pick(PRIORITIES), grouping: dice.pick(GROUPINGS) } }),
    () => ({ section: "sync", body: { include: planCodes(dice), exclude: planCodes(dice) } }),
    () => ({ section: "sync", body: { retry_failed_after: dice.pick(["1s", "2s", "1h", "1d"]) } }),
    () => ({ section: "sync", body: { skip_metadata: dice.some(["t", "3", "g"], 2) } }),
    () => ({ section: "schedule", body: { paused: dice.chance(0.5) } }),
    () => ({ section: "retention", body: { keep: "", max_used_disk_percent: dice.whole(99, 100) } }),
    () => ({ section: "logging", body: { verbose: dice.whole(0, 2), ring_buffer_capacity: dice.whole(10, 900) } }),
  ];
  return dice.pick(choices)();
}
