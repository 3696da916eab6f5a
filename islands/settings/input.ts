import { linesOf } from "../../server/domain/settings/form_values.ts";
import type { Entry } from "./entry.ts";

export interface ControlProps {
  readonly entry: Entry;
  /** Ids of the texts about it. */
  readonly describedBy: string;
  readonly change: (entry: Entry, text: string) => void;
}

/** The ids of the texts about a setting: its help, what its value means, and what is wrong with it. */
export function describe({ id, problem }: Entry, says = false): string {
  return `${id}-help${says ? ` ${id}-says` : ""}${problem.value === null ? "" : ` ${id}-error`}`;
}

/** Attributes that all controls with text have in common. */
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
