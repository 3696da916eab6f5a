import type { KeepDrawnProps } from "./keep/shared.ts";
import type { Leaving } from "./unsaved_changes.ts";

/** Parts of the form that saving works with. */
export interface SavingParts extends KeepDrawnProps {
  readonly leaving: Leaving;
  /** Asks before a sign-in mode is saved that lets people in without a password. */
  readonly askMode: () => void;
}
