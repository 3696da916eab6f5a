import type { RetentionState } from "../../../server/domain/retention/deletion.ts";

/** Nothing waits, nothing was deleted, nothing is in the trash. */
export function nothingDeleted(): RetentionState {
  return {
    held: null,
    confirmed: null,
    last: null,
    trash: { recordings: 0, bytes: 0, days: 7 },
    unseen: [],
    problem: null,
    kept: { recordings: 0, bytes: 0 },
    lost_marks: 0,
  };
}
