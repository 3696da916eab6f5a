import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Whether the page's form is on its way. The way back brings the page as it was left, so it ends there. */
export function usePending(): Signal<boolean> {
  const pending = useSignal(false);
  useEffect(() => {
    const rest = () => {
      pending.value = false;
    };
    addEventListener("pageshow", rest);
    return () => removeEventListener("pageshow", rest);
  }, [pending]);
  return pending;
}
