import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Whether the page's form is on its way. Going back shows the page as it was left, so it ends there. */
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
