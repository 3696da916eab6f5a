/** @jsxImportSource preact */

/** Action that follows the saving of the address. */
export type Saving = "start" | "only";

export interface SaveRowProps {
  /** The one that is on its way. */
  readonly saving: Saving | null;
  readonly save: (how: Saving) => void;
}

interface FoundProps extends SaveRowProps {
  /** Result of the check; unknown while the camera is being asked. */
  readonly found: "yes" | "no" | "unknown" | "not-asked";
  /** Asks the same address once more. */
  readonly again?: () => void;
}

/** Buttons for a checked address. */
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
