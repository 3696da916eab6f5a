/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { StatusLevel } from "../../server/domain/answers/status_level.ts";
import { Icon } from "./icon.tsx";

interface NoteProps {
  readonly level: StatusLevel;
  readonly title: string;
  readonly id?: string;
  /** `alert` interrupts a screen reader, `status` waits. */
  readonly role?: "alert" | "status";
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** A message with a level: its title, and what belongs to it. */
export function Note({ level, title, id, role, class: more = "", children }: NoteProps) {
  return (
    <div class={`note is-${level} ${more}`.trim()} id={id} role={role}>
      <Icon name={`s-${level}`} />
      <b class="strong">{title}</b>
      {children}
    </div>
  );
}

/** Problem of a field, in its own line. */
export function FieldProblem({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <p class="error" id={id} role="alert">
      <Icon name="s-failed" />
      {text}
    </p>
  );
}
