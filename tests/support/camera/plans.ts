import { sameCutoff } from "../../../server/domain/retention/keep_times.ts";
import type { AtHome, PlanRules } from "../../../server/domain/sync/download_plan.ts";

/** A home that has nothing yet. */
export const NOWHERE: AtHome = {
  has: () => false,
  isBlocked: () => false,
  isAbsent: () => false,
  isUnwanted: () => false,
  isDeleted: () => false,
  moments: () => [],
  isUnknown: () => false,
};

/** Rules by which everything comes, the oldest first. */
export const EVERYTHING: PlanRules = {
  priority: "date",
  grouping: "none",
  include: [],
  exclude: [],
  skipMetadata: [],
  cutoffs: sameCutoff(null),
  eventContext: 0,
};
