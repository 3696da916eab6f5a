import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** False as the server draws it and where there is no script, true from then on: links become buttons. */
export function useHydrated(): boolean {
  const isHydrated = useSignal(false);
  useEffect(() => {
    isHydrated.value = true;
  }, []);
  return isHydrated.value;
}
