/** @jsxImportSource preact */
import { PickBar } from "./pick_bar.tsx";
import { Questions } from "./questions.tsx";
import type { Trash } from "./trash.ts";

/** What can be done with what is chosen, and what is asked before. */
export function Tools({ trash }: { readonly trash: Trash }) {
  return (
    <>
      <PickBar trash={trash} />
      <Questions trash={trash} />
    </>
  );
}
