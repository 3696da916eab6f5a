import type { TrashAction } from "./trash_actions.ts";

/** Action under way: with a row (its name), with the chosen ones, or with all. */
export interface TrashTask {
  readonly what: TrashAction;
  readonly of: "chosen" | "all" | { readonly row: string };
}

/** A dialog that is open, and how much it asks about. */
export interface Question {
  /** Each is a dialog of its own, also when the same is asked right after. */
  readonly nth: number;
  readonly kind: "empty-trash" | "restore-all" | "delete-chosen";
  /** Clips. */
  readonly entries: number;
  readonly recordings: number;
  readonly bytes: number;
}
