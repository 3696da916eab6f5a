/** @jsxImportSource preact */
import type { FailureAction } from "../../server/domain/runs/failure_text.ts";

interface ActionLinkProps {
  readonly action: FailureAction;
  readonly look?: string;
}

/** A link to what solves a failure. With a script, `dialogs/open.ts` opens some of them in place. */
export function ActionLink({ action: { kind, label, href }, look = "" }: ActionLinkProps) {
  const opens = kind === "check-camera" || kind === "show-files" ? kind : undefined;
  return (
    <a class={`b ${look}`.trim()} href={href} data-action={kind} data-dialog={opens}>
      {label}
    </a>
  );
}
