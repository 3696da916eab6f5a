import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** True while the page's form is being sent. Going back shows the page as it was left, so the state is reset then. */
export function usePending(): Signal<boolean> {
  const pending = useSignal(false);
  useEffect(() => {
    const reset = () => {
      pending.value = false;
    };
    addEventListener("pageshow", reset);
    return () => removeEventListener("pageshow", reset);
  }, [pending]);
  return pending;
}
