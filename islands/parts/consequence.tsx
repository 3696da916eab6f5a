/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

interface ConsequenceProps {
  /** Fine for what stays, attention for what changes or ends. */
  readonly is: "fine" | "attention";
  readonly children: ComponentChildren;
}

/** One line of what a question leads to, in a list of class `stays`. */
export function Consequence({ is, children }: ConsequenceProps) {
  return (
    <li class={`is-${is}`}>
      <Icon name={is === "fine" ? "i-check" : "i-close"} />
      <span>{children}</span>
    </li>
  );
}
