import { directionRank } from "../recordings/recording_codes.ts";
import { secondsOf, typeOf } from "../recordings/recording_name.ts";
import type { QueueItem, QueueReason } from "./queue_schema.ts";

/** Recordings that follow each other in a queue for one reason. */
export interface QueueGroup {
  readonly why: QueueReason;
  /** Keys of the earliest and the latest moment. */
  from: string;
  to: string;
  readonly types: string[];
  /** In the order in which they are told. */
  directions: string[];
  recordings: number;
  /** Null while the size of one is not known. */
  bytes: number | null;
}

/** Groups at the head of a queue. */
export interface QueueHead {
  readonly groups: readonly QueueGroup[];
  readonly recordings: number;
  readonly bytes: number | null;
}

/** Recordings of one drive are no further apart. */
const DRIVE_SECONDS = 30 * 60;
/** Those of one time of parking, and those at risk, are no further apart. */
const APART_SECONDS = 6 * 3600;

/**
 * Returns the first groups of a queue.
 * @param most groups
 * @param mostItems recordings that are looked at
 */
export function queueHead(items: Iterable<QueueItem>, most: number, mostItems: number): QueueHead {
  const groups: QueueGroup[] = [];
  let before: QueueItem | null = null;
  let recordings = 0;
  let bytes: number | null = 0;
  for (const item of items) {
    const last = groups.at(-1);
    const isSame = last !== undefined && before !== null && isTogether(before, item);
    if (recordings >= mostItems || (!isSame && groups.length >= most)) break;
    if (isSame && last) add(last, item);
    else groups.push(groupOf(item));
    recordings++;
    bytes = sum(bytes, item.bytes);
    before = item;
  }
  return { groups, recordings, bytes };
}

function isTogether(one: QueueItem, other: QueueItem): boolean {
  if (one.why !== other.why) return false;
  const apart = Math.abs(secondsOf(one.key) - secondsOf(other.key));
  // Recordings at risk come as they were recorded, whatever they are.
  if (one.why === "at_risk") return apart <= APART_SECONDS;
  const [type, next] = [typeOf(one.key), typeOf(other.key)];
  if (type !== next && (one.why === "event" || type === "P" || next === "P")) return false;
  return apart <= (type === "P" ? APART_SECONDS : DRIVE_SECONDS);
}

function groupOf({ key, why, direction, bytes }: QueueItem): QueueGroup {
  return { why, from: key, to: key, types: [typeOf(key)], directions: [direction], recordings: 1, bytes };
}

function add(group: QueueGroup, { key, direction, bytes }: QueueItem): void {
  const seconds = secondsOf(key);
  if (seconds < secondsOf(group.from)) group.from = key;
  if (seconds > secondsOf(group.to)) group.to = key;
  if (!group.types.includes(typeOf(key))) group.types.push(typeOf(key));
  if (!group.directions.includes(direction))
    group.directions = [...group.directions, direction].sort((one, other) => directionRank(one) - directionRank(other));
  group.recordings++;
  group.bytes = sum(group.bytes, bytes);
}

function sum(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}
