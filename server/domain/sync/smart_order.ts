import { type CardPart, cardPartOfType } from "../recordings/card_part.ts";
import { keepClassOf } from "../retention/keep_times.ts";

/** Reasons for a place in the order `smart`, in that order. */
export const SMART_REASONS = ["at_risk", "event", "driving", "parking"] as const;
export type SmartReason = (typeof SMART_REASONS)[number];

/**
 * For each part of the card: recordings that began before this time, in seconds of the camera's clock as `secondsOf` has
 * them, are expected to be overwritten.
 */
export type RiskBoundary = Readonly<Record<CardPart, number>>;

/** A recording's time, as `secondsOf` its name, and its letter. */
export interface TimeAndType {
  readonly seconds: number;
  readonly type: string;
}

/** True for a recording that is expected to be overwritten. One of a clock that was never set may be as old as it says. */
export function isAtRisk({ seconds, type }: TimeAndType, atRiskBefore: RiskBoundary | null): boolean {
  return atRiskBefore !== null && seconds < atRiskBefore[cardPartOfType(type)];
}

/** Returns the reason that a recording has for its place. */
export function smartReason(recording: TimeAndType, atRiskBefore: RiskBoundary | null): SmartReason {
  if (isAtRisk(recording, atRiskBefore)) return "at_risk";
  const kind = keepClassOf(recording.type);
  if (kind === "event" || kind === "manual") return "event";
  return kind === "parking" ? "parking" : "driving";
}
