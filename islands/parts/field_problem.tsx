/** @jsxImportSource preact */
import { Icon } from "./icon.tsx";

/** What is wrong with a field, in its own line. */
export function FieldProblem({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <p class="error" id={id} role="alert">
      <Icon name="s-failed" />
      {text}
    </p>
  );
}
