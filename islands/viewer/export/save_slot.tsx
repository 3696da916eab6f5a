/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { showToast } from "../../browser/toast.ts";
import type { PanelProps } from "./part_props.ts";

type PanelScript = typeof import("./save_panel.tsx");

/** The place of the panel to save. Its script comes when it is opened for the first time. */
export function SaveSlot(props: PanelProps) {
  const { saving } = props;
  const script = useSignal<PanelScript | null>(null);
  const isOpen = saving.isOpen.value;
  useEffect(() => {
    if (!isOpen || script.peek() !== null) return;
    import("./save_panel.tsx").then(
      (came) => {
        script.value = came;
      },
      () => {
        saving.close();
        showToast(document, "failed", "This part of the page did not come. Load the page again.");
      },
    );
  }, [isOpen]);
  const Panel = script.value?.SavePanel;
  return isOpen && Panel ? <Panel {...props} /> : null;
}
