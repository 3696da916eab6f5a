/** @jsxImportSource preact */
import type { StatusLevel } from "../../server/domain/answers/status_level.ts";
import { Icon } from "./icon.tsx";

interface StateProps {
  readonly level: StatusLevel;
  readonly word: string;
}

/** A state: its shape, its word and, from the class, its colour. */
export function State({ level, word }: StateProps) {
  return (
    <span class={`state is-${level}`}>
      <Icon name={`s-${level}`} />
      {word}
    </span>
  );
}
