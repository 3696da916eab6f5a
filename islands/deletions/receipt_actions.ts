import type { Restored } from "../../server/domain/retention/deletion_schema.ts";
import { undoneInWords } from "../../server/domain/retention/receipt_text.ts";
import { counted } from "../../server/domain/text/format.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";

/** Carries out the action of a receipt's or a hint's button, and shows the result as a toast. A busy button does nothing. */
export async function carryOutReceipt(button: HTMLElement): Promise<void> {
  const { action, receipt, hint } = button.dataset;
  if (button.getAttribute("aria-busy") !== null) return;
  button.setAttribute("aria-busy", "true");
  try {
    if (action === "undo-deletion") await undo(receipt);
    else if (action === "dismiss-hint") await send("POST /api/camera/hints/dismiss", { id: hint });
    else await send("POST /api/retention/seen", { id: receipt });
  } catch (error) {
    showToast(document, "failed", sentenceOfError(error));
  }
  button.removeAttribute("aria-busy");
  const card = button.closest("[data-poll]");
  // The button that has the focus goes with its line.
  if (card?.contains(document.activeElement)) document.getElementById("main")?.focus({ preventScroll: true });
  card?.dispatchEvent(new Event("refresh"));
}

async function undo(deletion: string | undefined): Promise<void> {
  const { recordings, failed } = await send<Restored>("POST /api/trash/restore", { deletion });
  const [first] = failed;
  // Recordings that were restored before, or deleted for good, are neither restored by this action nor a failure.
  const words = undoneInWords(recordings);
  if (first === undefined) showToast(document, recordings === 0 ? "attention" : "fine", words);
  else {
    const trouble = `${counted(failed.length, "clip")} could not be restored: ${first.reason}`;
    showToast(document, "attention", recordings === 0 ? trouble : `${words} ${trouble}`);
  }
}
