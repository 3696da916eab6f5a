import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** For a dialog that is drawn to be open: opens it, and tells when it was closed, by whatever means. */
export function useOpenDialog(onClosed: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    current?.addEventListener("close", onClosed);
    current?.showModal();
    return () => current?.removeEventListener("close", onClosed);
  }, []);
  return dialog;
}
