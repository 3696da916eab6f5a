/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { Mood } from "../../server/domain/status/status_level.ts";
import { Icon } from "./icon.tsx";

interface NoteProps {
  readonly mood: Mood;
  readonly title: string;
  readonly id?: string;
  /** `alert` interrupts a screen reader, `status` waits. */
  readonly role?: "alert" | "status";
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** One line of consequence, and what goes with it. */
export function Note({ mood, title, id, role, class: more = "", children }: NoteProps) {
  return (
    <div class={`note is-${mood} ${more}`.trim()} id={id} role={role}>
      <Icon name={`s-${mood}`} />
      <b class="strong">{title}</b>
      {children}
    </div>
  );
}
