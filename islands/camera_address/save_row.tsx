/** @jsxImportSource preact */

/** What follows once the address is saved. */
export type Saving = "start" | "only";

export interface SaveRowProps {
  /** The one that is on its way. */
  readonly saving: Saving | null;
  readonly save: (how: Saving) => void;
}

interface FoundProps extends SaveRowProps {
  /** Whether a camera is there: unknown while that is being asked. */
  readonly found: "yes" | "no" | "unknown" | "not-asked";
}

/** What can be done with the address. */
export function SaveRow({ saving, save, found }: FoundProps) {
  const button = (how: Saving, label: string, look: string, isOff = false) => (
    <button
      class={`b ${look}`}
      type="button"
      aria-busy={saving === how || undefined}
      disabled={isOff || (saving !== null && saving !== how)}
      onClick={() => save(how)}
    >
      {label}
    </button>
  );
  if (found === "not-asked" || found === "no")
    return <div class="row">{button("only", found === "no" ? "Save anyway" : "Save without a check", "")}</div>;
  return (
    <div class="row">
      {button("start", "Save and start the first sync", "b-primary", found === "unknown")}
      {button("only", "Save only", "b-quiet")}
    </div>
  );
}
