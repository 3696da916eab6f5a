import { type CardPart, cardPartOfType } from "../recordings/card_part.ts";
import { keepClassOf } from "../retention/keep_times.ts";

/** Reasons for a place in the order `smart`, in that order. */
export const SMART_REASONS = ["at_risk", "event", "driving", "parking"] as const;
export type SmartReason = (typeof SMART_REASONS)[number];

/**
 * For each part of the card: recordings that began before this time, in seconds of the camera's clock as `secondsOf`
 * has them, are expected to be overwritten.
 */
export type PartTimes = Readonly<Record<CardPart, number>>;

/** Recordings that are expected to be overwritten before the end of the next visit. */
export interface RiskBoundary extends PartTimes {
  /** The same before the end of a visit after that one; left out while none is expected. */
  readonly later?: PartTimes;
}

/** A recording's time, as `secondsOf` its name, and its letter. */
export interface TimeAndType {
  readonly seconds: number;
  readonly type: string;
}

/**
 * True for a recording that is expected to be overwritten. One of a clock that was never set may be as old as it says.
 */
export function isAtRisk({ seconds, type }: TimeAndType, atRiskBefore: PartTimes | null): boolean {
  return atRiskBefore !== null && seconds < atRiskBefore[cardPartOfType(type)];
}

/** True for what is at risk now or some visits later. */
function isAtRiskLater(recording: TimeAndType, atRiskBefore: RiskBoundary | null): boolean {
  return isAtRisk(recording, atRiskBefore) || isAtRisk(recording, atRiskBefore?.later ?? null);
}

/** Returns the reason that a recording has for its place. */
export function smartReason(recording: TimeAndType, atRiskBefore: RiskBoundary | null): SmartReason {
  if (isAtRisk(recording, atRiskBefore)) return "at_risk";
  if (isEventOrManual(recording)) return "event";
  return keepClassOf(recording.type) === "parking" ? "parking" : "driving";
}

/**
 * Returns a number that is lower the earlier a recording comes. Events and manual ones that are at risk in some visits
 * come first of all: they are few, so that their number can differ much from what is expected, and they take little
 * time from the others. Drives and parking recordings come after what is at risk now, but before those that last
 * longer, because a visit may be missed, late or short.
 */
export function smartRank(recording: TimeAndType, atRiskBefore: RiskBoundary | null): number {
  const isLater = isAtRiskLater(recording, atRiskBefore);
  if (isEventOrManual(recording)) return isLater ? 0 : 2;
  if (isAtRisk(recording, atRiskBefore)) return 1;
  if (isLater) return 3;
  return keepClassOf(recording.type) === "parking" ? 5 : 4;
}

/**
 * True for ranks of what is at risk: the oldest is overwritten first. Of all others the newest are looked for first.
 */
export function isOldestFirst(rank: number): boolean {
  return rank === 0 || rank === 1 || rank === 3;
}

function isEventOrManual({ type }: TimeAndType): boolean {
  const kind = keepClassOf(type);
  return kind === "event" || kind === "manual";
}
