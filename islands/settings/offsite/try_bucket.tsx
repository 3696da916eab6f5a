/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { OffsiteTest } from "../../../server/domain/offsite/offsite_schema.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import { Icon } from "../../parts/icon.tsx";
import type { PartProps } from "../later_place.tsx";

const LEVELS = { fine: "fine", attention: "attention", failed: "failed", "not-asked": "waiting" } as const;

/** Tries the saved bucket step by step; nothing while no address is saved. */
export function TryBucket({ shared: { at } }: PartProps) {
  const steps = useSignal<OffsiteTest["steps"]>([]);
  const isPending = useSignal(false);
  if (at("offsite", "endpoint").saved.value === "") return null;
  const ask = async () => {
    if (isPending.value) return;
    isPending.value = true;
    try {
      ({ steps: steps.value } = await send<OffsiteTest>("POST /api/offsite/test"));
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
    isPending.value = false;
  };
  return (
    <>
      {steps.value.length > 0 && (
        <ol class="checks" aria-label="Steps" aria-live="polite">
          {steps.value.map(({ name, label, state, finding, figure }) => (
            <li key={name} class={`is-${LEVELS[state]}`}>
              <Icon name={`s-${LEVELS[state]}`} />
              <b>{label}</b>
              <span class="find">{finding}</span>
              <span class="fig">{state === "not-asked" ? "not asked" : figure}</span>
            </li>
          ))}
        </ol>
      )}
      <div class="row">
        <button class="b" type="button" data-action="offsite-test" disabled={isPending} onClick={ask}>
          Test the saved bucket
        </button>
      </div>
    </>
  );
}
