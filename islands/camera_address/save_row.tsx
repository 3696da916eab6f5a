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
  /** Asks the same address once more. */
  readonly again?: () => void;
}

/** What can be done with the address. */
export function SaveRow({ saving, save, found, again }: FoundProps) {
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
  if (found === "not-asked") return <div class="row">{button("only", "Save without a check", "b-quiet")}</div>;
  if (found === "no")
    return (
      <div class="row">
        <button class="b b-primary" type="button" onClick={again}>
          Check again
        </button>
        {button("only", "Save it anyway", "")}
      </div>
    );
  return (
    <div class="row">
      {button("start", "Save and start the first download", "b-primary", found === "unknown")}
      {button("only", "Save only", "b-quiet")}
    </div>
  );
}
