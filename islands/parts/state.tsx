/** @jsxImportSource preact */
import type { Mood } from "../../server/domain/status/status_level.ts";
import { Icon } from "./icon.tsx";

interface StateProps {
  readonly mood: Mood;
  readonly word: string;
}

/** A state: its shape, its word and, from the class, its colour. */
export function State({ mood, word }: StateProps) {
  return (
    <span class={`state is-${mood}`}>
      <Icon name={`s-${mood}`} />
      {word}
    </span>
  );
}
