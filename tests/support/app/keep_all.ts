import { sameCutoff } from "../../../server/domain/retention/keep_times.ts";
import type { RetentionRules } from "../../../server/engine/retention/retention_rules.ts";

/** Rules that delete nothing. */
export const KEEP_ALL: RetentionRules = {
  cutoffs: sameCutoff(null),
  eventContext: 0,
  keep: {},
  maxBytes: null,
  maxPercent: null,
  trashMs: 0,
};
