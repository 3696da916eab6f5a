import type { RetentionState } from "../domain/deletion.ts";

/** Everything about deleting as it is known at this moment, without asking the disk anything. */
export function retentionState(_parts: object): RetentionState {
  return {
    held: null,
    confirmed: null,
    last: null,
    trash: { recordings: 0, bytes: 0, days: 7 },
    unseen: [],
    problem: null,
    kept: { recordings: 0, bytes: 0 },
  };
}
