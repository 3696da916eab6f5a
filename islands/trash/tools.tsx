/** @jsxImportSource preact */
import { PickBar } from "./pick_bar.tsx";
import { Questions } from "./questions.tsx";
import type { Trash } from "./trash.ts";

/** Buttons for the chosen entries, and the questions asked before. */
export function Tools({ trash }: { readonly trash: Trash }) {
  return (
    <>
      <PickBar trash={trash} />
      <Questions trash={trash} />
    </>
  );
}
