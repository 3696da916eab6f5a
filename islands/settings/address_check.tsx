/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { draftInWords } from "../../server/domain/settings/form_problems.ts";
import { normalText } from "../../server/domain/settings/form_values.ts";
import { FieldProblem } from "../parts/note.tsx";
import type { PartProps } from "./later_place.tsx";
import { focusControl } from "./typing.ts";

/** Checks the typed address, saved or not, in a dialog, and shows how the address was understood. */
export function AddressCheck({ shared }: PartProps) {
  const entry = shared.at("connection", "address");
  const failure = useSignal<string | null>(null);
  const { id, field, draft, problem } = entry;
  const address = normalText(field, draft.value);
  useEffect(() => {
    failure.value = null;
  }, [address]);
  const check = async (button: HTMLElement) => {
    failure.value = address === "" ? "Type the address of the camera first." : null;
    if (address === "" || problem.value !== null) return focusControl(id);
    try {
      const { showCheck } = await import("../dialogs/check.tsx");
      showCheck(document, button, address);
    } catch {
      failure.value = "The check could not be loaded. Load this page again.";
    }
  };
  return (
    <>
      <button
        class="b"
        type="button"
        data-action="check-camera"
        onClick={({ currentTarget }) => void check(currentTarget)}
      >
        Check
      </button>
      <p class="says" id={`${id}-says`}>
        {draftInWords(field, draft.value)}
      </p>
      {failure.value !== null && <FieldProblem id={`${id}-failure`} text={failure.value} />}
    </>
  );
}
