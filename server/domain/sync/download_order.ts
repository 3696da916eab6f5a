import { directionRank, typeRank } from "../recordings/recording_codes.ts";
import { type RecordingName, secondsOf } from "../recordings/recording_name.ts";
import type { Priority } from "../settings/sections/sync.ts";
import { isOldestFirst, type RiskBoundary, smartRank, type TimeAndType } from "./smart_order.ts";

/** The order in which recordings come home. */
export interface DownloadOrder {
  readonly priority: Priority;
  /** Counts in the order `smart`. It is null or left out while unknown. */
  readonly atRiskBefore?: RiskBoundary | null;
}

/** Facts that give a recording its place in an order. */
export interface Ordered extends TimeAndType {
  readonly direction: string;
}

/** Above every rank of a direction. */
const DIRECTIONS = 8;
/** No recording has a later time, in seconds. */
const LATEST = 2 ** 38;
const TIMES = LATEST * DIRECTIONS;

/** Returns a number that is lower the earlier a recording comes. Those of one second, type and direction have the same. */
export function orderKey({ priority, atRiskBefore = null }: DownloadOrder, recording: Ordered): number {
  const direction = directionRank(recording.direction);
  const oldestFirst = recording.seconds * DIRECTIONS + direction;
  // Directions of a moment are not turned round.
  const newestFirst = (LATEST - recording.seconds) * DIRECTIONS + direction;
  switch (priority) {
    case "date":
      return oldestFirst;
    case "rdate":
      return newestFirst;
    case "type":
      return typeRank(recording.type) * TIMES + oldestFirst;
    case "smart": {
      const rank = smartRank(recording, atRiskBefore);
      return rank * TIMES + (isOldestFirst(rank) ? oldestFirst : newestFirst);
    }
  }
}

/** Returns `orderKey` of a recording with this name. */
export function orderKeyOf(order: DownloadOrder, { name, type, direction }: RecordingName): number {
  return orderKey(order, { seconds: secondsOf(name), type, direction });
}
