/** @jsxImportSource preact */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DialogProps {
  /** Becomes `data-modal`. */
  readonly name: string;
  readonly title: string;
  readonly dialogRef: RefObject<HTMLDialogElement | null>;
  readonly class?: string;
  /** Sends the form instead of just closing; the form then shows its problems itself. */
  readonly onSubmit?: (event: SubmitEvent) => void;
  readonly children: ComponentChildren;
}

/** A native dialog: what opens it calls `showModal()`; Escape and its buttons close it and give the focus back. */
export function Dialog({ name, title, dialogRef, class: more = "", onSubmit, children }: DialogProps) {
  const id = `${name}-title`;
  return (
    <dialog class={`dialog ${more}`.trim()} data-modal={name} aria-labelledby={id} ref={dialogRef}>
      <form method="dialog" noValidate={onSubmit !== undefined} onSubmit={onSubmit}>
        <h2 id={id}>{title}</h2>
        {children}
      </form>
    </dialog>
  );
}

/** For a dialog that is drawn to be open: opens it, and calls `onClosed` however it was closed. */
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
