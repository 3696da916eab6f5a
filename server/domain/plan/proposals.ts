import type { Settings } from "../settings/settings.ts";
import { counted, formatBytes } from "../text/format.ts";
import type { ShownPlan } from "./plan_schema.ts";

/** Changes of the settings that a plan proposes, by name. */
export const PROPOSALS = ["smart", "parking_last", "without_parking"] as const;
export type ProposalId = (typeof PROPOSALS)[number];

/** A change of the settings that the user may make; nothing is changed by itself. */
export interface Proposal {
  readonly id: ProposalId;
  /** Its button. */
  readonly label: string;
  /** Says what it brings, and what it costs. */
  readonly sentence: string;
}

type SyncSettings = Pick<Settings["sync"], "priority" | "include" | "exclude">;

/** Returns what would help where a plan loses something, the best first. */
export function proposalsOf(
  { smart_gain: gain, backlog }: Pick<ShownPlan, "smart_gain" | "backlog">,
  { priority, include, exclude }: SyncSettings,
): Proposal[] {
  const proposals: Proposal[] = [];
  if (gain > 0 && priority !== "smart")
    proposals.push({
      id: "smart",
      label: "At risk first",
      sentence: `With what is at risk first, ${counted(gain, "recording")} more would come home in time.`,
    });
  const isParkingOut = exclude.includes("P") || (include.length > 0 && !include.some((code) => code.startsWith("P")));
  if (backlog === null || backlog.parking_per_day === 0 || isParkingOut) return proposals;
  const parking = `${formatBytes(backlog.parking_per_day)} of parking a day`;
  if (priority !== "type")
    proposals.push({
      id: "parking_last",
      label: "Leave parking for last",
      sentence: `With parking last, drives and events come first, and up to ${parking} may be lost.`,
    });
  proposals.push({
    id: "without_parking",
    label: "Leave parking out",
    sentence: `Without parking, ${parking} never come home.`,
  });
  return proposals;
}
