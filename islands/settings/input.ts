import { linesOf } from "../../server/domain/settings_draft.ts";
import type { Entry } from "./entry.ts";

export interface ControlProps {
  readonly entry: Entry;
  /** Ids of the texts about it. */
  readonly describedBy: string;
  readonly change: (entry: Entry, text: string) => void;
}

/** What every control that holds text has in common. */
export function inputOf({ entry, describedBy, change }: ControlProps) {
  const { id, field, draft, problem } = entry;
  return {
    id,
    name: field.name,
    "aria-describedby": describedBy,
    "aria-invalid": problem.value !== null || undefined,
    value: draft.value,
    onInput: (event: { currentTarget: { value: string } }) => change(entry, event.currentTarget.value),
  };
}

/** Room for what is there and one more line. */
export function rowsOf(text: string): number {
  return Math.min(8, Math.max(2, linesOf(text).length + 1));
}
