/** @jsxImportSource preact */

import { Icon, type IconName } from "../parts/icon.tsx";
import { ChangeButton } from "../parts/may_change.tsx";
import type { Acting, Action } from "./acting.ts";

interface ActionButtonProps extends Acting {
  readonly action: Action;
  readonly icon: IconName;
  readonly label: string;
  readonly look?: string;
}

/** A button for one action; while that is on its way, it does nothing more. */
export function ActionButton({ action, icon, label, look = "", act, pending }: ActionButtonProps) {
  return (
    <ChangeButton
      class={`b ${look}`.trim()}
      type="button"
      data-action={action}
      aria-busy={pending === action || undefined}
      onClick={act && (() => pending !== action && act(action))}
    >
      <Icon name={icon} />
      {label}
    </ChangeButton>
  );
}
