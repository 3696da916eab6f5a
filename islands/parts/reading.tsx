/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";

interface ReadingProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** One figure and what it is, inside a `<dl class="readings">`. */
export function Reading({ name, children }: ReadingProps) {
  return (
    <div class="reading">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
